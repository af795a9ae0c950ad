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

static double without_row(const rdv_counts *counts, const double *sums, size_t row,
                          double (*figure)(const double *))
{
    double rest[RDV_COLUMNS_MAX] = {0};
    for (size_t c = 0; c < counts->columns; c++)
        rest[c] = sums[c] - counts->rows[row * counts->columns + c];
    return figure(rest);
}

/* NaN when the figure has no value without some question: then it rests on that question alone. */
static double jackknife_se(const rdv_counts *counts, const double *sums,
                           double (*figure)(const double *))
{
    double n = (double)counts->n, mean = 0, squares = 0;
    if (counts->n < 2)
        return NAN;
    for (size_t i = 0; i < counts->n; i++)
        mean += without_row(counts, sums, i, figure) / n;
    for (size_t i = 0; i < counts->n; i++) {
        double d = without_row(counts, sums, i, figure) - mean;
        squares += d * d;
    }
    return sqrt(squares * (n - 1) / n);
}

rdv_estimate rdv_counts_estimate(const rdv_counts *counts, double (*figure)(const double *sums),
                                 size_t n)
{
    double sums[RDV_COLUMNS_MAX];
    total(counts, sums);
    double value = figure(sums);
    if (isnan(value))
        return rdv_estimate_none(n);
    return rdv_estimate_unit(value, jackknife_se(counts, sums, figure), n, counts->n);
}
