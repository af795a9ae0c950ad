/* SPDX-License-Identifier: Apache-2.0 */
/* Single members of a record, for those who need one that has no place in rdv_chain. */
#include "base/arena.h"
#include "base/str.h"
#include "data/members.h"

static const rdv_limits no_limits = {SIZE_MAX, RDV_MAX_DEPTH, SIZE_MAX, SIZE_MAX};

/* ---- members that were noted ----------------------------------------------------------------- */

/* What stands at `part` of `text`, in `copy` of the same bytes; a copy of its own where it stands
 * elsewhere. */
static rdv_str moved(rdv_str part, rdv_str text, rdv_str copy, rdv_arena *arena)
{
    if (part.p >= text.p && part.p + part.len <= text.p + text.len)
        return (rdv_str){copy.p + (part.p - text.p), part.len};
    return rdv_str_copy(arena, part);
}

void rdv_note_members(rdv_chain *chain, const rdv_members *from, rdv_str text, rdv_arena *arena)
{
    rdv_members cut = {0};
    size_t at;
    if (!from && rdv_members_read(&cut, chain->raw, &no_limits, arena, &at, NULL) != RDV_OK)
        return;
    const rdv_members *m = from ? from : &cut;
    bool moves = from && !from->lasting;
    rdv_raw_members *noted = RDV_NEW(arena, rdv_raw_members);
    rdv_member *items = moves ? RDV_NEW_ARRAY(arena, rdv_member, m->n) : m->items;
    bool ok = noted && (items || m->n == 0);
    for (size_t i = 0; moves && ok && i < m->n; i++) {
        items[i].next = m->items[i].next;
        items[i].name = moved(m->items[i].name, text, chain->raw, arena);
        items[i].raw = moved(m->items[i].raw, text, chain->raw, arena);
        ok = items[i].name.p && items[i].raw.p;
    }
    if (ok) {
        *noted = (rdv_raw_members){.of = chain->raw, .items = items, .n = m->n};
        memcpy(noted->first, m->first, sizeof noted->first);
        chain->raw_members = noted;
    }
}

const rdv_raw_members *rdv_noted_members(const rdv_chain *chain)
{
    const rdv_raw_members *noted = chain->raw_members;
    bool present = noted && noted->of.p == chain->raw.p && noted->of.len == chain->raw.len;
    return present ? noted : NULL;
}

int rdv_chain_member(const rdv_chain *chain, rdv_str name, rdv_str *value)
{
    const rdv_raw_members *noted = rdv_noted_members(chain);
    if (!noted)
        return rdv_record_member(chain->raw, name, value);
    size_t i = 0;
    if (noted->n <= RDV_FEW_MEMBERS)
        i = rdv_member_from(noted->items, noted->first[rdv_mark_of(name)], name);
    else
        while (i < noted->n && !rdv_str_eq(noted->items[i].name, name))
            i++;
    if (i >= noted->n)
        return RDV_NONE;
    *value = noted->items[i].raw;
    return RDV_OK;
}

/* ---- members that are looked for ------------------------------------------------------------- */

int rdv_record_member(rdv_str raw, rdv_str name, rdv_str *value)
{
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return RDV_E_NOMEM;
    rdv_members m;
    size_t at;
    int rc = rdv_members_read(&m, raw, &no_limits, arena, &at, NULL);
    size_t i = rc == RDV_OK ? rdv_members_at(&m, name) : RDV_MAP_MISSING;
    if (i != RDV_MAP_MISSING)
        *value = m.items[i].raw;
    rdv_members_free(&m);
    rdv_arena_free(&arena);
    if (rc == RDV_E_NOMEM)
        return rc;
    return i == RDV_MAP_MISSING ? RDV_NONE : RDV_OK;
}

/* ---- as text --------------------------------------------------------------------------------- */

static int text_of(rdv_str value, rdv_arena *arena, rdv_str *text)
{
    if (strchr("{[n", value.p[0]))
        return RDV_NONE;
    rdv_str found = value;
    json_t *decoded = NULL;
    if (value.p[0] == '"') {
        int rc = rdv_decode(value, &decoded, NULL);
        if (rc != RDV_OK)
            return rc == RDV_E_NOMEM ? rc : RDV_NONE;
        found = rdv_string_of(decoded);
    }
    rdv_str copy = rdv_str_copy(arena, found);
    json_decref(decoded);
    if (!copy.p)
        return RDV_E_NOMEM;
    *text = copy;
    return RDV_OK;
}

int rdv_record_text(rdv_str raw, rdv_str name, rdv_arena *arena, rdv_str *text)
{
    rdv_str value;
    int rc = rdv_record_member(raw, name, &value);
    return rc == RDV_OK ? text_of(value, arena, text) : rc;
}

int rdv_chain_text(const rdv_chain *chain, rdv_str name, rdv_arena *arena, rdv_str *text)
{
    rdv_str value;
    int rc = rdv_chain_member(chain, name, &value);
    return rc == RDV_OK ? text_of(value, arena, text) : rc;
}
