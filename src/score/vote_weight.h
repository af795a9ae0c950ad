/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The weight of a chain's vote. */
#include <rederive/score.h>

typedef enum vote_weight_is {
    VOTE_WEIGHT_EQUAL, /* every vote weighs 1: a majority vote */
    VOTE_WEIGHT_CONFIDENCE,
    VOTE_WEIGHT_SCORES,
    VOTE_WEIGHT_PERPLEXITY,
    VOTE_WEIGHT_COMBINED /* by score/combined.h, which needs the question's other chains too */
} vote_weight_is;

typedef struct vote_weight {
    vote_weight_is is;
    rdv_str name; /* name of the method or of the scores, borrowed; p == NULL: the last check */
    rdv_aggregation aggregation;
} vote_weight;

/* Reads "majority", "confidence", "confidence:METHOD" or "scores:NAME"; RDV_E_ARGUMENT: none of
 * them. */
int vote_weight_read(rdv_str text, rdv_aggregate_kind aggregate, vote_weight *out, rdv_error *err);
/* The weight; NaN: the chain has none. */
double vote_weight_of(const vote_weight *weight, const rdv_chain *chain);
/* exp(-mean log-probability) over all tokens of the chain: from its log-probabilities, otherwise
 * from those in its check by `perplexity`; NaN: there are none. */
double vote_weight_perplexity(const rdv_chain *chain);
/* The check that VOTE_WEIGHT_CONFIDENCE refers to, or NULL. Borrowed. */
const rdv_check *vote_weight_check(const vote_weight *weight, const rdv_chain *chain);
