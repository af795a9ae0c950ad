/* SPDX-License-Identifier: Apache-2.0 */
/* Settings fitted on chains whose answers are known to be right or wrong. */
#include "study/fit.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/interner.h"
#include "score/eval.h"

#include <float.h>
#include <math.h>

/* Of a chain in which a method that computes decided nothing there is no confidence to fit. */
static bool is_undecided(const rdv_eval_item *item)
{
    return item->vote.standing == CAST_UNDECIDED;
}

double fit_confidence(const confidence_model *model, const rdv_eval_item *item)
{
    if (is_undecided(item))
        return NAN;
    switch (model->is) {
    case CONFIDENCE_RECORDED:
        break;
    case CONFIDENCE_VERDICTS:
        return rdv_integrate(&model->integration, item_counts_are(item->check->counts));
    case CONFIDENCE_SCORES:
        return item->check->by_scores ? item->check->aggregated[model->aggregate] : NAN;
    }
    return item->vote.ballot.weight;
}

#define L1_MOST 800    /* hundredths, as are all weights here */
#define COARSE_STEP 64 /* a power of two: it is halved down to 1 */
#define PAPERS_L1 100
#define PAPERS_L0 30
#define SCALE_HALVINGS 50 /* halvings of (0, 1] */
#define EQUAL 1e-10       /* smallest difference between distinct mean log-likelihoods */

/* Chains with the same counts of verdicts; the time therefore depends on the number of distinct
 * counts. */
typedef struct cell {
    rdv_verdict_counts counts;
    double right, wrong; /* chains */
    double w;            /* their confidence under the current weights */
} cell;

typedef struct cells {
    cell *items;
    size_t n;
    double right, wrong;
    rdv_unknown_as unknown;
} cells;

/* A pair of weights and its likelihood. */
typedef struct candidate {
    int l1, l0;
    double scale, mean;
} candidate;

/* ---- the likelihood of weights --------------------------------------------------------------- */

/* Derivative of the log-likelihood with respect to log(scale); it starts at the number of right
 * chains and decreases. */
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
    item_counts of = one->check->counts;
    size_t counts[] = {of.contradict, of.unrelated, of.unknown}, at;
    rdv_str key = {(const char *)counts, sizeof counts};
    at = rdv_map_get(map, key);
    if (at == RDV_MAP_MISSING) {
        rdv_str copy = rdv_str_copy(arena, key);
        at = c->n;
        if (!copy.p || !RDV_PUSH_ROOM(arena, c->items, c->n, *cap) ||
            rdv_map_put(map, copy, at) < 0)
            return RDV_E_NOMEM;
        c->items[c->n++] = (cell){.counts = item_counts_are(of)};
    }
    bool right = one->vote.ballot.correct == 1;
    *(right ? &c->items[at].right : &c->items[at].wrong) += 1;
    *(right ? &c->right : &c->wrong) += 1;
    return RDV_OK;
}

/* Fits the weights under which a chain is right with probability scale * w, by maximum likelihood
 * over a grid of hundredths; `unknown` decides how an unknown verdict counts. RDV_NONE: right or
 * wrong chains with verdicts are missing. */
static int fit_weights(const rdv_eval_item *items, size_t n, rdv_unknown_as unknown,
                       rdv_arena *arena, candidate *out)
{
    cells c = {.unknown = unknown};
    rdv_integration any = rdv_integration_default();
    any.unknown = unknown;
    size_t cap = 0;
    rdv_map map;
    rdv_map_init(&map, arena);
    for (size_t i = 0; i < n; i++) {
        if (!fit_takes_part(&items[i]) || is_undecided(&items[i]) ||
            isnan(rdv_integrate(&any, item_counts_are(items[i].check->counts))))
            continue;
        if (add_item(&c, &cap, &map, &items[i], arena) < 0)
            return RDV_E_NOMEM;
    }
    if (!(c.right > 0 && c.wrong > 0))
        return RDV_NONE;
    *out = search(&c);
    return RDV_OK;
}

/* The data that settings are fitted on. */
typedef struct sample {
    const rdv_eval_item *items;
    size_t n;
    rdv_scored *scored; /* room for all items */
    rdv_arena *arena;
} sample;

/* Computes the confidences under the settings, of the chains that have one; returns their
 * number. */
static size_t score(const sample *s, const confidence_model *model)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const study_vote *vote = &s->items[i].vote;
        double confidence = fit_confidence(model, &s->items[i]);
        if (fit_takes_part(&s->items[i]) && !isnan(confidence))
            s->scored[n++] = (rdv_scored){confidence, vote->ballot.correct == 1, vote->question};
    }
    return n;
}

/* ---- single settings ------------------------------------------------------------------------- */

