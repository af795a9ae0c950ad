/* SPDX-License-Identifier: Apache-2.0 */
#include "data/joined.h"
#include "base/arena.h"
#include "base/str.h"

/* Scores of a candidate of a pool are kept under "id/candidate". */
static rdv_str key_of(rdv_arena *arena, rdv_str id, long candidate)
{
    return candidate < 0 ? id : rdv_str_printf(arena, "%.*s/%ld", RDV_FMT(id), candidate);
}

void rdv_joined_init(rdv_joined *j, rdv_arena *arena)
{
    *j = (rdv_joined){.arena = arena};
    rdv_map_init(&j->scores, arena);
    rdv_map_init(&j->questions, arena);
}

int rdv_joined_add_score(rdv_joined *j, rdv_str id, long candidate, const rdv_joined_score *score)
{
    rdv_joined_score *copy = RDV_NEW(j->arena, rdv_joined_score);
    rdv_str key = key_of(j->arena, id, candidate);
    if (!copy || !key.p)
        return RDV_E_NOMEM;
    *copy = *score;
    size_t i = rdv_map_get(&j->scores, key);
    if (i != RDV_MAP_MISSING) {
        j->last[i]->next = copy;
        j->last[i] = copy;
        return RDV_OK;
    }
    size_t n = j->n_first;
    if (!RDV_PUSH_ROOM(j->arena, j->first, n, j->first_cap) ||
        !RDV_PUSH_ROOM(j->arena, j->last, n, j->last_cap) ||
        rdv_map_put(&j->scores, key, n) != RDV_OK)
        return RDV_E_NOMEM;
    j->first[n] = j->last[n] = copy;
    j->n_first++;
    return RDV_OK;
}

static void complete_question(rdv_joined_question *q, const rdv_joined_question *by)
{
    if (by->text.p)
        q->text = by->text;
    if (by->gold.p)
        q->gold = by->gold;
    if (by->system.p)
        q->system = by->system;
    if (by->n_options) {
        q->options = by->options;
        q->n_options = by->n_options;
    }
}

int rdv_joined_add_question(rdv_joined *j, rdv_str id, const rdv_joined_question *question)
{
    size_t i = rdv_map_get(&j->questions, id);
    if (i != RDV_MAP_MISSING) {
        complete_question(&j->question[i], question);
        return RDV_OK;
    }
    if (!RDV_PUSH_ROOM(j->arena, j->question, j->n_questions, j->questions_cap) ||
        rdv_map_put(&j->questions, id, j->n_questions) != RDV_OK)
        return RDV_E_NOMEM;
    j->question[j->n_questions++] = *question;
    return RDV_OK;
}

const rdv_joined_score *rdv_joined_scores(const rdv_joined *j, rdv_str id, long candidate,
                                          rdv_arena *arena)
{
    rdv_str key = key_of(arena, id, candidate);
    size_t i = key.p ? rdv_map_get(&j->scores, key) : RDV_MAP_MISSING;
    return i == RDV_MAP_MISSING ? NULL : j->first[i];
}

const rdv_joined_question *rdv_joined_question_of(const rdv_joined *j, rdv_str id)
{
    size_t i = id.p ? rdv_map_get(&j->questions, id) : RDV_MAP_MISSING;
    return i == RDV_MAP_MISSING ? NULL : &j->question[i];
}
