/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The difference of a share between two runs over the same questions.
 *
 * The interval is Newcombe's for paired data with score limits (Statistics in Medicine 17, 1998,
 * 2635-2650, method 10): Wilson's limits of the two shares, combined with their correlation, from
 * which a continuity correction is
 * subtracted. Where a question is more than a single yes or no
 * (several chains, ties), the limits are those of the shares with their errors over questions, and
 * the correlation is that of the questions' contributions, as Zou and Donner generalise the method
 * (Statistics in Medicine 27, 2008, 1693-1702). Chains of one question are thus never taken for
 * independent. Unlike value +- 1.96 se, the interval stays in [-1,1] and has a width where the runs
 * agree on every question. Fewer than RDV_PAIRED_LEAST questions have none: it is NaN. */
#include "score/estimate.h"

/* One question: the sum of its observations, each in [0,1], and their number, in both runs. */
typedef struct rdv_pair {
    double before, n_before, after, n_after;
} rdv_pair;

typedef struct rdv_paired {
    rdv_estimate before, after; /* the two shares */
    rdv_estimate difference;    /* after - before, in [-1,1] */
    double p;    /* of the exact sign test, two-sided: whether as many questions rose as fell; with
                    single answers it is McNemar's exact test; NaN where there is no question */
    bool single; /* every question is a single yes or no */
} rdv_paired;

/* The difference of two figures over the same n questions, of which question i moves them by
 * before[i] and after[i] to first order: its error is that of the questions' differences, its
 * interval from the limits of both and the correlation of what they are moved by (Zou and Donner
 * 2008). NaN where one of the figures is. */
rdv_estimate rdv_moved_difference(const rdv_estimate *a, const rdv_estimate *b,
                                  const double *before, const double *after, size_t n);
/* Compares the `n` pairs; those without an observation in one of the runs are left out. The n of
 * all estimates is the number of questions compared; with none the values are NaN. A share is the
 * sum of all observations over their number. */
void rdv_paired_difference(const rdv_pair *pairs, size_t n, rdv_paired *out);
/* The same difference of n questions with one value each in [0,1]; NaN: not compared. */
rdv_estimate rdv_mean_difference(const double *before, const double *after, size_t n);
