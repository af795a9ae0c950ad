/* SPDX-License-Identifier: Apache-2.0 */
#include "ballots.h"

#include "base/arena.h"
#include "base/str.h"

void ballots_init(struct ballots *ballots, rdv_arena *arena)
{
    *ballots = (struct ballots){.arena = arena};
    rdv_map_init(&ballots->by_id, arena);
    rdv_map_init(&ballots->by_text, arena);
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
    size_t i = rdv_map_get(&b->by_text, text);
    if (i != RDV_MAP_MISSING)
        return b->texts[i];
    rdv_str copy = rdv_str_copy(b->arena, text);
    if (!copy.p || !RDV_PUSH_ROOM(b->arena, b->texts, b->n_texts, b->cap_texts) ||
        rdv_map_put(&b->by_text, copy, b->n_texts) != RDV_OK)
        return (rdv_str){0};
    b->texts[b->n_texts++] = copy;
    return copy;
}

static bool push(struct ballots *b, struct asked *q, rdv_ballot ballot, struct voter voter)
{
    if (!RDV_PUSH_ROOM(b->arena, q->ballots, q->n, q->cap_ballots) ||
        !RDV_PUSH_ROOM(b->arena, q->voters, q->n, q->cap_voters))
        return false;
    q->ballots[q->n] = ballot;
    q->voters[q->n++] = voter;
    return true;
}

int ballots_add(struct ballots *ballots, const rdv_chain *chain, const struct judged *judged,
                const struct weight *weight, rdv_error *err)
{
    const rdv_check *check = weight_check(weight, chain);
    rdv_ballot ballot = {.weight = weight_of(weight, chain), .correct = judged->right};
    struct voter voter = {.calls = check ? check->calls : 0, .perplexity = perplexity_of(chain)};
    struct asked *question = question_of(ballots, chain->question.id);
    bool ok = question != NULL;
    if (ok && judged->key.p) {
        ballot.key = kept(ballots, judged->key);
        voter.shown = kept(ballots, judged->shown);
        ok = ballot.key.p && voter.shown.p;
    }
    if (!ok || !push(ballots, question, ballot, voter))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; the votes of %zu questions are held",
                        ballots->n);
    return RDV_OK;
}
