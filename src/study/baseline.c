/* SPDX-License-Identifier: Apache-2.0 */
#include "study/baseline.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/paired.h"

#include <math.h>

static const char *const zero_shot[] = {"direct-trace-0shot", "direct-step-0shot",
                                        "cot-step-0shot"};
#define N_ZERO_SHOT (sizeof zero_shot / sizeof *zero_shot)

/* ---- which one ------------------------------------------------------------------------------- */

static bool same_checker(const study_sources *sources, size_t a, size_t b)
{
    const study_source *x = &sources->of[a], *y = &sources->of[b];
    return rdv_str_eq(x->checker, y->checker) && rdv_str_eq(x->profile, y->profile);
}

/* The maker of that method whose traces are those of `maker`. */
static size_t maker_named(const traces *all, const study_sources *sources, rdv_str name,
                          size_t maker)
{
    const trace_maker *of = &all->checkers.of[maker];
    size_t found = BASELINE_NONE, n = 0;
    for (size_t i = 0; i < all->checkers.n; i++) {
        const trace_maker *other = &all->checkers.of[i];
        if (other->origin != of->origin || !rdv_str_eq(all->checks.texts[other->name], name))
            continue;
        if (same_checker(sources, other->source, of->source))
            return i == maker ? BASELINE_NONE : i;
        found = i;
        n++;
    }
    return n == 1 && found != maker ? found : BASELINE_NONE;
}

static bool is_zero_shot(rdv_str name)
{
    return rdv_named(name, zero_shot, N_ZERO_SHOT) >= 0;
}

static bool located(const trace *t, const trace_check *check)
{
    return check->found.kind == t->label.kind &&
           (t->label.kind != RDV_LABEL_AT || check->found.step == t->label.step);
}

/* The mean over tasks of how often the maker's checks locate the first mistake; NaN: never asked or
 * out of memory. */
static double accuracy_of(const traces *all, size_t maker)
{
    size_t *hits = RDV_NEW_ARRAY(all->arena, size_t, all->n_tasks);
    size_t *n = RDV_NEW_ARRAY(all->arena, size_t, all->n_tasks);
    double sum = 0, tasks = 0;
    for (size_t i = 0; hits && n && i < all->n; i++) {
        const trace *t = &all->of[i];
        const trace_check *check = trace_check_by(t, maker);
        if (!check || t->label.kind == RDV_LABEL_UNKNOWN)
            continue;
        hits[t->task] += located(t, check);
        n[t->task]++;
    }
    for (size_t k = 0; hits && n && k < all->n_tasks; k++) {
        sum += n[k] ? (double)hits[k] / (double)n[k] : 0;
        tasks += n[k] > 0;
    }
    return tasks > 0 ? sum / tasks : NAN;
}

size_t baseline_of(const traces *all, const study_sources *sources, const char *name, size_t maker)
{
    rdv_str own = all->checks.texts[all->checkers.of[maker].name];
    if (name)
        return rdv_str_eq(own, rdv_str_of(name))
                   ? BASELINE_NONE
                   : maker_named(all, sources, rdv_str_of(name), maker);
    if (is_zero_shot(own))
        return BASELINE_NONE;
    size_t best = BASELINE_NONE;
    double best_accuracy = NAN;
    for (size_t i = 0; i < N_ZERO_SHOT; i++) {
        size_t found = maker_named(all, sources, rdv_str_of(zero_shot[i]), maker);
        double accuracy = found == BASELINE_NONE ? NAN : accuracy_of(all, found);
        if (isnan(accuracy) || accuracy <= best_accuracy)
            continue;
        best = found;
        best_accuracy = accuracy;
    }
    return best;
}

size_t baseline_repairs_of(const traces *all, const study_sources *sources, const char *name,
                           size_t maker)
{
    const study_source *own = &sources->of[all->repairers.of[maker].source];
    for (size_t i = 0; name && i < all->repairers.n; i++) {
        const trace_maker *other = &all->repairers.of[i];
        const study_source *source = &sources->of[other->source];
        if (i != maker && rdv_str_eq(all->locators.texts[other->name], rdv_str_of(name)) &&
            rdv_str_eq(source->generator, own->generator) &&
            rdv_str_eq(source->profile, own->profile))
            return i;
    }
    return BASELINE_NONE;
}

/* ---- the difference -------------------------------------------------------------------------- */

rdv_cell baseline_name(const trace_row *row)
{
    if (row->baseline == BASELINE_NONE)
        return table_text((rdv_str){0});
    return table_text(row->all->checks.texts[row->all->checkers.of[row->baseline].name]);
}

rdv_cell baseline_locator(const trace_row *row)
{
    if (row->baseline == BASELINE_NONE)
        return table_text((rdv_str){0});
    return table_text(row->all->locators.texts[row->all->repairers.of[row->baseline].name]);
}

