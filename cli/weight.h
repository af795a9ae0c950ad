/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a chain's vote weighs, as --weight and --aggregate say. */
#include "settings.h"

#include <rederive/score.h>

enum weight_is { WEIGHT_MAJORITY, WEIGHT_CONFIDENCE, WEIGHT_SCORES, WEIGHT_PERPLEXITY };

struct weight {
    enum weight_is is;
    rdv_str name; /* of the method or of the scores; p == NULL: the last check */
    rdv_aggregation aggregation;
};

/* RDV_E_ARGUMENT when --weight is none of what there is. */
int weight_read(const struct settings *settings, struct weight *out, rdv_error *err);
/* The weight, NaN where the chain has none. */
double weight_of(const struct weight *weight, const rdv_chain *chain);
/* exp(-mean log-probability) over all tokens of the chain: from its log-probabilities, else from
 * those that its check by `perplexity` looked at; NaN where there are none. */
double perplexity_of(const rdv_chain *chain);
/* The check that WEIGHT_CONFIDENCE speaks of, or NULL. Borrowed. */
const rdv_check *weight_check(const struct weight *weight, const rdv_chain *chain);
