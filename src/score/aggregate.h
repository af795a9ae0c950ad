/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/score.h>

/* As rdv_aggregate(), but with RDV_UNKNOWN_NEUTRAL a missing score counts as `missing` if at least
 * one score is present; `missing` NaN: it is left out, as in rdv_aggregate(). */
double aggregate_with(const rdv_aggregation *how, const double *scores, size_t n, double missing);
