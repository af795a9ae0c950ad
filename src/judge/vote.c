/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/vote.h"

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "score/score.h"

#include <math.h>

/* The question with only those chains that may vote. */
static int choose(const vote_rule *rule, const struct question_voters *all, rdv_arena *arena,
                  struct question_voters *out, rdv_error *err)
{
    size_t n = 0, most = rule->most;
    *out = *all;
    if (!most || most >= all->n)
        return RDV_OK;
    double *by = RDV_NEW_ARRAY(arena, double, all->n);
    size_t *chosen = RDV_NEW_ARRAY(arena, size_t, most);
    out->ballots = RDV_NEW_ARRAY(arena, rdv_ballot, most);
    out->voters = RDV_NEW_ARRAY(arena, struct voter, most);
    if (!by || !chosen || !out->ballots || !out->voters)
        return rdv_no_memory(err);
    for (size_t i = 0; i < all->n; i++)
        by[i] = rule->by_perplexity ? all->voters[i].perplexity : all->ballots[i].weight;
    int code = rdv_choose(rule->chosen_by, by, all->n, most, rdv_hash(all->id, rule->seed), arena,
                          chosen, &n, err);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        out->ballots[i] = all->ballots[chosen[i]];
        out->voters[i] = all->voters[chosen[i]];
    }
    out->n = n;
    return code;
}

/* Pick a random chain's answer: drawn from the seed and the question's id, so that it does not
 * depend on other questions. */
static void draw(const vote_rule *rule, const struct question_voters *q, rdv_vote *vote)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, rdv_hash(q->id, rule->seed));
    const rdv_ballot *drawn = &q->ballots[rdv_rng_below(&rng, q->n)];
    for (size_t i = 0; drawn->key.p && i < vote->n_answers; i++)
        if (rdv_str_eq(vote->answers[i].key, drawn->key))
            vote->winner = i;
    vote->correct = drawn->correct;
}

static int decide(const vote_rule *rule, rdv_arena *arena, vote_outcome *out, rdv_error *err)
{
    const struct question_voters *q = &out->may;
    int code = RDV_OK;
    out->used = q->n;
    if (rule->stop.kind != RDV_STOP_NONE)
        code = rdv_stop_after(rule->select, &rule->stop, q->ballots, q->n, arena, &out->used, err);
    if (code == RDV_OK)
        code = rdv_vote_decide(rule->select, q->ballots, out->used, arena, &out->vote, err);
    if (code == RDV_OK && rule->select == RDV_SELECT_RANDOM)
        draw(rule, q, &out->vote);
    return code;
}

static int conclude(rdv_arena *arena, vote_outcome *out, rdv_error *err)
{
    size_t failed = 0;
    rdv_result *result = &out->result;
    out->shown = RDV_NEW_ARRAY(arena, rdv_str, out->may.n);
    if (!out->shown)
        return rdv_no_memory(err);
    for (size_t i = 0; i < out->may.n; i++)
        out->shown[i] = out->may.voters[i].shown;
    result->chains_used = out->used;
    for (size_t i = 0; i < out->used; i++) {
        result->calls += out->may.voters[i].calls;
        failed += out->may.voters[i].failed;
    }
    int code = rdv_vote_result(&out->vote, out->shown, arena, result, err);
    if (code == RDV_OK)
        result_unanswered(result, failed);
    return code;
}

int vote_question(const vote_rule *rule, const struct question_voters *all, rdv_arena *arena,
                  vote_outcome *out, rdv_error *err)
{
    *out = (vote_outcome){.result = {.question_id = all->id,
                                     .weight_share = NAN,
                                     .correct = -1,
                                     .expected_correct = NAN,
                                     .chains = all->n}};
    int code = choose(rule, all, arena, &out->may, err);
    if (code == RDV_OK)
        code = decide(rule, arena, out, err);
    return code == RDV_OK ? conclude(arena, out, err) : code;
}
