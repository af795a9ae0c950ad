/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Estimates with standard errors and intervals, from values and counts. */
#include "score/eval.h"

#include <math.h>

#define RDV_Z95 1.959963984540054 /* the normal distribution's 97.5 % point */

/* Fewer paired differences than this have no interval. With n of them the exact sign test's p is at
 * least 2^(1-n), above .05 for 5 and less: nothing is known of the sign, whatever they are. An
 * interval from their spread would be narrow where they happen to be equal. */
#define RDV_PAIRED_LEAST 6

rdv_estimate rdv_estimate_none(size_t n);
/* A figure in [0,1] with Wilson's interval for the number of observations that `se` corresponds to,
 * or for `units` (questions) if se is 0 or NaN. n is copied to the result. */
rdv_estimate rdv_estimate_unit(double value, double se, size_t n, size_t units);
/* value +- 1.96 se. */
rdv_estimate rdv_estimate_normal(double value, double se, size_t n);
/* Compares numbers (no NaN) for qsort() and bsearch(): the smallest first. */
int rdv_by_size(const void *a, const void *b);
/* The quantile of n >= 1 sorted values, linear between them (Hyndman and Fan's type 7); share is in
 * [0,1]. */
double rdv_quantile(const double *sorted, size_t n, double share);
