/* SPDX-License-Identifier: Apache-2.0 */
#include "score/counts.h"

#include "base/arena.h"
#include "score/interner.h"

#include <string.h>

int rdv_counts_new(const void *items, size_t n, size_t size, size_t offset, size_t columns,
                   rdv_arena *arena, rdv_counts *out, rdv_error *err)
{
    rdv_counts counts = {.columns = columns};
    uint32_t *ids = counts.question = RDV_NEW_ARRAY(arena, uint32_t, n);
    for (size_t i = 0; ids && i < n; i++)
        memcpy(&ids[i], (const char *)items + i * size + offset, sizeof ids[i]);
    if (!ids || interner_dense(ids, n, arena, &counts.n) < 0)
        return rdv_no_memory(err);
    counts.rows = RDV_NEW_ARRAY(arena, double, counts.n *columns);
    if (!counts.rows)
        return rdv_no_memory(err);
    *out = counts;
    return RDV_OK;
}

static void total(const rdv_counts *counts, double *sums)
{
    memset(sums, 0, RDV_COLUMNS_MAX * sizeof *sums);
    for (size_t i = 0; i < counts->n; i++) {
        for (size_t c = 0; c < counts->columns; c++)
            sums[c] += counts->rows[i * counts->columns + c];
    }
}

size_t rdv_counts_total(const rdv_counts *counts, size_t column)
{
    double sums[RDV_COLUMNS_MAX];
    total(counts, sums);
    return (size_t)sums[column];
}

/* The derivative of the figure with respect to each count, by differences that are small relative
 * to the counts. */
static void differentiate(const rdv_counts *counts, const double *sums,
                          double (*figure)(const double *), double *gradient)
{
    double at[RDV_COLUMNS_MAX];
    memcpy(at, sums, sizeof at);
    for (size_t c = 0; c < counts->columns; c++) {
        double h = 1e-4 * (1 + sums[c]);
        double below = fmax(sums[c] - h, 0), above = sums[c] + h;
        at[c] = above;
        gradient[c] = figure(at);
        at[c] = below;
        gradient[c] = (gradient[c] - figure(at)) / (above - below);
        at[c] = sums[c];
    }
}

/* Number of questions that take part in the figure: those with a nonzero count in a column on which
 * it depends. The dependence is tested where no count is 0, because at an extreme, such as 5 of 5,
 * the figure depends on no count. */
static size_t questions_in(const rdv_counts *counts, const double *sums,
                           double (*figure)(const double *))
{
    double inside[RDV_COLUMNS_MAX], gradient[RDV_COLUMNS_MAX];
    size_t n = 0;
    for (size_t c = 0; c < RDV_COLUMNS_MAX; c++)
        inside[c] = sums[c] + 1 + (double)c; /* unequal, so that they do not cancel out */
    differentiate(counts, inside, figure, gradient);
    for (size_t i = 0; i < counts->n; i++) {
        const double *row = counts->rows + i * counts->columns;
        bool in = false;
        for (size_t c = 0; c < counts->columns; c++)
            in |= gradient[c] != 0 && row[c] != 0;
        n += in;
    }
    return n;
}

/* By how much one question moves a figure with that gradient. */
static double moved_by(const rdv_counts *counts, const double *gradient, size_t question)
{
    double moves = 0;
    for (size_t c = 0; c < counts->columns; c++)
        moves += gradient[c] * counts->rows[question * counts->columns + c];
    return moves;
}

void rdv_counts_moves(const rdv_counts *counts, double (*figure)(const double *), double *moves)
{
    double sums[RDV_COLUMNS_MAX], gradient[RDV_COLUMNS_MAX];
    total(counts, sums);
    differentiate(counts, sums, figure, gradient);
    for (size_t i = 0; i < counts->n; i++)
        moves[i] = moved_by(counts, gradient, i);
}

/* The standard error of a figure that is a smooth function of sums over questions, to first order,
 * from how much each question moves the figure (the infinitesimal jackknife). Unlike leaving
 * questions out, it stays reliable where the figure depends on few questions. NaN for a single
 * question. */
static double linear_se(const rdv_counts *counts, const double *sums,
                        double (*figure)(const double *), size_t questions)
{
    double gradient[RDV_COLUMNS_MAX], squares = 0, n = (double)questions;
    differentiate(counts, sums, figure, gradient);
    for (size_t i = 0; i < counts->n; i++) {
        double moves = moved_by(counts, gradient, i);
        squares += moves * moves;
    }
    return questions < 2 ? NAN : sqrt(squares * n / (n - 1));
}

rdv_estimate rdv_counts_estimate(const rdv_counts *counts, double (*figure)(const double *sums),
                                 size_t n)
{
    double sums[RDV_COLUMNS_MAX];
    total(counts, sums);
    double value = figure(sums);
    if (isnan(value))
        return rdv_estimate_none(n);
    size_t questions = questions_in(counts, sums, figure);
    return rdv_estimate_unit(value, linear_se(counts, sums, figure, questions), n, questions);
}
