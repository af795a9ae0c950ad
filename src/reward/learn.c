/* SPDX-License-Identifier: Apache-2.0 */
/* Learning from some of the examples: trees, and the rule that turns their chances into a location,
 * fitted on chances that were given by trees grown without the chain in question. */
#include "reward/reward.h"

#include "base/arena.h"
#include "reward/early_stopping.h"
#include "reward/trainer.h"

#include <math.h>

#define STEPS_OF_RULE 99 /* numbers that are tried for a rule: 0.01 to 0.99 */
#define FEW_CHAINS                                                                                 \
    20.0 /* of a kind: a group with fewer has no F1 that a rule could be fitted to                 \
          */

/* ---- growing --------------------------------------------------------------------------------- */

static bool taken(const learning *l, size_t k, size_t without, size_t and_without)
{
    size_t fold = l->fold[k];
    if (l->for_validation && early_stopping_leaves_out(&l->of->examples[k]))
        return false;
    return fold != NO_FOLD && fold != without && fold != and_without;
}

/* Grow trees from all examples in folds but those two. */
static int grow(const learning *l, size_t without, size_t and_without, rdv_reward_after after,
                rdv_arena *arena, learnt *out, rdv_error *err)
{
    const rdv_trainer *t = l->of;
    float *rows = rdv_calloc(arena, t->n_rows, N_FEATURES * sizeof *rows);
    bool *wrong = RDV_NEW_ARRAY(arena, bool, t->n_rows);
    size_t n = 0, n_wrong = 0;
    if (!rows || !wrong)
        return rdv_no_memory(err);
    out->chains = 0;
    for (size_t k = 0; k < t->n_examples; k++) {
        const example *e = &t->examples[k];
        if (!taken(l, k, without, and_without))
            continue;
        out->chains++;
        for (size_t i = 0; i < e->n; i++) {
            int is = learn_row_class(e, i, after);
            if (is < 0)
                continue;
            memcpy(rows + n * N_FEATURES, t->rows + (e->first + i) * N_FEATURES,
                   N_FEATURES * sizeof *rows);
            wrong[n++] = is;
            n_wrong += is;
        }
    }
    out->steps = n;
    if (n_wrong == 0 || n_wrong == n)
        return rdv_fail(err, RDV_E_INPUT,
                        "nothing to learn from: %s among %zu steps is wrong in a part of the "
                        "chains that stands alone in training",
                        n_wrong ? "each" : "none", n);
    const boost_options how = {
        .trees = l->trees, .depth = l->options->depth, .seed = l->options->seed, .use = l->use};
    memset(out->gains, 0, sizeof out->gains);
    return boost_grow(rows, wrong, n, &how, arena, &out->trees, out->gains, err);
}

static void judge_fold(const learning *l, size_t fold, const forest *trees, double *chances)
{
    const rdv_trainer *t = l->of;
    for (size_t k = 0; k < t->n_examples; k++) {
        const example *e = &t->examples[k];
        for (size_t i = e->first; l->fold[k] == fold && i < e->first + e->n; i++)
            chances[i] = forest_chance(forest_margin(trees, t->rows + i * N_FEATURES));
    }
}

/* Chances of all examples in a fold but `without`, each fold's by trees that have not seen it. */
static int judge_folds(const learning *l, size_t without, rdv_reward_after after, double *chances,
                       rdv_arena *arena, rdv_error *err)
{
    for (size_t fold = 0; fold < l->n_folds; fold++) {
        learnt part;
        if (fold == without)
            continue;
        rdv_mark mark = rdv_arena_mark(arena);
        int r = grow(l, without, fold, after, arena, &part, err);
        if (r == RDV_OK)
            judge_fold(l, fold, &part.trees, chances);
        rdv_arena_rewind(arena, mark);
        if (r != RDV_OK)
            return r;
    }
    return RDV_OK;
}

/* ---- fitting the rule ------------------------------------------------------------------------ */

