/* SPDX-License-Identifier: Apache-2.0 */
#include "score/counts.h"

#include "base/arena.h"
#include "score/ids.h"

#include <string.h>

int rdv_counts_new(const void *items, size_t n, size_t size, size_t offset, size_t columns,
                   rdv_arena *arena, rdv_counts *out, rdv_error *err)
{
    rdv_counts counts = {.columns = columns};
    size_t *ids = RDV_NEW_ARRAY(arena, size_t, n);
    for (size_t i = 0; ids && i < n; i++)
        memcpy(&ids[i], (const char *)items + i * size + offset, sizeof ids[i]);
    if (!ids || rdv_ids_dense(ids, n, arena, &counts.question, &counts.n) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    counts.rows = RDV_NEW_ARRAY(arena, double, counts.n *columns);
    if (!counts.rows)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
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

/* The derivative of the figure by each count, by differences small against the counts themselves.
 */
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

/* The standard error of a figure that is a smooth function of sums over questions, to first order:
 * of each question what it moves the figure by (the infinitesimal jackknife). Unlike leaving
 * questions out, it stays sane where the figure rests on few of them. *units: the questions that
 * take part in the figure; with fewer than two of them the error is not known. */
static double linear_se(const rdv_counts *counts, const double *sums,
                        double (*figure)(const double *), size_t *units)
{
    double gradient[RDV_COLUMNS_MAX], squares = 0;
    differentiate(counts, sums, figure, gradient);
    *units = 0;
    for (size_t i = 0; i < counts->n; i++) {
        const double *row = counts->rows + i * counts->columns;
        double moves = 0;
        bool takes_part = false;
        for (size_t c = 0; c < counts->columns; c++) {
            moves += gradient[c] * row[c];
            takes_part |= gradient[c] != 0 && row[c] != 0;
        }
        squares += moves * moves;
        *units += takes_part;
    }
    double n = (double)*units;
    return *units < 2 ? NAN : sqrt(squares * n / (n - 1));
}

rdv_estimate rdv_counts_estimate(const rdv_counts *counts, double (*figure)(const double *sums),
                                 size_t n)
{
    double sums[RDV_COLUMNS_MAX];
    total(counts, sums);
    double value = figure(sums);
    if (isnan(value))
        return rdv_estimate_none(n);
    size_t units;
    double se = linear_se(counts, sums, figure, &units);
    return rdv_estimate_unit(value, se, n, units > 0 ? units : 1);
}
