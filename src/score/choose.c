/* SPDX-License-Identifier: Apache-2.0 */
#include "score/choose.h"

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"

#include <math.h>
#include <stdlib.h>

/* A chain and the value it is chosen by; the smallest comes first. */
typedef struct candidate {
    double value; /* +infinity is a value; NaN comes last */
    size_t chain;
} candidate;

static int compare(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    bool no_x = isnan(x->value), no_y = isnan(y->value);
    if (no_x != no_y)
        return no_x - no_y;
    if (!no_x && x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->chain > y->chain) - (x->chain < y->chain);
}

static void order_by_value(rdv_choose_kind how, const double *by, candidate *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        all[i] = (candidate){how == RDV_CHOOSE_HIGHEST ? -by[i] : by[i], i};
    if (n > 1)
        qsort(all, n, sizeof *all, compare);
}

/* Draws the first m places of a shuffle, so that a larger m includes the chains of a smaller
 * one. */
static void draw(uint64_t seed, candidate *all, size_t n, size_t m)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++)
        all[i] = (candidate){0, i};
    for (size_t i = 0; i < m; i++) {
        size_t k = i + (size_t)rdv_rng_below(&rng, n - i);
        candidate drawn = all[k];
        all[k] = all[i];
        all[i] = drawn;
    }
}

static int by_chain(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int rdv_choose(rdv_choose_kind how, const double *by, size_t n, size_t m, uint64_t seed,
               rdv_arena *arena, size_t *chosen, size_t *n_chosen, rdv_error *err)
{
    candidate *all = RDV_NEW_ARRAY(arena, candidate, n);
    if (!all)
        return rdv_no_memory(err);
    m = m < n ? m : n;
    if (how == RDV_CHOOSE_RANDOM)
        draw(seed, all, n, m);
    else
        order_by_value(how, by, all, n);
    for (size_t i = 0; i < m; i++)
        chosen[i] = all[i].chain;
    if (m > 1)
        qsort(chosen, m, sizeof *chosen, by_chain);
    *n_chosen = m;
    return RDV_OK;
}
