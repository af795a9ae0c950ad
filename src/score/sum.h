/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Exact sums of doubles: a fixed-point number wide enough for 2^50 doubles of magnitude up to
 * RDV_SUM_MAX. The result does not depend on the order, and equality is that of real numbers, as
 * ties in a vote and proofs about margins require. */
#include <rederive/base.h>

#define RDV_SUM_MAX 0x1p60
#define RDV_SUM_LIMBS 19 /* 1216 bits, of which 1074 lie below the point */

typedef struct rdv_sum {
    uint64_t limb[RDV_SUM_LIMBS]; /* two's complement, least significant first; all 0 is zero */
} rdv_sum;

/* Whether x may be added: finite and at most RDV_SUM_MAX in magnitude. */
bool rdv_sum_takes(double x);
void rdv_sum_add(rdv_sum *sum, double x);
/* Adds x `times` times. */
void rdv_sum_add_times(rdv_sum *sum, double x, uint64_t times);
void rdv_sum_subtract(rdv_sum *sum, const rdv_sum *other);
void rdv_sum_join(rdv_sum *sum, const rdv_sum *other);
/* The sign: -1, 0 or 1. */
int rdv_sum_sign(const rdv_sum *sum);
int rdv_sum_cmp(const rdv_sum *a, const rdv_sum *b);
/* The nearest double, ties to even. */
double rdv_sum_value(const rdv_sum *sum);
