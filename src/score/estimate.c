/* SPDX-License-Identifier: Apache-2.0 */
#include "score/estimate.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/ordered_pool.h"
#include "base/rng.h"
#include "score/sum.h"
#include "score/eval.h"

#include <stdatomic.h>
#include <stdlib.h>

#define DEFAULT_RESAMPLES 1000
#define DRAWS_LEAST 10000000 /* that are worth several threads, which find their state first */

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

#define KINDS_MOST 4096

/* The series that are drawn from, by question. Most questions have the deviations of others: these
 * are kept once, where a processor finds them sooner than in a list of all questions. */
typedef struct deviations {
    const double *x[RDV_BOOTSTRAP_SERIES];
    double mean[RDV_BOOTSTRAP_SERIES];
    size_t m, n;
    uint16_t *kind; /* of each question; NULL: there are too many */
    deviation *of;  /* of each kind, or of each question */
} deviations;

static deviation deviation_of(const deviations *d, size_t question)
{
    deviation out = {{0}};
    for (size_t k = 0; k < d->m; k++)
        out.of[k] = d->x[k][question] - d->mean[k];
    return out;
}

static rdv_str bytes_of(const deviation *d)
{
    return (rdv_str){(const char *)d, sizeof *d};
}

/* RDV_NONE: there are too many kinds. */
static int find_kinds(deviations *d, rdv_arena *arena)
{
    rdv_map known;
    size_t n = 0;
    rdv_map_init(&known, arena);
    d->kind = RDV_NEW_ARRAY(arena, uint16_t, d->n);
    d->of = RDV_NEW_ARRAY(arena, deviation, KINDS_MOST);
    if (!d->kind || !d->of)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < d->n; i++) {
        deviation is = deviation_of(d, i);
        size_t kind = rdv_map_get(&known, bytes_of(&is));
        if (kind == RDV_MAP_MISSING) {
            if (n == KINDS_MOST)
                return RDV_NONE;
            d->of[kind = n++] = is;
            if (rdv_map_put(&known, bytes_of(&d->of[kind]), kind) != RDV_OK)
                return RDV_E_NOMEM;
        }
        d->kind[i] = (uint16_t)kind;
    }
    return RDV_OK;
}

static int find_deviations(deviations *d, rdv_arena *arena)
{
    int code = find_kinds(d, arena);
    if (code != RDV_NONE)
        return code;
    d->kind = NULL;
    d->of = RDV_NEW_ARRAY(arena, deviation, d->n);
    for (size_t i = 0; d->of && i < d->n; i++)
        d->of[i] = deviation_of(d, i);
    return d->of ? RDV_OK : RDV_E_NOMEM;
}

/* The sums of the deviations of each resample. Their numbers are drawn one after another; where
 * none was drawn again, the state before each is known without them, so that parts of them are made
 * at the same time. */
typedef struct resampling {
    const deviations *of;
    uint64_t seed;
    size_t n, parts;
    deviation *sums;
    atomic_bool redrawn;
} resampling;

static deviation resampled(const deviations *d, const rdv_range *range, rdv_rng *rng, bool *redrawn)
{
    deviation sum = {{0}};
    const deviation *of = d->of;
    const uint16_t *kind = d->kind;
    for (size_t i = d->n; i > 0; i--) {
        size_t question = rdv_range_draw(range, rng, redrawn);
        const deviation *drawn = &of[kind ? kind[question] : question];
        for (size_t k = 0; k < RDV_BOOTSTRAP_SERIES; k++)
            sum.of[k] += drawn->of[k];
    }
    return sum;
}

static void resample_part(void *payload, size_t part, size_t worker)
{
    resampling *r = payload;
    rdv_range range = rdv_range_of(r->of->n);
    bool redrawn = false;
    rdv_rng rng;
    (void)worker;
    size_t begin = r->n * part / r->parts, end = r->n * (part + 1) / r->parts;
    rdv_rng_seed(&rng, r->seed);
    rdv_rng_skip(&rng, (uint64_t)begin * r->of->n);
    for (size_t i = begin; i < end; i++)
        r->sums[i] = resampled(r->of, &range, &rng, &redrawn);
    if (redrawn)
        atomic_store(&r->redrawn, true);
}

static int resample(resampling *r, size_t threads, rdv_error *err)
{
    bool many = threads > 1 && r->n >= threads && r->n * r->of->n >= DRAWS_LEAST;
    ordered_pool_options options = {
        .threads = threads, .slots = threads, .work = resample_part, .payload = r};
    ordered_pool *pool = NULL;
    if (many && ordered_pool_new(&options, &pool) < 0)
        return rdv_no_memory(err);
    r->parts = many ? threads : 1;
    for (size_t i = 0; many && i < r->parts; i++)
        ordered_pool_give(pool);
    for (size_t i = 0; many && i < r->parts; i++) {
        ordered_pool_oldest(pool, true);
        ordered_pool_take(pool);
    }
    ordered_pool_free(&pool);
    if (many && !atomic_load(&r->redrawn))
        return RDV_OK;
    r->parts = 1;
    resample_part(r, 0, 0);
    return RDV_OK;
}

static bool all_equal(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] < x[0] || x[i] > x[0])
            return false;
    return true;
}

int rdv_bootstrap(const double *const *x, size_t n_series, size_t n, size_t resamples,
                  uint64_t seed, size_t threads, rdv_arena *arena, rdv_estimate *out,
                  rdv_error *err)
{
    rdv_estimate *to[RDV_BOOTSTRAP_SERIES]; /* those that are drawn from */
    double *means[RDV_BOOTSTRAP_SERIES];
    deviations d = {.n = n};
    resamples = resamples ? resamples : DEFAULT_RESAMPLES;
    for (size_t k = 0; k < n_series; k++) {
        out[k] = rdv_mean(x[k], n, false);
        out[k].low = out[k].high = NAN;
        if (n < RDV_PAIRED_LEAST || all_equal(x[k], n))
            continue;
        d.x[d.m] = x[k];
        d.mean[d.m] = out[k].value;
        to[d.m] = &out[k];
        means[d.m] = RDV_NEW_ARRAY(arena, double, resamples);
        if (!means[d.m++])
            return rdv_no_memory(err);
    }
    if (d.m && find_deviations(&d, arena) != RDV_OK)
        return rdv_no_memory(err);
    resampling r = {.of = &d, .seed = seed, .n = resamples};
    r.sums = d.m ? RDV_NEW_ARRAY(arena, deviation, resamples) : NULL;
    if (d.m && !r.sums)
        return rdv_no_memory(err);
    int code = d.m ? resample(&r, threads, err) : RDV_OK;
    if (code != RDV_OK)
        return code;
    for (size_t i = 0; d.m && i < resamples; i++)
        for (size_t k = 0; k < d.m; k++)
            means[k][i] = to[k]->value + r.sums[i].of[k] / (double)n;
    for (size_t k = 0; k < d.m; k++) {
        qsort(means[k], resamples, sizeof **means, rdv_by_size);
        to[k]->low = rdv_quantile(means[k], resamples, 0.025);
        to[k]->high = rdv_quantile(means[k], resamples, 0.975);
    }
    return RDV_OK;
}
