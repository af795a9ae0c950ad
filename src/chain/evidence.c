/* SPDX-License-Identifier: Apache-2.0 */

#include "base/arena.h"
#include "base/str.h"
#include "chain/evidence.h"

static rdv_evidence *append(rdv_evidence *note, rdv_evidence *parent, rdv_evidence_type type,
                            rdv_str name)
{
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

static rdv_evidence *new_note(rdv_arena *arena, rdv_evidence *parent, rdv_evidence_type type,
                              rdv_str name)
{
    rdv_evidence *note = RDV_NEW(arena, rdv_evidence);
    return note ? append(note, parent, type, name) : NULL;
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

/* ---- calculations that are not listed yet ---------------------------------------------------- */

/* No type of the public header: no other program meets it. */
#define NOT_LISTED ((rdv_evidence_type)(RDV_EVIDENCE_NULL + 1))

typedef struct unlisted {
    rdv_evidence note; /* the first, so that a pointer to it is one to this */
    const calculation_source *source;
} unlisted;

rdv_evidence *evidence_calculations(rdv_arena *arena, rdv_evidence *map,
                                    const calculation_source *source)
{
    unlisted *list = RDV_NEW(arena, unlisted);
    if (!list)
        return NULL;
    list->source = source;
    return append(&list->note, map, NOT_LISTED, RDV_STR("calculations"));
}

const calculation_source *evidence_source(const rdv_evidence *note)
{
    return note && note->type == NOT_LISTED ? ((const unlisted *)note)->source : NULL;
}

int evidence_list_all(rdv_check *check, rdv_arena *arena)
{
    for (size_t i = 0; i < check->n_verdicts; i++) {
        rdv_evidence *map = check->verdicts[i].evidence;
        for (rdv_evidence *note = map ? map->children.first : NULL; note; note = note->next) {
            const calculation_source *source = evidence_source(note);
            if (!source)
                continue;
            note->type = RDV_EVIDENCE_LIST;
            for (size_t k = 0; k < source->n; k++)
                if (!source->note(source->of, k, arena, note))
                    return RDV_E_NOMEM;
        }
    }
    return RDV_OK;
}

static bool has_outcome(const rdv_evidence *calc, rdv_str outcome)
{
    for (; calc; calc = calc->next) {
        const rdv_evidence *note = rdv_evidence_get(calc, RDV_STR("outcome"));
        if (note && note->type == RDV_EVIDENCE_TEXT && rdv_str_eq(note->text, outcome))
            return true;
    }
    return false;
}

bool verdict_has_outcome(const rdv_verdict *verdict, rdv_str outcome)
{
    const rdv_evidence *list = rdv_evidence_get(verdict->evidence, RDV_STR("calculations"));
    const calculation_source *source = evidence_source(list);
    return source ? source->has(source->of, outcome)
                  : has_outcome(rdv_evidence_first(list), outcome);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

const rdv_evidence *verdict_first(const rdv_verdict *verdict, rdv_str list)
{
    return rdv_evidence_first(rdv_evidence_get(verdict->evidence, list));
}

bool rdv_check_is_replaced(const rdv_chain *chain, const rdv_check *check)
{
    return rdv_chain_check(chain, check->method) != check;
}
