/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Ranking by logistic regression (Bradley and Terry 1952), with an L2 penalty: the probability that
 * the first of a pair ranks above the second is the logistic function of coefficients times the
 * difference of their features. */
#include <rederive/base.h>

typedef struct logistic_pairs {
    size_t n, d;          /* pairs; features of a pair */
    const double *x;      /* n rows of d finite differences, the better minus the worse one */
    const double *weight; /* of each pair: finite, not negative, with a positive sum */
} logistic_pairs;

/* The weighted mean of the pairs' log-likelihoods. */
double logistic_likelihood(const logistic_pairs *pairs, const double *coefficients);
/* Finds the d coefficients that minimise -logistic_likelihood() + strength / 2 * (sum of their
 * squares), where those marked `never_positive` are at most 0: projected Newton steps (Bertsekas
 * 1982) from the coefficients given. strength > 0, so that there is one minimum. RDV_E_NOMEM. */
int logistic_fit(const logistic_pairs *pairs, double strength, const bool *never_positive,
                 rdv_arena *arena, double *coefficients, rdv_error *err);
