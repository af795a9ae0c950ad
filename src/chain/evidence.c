/* SPDX-License-Identifier: Apache-2.0 */

#include "base/arena.h"
#include "base/str.h"
#include "chain/evidence.h"

static rdv_evidence *new_note(rdv_arena *arena, rdv_evidence *parent, rdv_evidence_type type,
                              rdv_str name)
{
    rdv_evidence *note = RDV_NEW(arena, rdv_evidence);
    if (!note)
        return NULL;
    note->type = type;
    note->name = name;
    if (!parent)
        return note;
    rdv_evidence_children *to = &parent->children;
    if (to->last)
        to->last->next = note;
    else
        to->first = note;
    to->last = note;
    return note;
}

rdv_evidence *rdv_evidence_map(rdv_arena *arena, rdv_evidence *parent, rdv_str name)
{
    return new_note(arena, parent, RDV_EVIDENCE_MAP, name);
}

rdv_evidence *rdv_evidence_list(rdv_arena *arena, rdv_evidence *parent, rdv_str name)
{
    return new_note(arena, parent, RDV_EVIDENCE_LIST, name);
}

rdv_evidence *rdv_evidence_text(rdv_arena *arena, rdv_evidence *parent, rdv_str name, rdv_str text)
{
    rdv_evidence *note = new_note(arena, parent, RDV_EVIDENCE_TEXT, name);
    if (note)
        note->text = text;
    return note;
}

rdv_evidence *rdv_evidence_number(rdv_arena *arena, rdv_evidence *parent, rdv_str name,
                                  double number)
{
    rdv_evidence *note = new_note(arena, parent, RDV_EVIDENCE_NUMBER, name);
    if (note)
        note->number = number;
    return note;
}

rdv_evidence *rdv_evidence_flag(rdv_arena *arena, rdv_evidence *parent, rdv_str name, bool flag)
{
    rdv_evidence *note = new_note(arena, parent, RDV_EVIDENCE_FLAG, name);
    if (note)
        note->number = flag;
    return note;
}

rdv_evidence *rdv_evidence_null(rdv_arena *arena, rdv_evidence *parent, rdv_str name)
{
    return new_note(arena, parent, RDV_EVIDENCE_NULL, name);
}

const rdv_evidence *rdv_evidence_first(const rdv_evidence *note)
{
    bool has = note && (note->type == RDV_EVIDENCE_MAP || note->type == RDV_EVIDENCE_LIST);
    return has ? note->children.first : NULL;
}

const rdv_evidence *rdv_evidence_get(const rdv_evidence *map, rdv_str name)
{
    for (const rdv_evidence *n = rdv_evidence_first(map); n; n = n->next)
        if (n->name.p && rdv_str_eq(n->name, name))
            return n;
    return NULL;
}

const rdv_evidence *verdict_first(const rdv_verdict *verdict, rdv_str list)
{
    return rdv_evidence_first(rdv_evidence_get(verdict->evidence, list));
}

bool rdv_check_is_replaced(const rdv_chain *chain, const rdv_check *check)
{
    return rdv_chain_check(chain, check->method) != check;
}