static bool has_label(const trace *t, baseline_traces which)
{
    return which == BASELINE_WITHOUT_MISTAKE ? t->label.kind == RDV_LABEL_NO_MISTAKE
           : which == BASELINE_WITH_MISTAKE  ? t->label.kind == RDV_LABEL_AT
                                             : t->label.kind != RDV_LABEL_UNKNOWN;
}

int baseline_location(const trace_row *row, baseline_traces which, rdv_cell *cell, rdv_error *err)
{
    rdv_arena *arena = row->all->arena;
    uint32_t *of = RDV_NEW_ARRAY(arena, uint32_t, row->n);
    size_t n = 0, n_questions;
    const trace **in = RDV_NEW_ARRAY(arena, const trace *, row->n);
    rdv_paired is;
    if (row->baseline == BASELINE_NONE)
        return RDV_OK;
    if (!of || !in)
        return rdv_no_memory(err);
    for (size_t i = 0; i < row->n; i++) {
        const trace *t = row->in[i];
        if (!has_label(t, which) || !trace_check_by(t, row->maker) ||
            !trace_check_by(t, row->baseline))
            continue;
        in[n] = t;
        of[n++] = (uint32_t)t->question;
    }
    if (interner_dense(of, n, arena, &n_questions) < 0)
        return rdv_no_memory(err);
    rdv_pair *pairs = RDV_NEW_ARRAY(arena, rdv_pair, n_questions);
    if (!pairs)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        rdv_pair *pair = &pairs[of[i]];
        pair->before += located(in[i], trace_check_by(in[i], row->baseline));
        pair->after += located(in[i], trace_check_by(in[i], row->maker));
        pair->n_before++;
        pair->n_after++;
    }
    rdv_paired_difference(pairs, n_questions, &is);
    *cell = table_estimate(is.difference);
    return RDV_OK;
}

int baseline_answers(const trace_row *row, rdv_cell *cell, rdv_error *err)
{
    rdv_arena *arena = row->all->arena;
    rdv_detected *before = RDV_NEW_ARRAY(arena, rdv_detected, row->n);
    rdv_detected *after = RDV_NEW_ARRAY(arena, rdv_detected, row->n);
    size_t n = 0;
    rdv_estimate is;
    if (row->baseline == BASELINE_NONE)
        return RDV_OK;
    if (!before || !after)
        return rdv_no_memory(err);
    for (size_t i = 0; i < row->n; i++) {
        const trace *t = row->in[i];
        const trace_check *a = trace_check_by(t, row->baseline), *b = trace_check_by(t, row->maker);
        if (!a || !b || t->right < 0)
            continue;
        before[n] = (rdv_detected){t->right == 1, a->found.kind, t->question};
        after[n++] = (rdv_detected){t->right == 1, b->found.kind, t->question};
    }
    int r = rdv_weighted_f1_difference(before, after, n, arena, &is, err);
    *cell = r == RDV_OK ? table_estimate(is) : *cell;
    return r;
}

/* What makes repairs by two locators those of one trace. */
typedef struct trace_key {
    uint64_t hash, question, task;
} trace_key;

static trace_key key_of(const trace *t)
{
    return (trace_key){t->hash, t->question, t->task};
}

/* The traces that the baseline repaired, by their keys, which are in keys[]. */
static int index_baseline(const trace_row *row, trace_key *keys, rdv_map *by_key)
{
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        keys[i] = key_of(t);
        if (t->repairer == row->baseline &&
            rdv_map_put(by_key, (rdv_str){(const char *)&keys[i], sizeof keys[i]}, i) < 0)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

int baseline_repairs(const trace_row *row, rdv_cell *cell, rdv_error *err)
{
    rdv_arena *arena = row->all->arena;
    trace_key *keys = RDV_NEW_ARRAY(arena, trace_key, row->all->n);
    double *before = RDV_NEW_ARRAY(arena, double, row->n);
    double *after = RDV_NEW_ARRAY(arena, double, row->n);
    rdv_map by_key;
    rdv_map_init(&by_key, arena);
    if (row->baseline == BASELINE_NONE)
        return RDV_OK;
    if (!keys || !before || !after || index_baseline(row, keys, &by_key) < 0)
        return rdv_no_memory(err);
    for (size_t i = 0; i < row->n; i++) {
        trace_key key = key_of(row->in[i]);
        size_t at = rdv_map_get(&by_key, (rdv_str){(const char *)&key, sizeof key});
        bool both = at != RDV_MAP_MISSING && row->in[i]->right >= 0 && row->all->of[at].right >= 0;
        before[i] = both ? row->all->of[at].right : NAN;
        after[i] = both ? row->in[i]->right : NAN;
    }
    *cell = table_estimate(rdv_mean_difference(before, after, row->n));
    return RDV_OK;
}
