/* SPDX-License-Identifier: Apache-2.0 */

#include "base/arena.h"
#include "base/str.h"
#include "score/interner.h"
#include "score/score.h"
#include "score/tally.h"

#include <math.h>

static const char *const names[] = {"majority", "weighted", "best", "perplexity", "random"};

const char *rdv_select_name(rdv_select_kind is)
{
    return names[is];
}

int rdv_select_named(rdv_str name, rdv_select_kind *out)
{
    int i = rdv_named(name, names, sizeof names / sizeof *names);
    if (i >= 0)
        *out = (rdv_select_kind)i;
    return i < 0 ? RDV_NONE : RDV_OK;
}

static int check_weights(rdv_select_kind how, const rdv_ballot *ballots, size_t n, rdv_error *err)
{
    for (size_t i = 0; i < n && how == RDV_SELECT_WEIGHTED; i++) {
        double weight = ballots[i].weight;
        if (!isnan(weight) && !rdv_sum_takes(weight))
            return rdv_fail(err, RDV_E_INPUT, "chain %zu: %g is too large for a weight", i, weight);
    }
    return RDV_OK;
}

/* Gives each ballot the number of its answer; keys[number] is the answer. */
static int number_answers(const rdv_ballot *ballots, size_t n, tally_ballot *votes, rdv_str *keys,
                          size_t *n_answers, rdv_arena *arena)
{
    rdv_map map;
    rdv_map_init(&map, arena);
    *n_answers = 0;
    for (size_t i = 0; i < n; i++) {
        size_t answer;
        votes[i] = (tally_ballot){ballots[i].weight, TALLY_UNREAD, ballots[i].correct};
        if (!ballots[i].key.p)
            continue;
        int r = interner_number(&map, ballots[i].key, n_answers, &answer);
        if (r < 0)
            return r;
        votes[i].answer = (uint32_t)answer;
        keys[answer] = ballots[i].key;
    }
    return RDV_OK;
}

static double shown_weight(rdv_select_kind how, const tally_answer *a, size_t n)
{
    switch (how) {
    case RDV_SELECT_MAJORITY:
        return (double)a->cast;
    case RDV_SELECT_WEIGHTED:
        return rdv_sum_value(&a->sum);
    case RDV_SELECT_BEST:
        return a->cast ? a->best : NAN;
    case RDV_SELECT_PERPLEXITY:
        return a->cast ? -a->best : NAN;
    case RDV_SELECT_RANDOM:
        break;
    }
    return (double)a->chains / (double)n;
}

/* The winner's share of the sums; NaN where the sums are no shares. */
static double share_of_sums(const vote_tally *tally)
{
    rdv_sum total = {{0}};
    for (size_t i = 0; i < tally->n_answers; i++) {
        if (rdv_sum_sign(&tally->answers[i].sum) < 0)
            return NAN;
        rdv_sum_join(&total, &tally->answers[i].sum);
    }
    if (rdv_sum_sign(&total) <= 0)
        return NAN;
    return rdv_sum_value(&tally->answers[tally->winner].sum) / rdv_sum_value(&total);
}

static double weight_share(rdv_select_kind how, const vote_tally *tally, size_t n)
{
    if (tally->winner == RDV_NO_ANSWER)
        return NAN;
    if (how == RDV_SELECT_MAJORITY)
        return (double)tally->answers[tally->winner].cast / (double)tally->cast;
    if (how == RDV_SELECT_WEIGHTED)
        return share_of_sums(tally);
    return (double)tally->answers[tally->winner].chains / (double)(n - tally->unread);
}

static rdv_vote_answer shown(rdv_select_kind how, const tally_answer *a, rdv_str key, size_t n)
{
    return (rdv_vote_answer){.key = key,
                             .weight = shown_weight(how, a, n),
                             .chains = a->chains,
                             .first = a->first,
                             .in_running = a->cast > 0,
                             .tied = a->tied,
                             .correct = a->correct};
}

int rdv_vote_decide(rdv_select_kind how, const rdv_ballot *ballots, size_t n, rdv_arena *arena,
                    rdv_vote *out, rdv_error *err)
{
    int r = check_weights(how, ballots, n, err);
    if (r < 0)
        return r;
    tally_ballot *votes = RDV_NEW_ARRAY(arena, tally_ballot, n);
    rdv_str *keys = RDV_NEW_ARRAY(arena, rdv_str, n);
    vote_tally tally = {0};
    if (!votes || !keys || number_answers(ballots, n, votes, keys, &tally.n_answers, arena) < 0)
        return rdv_no_memory(err);
    tally.answers = RDV_NEW_ARRAY(arena, tally_answer, tally.n_answers);
    rdv_vote_answer *answers = RDV_NEW_ARRAY(arena, rdv_vote_answer, tally.n_answers);
    if (!tally.answers || !answers)
        return rdv_no_memory(err);

    tally_decide(how, votes, n, &tally);
    for (size_t i = 0; i < tally.n_answers; i++)
        answers[i] = shown(how, &tally.answers[i], keys[i], n);
    *out = (rdv_vote){.answers = answers,
                      .n_answers = tally.n_answers,
                      .winner = tally.winner,
                      .chain = tally.chain,
                      .weight_share = weight_share(how, &tally, n),
                      .n_tied = tally.n_tied,
                      .correct = tally.correct,
                      .expected_correct = tally.expected_correct,
                      .chains = n,
                      .cast = tally.cast,
                      .unread = tally.unread};
    return RDV_OK;
}
