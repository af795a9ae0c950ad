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

/* If all values are equal, all resampled means are equal except for rounding; summing differences
 * from the mean keeps that rounding far below the values' own. */
static void resample_means(const double *const *x, size_t n_series, size_t n,
                           const rdv_estimate *of, rdv_rng *rng, double **means, size_t at)
{
    double sum[RDV_BOOTSTRAP_SERIES] = {0};
    rdv_range range = rdv_range_of(n);
    for (size_t i = 0; i < n; i++) {
        size_t drawn = rdv_range_draw(&range, rng);
        for (size_t k = 0; k < n_series; k++)
            sum[k] += x[k][drawn] - of[k].value;
    }
    for (size_t k = 0; k < n_series; k++)
        means[k][at] = of[k].value + sum[k] / (double)n;
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
    const double *varied[RDV_BOOTSTRAP_SERIES]; /* those that are drawn from */
    rdv_estimate of[RDV_BOOTSTRAP_SERIES], *to[RDV_BOOTSTRAP_SERIES];
    double *means[RDV_BOOTSTRAP_SERIES];
    size_t m = 0;
    resamples = resamples ? resamples : DEFAULT_RESAMPLES;
    for (size_t k = 0; k < n_series; k++) {
        out[k] = rdv_mean(x[k], n, false);
        out[k].low = out[k].high = NAN;
        if (n < RDV_PAIRED_LEAST || all_equal(x[k], n))
            continue;
        varied[m] = x[k];
        of[m] = out[k];
        to[m] = &out[k];
        means[m] = RDV_NEW_ARRAY(arena, double, resamples);
        if (!means[m++])
            return rdv_no_memory(err);
    }
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    for (size_t i = 0; m && i < resamples; i++)
        resample_means(varied, m, n, of, &rng, means, i);
    for (size_t k = 0; k < m; k++) {
        qsort(means[k], resamples, sizeof **means, rdv_by_size);
        to[k]->low = rdv_quantile(means[k], resamples, 0.025);
        to[k]->high = rdv_quantile(means[k], resamples, 0.975);
    }
    return RDV_OK;
}
