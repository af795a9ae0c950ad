/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a chain's vote weighs, as --weight and --aggregate say. */
#include "settings.h"

#include <rederive/answer.h>
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
/* The check that WEIGHT_CONFIDENCE speaks of, or NULL. Borrowed. */
const rdv_check *weight_check(const struct weight *weight, const rdv_chain *chain);

/* The canonical answer of a chain (p == NULL: could not be read), and whether it is right: 1, 0, -1
 * not known. The gold answer decides; without one the source's own opinion. What could not be read
 * is wrong where anything is known. */
int answer_judge(const rdv_chain *chain, rdv_arena *arena, rdv_str *key, int *right,
                 rdv_error *err);
