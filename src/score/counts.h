/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Figures computed from counts, such as rates and F1. Counts are kept per question, so that errors
 * can be computed over questions. */
#include "score/estimate.h"

#define RDV_COLUMNS_MAX 6

typedef struct rdv_counts {
    double *rows;     /* n rows of `columns` counts */
    size_t n;         /* questions */
    size_t columns;   /* at most RDV_COLUMNS_MAX */
    uint32_t *question; /* the row of each item */
} rdv_counts;

/* Creates zeroed counts for `n` items of `size` bytes, each with its question (a uint32_t) at
 * `offset`, in `arena`. RDV_OK or RDV_E_NOMEM. */
int rdv_counts_new(const void *items, size_t n, size_t size, size_t offset, size_t columns,
                   rdv_arena *arena, rdv_counts *out, rdv_error *err);
/* The same of an array of `type`, which has a member `question`. */
#define RDV_COUNTS_NEW(type, items, n, columns, arena, out, err)                                   \
    rdv_counts_new((items), (n), sizeof(type), offsetof(type, question), (columns), (arena),       \
                   (out), (err))

/* The counts of item i's question, to add to. */
static inline double *rdv_counts_row(const rdv_counts *counts, size_t i)
{
    return counts->rows + counts->question[i] * counts->columns;
}

/* Computes a figure in [0,1] from the counts' sums by `figure` (NaN: no value), with its standard
 * error over questions (to first order). `figure` must be smooth in the sums, which are at least 0,
 * and must not change when all of them are multiplied by one number. */
rdv_estimate rdv_counts_estimate(const rdv_counts *counts, double (*figure)(const double *sums),
                                 size_t n);
/* By how much each question moves the figure, to first order: moves[i] of row i. */
void rdv_counts_moves(const rdv_counts *counts, double (*figure)(const double *sums),
                      double *moves);
/* The sum of one column. */
size_t rdv_counts_total(const rdv_counts *counts, size_t column);

/* a / b, NaN when b is 0. */
static inline double rdv_ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}
