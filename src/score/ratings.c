/* SPDX-License-Identifier: Apache-2.0 */
/* Alpha, kappa and plain agreement from counts of categories. The order of the summands is fixed.
 * Time is linear in the ratings: when the distance is a squared difference of positions, the
 * disagreement within a unit follows from the deviations of its values from their mean. */
#include "score/ratings.h"

#include "base/arena.h"
#include "score/estimate.h"
#include "score/interner.h"
#include "score/agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- coding ---------------------------------------------------------------------------------- */

/* Number of ratings of the unit, and whether all are finite. */
static size_t count_ratings(const rdv_ratings *r, size_t unit, bool *finite)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_raters; i++) {
        double x = r->value[unit * r->n_raters + i];
        n += !isnan(x);
        *finite = *finite && !isinf(x);
    }
    return n;
}

/* Collects the values of all units with at least two ratings into `values`, unit by unit, sorted
 * within each unit. */
static int gather(const rdv_ratings *r, rdv_coded *out, double *values, rdv_error *err)
{
    size_t n = 0;
    bool finite = true;
    for (size_t u = 0; u < r->n_units; u++) {
        size_t ratings = count_ratings(r, u, &finite);
        if (ratings < 2)
            continue;
        size_t unit = out->n_units++;
        out->per_unit = unit == 0 || out->per_unit == ratings ? ratings : 0;
        out->cluster[unit] = r->cluster ? r->cluster[u] : (uint32_t)u;
        for (size_t i = 0; i < r->n_raters; i++) {
            double x = r->value[u * r->n_raters + i];
            if (!isnan(x))
                values[n++] = x == 0 ? 0 : x; /* -0 counts as 0 */
        }
        out->start[unit + 1] = n;
        qsort(values + out->start[unit], ratings, sizeof *values, rdv_by_size);
    }
    return finite ? RDV_OK : rdv_fail(err, RDV_E_ARGUMENT, "an infinite rating");
}

static size_t distinct(double *sorted, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || sorted[kept - 1] != sorted[i])
            sorted[kept++] = sorted[i];
    return kept;
}

static uint32_t category_of(const rdv_coded *c, double value)
{
    const double *at =
        bsearch(&value, c->category, c->n_categories, sizeof *c->category, rdv_by_size);
    return (uint32_t)(at - c->category);
}

