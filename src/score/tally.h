/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Decides one vote over answers that are numbers; shared by rdv_vote_decide() and the curves of an
 * evaluation. */
#include <rederive/score.h>

#include "score/sum.h"

#define TALLY_UNREAD UINT32_MAX

/* A ballot with its answer as an index. */
typedef struct tally_ballot {
    double weight;   /* NaN: none */
    uint32_t answer; /* TALLY_UNREAD: none */
    int correct;
} tally_ballot;

typedef struct tally_answer {
    double best;       /* the best weight cast, with the sign chosen so that more is better */
    size_t best_chain; /* the first chain with that weight, and the number of such chains */
    size_t n_best;
    size_t chains, cast; /* chains with this answer; those of them that cast a vote */
    size_t first;        /* the first of its chains */
    int correct;
    bool tied;
    rdv_sum sum; /* RDV_SELECT_WEIGHTED: of the weights cast; else it has no meaning */
} tally_answer;

typedef struct vote_tally {
    tally_answer *answers; /* n_answers entries in the caller's memory, overwritten; an answer that
                              does not occur has chains == 0 */
    size_t n_answers;
    size_t winner, chain; /* RDV_NO_ANSWER: none */
    size_t n_tied;
    int correct;
    double expected_correct;
    size_t cast, unread;
} vote_tally;

/* Fills in `tally`, whose first two members the caller sets, from `n` votes. Weights that are
 * summed must pass rdv_sum_takes(). The rules are those of rdv_vote_decide(). */
void tally_decide(rdv_select_kind how, const tally_ballot *votes, size_t n, vote_tally *tally);
