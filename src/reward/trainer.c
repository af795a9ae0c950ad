/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/feature_set.h"
#include "reward/reward.h"
#include "reward/trainer.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "score/eval.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_FOLDS 5
#define DEFAULT_TREES 200
#define DEFAULT_DEPTH 3
#define MAX_FOLDS 100

rdv_trainer *rdv_trainer_new(rdv_arena *arena)
{
    rdv_trainer *t = RDV_NEW(arena, rdv_trainer);
    if (t)
        *t = (rdv_trainer){.arena = arena};
    return t;
}

/* ---- taking in ------------------------------------------------------------------------------- */

static int find_group(rdv_trainer *t, rdv_str name, size_t *out)
{
    for (*out = 0; *out < t->n_groups; ++*out)
        if (rdv_str_eq(t->groups[*out], name))
            return RDV_OK;
    rdv_str copy = rdv_str_copy(t->arena, name);
    if (!copy.p || !RDV_PUSH_ROOM(t->arena, t->groups, t->n_groups, t->cap_groups))
        return RDV_E_NOMEM;
    t->groups[t->n_groups++] = copy;
    return RDV_OK;
}

/* Room for `n` more rows. The rows lie apart from what an arena does meanwhile. */
static int make_room(rdv_trainer *t, size_t n)
{
    if (t->n_rows + n <= t->cap_rows)
        return RDV_OK;
    size_t cap = t->cap_rows ? t->cap_rows * 2 : 1024;
    while (cap < t->n_rows + n)
        cap *= 2;
    float *rows = rdv_calloc(t->arena, cap, N_FEATURES * sizeof *rows);
    if (!rows)
        return RDV_E_NOMEM;
    if (t->n_rows)
        memcpy(rows, t->rows, t->n_rows * N_FEATURES * sizeof *rows);
    t->rows = rows;
    t->cap_rows = cap;
    return RDV_OK;
}

/* The same for the same question, however its spaces and marks are written. Brackets and operators
 * count, because some questions consist of nothing else. */
static uint64_t hash_question(rdv_str text)
{
    const rdv_str ignored = RDV_STR(" \t\r\n.,;:!?'\"`$\\");
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < text.len; i++) {
        char c = rdv_lower(text.p[i]);
        if (rdv_find_char(ignored, c, 0) == RDV_NOT_FOUND)
            h = (h ^ (unsigned char)c) * 0x100000001b3u;
    }
    return rdv_hash((rdv_str){(const char *)&h, sizeof h}, 3);
}

static int add(rdv_trainer *t, const rdv_chain *chain, const float *rows, rdv_str group,
               bool held_out)
{
    size_t in_group;
    if (find_group(t, group, &in_group) < 0 || make_room(t, chain->n_steps) < 0 ||
        !RDV_PUSH_ROOM(t->arena, t->examples, t->n_examples, t->cap_examples))
        return RDV_E_NOMEM;
    memcpy(t->rows + t->n_rows * N_FEATURES, rows, chain->n_steps * N_FEATURES * sizeof *rows);
    rdv_str text = chain->question.text.p ? chain->question.text : chain->question.id;
    t->examples[t->n_examples++] = (example){.first = t->n_rows,
                                             .n = chain->n_steps,
                                             .label = chain->label,
                                             .correct = chain->correct,
                                             .group = in_group,
                                             .question = hash_question(text),
                                             .held_out = held_out};
    t->n_rows += chain->n_steps;
    return RDV_OK;
}

int rdv_trainer_add(rdv_trainer *trainer, const rdv_chain *chain, rdv_str group, bool held_out,
                    rdv_error *err)
{
    float *rows;
    bool known = chain->label.kind == RDV_LABEL_NO_MISTAKE ||
                 (chain->label.kind == RDV_LABEL_AT && chain->label.step < chain->n_steps);
    if (!chain->n_steps || !known)
        return RDV_NONE;
    rdv_arena *arena = rdv_arena_new(0); /* of this chain alone */
    if (!arena)
        return rdv_no_memory(err);
    int r = rdv_features_measure(chain, arena, &rows, err);
    if (r == RDV_OK && add(trainer, chain, rows, group, held_out) < 0)
        r = rdv_no_memory(err);
    rdv_arena_free(&arena);
    return r;
}

/* ---- folds ----------------------------------------------------------------------------------- */

/* The questions that are held out: no other chain of theirs is trained on either. */
static int find_held_out(const rdv_trainer *t, feature_set *questions)
{
    for (size_t k = 0; k < t->n_examples; k++)
        if (t->examples[k].held_out && feature_set_add(questions, t->examples[k].question, 0) < 0)
            return RDV_E_NOMEM;
    return RDV_OK;
}

