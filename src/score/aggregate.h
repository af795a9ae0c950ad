/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/score.h>

/* As rdv_aggregate(), but with RDV_UNKNOWN_NEUTRAL a missing score counts as `missing` where at
 * least one score is there; NaN: it is left out, as there. */
double aggregate_with(const rdv_aggregation *how, const double *scores, size_t n, double missing);
