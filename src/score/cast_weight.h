/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a chain weighs in a vote that is weighted by a check which asks no model (docs/voting.md).
 * Such a check may decide nothing of a chain, which then has no confidence and is still neither
 * proven nor refuted. */

/* What the check found of the chain. */
typedef enum cast_standing {
    CAST_BY_CONFIDENCE = 0, /* another check: the confidence alone */
    CAST_UNDECIDED,         /* no step was decided */
    CAST_SUPPORTED,         /* a step is supported, and none contradicted */
    CAST_CONTRADICTED
} cast_standing;

/* The weight of a chain of which nothing was decided. Two of them do not outvote a proven one;
 * docs/measured/neutral-weight.md has what it does to votes. */
#define CAST_NEUTRAL 0.3

/* The weight: the confidence of a supported chain between the neutral weight and 1, that of a
 * contradicted one between 0 and the neutral weight, so that what was not read never turns their
 * order. NaN: none. confidence: in [0,1], or NaN. */
double cast_weight(cast_standing is, double confidence);
