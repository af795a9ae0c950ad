/* SPDX-License-Identifier: Apache-2.0 */
#include "score/aggregate.h"
#include "score/score.h"

#include "base/str.h"

#include <math.h>

static const char *const names[RDV_N_AGGREGATES] = {"min", "product", "geometric", "mean", "last"};

const char *rdv_aggregate_name(rdv_aggregate_kind is)
{
    return names[is];
}

int rdv_aggregate_named(rdv_str name, rdv_aggregate_kind *out)
{
    int i = rdv_named(name, names, RDV_N_AGGREGATES);
    if (i >= 0)
        *out = (rdv_aggregate_kind)i;
    return i < 0 ? RDV_NONE : RDV_OK;
}

/* The score that the aggregation uses; NaN: left out. */
static double seen(const rdv_aggregation *how, double score, double missing)
{
    if (isfinite(score))
        return score;
    return how->unknown == RDV_UNKNOWN_CONTRADICT ? 0 : missing;
}

static bool any_is_there(const double *scores, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(scores[i]))
            return true;
    return false;
}

/* The sums for every aggregation except `last`, computed in one pass. */
typedef struct summary {
    size_t read;
    double min, product, total, logs;
    bool negative;
} summary;

static summary summarise(const rdv_aggregation *how, const double *scores, size_t n, double missing)
{
    summary s = {.min = INFINITY, .product = 1};
    for (size_t i = 0; i < n; i++) {
        double x = seen(how, scores[i], missing);
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

double aggregate_with(const rdv_aggregation *how, const double *scores, size_t n, double missing)
{
    if (n == 0)
        return NAN;
    if (how->unknown != RDV_UNKNOWN_NEUTRAL || !any_is_there(scores, n))
        missing = NAN;
    if (how->kind == RDV_AGGREGATE_LAST && how->unknown != RDV_UNKNOWN_NULL)
        return seen(how, scores[n - 1], missing);
    summary s = summarise(how, scores, n, missing);
    if (s.read == 0 || (s.read < n && how->unknown == RDV_UNKNOWN_NULL))
        return NAN;
    switch (how->kind) {
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

double rdv_aggregate(const rdv_aggregation *how, const double *scores, size_t n)
{
    return aggregate_with(how, scores, n, NAN);
}
