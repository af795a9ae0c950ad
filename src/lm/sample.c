/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/sample.h"
#include "base/rng.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The natural logarithm of a number >= 1e-30, from additions, products and quotients only, so that
 * it has the same bits wherever those do. The error is below 1e-15 of the result, or 1e-16. */
static double natural_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent); /* exact */
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double s = (m - 1) / (m + 1), square = s * s, term = s, sum = 0;
    for (int k = 1; k < 44; k += 2) { /* 2 artanh(s), |s| < 0.172 */
        sum += term / k;
        term *= square;
    }
    return 2 * sum + exponent * 0.69314718055994531;
}

/* The largest logit, the first of equals; what is no number becomes the least number. */
static uint32_t clean(float *logits, size_t n)
{
    uint32_t best = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(logits[i] >= -FLT_MAX))
            logits[i] = -FLT_MAX;
        else if (logits[i] > FLT_MAX)
            logits[i] = FLT_MAX;
        if (logits[i] > logits[best])
            best = (uint32_t)i;
    }
    return best;
}

lm_odds sample_odds(const lm_kernels *kernels, float *logits, size_t n, float *room)
{
    float most = logits[clean(logits, n)];
    double sum = kernels->soften(logits, n, most, 1.0f, room);
    return (lm_odds){logits, n, (double)most + natural_log(sum)};
}

double sample_logprob(const lm_odds *odds, uint32_t token)
{
    return (double)odds->logits[token] - odds->shift;
}

size_t sample_top(const lm_odds *odds, rdv_lm_choice *top, size_t n)
{
    size_t have = 0;
    for (size_t i = 0; i < odds->n && n > 0; i++) {
        double logprob = sample_logprob(odds, (uint32_t)i);
        if (have == n && logprob <= top[n - 1].logprob)
            continue;
        size_t at = have < n ? have++ : n - 1;
        for (; at > 0 && top[at - 1].logprob < logprob; at--)
            top[at] = top[at - 1];
        top[at] = (rdv_lm_choice){(uint32_t)i, logprob};
    }
    return have;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Uniform in [0,1): a counter-based generator, splitmix64's finaliser over seed and place. */
static double uniform(uint64_t seed, uint64_t at)
{
    uint64_t x = rdv_mix(rdv_mix(seed + 0x9e3779b97f4a7c15u) + (at + 1) * 0xd1b54a32d192ed03u);
    return (double)(x >> 11) * 0x1.0p-53;
}

static int more_probable(const void *a, const void *b)
{
    const lm_candidate *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->token < y->token ? -1 : 1;
}

/* The most probable candidates whose weights make up `share` of `total`. A token below
 * (1 - share) / n of it is in no such set, since all of those together are less than what may be
 * left out; so only a few have to be sorted. */
static size_t nucleus(lm_candidate *c, const float *weights, size_t n, double share, double total)
{
    double least = (1 - share) * total / (double)n * 0.999, sum = 0;
    size_t have = 0, used = 0;
    for (size_t i = 0; i < n; i++)
        if ((double)weights[i] >= least)
            c[have++] = (lm_candidate){weights[i], (uint32_t)i};
    qsort(c, have, sizeof *c, more_probable);
    while (used < have && sum < share * total)
        sum += (double)c[used++].weight;
    return used;
}

static size_t everything(lm_candidate *c, const float *weights, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i] = (lm_candidate){weights[i], (uint32_t)i};
    return n;
}

uint32_t sample_draw(const lm_kernels *kernels, const lm_odds *odds, const lm_sampling *sampling,
                     uint64_t at, float *room, lm_candidate *candidates)
{
    uint32_t best = 0;
    for (size_t i = 1; i < odds->n; i++)
        if (odds->logits[i] > odds->logits[best])
            best = (uint32_t)i;
    float scale = (float)(1 / sampling->temperature);
    if (sampling->temperature <= 0 || !(scale < 1e30f))
        return best;
    double total = kernels->soften(odds->logits, odds->n, odds->logits[best], scale, room);
    size_t n = sampling->top_p < 1 ? nucleus(candidates, room, odds->n, sampling->top_p, total)
                                   : everything(candidates, room, odds->n);
    double sum = 0, seen = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)candidates[i].weight;
    double draw = uniform(sampling->seed, at) * sum;
    for (size_t i = 0; i < n; i++) {
        seen += (double)candidates[i].weight;
        if (seen > draw)
            return candidates[i].token;
    }
    return best; /* only when nothing has a weight, or rounding took the last one's */
}
