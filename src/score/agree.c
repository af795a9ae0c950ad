/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement between annotators, with its sampling error. */
#include "score/agree.h"

#include "base/arena.h"
#include "base/rng.h"
#include "score/estimate.h"
#include "score/ratings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_RESAMPLES 1000

/* ---- resampling ------------------------------------------------------------------------------ */

static double deviation(const double *x, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

/* Computes the error and interval from draws of clusters; they stay NaN if too few draws have a
 * value. */
static void resample(const rdv_coded *c, rdv_agreement_kind is, size_t resamples, uint64_t seed,
                     uint32_t *times, double *drawn, rdv_estimate *out)
{
    size_t n = 0;
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    for (size_t i = 0; i < resamples; i++) {
        memset(times, 0, c->n_clusters * sizeof *times);
        for (size_t k = 0; k < c->n_clusters; k++)
            times[rdv_rng_below(&rng, c->n_clusters)]++;
        double x = rdv_coded_agreement(c, is, times);
        if (!isnan(x))
            drawn[n++] = x;
    }
    if (n < 2 || 2 * n < resamples)
        return;
    qsort(drawn, n, sizeof *drawn, rdv_by_size);
    out->se = deviation(drawn, n);
    out->low = rdv_quantile(drawn, n, 0.025);
    out->high = rdv_quantile(drawn, n, 0.975);
}

int rdv_agreement(const rdv_ratings *ratings, rdv_agreement_kind is, size_t resamples,
                  uint64_t seed, rdv_arena *arena, rdv_estimate *out, rdv_error *err)
{
    rdv_coded coded;
    int r = rdv_code_ratings(ratings, arena, &coded, err);
    if (r < 0)
        return r;
    resamples = resamples ? resamples : DEFAULT_RESAMPLES;
    uint32_t *times = RDV_NEW_ARRAY(arena, uint32_t, coded.n_clusters);
    double *drawn = RDV_NEW_ARRAY(arena, double, resamples);
    if (!times || !drawn)
        return rdv_no_memory(err);
    for (size_t i = 0; i < coded.n_clusters; i++)
        times[i] = 1;
    rdv_estimate e = rdv_estimate_none(coded.n_units);
    e.value = rdv_coded_agreement(&coded, is, times);
    if (!isnan(e.value) && coded.n_clusters > 1)
        resample(&coded, is, resamples, seed, times, drawn, &e);
    *out = e;
    return RDV_OK;
}

/* ---- two annotators -------------------------------------------------------------------------- */

/* Both values of the units that both rated, one after the other. */
static size_t pick_both(const rdv_ratings *r, size_t a, size_t b, double *both)
{
    size_t n = 0;
    for (size_t u = 0; u < r->n_units; u++) {
        double x = r->value[u * r->n_raters + a], y = r->value[u * r->n_raters + b];
        if (isnan(x) || isnan(y))
            continue;
        both[2 * n] = x;
        both[2 * n + 1] = y;
        n++;
    }
    return n;
}

/* The probability that two ratings are equal when each annotator keeps its own shares of the
 * values. Both sorted lists are merged, one run of equal values at a time. */
static double chance_of(double *a, double *b, size_t n)
{
    double pairs = 0;
    qsort(a, n, sizeof *a, rdv_by_size);
    qsort(b, n, sizeof *b, rdv_by_size);
    for (size_t i = 0, k = 0; i < n && k < n;) {
        double value = fmin(a[i], b[k]);
        size_t in_a = 0, in_b = 0;
        for (; i < n && a[i] == value; i++)
            in_a++;
        for (; k < n && b[k] == value; k++)
            in_b++;
        pairs += (double)in_a * (double)in_b;
    }
    return pairs / (double)n / (double)n;
}

static rdv_estimate cohens_kappa(double observed, double chance, size_t n)
{
    if (!(chance < 1))
        return rdv_estimate_none(n);
    double se = sqrt(observed * (1 - observed) / (double)n) / (1 - chance);
    return rdv_estimate_normal((observed - chance) / (1 - chance), se, n);
}

int rdv_agreement_between(const rdv_ratings *ratings, size_t a, size_t b, rdv_arena *arena,
                          rdv_pair_agreement *out, rdv_error *err)
{
    double *both = RDV_NEW_ARRAY(arena, double, 2 * ratings->n_units);
    double *apart = RDV_NEW_ARRAY(arena, double, 2 * ratings->n_units);
    if (!both || !apart)
        return rdv_no_memory(err);
    size_t n = pick_both(ratings, a, b, both), equal = 0;
    if (n == 0) {
        *out = (rdv_pair_agreement){rdv_estimate_none(0), rdv_estimate_none(0)};
        return RDV_OK;
    }
    for (size_t i = 0; i < n; i++) {
        equal += both[2 * i] == both[2 * i + 1];
        apart[i] = both[2 * i];
        apart[n + i] = both[2 * i + 1];
    }
    double observed = (double)equal / (double)n;
    double se = n > 1 ? sqrt(observed * (1 - observed) / (double)n) : NAN;
    out->agreement = rdv_estimate_unit(observed, se, n, n);
    out->kappa = cohens_kappa(observed, chance_of(apart, apart + n, n), n);
    return RDV_OK;
}