static int make_folds(learning *l, rdv_arena *arena, rdv_error *err)
{
    const rdv_trainer *t = l->of;
    bool by_group = l->options->by == RDV_FOLDS_GROUPS;
    size_t *used = RDV_NEW_ARRAY(arena, size_t, t->n_groups + MAX_FOLDS);
    l->fold = RDV_NEW_ARRAY(arena, size_t, t->n_examples);
    feature_set held_out = {.arena = arena};
    if (!used || !l->fold || find_held_out(t, &held_out) < 0)
        return rdv_no_memory(err);
    size_t folds = by_group ? t->n_groups : l->options->folds, n = 0;
    for (size_t k = 0; k < t->n_examples; k++) {
        const example *e = &t->examples[k];
        size_t fold = by_group ? e->group : (e->question ^ l->options->seed) % folds;
        bool taken = feature_set_last(&held_out, e->question) == FEATURE_SET_NEVER;
        l->fold[k] = taken ? fold : NO_FOLD;
        used[fold] += taken;
    }
    /* Folds are numbered without gaps: a group that is held out is none. */
    for (size_t i = 0; i < folds; i++)
        used[i] = used[i] ? n++ : NO_FOLD;
    for (size_t k = 0; k < t->n_examples; k++)
        if (l->fold[k] != NO_FOLD)
            l->fold[k] = used[l->fold[k]];
    l->n_folds = n;
    if (n < 3)
        return rdv_fail(err, RDV_E_INPUT,
                        "nothing to learn from: %zu %s%s with labelled chains to train on, and 3 "
                        "are needed",
                        n, by_group ? "group" : "fold", n == 1 ? "" : "s");
    return RDV_OK;
}

/* ---- judging what was left out --------------------------------------------------------------- */

typedef struct judging {
    bool *judged;
    rdv_label *found;
    double *chances; /* one a row */
    double *inner;   /* room for learn_forest() */
    size_t *trees;   /* of the forest that judged the group's chains last */
} judging;

static bool make_judging(const rdv_trainer *t, rdv_arena *arena, judging *j)
{
    *j = (judging){RDV_NEW_ARRAY(arena, bool, t->n_examples),
                   RDV_NEW_ARRAY(arena, rdv_label, t->n_examples),
                   RDV_NEW_ARRAY(arena, double, t->n_rows), RDV_NEW_ARRAY(arena, double, t->n_rows),
                   rdv_calloc(arena, t->n_groups + 1, sizeof(size_t))};
    return j->judged && j->found && j->chances && j->inner && j->trees;
}

static void judge(const rdv_trainer *t, size_t k, const learnt *by, judging *j)
{
    const example *e = &t->examples[k];
    for (size_t i = e->first; i < e->first + e->n; i++)
        j->chances[i] = forest_chance(forest_margin(&by->trees, t->rows + i * N_FEATURES));
    size_t at = rule_locate(by->rule, by->at, j->chances + e->first, e->n);
    j->judged[k] = true;
    j->trees[e->group] = by->trees.n_trees;
    j->found[k] =
        at == RDV_NO_STEP ? (rdv_label){RDV_LABEL_NO_MISTAKE, 0} : (rdv_label){RDV_LABEL_AT, at};
}

/* Every chain in a fold by a model, with its rule, that was made without the fold. */
static int cross_validate(const learning *l, judging *j, rdv_arena *arena, rdv_error *err)
{
    const rdv_trainer *t = l->of;
    for (size_t fold = 0; fold < l->n_folds; fold++) {
        learnt without;
        rdv_mark mark = rdv_arena_mark(arena);
        int r = learn_forest(l, fold, j->inner, arena, &without, err);
        for (size_t k = 0; k < t->n_examples && r == RDV_OK; k++)
            if (l->fold[k] == fold)
                judge(t, k, &without, j);
        rdv_arena_rewind(arena, mark);
        if (r != RDV_OK)
            return r;
    }
    return RDV_OK;
}

/* ---- the result ------------------------------------------------------------------------------ */

