/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a check without a model found of its chain, and what the chain therefore weighs in a vote.
 */
#include "score/cast_weight.h"
#include "score/vote_weight.h"

#include <rederive/chain.h>

/* CAST_BY_CONFIDENCE for a check by a method that asks a model or is not of this library, one that
 * was skipped, and one without verdicts. check may be NULL. */
cast_standing standing_of(const rdv_check *check);
/* The weight of its chain in a vote by this check; NaN: none. */
double standing_weight(const rdv_check *check);
/* The weight of the chain in a vote; NaN: none. As vote_weight_of(), but for confidences. */
double standing_weight_of(const vote_weight *weight, const rdv_chain *chain);
