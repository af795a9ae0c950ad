/* SPDX-License-Identifier: Apache-2.0 */
#include "score/paired.h"

typedef struct sums {
    size_t n; /* questions */
    double before, n_before, after, n_after;
    size_t fixed, broken; /* questions whose share rose, and whose fell */
    bool single;          /* every question is a single yes or no */
} sums;

/* What is compared: n pairs, or the n values of two lists, which make a pair each. */
typedef struct observed {
    const rdv_pair *pairs; /* NULL: the lists */
    const double *before, *after;
    size_t n;
} observed;

static inline rdv_pair pair_at(const observed *o, size_t i)
{
    if (o->pairs)
        return o->pairs[i];
    bool there = !isnan(o->before[i]) && !isnan(o->after[i]);
    return there ? (rdv_pair){o->before[i], 1, o->after[i], 1} : (rdv_pair){0};
}

static bool is_compared(const rdv_pair *p)
{
    return p->n_before > 0 && p->n_after > 0;
}

static bool is_single(double sum, double n)
{
    return n == 1 && (sum == 0 || sum == 1);
}

static sums sum_of(const observed *o)
{
    sums s = {.single = true};
    for (size_t i = 0; i < o->n; i++) {
        const rdv_pair p = pair_at(o, i);
        if (!is_compared(&p))
            continue;
        s.n++;
        s.before += p.before;
        s.n_before += p.n_before;
        s.after += p.after;
        s.n_after += p.n_after;
        s.fixed += p.after * p.n_before > p.before * p.n_after;
        s.broken += p.after * p.n_before < p.before * p.n_after;
        s.single &= is_single(p.before, p.n_before) && is_single(p.after, p.n_after);
    }
    return s;
}

/* Mean squares and mean product of how far each question moves the two shares. */
typedef struct moments {
    double before, after, product;
} moments;

static moments moments_of(const observed *o, const sums *s, double before, double after)
{
    moments m = {0};
    double questions = (double)s->n;
    for (size_t i = 0; i < o->n; i++) {
        const rdv_pair p = pair_at(o, i);
        if (!is_compared(&p))
            continue;
        double a = (p.before - before * p.n_before) * questions / s->n_before;
        double b = (p.after - after * p.n_after) * questions / s->n_after;
        m.before += a * a / questions;
        m.after += b * b / questions;
        m.product += a * b / questions;
    }
    return m;
}

/* The correlation of the two shares. Newcombe's correction is 1/(2 n s) with s^2 the product of
 * p(1-p) of both shares; where chains are clustered, n is the number of independent observations
 * that the errors correspond to. */
static double correlation_of(const moments *m, size_t n, double before, double after)
{
    double spread = sqrt(m->before * m->after);
    double single = before * (1 - before) * after * (1 - after);
    if (!(spread > 0)) /* a share of 0 or 1 has no spread, so `single` is positive below */
        return 0;
    double r = m->product / spread, correction = spread / (2 * (double)n * single);
    return r > 0 ? fmin(fmax(r - correction, 0), 1) : fmax(r, -1);
}

static rdv_estimate share(double value, double mean_square, const sums *s)
{
    double n = (double)s->n, se = s->n > 1 ? sqrt(mean_square / (n - 1)) : NAN;
    rdv_estimate e = rdv_estimate_unit(value, s->single ? NAN : se, s->n, s->n);
    e.se = se;
    return e;
}

/* The distance of a limit of the difference from it, from those of the two shares. */
static double distance(double x, double y, double r)
{
    return sqrt(fmax(x * x - 2 * r * x * y + y * y, 0));
}

/* P(at most k of n) for a fair coin, doubled: in logarithms, so that it may be very small. */
static double sign_test(size_t fixed, size_t broken)
{
    size_t n = fixed + broken, k = fixed < broken ? fixed : broken;
    double sum = 0, all = lgamma((double)n + 1);
    for (size_t i = 0; i <= k; i++)
        sum += exp(all - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) - (double)n * M_LN2);
    return fmin(2 * sum, 1);
}

static void compare(const observed *o, rdv_paired *out)
{
    rdv_estimate none = rdv_estimate_none(0);
    sums s = sum_of(o);
    *out = (rdv_paired){.before = none, .after = none, .difference = none, .p = NAN};
    if (s.n == 0)
        return;
    double before = s.before / s.n_before, after = s.after / s.n_after;
    moments m = moments_of(o, &s, before, after);
    double r = correlation_of(&m, s.n, before, after), questions = (double)s.n;
    rdv_estimate a = share(before, m.before, &s), b = share(after, m.after, &s);
    rdv_estimate d = {.value = after - before, .n = s.n, .se = NAN};
    if (s.n > 1)
        d.se = sqrt(fmax(m.before + m.after - 2 * m.product, 0) / (questions - 1));
    d.low = d.high = NAN;
    if (s.n >= RDV_PAIRED_LEAST) {
        d.low = d.value - distance(after - b.low, a.high - before, r);
        d.high = d.value + distance(b.high - after, before - a.low, r);
    }
    *out = (rdv_paired){a, b, d, sign_test(s.fixed, s.broken), s.single};
}

void rdv_paired_difference(const rdv_pair *pairs, size_t n, rdv_paired *out)
{
    compare(&(observed){.pairs = pairs, .n = n}, out);
}

rdv_estimate rdv_mean_difference(const double *before, const double *after, size_t n)
{
    rdv_paired is;
    compare(&(observed){.before = before, .after = after, .n = n}, &is);
    return is.difference;
}

rdv_estimate rdv_moved_difference(const rdv_estimate *a, const rdv_estimate *b,
                                  const double *before, const double *after, size_t n)
{
    rdv_estimate d = rdv_estimate_none(n);
    double aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < n; i++) {
        aa += before[i] * before[i];
        bb += after[i] * after[i];
        ab += before[i] * after[i];
    }
    double r = aa > 0 && bb > 0 ? fmin(fmax(ab / sqrt(aa * bb), -1), 1) : 0;
    d.value = b->value - a->value;
    if (isnan(d.value))
        return d;
    if (n > 1)
        d.se = sqrt(fmax(aa + bb - 2 * ab, 0) * (double)n / (double)(n - 1));
    if (n < RDV_PAIRED_LEAST)
        return d;
    d.low = d.value - distance(b->value - b->low, a->high - a->value, r);
    d.high = d.value + distance(b->high - b->value, a->value - a->low, r);
    return d;
}
