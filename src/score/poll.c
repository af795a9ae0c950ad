/* SPDX-License-Identifier: Apache-2.0 */
#include "score/poll.h"

#include <math.h>

/* Whether the first place goes to the chain with the best weight, not to the largest sum. */
static bool by_chain(rdv_select_is how)
{
    return how == RDV_SELECT_BEST || how == RDV_SELECT_PERPLEXITY;
}

static double weight_cast(rdv_select_is how, double weight)
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

static void count(rdv_select_is how, const rdv_slip *slip, size_t chain, rdv_poll *poll)
{
    if (slip->answer == RDV_UNREAD) {
        poll->unread++;
        return;
    }
    rdv_standing *a = &poll->answers[slip->answer];
    if (a->chains++ == 0)
        a->first = chain;
    if (a->correct < 0)
        a->correct = slip->correct;
    double weight = weight_cast(how, slip->weight);
    if (isnan(weight))
        return;
    poll->cast++;
    if (!by_chain(how))
        rdv_sum_add(&a->sum, weight);
    if (a->cast++ == 0 || weight > a->best) {
        a->best = weight;
        a->best_chain = chain;
        a->n_best = 0;
    }
    if (weight == a->best)
        a->n_best++;
}

static int compare(rdv_select_is how, const rdv_standing *a, const rdv_standing *b)
{
    if (by_chain(how))
        return (a->best > b->best) - (a->best < b->best);
    return rdv_sum_cmp(&a->sum, &b->sum);
}

/* The chain that speaks for an answer: it decides between tied answers. */
static size_t speaker(rdv_select_is how, const rdv_standing *a)
{
    return by_chain(how) ? a->best_chain : a->first;
}

static void find_winner(rdv_select_is how, rdv_poll *poll)
{
    for (size_t i = 0; i < poll->n_answers; i++) {
        const rdv_standing *a = &poll->answers[i];
        if (a->cast == 0)
            continue;
        const rdv_standing *w = poll->winner == RDV_NO_ANSWER ? NULL : &poll->answers[poll->winner];
        int order = w ? compare(how, a, w) : 1;
        if (order > 0 || (order == 0 && speaker(how, a) < speaker(how, w)))
            poll->winner = i;
    }
    if (poll->winner != RDV_NO_ANSWER)
        poll->chain = speaker(how, &poll->answers[poll->winner]);
}

/* Mark the answers that share the first place, and compute the share of it that is right. */
static void settle_ties(rdv_select_is how, rdv_poll *poll)
{
    const rdv_standing *w = &poll->answers[poll->winner];
    size_t shares = 0, right = 0, tied = 0;
    bool known = true;
    for (size_t i = 0; i < poll->n_answers; i++) {
        rdv_standing *a = &poll->answers[i];
        if (a->cast == 0 || compare(how, a, w) != 0)
            continue;
        size_t share = by_chain(how) ? a->n_best : 1;
        a->tied = true;
        tied++;
        shares += share;
        right += a->correct == 1 ? share : 0;
        known = known && a->correct >= 0;
    }
    poll->correct = w->correct;
    poll->expected_correct = known ? (double)right / (double)shares : NAN;
    if (tied > 1)
        poll->n_tied = tied;
    else
        poll->answers[poll->winner].tied = false;
}

/* A random chain: right as often as chains are. */
static void draw_expected(size_t n, rdv_poll *poll)
{
    size_t right = 0;
    bool known = true;
    for (size_t i = 0; i < poll->n_answers; i++) {
        const rdv_standing *a = &poll->answers[i];
        right += a->correct == 1 ? a->chains : 0;
        known = known && (a->chains == 0 || a->correct >= 0);
    }
    poll->correct = -1;
    poll->expected_correct = known ? (double)right / (double)n : NAN;
}

static bool anything_known(const rdv_slip *slips, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (slips[i].correct >= 0)
            return true;
    }
    return false;
}

void rdv_poll_decide(rdv_select_is how, const rdv_slip *slips, size_t n, rdv_poll *poll)
{
    *poll = (rdv_poll){.answers = poll->answers,
                       .n_answers = poll->n_answers,
                       .winner = RDV_NO_ANSWER,
                       .chain = RDV_NO_ANSWER};
    for (size_t i = 0; i < poll->n_answers; i++)
        poll->answers[i] = (rdv_standing){.correct = -1};
    for (size_t i = 0; i < n; i++)
        count(how, &slips[i], i, poll);
    if (poll->cast == 0) {
        bool known = anything_known(slips, n);
        poll->correct = known ? 0 : -1;
        poll->expected_correct = known ? 0 : NAN;
    } else if (how == RDV_SELECT_RANDOM) {
        draw_expected(n, poll);
    } else {
        find_winner(how, poll);
        settle_ties(how, poll);
    }
}
