/* SPDX-License-Identifier: Apache-2.0 */
#include "score/tally.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Whether the chain with the best weight wins, rather than the answer with the largest sum. */
static bool by_chain(rdv_select_kind how)
{
    return how == RDV_SELECT_BEST || how == RDV_SELECT_PERPLEXITY;
}

static double weight_cast(rdv_select_kind how, double weight)
{
    switch (how) {
    case RDV_SELECT_MAJORITY:
    case RDV_SELECT_RANDOM:
        return 1;
    case RDV_SELECT_PERPLEXITY:
        return -weight;
    case RDV_SELECT_WEIGHTED:
    case RDV_SELECT_BEST:
        break;
    }
    return weight;
}

static void count(rdv_select_kind how, const tally_ballot *vote, size_t chain, vote_tally *tally)
{
    if (vote->answer == TALLY_UNREAD) {
        tally->unread++;
        return;
    }
    tally_answer *a = &tally->answers[vote->answer];
    if (a->chains++ == 0)
        a->first = chain;
    if (a->correct < 0)
        a->correct = vote->correct;
    double weight = weight_cast(how, vote->weight);
    if (isnan(weight))
        return;
    tally->cast++;
    if (how == RDV_SELECT_WEIGHTED)
        rdv_sum_add(&a->sum, weight);
    if (a->cast++ == 0 || weight > a->best) {
        a->best = weight;
        a->best_chain = chain;
        a->n_best = 0;
    }
    if (weight == a->best)
        a->n_best++;
}

static int compare(rdv_select_kind how, const tally_answer *a, const tally_answer *b)
{
    if (by_chain(how))
        return (a->best > b->best) - (a->best < b->best);
    if (how == RDV_SELECT_MAJORITY) /* each chain casts 1 */
        return (a->cast > b->cast) - (a->cast < b->cast);
    return rdv_sum_cmp(&a->sum, &b->sum);
}

/* The chain that represents an answer; it decides between tied answers. */
static size_t speaker(rdv_select_kind how, const tally_answer *a)
{
    return by_chain(how) ? a->best_chain : a->first;
}

/* Something was cast, so there is one. */
static void find_winner(rdv_select_kind how, vote_tally *tally)
{
    for (size_t i = 0; i < tally->n_answers; i++) {
        const tally_answer *a = &tally->answers[i];
        if (a->cast == 0)
            continue;
        const tally_answer *w =
            tally->winner == RDV_NO_ANSWER ? NULL : &tally->answers[tally->winner];
        int order = w ? compare(how, a, w) : 1;
        if (order > 0 || (order == 0 && speaker(how, a) < speaker(how, w)))
            tally->winner = i;
    }
    tally->chain = speaker(how, &tally->answers[tally->winner]);
}

/* Marks the answers that share the first place, and computes the share of right ones among them. */
static void settle_ties(rdv_select_kind how, vote_tally *tally)
{
    const tally_answer *w = &tally->answers[tally->winner];
    size_t shares = 0, right = 0, tied = 0;
    bool known = true;
    for (size_t i = 0; i < tally->n_answers; i++) {
        tally_answer *a = &tally->answers[i];
        if (a->cast == 0 || compare(how, a, w) != 0)
            continue;
        size_t share = by_chain(how) ? a->n_best : 1;
        a->tied = true;
        tied++;
        shares += share;
        right += a->correct == 1 ? share : 0;
        known = known && a->correct >= 0;
    }
    tally->correct = w->correct;
    tally->expected_correct = known ? (double)right / (double)shares : NAN;
    if (tied > 1)
        tally->n_tied = tied;
    else
        tally->answers[tally->winner].tied = false;
}

/* A random chain is right with the share of right chains. */
static void draw_expected(size_t n, vote_tally *tally)
{
    size_t right = 0;
    bool known = true;
    for (size_t i = 0; i < tally->n_answers; i++) {
        const tally_answer *a = &tally->answers[i];
        right += a->correct == 1 ? a->chains : 0;
        known = known && (a->chains == 0 || a->correct >= 0);
    }
    tally->correct = -1;
    tally->expected_correct = known ? (double)right / (double)n : NAN;
}

static bool anything_known(const tally_ballot *votes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (votes[i].correct >= 0)
            return true;
    return false;
}

void tally_decide(rdv_select_kind how, const tally_ballot *votes, size_t n, vote_tally *tally)
{
    *tally = (vote_tally){.answers = tally->answers,
                          .n_answers = tally->n_answers,
                          .winner = RDV_NO_ANSWER,
                          .chain = RDV_NO_ANSWER};
    for (size_t i = 0; i < tally->n_answers; i++) {
        memset(&tally->answers[i], 0, offsetof(tally_answer, sum));
        tally->answers[i].correct = -1;
        if (how == RDV_SELECT_WEIGHTED)
            tally->answers[i].sum = (rdv_sum){{0}};
    }
    for (size_t i = 0; i < n; i++)
        count(how, &votes[i], i, tally);
    if (tally->cast == 0) {
        bool known = anything_known(votes, n);
        tally->correct = known ? 0 : -1;
        tally->expected_correct = known ? 0 : NAN;
    } else if (how == RDV_SELECT_RANDOM) {
        draw_expected(n, tally);
    } else {
        find_winner(how, tally);
        settle_ties(how, tally);
    }
}
