/* SPDX-License-Identifier: Apache-2.0 */
#include "ballots.h"
#include "judge.h"

#include "base/arena.h"
#include "base/str.h"

void ballots_init(struct ballots *ballots, rdv_arena *arena)
{
    *ballots = (struct ballots){.arena = arena};
    rdv_map_init(&ballots->by_id, arena);
    rdv_map_init(&ballots->texts, arena);
}

/* The question of that id, a new one where it appears first; NULL when out of memory. */
static struct asked *question_of(struct ballots *b, rdv_str id)
{
    size_t i = rdv_map_get(&b->by_id, id);
    if (i != RDV_MAP_MISSING)
        return &b->questions[i];
    rdv_str copy = rdv_str_copy(b->arena, id);
    if (!copy.p || !RDV_PUSH_ROOM(b->arena, b->questions, b->n, b->cap) ||
        rdv_map_put(&b->by_id, copy, b->n) != RDV_OK)
        return NULL;
    b->questions[b->n] = (struct asked){.id = copy};
    return &b->questions[b->n++];
}

/* The one copy of a text; p == NULL when out of memory. */
static rdv_str kept(struct ballots *b, rdv_str text)
{
    size_t at = rdv_map_get(&b->texts, text);
    if (at != RDV_MAP_MISSING)
        return (rdv_str){(const char *)(uintptr_t)at, text.len};
    rdv_str copy = rdv_str_copy(b->arena, text);
    if (copy.p && rdv_map_put(&b->texts, copy, (size_t)(uintptr_t)copy.p) != RDV_OK)
        copy.p = NULL;
    return copy;
}

static bool push(struct ballots *b, struct asked *q, const rdv_ballot *ballot, uint64_t calls)
{
    if (!RDV_PUSH_ROOM(b->arena, q->ballots, q->n, q->cap) ||
        !RDV_PUSH_ROOM(b->arena, q->calls, q->n, q->cap_calls))
        return false;
    q->ballots[q->n] = *ballot;
    q->calls[q->n++] = calls;
    return true;
}

int ballots_add(struct ballots *ballots, const rdv_chain *chain, const struct weight *weight,
                rdv_arena *scratch, rdv_error *err)
{
    rdv_ballot ballot = {.weight = weight_of(weight, chain)};
    rdv_str key;
    const rdv_check *check = weight_check(weight, chain);
    int code = answer_judge(chain, scratch, &key, &ballot.correct, err);
    if (code != RDV_OK)
        return code;
    if (key.p)
        ballot.key = kept(ballots, key);
    struct asked *question = question_of(ballots, chain->question.id);
    if (!question || (key.p && !ballot.key.p) ||
        !push(ballots, question, &ballot, check ? check->calls : 0))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; the votes of %zu questions are held",
                        ballots->n);
    return RDV_OK;
}
