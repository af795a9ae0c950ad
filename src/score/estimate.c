/* SPDX-License-Identifier: Apache-2.0 */
#include "score/estimate.h"

#include "base/arena.h"
#include "base/rng.h"
#include "score/sum.h"
#include "score/eval.h"

#include <stdlib.h>

#define DEFAULT_RESAMPLES 1000

rdv_estimate rdv_estimate_none(size_t n)
{
    return (rdv_estimate){.value = NAN, .se = NAN, .low = NAN, .high = NAN, .n = n};
}

rdv_estimate rdv_estimate_normal(double value, double se, size_t n)
{
    return (rdv_estimate){value, se, value - RDV_Z95 * se, value + RDV_Z95 * se, n};
}

rdv_estimate rdv_estimate_unit(double value, double se, size_t n, size_t units)
{
    if (isnan(value))
        return rdv_estimate_none(n);
    double spread = fmax(value * (1 - value), 0);
    double size = se > 0 && spread > 0 ? spread / (se * se) : (double)units;
    double z2 = RDV_Z95 * RDV_Z95 / size;
    double middle = (value + z2 / 2) / (1 + z2);
    double half = sqrt(z2 * (spread + z2 / 4)) / (1 + z2);
    /* Rounding must not push the value itself out of its interval. */
    double low = fmax(fmin(middle - half, value), 0), high = fmin(fmax(middle + half, value), 1);
    return (rdv_estimate){value, se, low, high, n};
}

rdv_estimate rdv_mean(const double *x, size_t n, bool unit)
{
    rdv_sum sum = {{0}};
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        rdv_sum_add(&sum, x[i]);
        m++;
    }
    if (m == 0)
        return rdv_estimate_none(0);
    double mean = rdv_sum_value(&sum) / (double)m, squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += isnan(x[i]) ? 0 : (x[i] - mean) * (x[i] - mean);
    double se = m > 1 ? sqrt(squares / (double)(m - 1) / (double)m) : NAN;
    return unit ? rdv_estimate_unit(mean, se, m, m) : rdv_estimate_normal(mean, se, m);
}

int rdv_by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double rdv_quantile(const double *sorted, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* By how much a question's values differ from their means; those of one question lie together,
 * since one draw takes all. If all values are equal, all resampled means are equal except for
 * rounding; summing differences from the mean keeps that rounding far below the values' own. */
typedef struct deviation {
    double of[RDV_BOOTSTRAP_SERIES];
} deviation;

static deviation resampled(const deviation *x, size_t n, rdv_rng *rng)
{
    deviation sum = {{0}};
    rdv_range range = rdv_range_of(n);
    for (size_t i = 0; i < n; i++) {
        const deviation *drawn = &x[rdv_range_draw(&range, rng)];
        for (size_t k = 0; k < RDV_BOOTSTRAP_SERIES; k++)
            sum.of[k] += drawn->of[k];
    }
    return sum;
}

static bool all_equal(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] < x[0] || x[i] > x[0])
            return false;
    return true;
}

int rdv_bootstrap(const double *const *x, size_t n_series, size_t n, size_t resamples,
                  uint64_t seed, rdv_arena *arena, rdv_estimate *out, rdv_error *err)
{
    rdv_estimate *to[RDV_BOOTSTRAP_SERIES]; /* those that are drawn from */
    double *means[RDV_BOOTSTRAP_SERIES];
    size_t m = 0;
    deviation *varied = RDV_NEW_ARRAY(arena, deviation, n);
    if (!varied)
        return rdv_no_memory(err);
    resamples = resamples ? resamples : DEFAULT_RESAMPLES;
    for (size_t k = 0; k < n_series; k++) {
        out[k] = rdv_mean(x[k], n, false);
        out[k].low = out[k].high = NAN;
        if (n < RDV_PAIRED_LEAST || all_equal(x[k], n))
            continue;
        for (size_t i = 0; i < n; i++)
            varied[i].of[m] = x[k][i] - out[k].value;
        to[m] = &out[k];
        means[m] = RDV_NEW_ARRAY(arena, double, resamples);
        if (!means[m++])
            return rdv_no_memory(err);
    }
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    for (size_t i = 0; m && i < resamples; i++) {
        deviation sum = resampled(varied, n, &rng);
        for (size_t k = 0; k < m; k++)
            means[k][i] = to[k]->value + sum.of[k] / (double)n;
    }
    for (size_t k = 0; k < m; k++) {
        qsort(means[k], resamples, sizeof **means, rdv_by_size);
        to[k]->low = rdv_quantile(means[k], resamples, 0.025);
        to[k]->high = rdv_quantile(means[k], resamples, 0.975);
    }
    return RDV_OK;
}