static int fit_integration(const sample *s, fit_result *fitted)
{
    candidate likely;
    fitted->was.weights = false;
    int r = fit_weights(s->items, s->n, fitted->model.integration.unknown, s->arena, &likely);
    if (r != RDV_OK)
        return r < 0 ? r : RDV_OK;
    fitted->was.weights = true;
    fitted->model.is = CONFIDENCE_VERDICTS;
    fitted->model.integration.l1 = likely.l1 / 100.0;
    fitted->model.integration.l0 = likely.l0 / 100.0;
    fitted->likelihood = likely.mean;
    fitted->scale = likely.scale;
    fitted->at_limit = likely.l1 == L1_MOST;
    return RDV_OK;
}

static int fit_aggregate(const sample *s, fit_result *fitted, rdv_error *err)
{
    double best = -INFINITY;
    for (int a = 0; a < RDV_N_AGGREGATES; a++) {
        confidence_model model = {.is = CONFIDENCE_SCORES, .aggregate = (rdv_aggregate_kind)a};
        rdv_estimate auc;
        int r = rdv_auc(s->scored, score(s, &model), s->arena, &auc, err);
        if (r < 0)
            return r;
        if (auc.value > best) {
            best = auc.value;
            fitted->model.aggregate = model.aggregate;
        }
    }
    return RDV_OK;
}

/* The midpoint to the next lower score, which is rejected; for the last score, that score
 * itself. */
static double threshold_at(const rdv_roc_point *roc, size_t n, size_t i)
{
    if (i + 1 == n)
        return roc[i].threshold;
    double below = roc[i + 1].threshold, middle = below + (roc[i].threshold - below) / 2;
    return middle > below ? middle : roc[i].threshold; /* no number lies between the two */
}

static int fit_threshold(const sample *s, fit_result *fitted, rdv_error *err)
{
    rdv_roc_point *roc;
    size_t n, best = 1;
    int r = rdv_roc(s->scored, score(s, &fitted->model), s->arena, &roc, &n, err);
    if (r != RDV_OK)
        return r;
    for (size_t i = 2; i < n; i++)
        if (roc[i].tpr - roc[i].fpr >= roc[best].tpr - roc[best].fpr)
            best = i;
    fitted->model.threshold = threshold_at(roc, n, best);
    return RDV_OK;
}

/* ---- all settings ---------------------------------------------------------------------------- */

static int count_questions(const sample *s, size_t n, size_t *out)
{
    uint32_t *questions = RDV_NEW_ARRAY(s->arena, uint32_t, n);
    for (size_t i = 0; questions && i < n; i++)
        questions[i] = s->scored[i].question;
    return questions ? interner_dense(questions, n, s->arena, out) : RDV_E_NOMEM;
}

/* Evaluates the settings on the data that they were fitted on. */
static int worth(const sample *s, fit_result *fitted, rdv_error *err)
{
    rdv_estimate auc;
    rdv_rates rates;
    size_t n = score(s, &fitted->model);
    int r = rdv_auc(s->scored, n, s->arena, &auc, err);
    if (r == RDV_OK)
        r = rdv_rates_at(s->scored, n, fitted->model.threshold, s->arena, &rates, err);
    if (r < 0)
        return r;
    if (isnan(auc.value))
        return rdv_fail(err, RDV_E_INPUT,
                        "nothing can be fitted: of the %zu chains to fit on that are checked, "
                        "judged and have a confidence, not both right and wrong ones are there",
                        n);
    fitted->auc = auc.value;
    fitted->balanced = rates.balanced.value;
    fitted->chains = n;
    if (count_questions(s, n, &fitted->questions) < 0)
        return rdv_no_memory(err);
    return RDV_OK;
}

int fit_model(const rdv_eval_item *items, size_t n, const confidence_model *begin,
              const fit_settings *what, rdv_arena *arena, fit_result *out, rdv_error *err)
{
    sample s = {items, n, RDV_NEW_ARRAY(arena, rdv_scored, n), arena};
    bool scores = begin->is == CONFIDENCE_SCORES;
    fit_result fitted = {.model = *begin, .was = *what, .likelihood = NAN, .scale = NAN};
    fitted.was.weights = what->weights && !scores;
    fitted.was.aggregate = what->aggregate && scores;
    fitted.part = FIT_NO_PART;
    if (!s.scored || (fitted.was.weights && fit_integration(&s, &fitted) < 0))
        return rdv_no_memory(err);
    int r = fitted.was.aggregate ? fit_aggregate(&s, &fitted, err) : RDV_OK;
    if (r >= 0 && fitted.was.threshold)
        r = fit_threshold(&s, &fitted, err);
    if (r >= 0)
        r = worth(&s, &fitted, err);
    if (r == RDV_OK)
        *out = fitted;
    return r;
}
