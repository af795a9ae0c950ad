/* SPDX-License-Identifier: Apache-2.0 */
/* Single members of a record, for those who need one that has no place in rdv_chain. */
#include "base/str.h"
#include "data/members.h"

static const rdv_limits no_limits = {SIZE_MAX, RDV_MAX_DEPTH, SIZE_MAX, SIZE_MAX};

int rdv_record_member(rdv_str raw, rdv_str name, rdv_str *value)
{
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return RDV_E_NOMEM;
    rdv_members m;
    size_t at;
    int rc = rdv_members_read(&m, raw, &no_limits, arena, &at, NULL);
    size_t i = rc == RDV_OK ? rdv_map_get(&m.index, name) : RDV_MAP_MISSING;
    if (i != RDV_MAP_MISSING)
        *value = m.items[i].raw;
    rdv_members_free(&m);
    rdv_arena_free(&arena);
    if (rc == RDV_E_NOMEM)
        return rc;
    return i == RDV_MAP_MISSING ? RDV_NONE : RDV_OK;
}

int rdv_record_text(rdv_str raw, rdv_str name, rdv_arena *arena, rdv_str *text)
{
    rdv_str value;
    int rc = rdv_record_member(raw, name, &value);
    if (rc != RDV_OK)
        return rc;
    if (strchr("{[n", value.p[0]))
        return RDV_NONE;
    rdv_str found = value;
    json_t *decoded = NULL;
    if (value.p[0] == '"') {
        rc = rdv_decode(value, &decoded, NULL);
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
