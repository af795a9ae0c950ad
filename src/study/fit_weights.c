/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of the integration, by maximum likelihood over a grid of hundredths. Chains with the
 * same counts of verdicts are one cell, so that the time depends on how many different ones there
 * are. */
#include "study/fit.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

#include <float.h>
#include <math.h>

#define L1_MOST 800    /* hundredths, as are all weights here */
#define COARSE_STEP 64 /* a power of two: it is halved down to 1 */
#define PAPERS_L1 100
#define PAPERS_L0 30
#define SCALE_HALVINGS 50 /* of (0, 1] */
#define EQUAL 1e-10       /* mean log-likelihoods are told apart by this */

typedef struct cell {
    rdv_verdict_counts counts;
    double right, wrong; /* chains */
    double w;            /* their confidence under the weights in hand */
} cell;

typedef struct cells {
    cell *items;
    size_t n;
    double right, wrong;
    rdv_unknown_as unknown;
} cells;

/* A pair of weights and what it is worth. */
typedef struct candidate {
    int l1, l0;
    double scale, mean;
} candidate;

/* ---- the likelihood -------------------------------------------------------------------------- */

/* How fast the log-likelihood grows with log(scale): falls from the number of right chains on. */
static double slope(const cells *c, double scale)
{
    double slope = c->right;
    for (size_t i = 0; i < c->n; i++)
        slope -= c->items[i].wrong * scale * c->items[i].w / (1 - scale * c->items[i].w);
    return slope;
}

static double best_scale(const cells *c)
{
    double low = 0, high = 1;
    for (int i = 0; i < SCALE_HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (slope(c, middle) >= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static candidate weigh(const cells *c, int l1, int l0)
{
    candidate k = {.l1 = l1, .l0 = l0};
    rdv_integration how = {.l1 = l1 / 100.0, .l0 = l0 / 100.0, .unknown = c->unknown};
    for (size_t i = 0; i < c->n; i++)
        c->items[i].w = rdv_integrate(&how, c->items[i].counts);
    k.scale = best_scale(c);
    double sum = c->right * log(k.scale);
    for (size_t i = 0; i < c->n; i++) {
        const cell *one = &c->items[i];
        if (one->right > 0)
            sum += one->right * log(fmax(one->w, DBL_MIN));
        if (one->wrong > 0)
            sum += one->wrong * log1p(-k.scale * one->w);
    }
    k.mean = sum / (c->right + c->wrong);
    return k;
}

/* ---- the search ------------------------------------------------------------------------------ */

static int distance(const candidate *k)
{
    int d1 = k->l1 - PAPERS_L1, d0 = k->l0 - PAPERS_L0;
    return d1 * d1 + d0 * d0;
}

static bool is_better(const candidate *a, const candidate *b)
{
    double steps_a = floor(a->mean / EQUAL + 0.5), steps_b = floor(b->mean / EQUAL + 0.5);
    if (steps_a > steps_b || steps_a < steps_b)
        return steps_a > steps_b;
    return distance(a) < distance(b);
}

static void try_weights(const cells *c, int l1, int l0, candidate *best)
{
    if (l0 < 0 || l1 <= l0 || l1 > L1_MOST)
        return;
    candidate k = weigh(c, l1, l0);
    if (is_better(&k, best))
        *best = k;
}

static candidate search(const cells *c)
{
    candidate best = weigh(c, PAPERS_L1, PAPERS_L0);
    for (int l1 = COARSE_STEP; l1 <= L1_MOST; l1 += COARSE_STEP) {
        for (int l0 = 0; l0 < l1; l0 += COARSE_STEP)
            try_weights(c, l1, l0, &best);
    }
    for (int step = COARSE_STEP / 2; step > 0;) {
        candidate at = best;
        for (int d1 = -step; d1 <= step; d1 += step) {
            for (int d0 = -step; d0 <= step; d0 += step)
                try_weights(c, at.l1 + d1, at.l0 + d0, &best);
        }
        if (best.l1 == at.l1 && best.l0 == at.l0)
            step /= 2;
    }
    return best;
}

/* ---- the cells ------------------------------------------------------------------------------- */

static int add_item(cells *c, size_t *cap, rdv_map *map, const rdv_eval_item *one, rdv_arena *arena)
{
    size_t counts[] = {one->counts.contradict, one->counts.unrelated, one->counts.unknown}, at;
    rdv_str key = {(const char *)counts, sizeof counts};
    at = rdv_map_get(map, key);
    if (at == RDV_MAP_MISSING) {
        rdv_str copy = rdv_str_copy(arena, key);
        at = c->n;
        if (!copy.p || !RDV_PUSH_ROOM(arena, c->items, c->n, *cap) ||
            rdv_map_put(map, copy, at) < 0)
            return RDV_E_NOMEM;
        c->items[c->n++] = (cell){.counts = one->counts};
    }
    bool right = one->vote.ballot.correct == 1;
    *(right ? &c->items[at].right : &c->items[at].wrong) += 1;
    *(right ? &c->right : &c->wrong) += 1;
    return RDV_OK;
}

int fit_weights(const rdv_eval_item *items, size_t n, rdv_unknown_as unknown, rdv_arena *arena,
                fit_likely *out)
{
    cells c = {.unknown = unknown};
    rdv_integration any = rdv_integration_default();
    any.unknown = unknown;
    size_t cap = 0;
    rdv_map map;
    rdv_map_init(&map, arena);
    for (size_t i = 0; i < n; i++) {
        if (!fit_takes_part(&items[i]) || isnan(rdv_integrate(&any, items[i].counts)))
            continue;
        if (add_item(&c, &cap, &map, &items[i], arena) < 0)
            return RDV_E_NOMEM;
    }
    if (!(c.right > 0 && c.wrong > 0))
        return RDV_NONE;
    candidate best = search(&c);
    *out =
        (fit_likely){best.l1 / 100.0, best.l0 / 100.0, best.scale, best.mean, best.l1 == L1_MOST};
    return RDV_OK;
}
