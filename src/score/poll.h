/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The deciding of one vote, over answers that are numbers: what rdv_vote_decide() and the curves of
 * an evaluation share. */
#include <rederive/score.h>

#include "score/sum.h"

#define RDV_UNREAD ((size_t)-1)

/* A ballot with its answer as an index. */
typedef struct rdv_slip {
    size_t answer; /* RDV_UNREAD: none */
    double weight; /* NaN: none */
    int correct;
} rdv_slip;

typedef struct rdv_standing {
    rdv_sum sum;       /* of the weights cast */
    double best;       /* the best weight cast, the sign such that more is better */
    size_t best_chain; /* the first chain that has it, and how many have */
    size_t n_best;
    size_t chains, cast; /* chains that gave this answer; those of them that cast a vote */
    size_t first;        /* the first of its chains */
    int correct;
    bool tied;
} rdv_standing;

typedef struct rdv_poll {
    rdv_standing *answers; /* n_answers of them, the caller's memory, overwritten; those that do not
                              occur have chains == 0 */
    size_t n_answers;
    size_t winner, chain; /* RDV_NO_ANSWER: none */
    size_t n_tied;
    int correct;
    double expected_correct;
    size_t cast, unread;
} rdv_poll;

/* Fill in `poll`, whose first two members are set, from `n` slips. Weights that are summed must
 * pass rdv_sum_takes(). The rules are those of rdv_vote_decide(). */
void rdv_poll_decide(rdv_select_is how, const rdv_slip *slips, size_t n, rdv_poll *poll);
