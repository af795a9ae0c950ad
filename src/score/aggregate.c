/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/score.h>

#include "base/str.h"

#include <math.h>

static const char *const names[RDV_N_AGGREGATES] = {"min", "product", "geometric", "mean", "last"};

const char *rdv_aggregate_name(rdv_aggregate_is is)
{
    return names[is];
}

int rdv_aggregate_named(rdv_str name, rdv_aggregate_is *out)
{
    for (size_t i = 0; i < RDV_N_AGGREGATES; i++) {
        if (rdv_str_eq(name, rdv_str_of(names[i]))) {
            *out = (rdv_aggregate_is)i;
            return RDV_OK;
        }
    }
    return RDV_NONE;
}

/* The score as the aggregation sees it: NaN where it is to be left out. */
static double seen(const rdv_aggregation *how, double score)
{
    if (isfinite(score))
        return score;
    return how->unknown == RDV_UNKNOWN_CONTRADICT ? 0 : NAN;
}

/* What every aggregation but the last one needs, in one pass. */
typedef struct summary {
    size_t read;
    double min, product, total, logs;
    bool negative;
} summary;

static summary summarise(const rdv_aggregation *how, const double *scores, size_t n)
{
    summary s = {.min = INFINITY, .product = 1};
    for (size_t i = 0; i < n; i++) {
        double x = seen(how, scores[i]);
        if (isnan(x))
            continue;
        s.read++;
        s.min = fmin(s.min, x);
        s.product *= x;
        s.total += x;
        s.logs += log(fmax(x, how->floor));
        s.negative = s.negative || x < 0;
    }
    return s;
}

double rdv_aggregate(const rdv_aggregation *how, const double *scores, size_t n)
{
    if (n == 0)
        return NAN;
    if (how->is == RDV_AGGREGATE_LAST && how->unknown != RDV_UNKNOWN_NULL)
        return seen(how, scores[n - 1]);
    summary s = summarise(how, scores, n);
    if (s.read == 0 || (s.read < n && how->unknown == RDV_UNKNOWN_NULL))
        return NAN;
    switch (how->is) {
    case RDV_AGGREGATE_MIN:
        return s.min;
    case RDV_AGGREGATE_PRODUCT:
        if (s.negative)
            return NAN;
        return s.read == n ? s.product : pow(s.product, (double)n / (double)s.read);
    case RDV_AGGREGATE_GEOMETRIC:
        return s.negative ? NAN : exp(s.logs / (double)s.read);
    case RDV_AGGREGATE_MEAN:
        return s.total / (double)s.read;
    case RDV_AGGREGATE_LAST:
        return scores[n - 1];
    }
    return NAN;
}