int rdv_code_ratings(const rdv_ratings *r, rdv_arena *arena, rdv_coded *out, rdv_error *err)
{
    size_t most = r->n_units * r->n_raters;
    if ((r->n_raters && most / r->n_raters != r->n_units) || most > UINT32_MAX)
        return rdv_fail(err, RDV_E_ARGUMENT, "more than %u ratings", UINT32_MAX);
    *out = (rdv_coded){.start = RDV_NEW_ARRAY(arena, size_t, r->n_units + 1),
                       .code = RDV_NEW_ARRAY(arena, uint32_t, most),
                       .category = RDV_NEW_ARRAY(arena, double, most),
                       .cluster = RDV_NEW_ARRAY(arena, uint32_t, r->n_units)};
    double *values = RDV_NEW_ARRAY(arena, double, most);
    if (!out->start || !out->code || !out->category || !out->cluster || !values)
        return rdv_no_memory(err);
    int code = gather(r, out, values, err);
    if (code < 0)
        return code;
    if (interner_dense(out->cluster, out->n_units, arena, &out->n_clusters) < 0)
        return rdv_no_memory(err);
    size_t n = out->start[out->n_units];
    memcpy(out->category, values, n * sizeof *values);
    qsort(out->category, n, sizeof *out->category, rdv_by_size);
    out->n_categories = distinct(out->category, n);
    for (size_t i = 0; i < n; i++)
        out->code[i] = category_of(out, values[i]);
    out->count = RDV_NEW_ARRAY(arena, double, out->n_categories);
    out->place = RDV_NEW_ARRAY(arena, double, out->n_categories);
    return out->count && out->place ? RDV_OK : rdv_no_memory(err);
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Counts the categories; returns the number of ratings. */
static double count_categories(const rdv_coded *c, const uint32_t *times)
{
    double n = 0;
    memset(c->count, 0, c->n_categories * sizeof *c->count);
    for (size_t u = 0; u < c->n_units; u++) {
        double w = times[c->cluster[u]];
        for (size_t i = c->start[u]; i < c->start[u + 1]; i++)
            c->count[c->code[i]] += w;
        n += w * (double)(c->start[u + 1] - c->start[u]);
    }
    return n;
}

/* Ordered pairs of equal ratings in a unit. */
static double equal_pairs(const rdv_coded *c, size_t unit)
{
    double pairs = 0;
    for (size_t i = c->start[unit], run = 0; i < c->start[unit + 1]; i++) {
        run = i > c->start[unit] && c->code[i] == c->code[i - 1] ? run + 1 : 0;
        pairs += 2 * (double)run;
    }
    return pairs;
}

/* Sets the positions of the categories so that the squared difference of two positions is their
 * distance. For ordinal categories the position is the mean rank: Krippendorff's sum of the counts
 * from one category to another, less half of the counts of these two, is the difference of their
 * mean ranks. */
static void place_categories(const rdv_coded *c, rdv_agreement_kind is)
{
    double before = 0;
    for (size_t k = 0; k < c->n_categories; k++) {
        c->place[k] = is == RDV_ALPHA_ORDINAL ? before + c->count[k] / 2 : c->category[k];
        before += c->count[k];
    }
}

/* Sum of the distances of all ordered pairs in a unit: 2 m times the sum of squared deviations from
 * the mean. */
static double spread_pairs(const rdv_coded *c, size_t unit)
{
    double mean = 0, squares = 0, m = (double)(c->start[unit + 1] - c->start[unit]);
    for (size_t i = c->start[unit]; i < c->start[unit + 1]; i++)
        mean += c->place[c->code[i]] / m;
    for (size_t i = c->start[unit]; i < c->start[unit + 1]; i++) {
        double d = c->place[c->code[i]] - mean;
        squares += d * d;
    }
    return 2 * m * squares;
}

/* The same sum over all ratings together. */
static double spread_all(const rdv_coded *c, double n)
{
    double mean = 0, squares = 0;
    for (size_t k = 0; k < c->n_categories; k++)
        mean += c->count[k] / n * c->place[k];
    for (size_t k = 0; k < c->n_categories; k++)
        squares += c->count[k] * (c->place[k] - mean) * (c->place[k] - mean);
    return 2 * n * squares;
}

static double square_of_counts(const rdv_coded *c)
{
    double squares = 0;
    for (size_t k = 0; k < c->n_categories; k++)
        squares += c->count[k] * c->count[k];
    return squares;
}

/* 1 - observed / expected disagreement. Do: (1/n) times the sum over units of the distances of
 * their pairs divided by (m - 1); De: the distances of all pairs of ratings divided by n (n -
 * 1). */
static double alpha(const rdv_coded *c, rdv_agreement_kind is, const uint32_t *times)
{
    double n = count_categories(c, times), observed = 0;
    if (is != RDV_ALPHA_NOMINAL)
        place_categories(c, is);
    for (size_t u = 0; u < c->n_units; u++) {
        double w = times[c->cluster[u]], m = (double)(c->start[u + 1] - c->start[u]);
        if (w > 0)
            observed +=
                w / (m - 1) *
                (is == RDV_ALPHA_NOMINAL ? m * (m - 1) - equal_pairs(c, u) : spread_pairs(c, u));
    }
    double expected = is == RDV_ALPHA_NOMINAL ? n * n - square_of_counts(c) : spread_all(c, n);
    return expected > 0 ? 1 - (n - 1) * observed / expected : NAN;
}

/* Counts the ordered pairs within units, and the equal ones among them. */
static void count_pairs(const rdv_coded *c, const uint32_t *times, double *equal, double *all)
{
    *equal = *all = 0;
    for (size_t u = 0; u < c->n_units; u++) {
        double w = times[c->cluster[u]], m = (double)(c->start[u + 1] - c->start[u]);
        *equal += w * equal_pairs(c, u);
        *all += w * m * (m - 1);
    }
}

double rdv_coded_agreement(const rdv_coded *c, rdv_agreement_kind is, const uint32_t *times)
{
    double equal, all;
    if (is != RDV_KAPPA && is != RDV_AGREE)
        return alpha(c, is, times);
    count_pairs(c, times, &equal, &all);
    if (is == RDV_AGREE || !(all > 0))
        return all > 0 ? equal / all : NAN;
    double n = count_categories(c, times), chance = square_of_counts(c) / (n * n);
    return c->per_unit && chance < 1 ? (equal / all - chance) / (1 - chance) : NAN;
}