static int by_share(const void *a, const void *b)
{
    const rdv_train_gain *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static int take_gains(const learnt *m, rdv_arena *arena, rdv_training *out)
{
    size_t n;
    double whole = 0;
    const rdv_feature *features = rdv_features(&n);
    out->gains = RDV_NEW_ARRAY(arena, rdv_train_gain, n);
    if (!out->gains)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        whole += m->gains[i];
    for (size_t i = 0; i < n; i++)
        if (m->gains[i] > 0)
            out->gains[out->n_gains++] = (rdv_train_gain){&features[i], m->gains[i] / whole};
    qsort(out->gains, out->n_gains, sizeof *out->gains, by_share);
    return RDV_OK;
}

static int take_model(const learning *l, const learnt *m, rdv_arena *arena, rdv_training *out,
                      rdv_error *err)
{
    rdv_reward model = {.trees = m->trees,
                        .card = {.name = l->options->name,
                                 .sources = l->options->sources,
                                 .made = l->options->made,
                                 .rule = m->rule,
                                 .at = m->at,
                                 .after = m->after,
                                 .chains = m->chains,
                                 .steps = m->steps}};
    out->rule = m->rule;
    out->after = m->after;
    out->at = m->at;
    out->trees = m->trees.n_trees;
    out->early_stopping = l->options->early_stopping;
    int r = model_write(&model, arena, &out->model);
    if (r == RDV_E_LIMIT)
        return rdv_fail(err, r, "the model is too large for a file: fewer trees, or of less depth");
    return r < 0 || take_gains(m, arena, out) < 0 ? rdv_no_memory(err) : RDV_OK;
}

/* Figures of what was judged. A group whose chains several forests judged has no number of trees,
 * unless they are all of that number. */
static int report(const learning *l, const judging *j, bool held_out, rdv_arena *arena,
                  rdv_training *out, rdv_error *err)
{
    const rdv_trainer *t = l->of;
    bool one = held_out || l->options->by == RDV_FOLDS_GROUPS || !l->options->early_stopping;
    size_t before = out->n_figures;
    int r = report_figures(t, j->judged, j->found, j->chances, held_out, arena, out, err);
    for (size_t i = before; i < out->n_figures && one; i++)
        for (size_t g = 0; g < t->n_groups; g++)
            if (rdv_str_eq(t->groups[g], out->figures[i].group))
                out->figures[i].trees = j->trees[g];
    return r;
}

static int judge_held_out(const learning *l, const learnt *m, judging *j, rdv_arena *arena,
                          rdv_training *out, rdv_error *err)
{
    const rdv_trainer *t = l->of;
    for (size_t k = 0; k < t->n_examples; k++) {
        j->judged[k] = false;
        if (t->examples[k].held_out)
            judge(t, k, m, j);
    }
    return report(l, j, true, arena, out, err);
}

static rdv_train_options with_defaults(const rdv_train_options *options)
{
    rdv_train_options o = options ? *options : (rdv_train_options){0};
    o.folds = o.folds ? o.folds : DEFAULT_FOLDS;
    o.trees = o.trees ? o.trees : DEFAULT_TREES;
    o.depth = o.depth ? o.depth : DEFAULT_DEPTH;
    o.name = o.name.p ? o.name : RDV_STR("");
    o.sources = o.sources.p ? o.sources : RDV_STR("");
    o.made = o.made.p ? o.made : RDV_STR("not stated");
    return o;
}

static int begin(learning *l, rdv_arena *arena, rdv_error *err)
{
    size_t n;
    const rdv_feature *features = rdv_features(&n);
    if (l->options->folds > MAX_FOLDS || l->options->trees > MAX_TREES)
        return rdv_fail(err, RDV_E_ARGUMENT, "at most %d folds and %zu trees", MAX_FOLDS,
                        MAX_TREES);
    for (size_t i = 0; i < n; i++)
        l->use[i] = !(l->options->without & features[i].family);
    return make_folds(l, arena, err);
}

int rdv_trainer_run(rdv_trainer *trainer, const rdv_train_options *options, rdv_training *out,
                    rdv_error *err)
{
    const rdv_train_options all = with_defaults(options);
    rdv_arena *arena = trainer->arena;
    learning l = {.of = trainer, .options = &all, .trees = all.trees};
    rdv_training made = {.brier = NAN, .calibration_error = NAN};
    judging j;
    learnt m;
    int r = begin(&l, arena, err);
    if (r == RDV_OK && !make_judging(trainer, arena, &j))
        r = rdv_no_memory(err);
    if (r == RDV_OK && !all.skip_cross_validation)
        r = cross_validate(&l, &j, arena, err);
    if (r == RDV_OK)
        r = learn_forest(&l, NO_FOLD, j.inner, arena, &m, err);
    if (r == RDV_OK && !all.skip_cross_validation) {
        report_calibration(trainer, j.judged, j.chances, m.after, &made);
        r = report(&l, &j, false, arena, &made, err);
    }
    if (r == RDV_OK)
        r = judge_held_out(&l, &m, &j, arena, &made, err);
    if (r == RDV_OK)
        r = take_model(&l, &m, arena, &made, err);
    if (r == RDV_OK)
        *out = made;
    return r;
}
