/* SPDX-License-Identifier: Apache-2.0 */
/* The verifiers' weights, fitted on chains that are known to be right or wrong. */
#include "study/general.h"

#include "base/arena.h"
#include "score/combine.h"

#include <math.h>
#include <string.h>

#define EQUAL 1e-12 /* objectives that differ by less are equal except for rounding */

static const double tried[] = {0, 0.25, 0.5, 1, 2, 4};
#define N_TRIED (sizeof tried / sizeof *tried)
#define MOST_TRIES (N_TRIED * N_TRIED * N_TRIED * N_TRIED * N_TRIED * N_TRIED)

/* The data of one chain that do not depend on the weights. */
typedef struct scored {
    double by[RDV_MOST_VERIFIERS];
    double score;
    bool right;
} scored;

/* Chains of questions that have a right and a wrong one, grouped by question. */
typedef struct fitting {
    const general *general;
    scored *chains;
    size_t *ends; /* end of each question in `chains` */
    size_t n_questions;
    unsigned verifiers;
} fitting;

static void add_question(fitting *f, const general_pool *pool, const study_lot *lot, size_t *at)
{
    const rdv_combination *how = &f->general->how;
    size_t begin = *at, right = 0;
    for (size_t i = 0; i < lot->n; i++) {
        scored *chain = &f->chains[*at];
        bool any = false;
        chain->right = lot->ballots[i].correct == 1;
        for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++) {
            chain->by[v] = f->verifiers >> v & 1
                               ? rdv_combine_verifier(how, &pool->items[lot->items[i]].is, v,
                                                      (rdv_step_range){0})
                               : NAN;
            any = any || !isnan(chain->by[v]);
        }
        *at += any;
        right += any && chain->right;
    }
    if (right == 0 || right == *at - begin) {
        *at = begin; /* no pair to order */
        return;
    }
    f->ends[f->n_questions++] = *at;
}

static int gather(fitting *f, general *g, rdv_error *err)
{
    general_pool *pools;
    size_t at = 0;
    int r = general_pools(g, &g->learned, &pools, err);
    f->chains = RDV_NEW_ARRAY(g->arena, scored, g->learned.n + 1);
    f->ends = RDV_NEW_ARRAY(g->arena, size_t, g->study->n_questions + 1);
    if (r < 0 || !f->chains || !f->ends)
        return r < 0 ? r : rdv_no_memory(err);
    for (size_t i = 0; i < g->n_groups; i++)
        f->verifiers |= pools[i].verifiers;
    for (size_t i = 0; i < g->n_groups; i++)
        for (size_t q = 0; q < pools[i].n; q++)
            add_question(f, &pools[i], &pools[i].lots[q], &at);
    return f->n_questions ? RDV_OK
                          : rdv_fail(err, RDV_E_INPUT,
                                     "no question to fit the weights on: one with a right and a "
                                     "wrong chain that were checked is needed");
}

/* The share of correctly ordered pairs; a chain without a score counts as below all others. */
static double in_order(const scored *chains, size_t n)
{
    double ordered = 0, pairs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; chains[i].right && k < n; k++) {
            double a = chains[i].score, b = chains[k].score;
            if (chains[k].right)
                continue;
            pairs++;
            if (isnan(a) || isnan(b))
                ordered += isnan(b) ? (isnan(a) ? 0.5 : 1) : 0;
            else
                ordered += a > b ? 1 : a == b ? 0.5 : 0;
        }
    }
    return ordered / pairs;
}

/* The mean of in_order() over the questions, with these weights. */
static double worth(fitting *f, const double *weight)
{
    rdv_combination how = f->general->how;
    double sum = 0;
    how.verifiers = f->verifiers;
    for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++)
        how.weight[v] = weight[v];
    for (size_t q = 0, begin = 0; q < f->n_questions; begin = f->ends[q++]) {
        for (size_t i = begin; i < f->ends[q]; i++)
            f->chains[i].score = rdv_combine_scores(&how, f->chains[i].by);
        sum += in_order(f->chains + begin, f->ends[q] - begin);
    }
    return sum / (double)f->n_questions;
}

static double distance(const double *a, const double *b)
{
    double squares = 0;
    for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++)
        squares += (a[v] - b[v]) * (a[v] - b[v]);
    return squares;
}

/* The weights of the `i`-th trial; false: all are 0. */
static bool weights_of(const fitting *f, size_t i, double *weight)
{
    double total = 0;
    for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++) {
        weight[v] = f->general->how.weight[v];
        if (!(f->verifiers >> v & 1))
            continue;
        weight[v] = tried[i % N_TRIED];
        total += weight[v];
        i /= N_TRIED;
    }
    return total > 0;
}

static size_t tries(const fitting *f)
{
    size_t n = 1;
    for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++)
        n *= f->verifiers >> v & 1 ? N_TRIED : 1;
    return n;
}

int general_fit(general *g, general_fitted *out, rdv_error *err)
{
    fitting f = {.general = g};
    int r = gather(&f, g, err);
    if (r < 0)
        return r;
    if (tries(&f) > MOST_TRIES)
        return rdv_fail(err, RDV_E_INPUT,
                        "weights of more than six verifiers cannot be fitted together; "
                        "--verifiers selects them");
    const double *before = g->how.weight;
    general_fitted best = {.questions = f.n_questions, .chains = f.ends[f.n_questions - 1]};
    best.in_order_before = worth(&f, before);
    best.in_order = -1;
    for (size_t i = 0; i < tries(&f); i++) {
        double weight[RDV_MOST_VERIFIERS];
        if (!weights_of(&f, i, weight))
            continue;
        double is = worth(&f, weight);
        bool nearer = distance(weight, before) < distance(best.weight, before);
        if (is > best.in_order + EQUAL || (is > best.in_order - EQUAL && nearer)) {
            best.in_order = is;
            memcpy(best.weight, weight, sizeof weight);
        }
    }
    *out = best;
    return RDV_OK;
}