/* room: four numbers a group. */
/* What is reached with that rule on the examples that `l` has in a fold other than `without`. */
static double objective_of(const learning *l, size_t without, const double *chances,
                           rdv_reward_rule rule, double at, double *room)
{
    const rdv_trainer *t = l->of;
    double sum = 0, groups = 0;
    memset(room, 0, 4 * t->n_groups * sizeof *room);
    for (size_t k = 0; k < t->n_examples; k++) {
        const example *e = &t->examples[k];
        if (!taken(l, k, without, NO_FOLD))
            continue;
        size_t found = rule_locate(rule, at, chances + e->first, e->n);
        bool has = e->label.kind == RDV_LABEL_AT;
        double *of = room + 4 * e->group + 2 * has;
        of[0]++;
        of[1] += has ? found == e->label.step : found == RDV_NO_STEP;
    }
    for (size_t g = 0; g < t->n_groups; g++) {
        const double *of = room + 4 * g;
        if (l->options->aim == RDV_AIM_F1) {
            if (of[0] < FEW_CHAINS || of[2] < FEW_CHAINS)
                continue;
            double well = of[1] / of[0], found = of[3] / of[2];
            sum += well + found > 0 ? 2 * well * found / (well + found) : 0;
            groups++;
        } else if (of[0] + of[2] > 0) {
            sum += (of[1] + of[3]) / (of[0] + of[2]);
            groups++;
        }
    }
    return groups > 0 ? sum / groups : 0;
}

/* The number that does best; of several in a row, that in their middle. */
static void fit_rule(const learning *l, size_t without, const double *chances, rdv_reward_rule rule,
                     double *room, learnt *best)
{
    double aims[STEPS_OF_RULE], most = -1;
    size_t from = 0, to = 0;
    for (size_t i = 0; i < STEPS_OF_RULE; i++) {
        aims[i] = objective_of(l, without, chances, rule, (double)(i + 1) / 100, room);
        if (aims[i] > most) {
            most = aims[i];
            from = i;
        }
    }
    for (to = from; to + 1 < STEPS_OF_RULE && aims[to + 1] >= most; to++)
        ;
    if (most <= best->reached)
        return;
    best->reached = most;
    best->rule = rule;
    best->at = (double)((from + to) / 2 + 1) / 100;
}

static int fit(const learning *l, size_t without, rdv_reward_after after, double *chances,
               rdv_arena *arena, learnt *best, rdv_error *err)
{
    rdv_reward_rule wanted = l->options->rule;
    double before = best->reached;
    double *room = RDV_NEW_ARRAY(arena, double, 4 * l->of->n_groups);
    if (!room)
        return rdv_no_memory(err);
    int r = judge_folds(l, without, after, chances, arena, err);
    if (r != RDV_OK)
        return r;
    if (wanted != RDV_RULE_HAZARD)
        fit_rule(l, without, chances, RDV_RULE_THRESHOLD, room, best);
    if (wanted != RDV_RULE_THRESHOLD)
        fit_rule(l, without, chances, RDV_RULE_HAZARD, room, best);
    if (best->reached > before)
        best->after = after;
    return RDV_OK;
}

/* Grow all trees without the validation questions, and see after how many of them these are judged
 * best. */
static int choose_trees(learning *l, size_t without, rdv_arena *arena, rdv_error *err)
{
    rdv_reward_after after =
        l->options->after == RDV_AFTER_LEFT_OUT ? RDV_AFTER_LEFT_OUT : RDV_AFTER_WRONG;
    learnt all;
    rdv_mark mark = rdv_arena_mark(arena);
    double *losses = RDV_NEW_ARRAY(arena, double, l->trees);
    if (!losses)
        return rdv_no_memory(err);
    l->for_validation = true;
    int r = grow(l, without, NO_FOLD, after, arena, &all, err);
    l->for_validation = false;
    if (r == RDV_OK)
        l->trees = early_stopping_choose(l, without, &all.trees, after, losses);
    rdv_arena_rewind(arena, mark);
    return r;
}

int learn_forest(const learning *of, size_t without, double *chances, rdv_arena *arena, learnt *out,
                 rdv_error *err)
{
    learning chosen = *of, *l = &chosen;
    rdv_reward_after wanted = l->options->after;
    int r = l->options->early_stopping ? choose_trees(l, without, arena, err) : RDV_OK;
    *out = (learnt){.reached = -1};
    if (r != RDV_OK)
        return r;
    if (wanted != RDV_AFTER_LEFT_OUT)
        r = fit(l, without, RDV_AFTER_WRONG, chances, arena, out, err);
    if (r == RDV_OK && wanted != RDV_AFTER_WRONG)
        r = fit(l, without, RDV_AFTER_LEFT_OUT, chances, arena, out, err);
    return r == RDV_OK ? grow(l, without, NO_FOLD, out->after, arena, out, err) : r;
}
