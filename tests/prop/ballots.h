/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Random ballots for properties of votes. Weights are multiples of 1/8, so that ties happen. */
#include "../unit/test.h"

#include "base/rng.h"

#include <rederive/score.h>

#include <math.h>

#define BALLOTS_MAX 24

static const char ballot_letters[] = "abcdefgh";

static inline rdv_str ballot_key(size_t answer)
{
    return (rdv_str){ballot_letters + answer, 1};
}

static inline double ballot_weight(rdv_rng *rng, double low, double high)
{
    uint64_t steps = (uint64_t)((high - low) * 8) + 1;
    return low + (double)rdv_rng_below(rng, steps) / 8;
}

/* One ballot for one of `answers` answers (at most 8; answer 0 is right), sometimes unread or
 * without a weight. */
static inline rdv_ballot ballot_random(rdv_rng *rng, size_t answers, double low, double high)
{
    size_t answer = rdv_rng_below(rng, answers);
    rdv_ballot b = {ballot_key(answer), ballot_weight(rng, low, high), answer == 0};
    if (rdv_rng_below(rng, 10) == 0)
        b = (rdv_ballot){.weight = b.weight, .correct = 0};
    if (rdv_rng_below(rng, 10) == 0)
        b.weight = NAN;
    return b;
}

/* Up to BALLOTS_MAX of them; one answer is favoured in some of the sets. */
static inline size_t ballots_random(rdv_rng *rng, double low, double high, rdv_ballot *out)
{
    size_t n = rdv_rng_below(rng, BALLOTS_MAX + 1), answers = 1 + rdv_rng_below(rng, 5);
    bool lopsided = rdv_rng_below(rng, 2);
    for (size_t i = 0; i < n; i++) {
        bool favoured = lopsided && rdv_rng_below(rng, 3) > 0;
        out[i] = ballot_random(rng, favoured ? 1 : answers, low, high);
    }
    return n;
}

static inline rdv_vote ballots_decide(rdv_select_kind how, const rdv_ballot *b, size_t n,
                                      rdv_arena *arena)
{
    rdv_vote vote;
    assert_int_equal(rdv_vote_decide(how, b, n, arena, &vote, NULL), RDV_OK);
    return vote;
}

/* The winning answer; p == NULL when there is none. */
static inline rdv_str ballots_winner(const rdv_vote *vote)
{
    return vote->winner == RDV_NO_ANSWER ? (rdv_str){0} : vote->answers[vote->winner].key;
}
