/* SPDX-License-Identifier: Apache-2.0 */
/* Training on traces made by program, and the files that come of it. */
#include "chain.h"

#include "reward/model.h"
#include "reward/reward.h"
#include "task/task.h"
#include <rederive/method.h>

#include <math.h>

#define MADE 40

static rdv_chain make(const char *task, size_t number, bool mistake, rdv_arena *arena)
{
    rdv_task_options options;
    rdv_chain chain;
    rdv_task_options_default(&options);
    options.trace = true;
    if (mistake)
        options.mistake = RDV_TASK_ANY_STEP;
    assert_int_equal(
        rdv_task_make(rdv_task_named(rdv_str_of(task)), &options, number, arena, &chain, NULL),
        RDV_OK);
    return chain;
}

static const char *const tasks[] = {"tracking_shuffled_objects", "multistep_arithmetic",
                                    "dyck_languages", "word_sorting"};
#define N_TASKS (sizeof tasks / sizeof *tasks)

static rdv_trainer *fill(rdv_arena *arena, const char *held_out)
{
    rdv_trainer *t = rdv_trainer_new(arena);
    for (size_t k = 0; k < N_TASKS; k++)
        for (size_t i = 0; i < MADE; i++) {
            rdv_chain chain = make(tasks[k], i, i % 2, arena);
            bool out = held_out && strcmp(held_out, tasks[k]) == 0;
            assert_int_equal(rdv_trainer_add(t, &chain, rdv_str_of(tasks[k]), out, NULL), RDV_OK);
        }
    return t;
}

static const rdv_train_options fast = {.trees = 30, .folds = 3};

static rdv_training run(rdv_trainer *t, const rdv_train_options *options)
{
    rdv_training out;
    rdv_error err = {0};
    if (rdv_trainer_run(t, options, &out, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return out;
}

/* ---- training -------------------------------------------------------------------------------- */

static void test_train__learns_and_reports(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_training t = run(fill(arena, NULL), &fast);
    assert_int_equal(t.n_figures, N_TASKS);
    size_t in_bins = 0, steps = 0;
    double gains = 0, location = 0, constant = 0;
    for (size_t i = 0; i < t.n_figures; i++) {
        const rdv_train_figures *f = &t.figures[i];
        assert_int_equal(f->chains, MADE);
        assert_false(f->held_out);
        location += f->location.overall.value;
        constant += f->constant;
        assert_true(f->auc.value > 0.8);
        steps += f->steps;
    }
    for (size_t i = 0; i < RDV_TRAIN_BINS; i++)
        in_bins += t.bins[i].n;
    for (size_t i = 0; i < t.n_gains; i++)
        gains += t.gains[i].share;
    assert_true(location > constant + 0.5);
    assert_int_equal(in_bins, steps);
    assert_true(fabs(gains - 1) < 1e-9);
    assert_true(t.brier > 0 && t.brier < 0.25);
    assert_true(t.calibration_error >= 0 && t.calibration_error < 0.5);
    rdv_arena_free(&arena);
}

static void test_train__held_out_task(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.by = RDV_FOLDS_GROUPS;
    options.skip_cross_validation = true;
    rdv_training t = run(fill(arena, "dyck_languages"), &options);
    assert_int_equal(t.n_figures, 1);
    assert_text(t.figures[0].group, "dyck_languages");
    assert_true(t.figures[0].held_out);
    assert_int_equal(t.figures[0].location.overall.n, MADE);
    assert_true(t.figures[0].location.overall.value > 0.5);
    assert_true(isnan(t.brier));
    rdv_arena_free(&arena);
}

/* What is held out changes nothing in the model. */
static void test_train__held_out_chains_are_not_seen(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    rdv_trainer *with = fill(arena, "word_sorting"), *without = rdv_trainer_new(arena);
    for (size_t k = 0; k + 1 < N_TASKS; k++)
        for (size_t i = 0; i < MADE; i++) {
            rdv_chain chain = make(tasks[k], i, i % 2, arena);
            rdv_trainer_add(without, &chain, rdv_str_of(tasks[k]), false, NULL);
        }
    rdv_training a = run(with, &options), b = run(without, &options);
    assert_true(rdv_str_eq(a.model, b.model));
    rdv_arena_free(&arena);
}

/* A question that is held out is held out wherever it occurs. */
static void test_train__questions_held_out_elsewhere(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    rdv_trainer *t = fill(arena, "word_sorting");
    rdv_training a = run(t, &options);
    for (size_t i = 0; i < MADE; i++) { /* the same questions, in another task, not held out */
        rdv_chain chain = make("word_sorting", i, true, arena);
        chain.question.text = rdv_str_printf(arena, " %.*s!", RDV_FMT(chain.question.text));
        assert_int_equal(rdv_trainer_add(t, &chain, RDV_STR("again"), false, NULL), RDV_OK);
    }
    rdv_training b = run(t, &options);
    assert_true(rdv_str_eq(a.model, b.model));
    rdv_arena_free(&arena);
}

/* Questions of brackets alone differ in no letter or digit, and are different questions all the
 * same. */
static void test_train__questions_of_brackets(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_trainer *t = rdv_trainer_new(arena);
    for (size_t i = 0; i < 2 * MADE; i++) {
        rdv_chain chain = make("dyck_languages", i, i % 2, arena);
        size_t from = rdv_find_char(chain.question.text, ':', 0);
        rdv_str text = chain.question.text;
        if (from != RDV_NOT_FOUND)
            text = rdv_slice(text, from + 1, text.len);
        for (size_t k = 0; k < text.len; k++)
            assert_false(rdv_is_alnum(text.p[k]));
        chain.question.text = text;
        assert_int_equal(rdv_trainer_add(t, &chain, RDV_STR("brackets"), false, NULL), RDV_OK);
    }
    assert_int_equal(run(t, &fast).figures[0].chains, 2 * MADE);
    rdv_arena_free(&arena);
}

/* What cannot be learnt from noise is left unlearnt: with labels drawn at random few trees are
 * best. */
static void test_train__early_stopping(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.early_stopping = true;
    options.by = RDV_FOLDS_GROUPS;
    options.trees = 100;
    rdv_training learnt = run(fill(arena, NULL), &options);
    assert_true(learnt.trees > 20 && learnt.early_stopping);
    for (size_t i = 0; i < learnt.n_figures; i++)
        assert_true(learnt.figures[i].trees > 0 && learnt.figures[i].trees <= 100);
    rdv_trainer *t = rdv_trainer_new(arena);
    for (size_t k = 0; k < N_TASKS; k++)
        for (size_t i = 0; i < MADE; i++) {
            rdv_chain chain = make(tasks[k], i, false, arena);
            if (i * 7 % 5 < 2)
                chain.label = (rdv_label){RDV_LABEL_AT, i * 11 % chain.n_steps};
            assert_int_equal(rdv_trainer_add(t, &chain, rdv_str_of(tasks[k]), false, NULL), RDV_OK);
        }
    assert_true(run(t, &options).trees < learnt.trees);
    rdv_arena_free(&arena);
}

/* The number of trees that a group is judged by, with its labels or with drawn ones. */
static size_t trees_that_judge(const char *group, bool drawn, rdv_arena *arena)
{
    rdv_train_options options = fast;
    options.early_stopping = true;
    options.by = RDV_FOLDS_GROUPS;
    options.trees = 100;
    rdv_trainer *t = rdv_trainer_new(arena);
    for (size_t k = 0; k < N_TASKS; k++)
        for (size_t i = 0; i < MADE; i++) {
            rdv_chain chain = make(tasks[k], i, i % 2, arena);
            if (drawn && strcmp(tasks[k], group) == 0)
                chain.label = (rdv_label){RDV_LABEL_AT, i * 11 % chain.n_steps};
            assert_int_equal(rdv_trainer_add(t, &chain, rdv_str_of(tasks[k]), false, NULL), RDV_OK);
        }
    rdv_training all = run(t, &options);
    for (size_t i = 0; i < all.n_figures; i++)
        if (rdv_str_eq(all.figures[i].group, rdv_str_of(group)))
            return all.figures[i].trees;
    fail_msg("no figures of %s", group);
    return 0;
}

/* A group is judged by trees whose number was chosen without it: its own labels have no say. */
static void test_train__early_stopping_without_what_is_judged(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t trees = trees_that_judge("dyck_languages", false, arena);
    assert_true(trees > 1 && trees <= 100);
    assert_int_equal(trees_that_judge("dyck_languages", true, arena), trees);
    rdv_arena_free(&arena);
}

static void test_train__the_same_again(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    rdv_training a = run(fill(arena, NULL), &options), b = run(fill(arena, NULL), &options);
    assert_true(rdv_str_eq(a.model, b.model));
    options.seed = 5;
    rdv_training c = run(fill(arena, NULL), &options);
    assert_false(rdv_str_eq(a.model, c.model));
    rdv_arena_free(&arena);
}

static void test_train__families_left_out(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    options.without = RDV_FEATURE_POSITION | RDV_FEATURE_FORM;
    rdv_training t = run(fill(arena, NULL), &options);
    for (size_t i = 0; i < t.n_gains; i++)
        assert_false(t.gains[i].feature->family & options.without);
    rdv_arena_free(&arena);
}

static void test_train__fitted_settings(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    options.after = RDV_AFTER_FITTED;
    options.rule = RDV_RULE_FITTED;
    options.aim = RDV_AIM_F1;
    rdv_training t = run(fill(arena, NULL), &options);
    assert_true(t.after == RDV_AFTER_WRONG || t.after == RDV_AFTER_LEFT_OUT);
    assert_true(t.rule == RDV_RULE_THRESHOLD || t.rule == RDV_RULE_HAZARD);
    assert_true(t.at > 0 && t.at < 1);
    rdv_arena_free(&arena);
}

/* Of several thresholds in a row that do equally well the middle one is taken. Here a wrong step is
 * known at once, so that any that is not near 0 or 1 parts it from the right ones. */
static void test_train__a_threshold_between_what_it_parts(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    static rdv_str right[] = {{"2 + 2 = 4", 9}, {"3 + 4 = 7", 9}, {"So 7.", 5}};
    static rdv_str wrong[] = {{"2 + 2 = 4", 9}, {"3 + 4 = 9", 9}, {"So 9.", 5}};
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    options.rule = RDV_RULE_THRESHOLD;
    options.after = RDV_AFTER_LEFT_OUT;
    rdv_trainer *t = rdv_trainer_new(arena);
    for (size_t i = 0; i < 3 * MADE; i++) {
        rdv_chain chain = {.question.text = rdv_str_printf(arena, "Question %zu?", i),
                           .steps = i % 2 ? wrong : right,
                           .n_steps = 3,
                           .label = {i % 2 ? RDV_LABEL_AT : RDV_LABEL_NO_MISTAKE, i % 2}};
        assert_int_equal(rdv_trainer_add(t, &chain, RDV_STR("sums"), false, NULL), RDV_OK);
    }
    rdv_training is = run(t, &options);
    assert_true(is.at > 0.35 && is.at < 0.65);
    rdv_arena_free(&arena);
}

static void test_train__nothing_to_learn_from(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_trainer *t = rdv_trainer_new(arena);
    rdv_training out;
    rdv_error err = {0};
    assert_int_equal(rdv_trainer_run(t, NULL, &out, &err), RDV_E_INPUT);
    rdv_chain unlabelled = make("word_sorting", 0, false, arena);
    unlabelled.label.kind = RDV_LABEL_UNKNOWN;
    assert_int_equal(rdv_trainer_add(t, &unlabelled, RDV_STR("x"), false, NULL), RDV_NONE);
    for (size_t i = 0; i < 20; i++) { /* none of them is wrong */
        rdv_chain chain = make("word_sorting", i, false, arena);
        assert_int_equal(rdv_trainer_add(t, &chain, RDV_STR("x"), false, NULL), RDV_OK);
    }
    assert_int_equal(rdv_trainer_run(t, NULL, &out, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "nothing to learn from"));
    rdv_arena_free(&arena);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Of the chains with this sum a third are wrong. To call none of them wrong is right most often,
 * and finds no wrong chain: F1, the harmonic mean of both shares, wants a threshold below their
 * chance.
 */
static void test_train__f1_finds_the_rarer_kind(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    static rdv_str plain[] = {{"2 + 2 = 4", 9}, {"3 + 4 = 7", 9}, {"So 7.", 5}};
    static rdv_str doubtful[] = {{"2 + 2 = 4", 9}, {"3 + 4 = 9", 9}, {"So 9.", 5}};
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    options.rule = RDV_RULE_THRESHOLD;
    options.after = RDV_AFTER_LEFT_OUT;
    for (int aim = 0; aim < 2; aim++) {
        rdv_trainer *t = rdv_trainer_new(arena);
        for (size_t i = 0; i < 150; i++) {
            bool wrong = i % 6 == 5;
            rdv_chain chain = {.question.text = rdv_str_printf(arena, "Question %zu?", i),
                               .steps = i % 6 >= 3 ? doubtful : plain,
                               .n_steps = 3,
                               .label = {wrong ? RDV_LABEL_AT : RDV_LABEL_NO_MISTAKE, wrong}};
            assert_int_equal(rdv_trainer_add(t, &chain, RDV_STR("sums"), false, NULL), RDV_OK);
        }
        options.aim = aim ? RDV_AIM_F1 : RDV_AIM_LOCATION;
        rdv_training is = run(t, &options);
        if (aim)
            assert_true(is.at < 0.4);
        else
            assert_true(is.at > 0.4);
    }
    rdv_arena_free(&arena);
}

static rdv_str small_model(rdv_arena *arena)
{
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    options.trees = 3;
    options.name = RDV_STR("small");
    options.sources = RDV_STR("made\nby program");
    return run(fill(arena, NULL), &options).model;
}

static void test_model__written_and_read(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str bytes = small_model(arena), again;
    rdv_reward *m;
    assert_int_equal(rdv_reward_read(bytes, &m, NULL), RDV_OK);
    rdv_reward_card card = rdv_reward_about(m);
    assert_text(card.name, "small");
    assert_text(card.sources, "made by program");
    assert_int_equal(card.trees, 3);
    assert_int_equal(card.chains, MADE * N_TASKS);
    assert_int_equal(model_write(m, arena, &again), RDV_OK);
    assert_true(rdv_str_eq(bytes, again));
    rdv_reward_free(&m);
    assert_null(m);
    rdv_arena_free(&arena);
}

/* What cannot stand in a file is not written as if it could. */
static void test_model__texts_and_sizes_that_can_be_read(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    static char sources[3001] = "x";
    for (size_t i = 1; i < 3000; i += 2)
        memcpy(sources + i, "\xc3\xa9", 2); /* no character ends at byte 2048 */
    rdv_reward *m, made = {.trees = {RDV_NEW_ARRAY(arena, node, MAX_NODES + 1),
                                     RDV_NEW_ARRAY(arena, uint32_t, 1), 1, 1},
                           .card = {.name = RDV_STR("caf\xe9"), .sources = {sources, 3000}}};
    rdv_str bytes;
    for (size_t i = 0; i <= MAX_NODES; i++)
        made.trees.nodes[i].feature = NO_FEATURE;
    assert_int_equal(model_write(&made, arena, &bytes), RDV_OK);
    assert_int_equal(rdv_reward_read(bytes, &m, NULL), RDV_OK);
    assert_text(rdv_reward_about(m).name, "caf?");
    assert_int_equal(rdv_reward_about(m).sources.len, 2047);
    rdv_reward_free(&m);
    made.trees.n_nodes = MAX_NODES + 1;
    assert_int_equal(model_write(&made, arena, &bytes), RDV_E_LIMIT);
    rdv_arena_free(&arena);
}

static void test_model__every_cut_and_change_is_refused(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str bytes = small_model(arena);
    char *copy = rdv_cstring(arena, bytes);
    rdv_reward *m;
    for (size_t i = 0; i < bytes.len; i++) {
        rdv_error err = {0};
        assert_true(rdv_reward_read((rdv_str){copy, i}, &m, &err) < 0);
        assert_null(m);
        assert_true(err.msg[0] && !strchr(err.msg, '\n'));
        copy[i] ^= 1;
        assert_true(rdv_reward_read((rdv_str){copy, bytes.len}, &m, &err) < 0);
        copy[i] ^= 1;
    }
    rdv_arena_free(&arena);
}

/* A checksum that fits says nothing of a file that was made to harm: a child that does not stand
 * behind its parent would be walked for ever. */
static void test_model__every_walk_ends(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (uint32_t left = 0; left < 5; left++) {
        node nodes[] = {{.left = 1}, {.feature = NO_FEATURE}, {.feature = NO_FEATURE}};
        uint32_t roots[] = {0};
        rdv_reward *m, made = {.trees = {nodes, roots, 3, 1}, .card = {.name = RDV_STR("x")}};
        rdv_error err = {0};
        rdv_str bytes;
        nodes[0].left = left;
        assert_int_equal(model_write(&made, arena, &bytes), RDV_OK);
        assert_int_equal(rdv_reward_read(bytes, &m, &err), left == 1 ? RDV_OK : RDV_E_INPUT);
        assert_true(left == 1 || strstr(err.msg, "does not go on behind the split"));
        rdv_reward_free(&m);
    }
    rdv_arena_free(&arena);
}

static void test_model__unknown_feature_is_named(void **state)
{
    static const char text[] = "rederive-reward 1\nname x\nsources y\ntrained 1 1\nafter wrong\n"
                               "rule threshold 3fe0000000000000\nfeatures 1\nno_such_thing\n";
    rdv_reward *m;
    rdv_error err = {0};
    assert_int_equal(rdv_reward_read((rdv_str){text, sizeof text - 1}, &m, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "no_such_thing"));
    assert_int_equal(rdv_reward_read(RDV_STR("hello"), &m, &err), RDV_E_INPUT);
    assert_int_equal(rdv_reward_open("/no/such/file", &m, &err), RDV_E_IO);
}

static void test_model__every_failing_allocation_is_told(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str bytes = small_model(arena);
    rdv_reward *m = NULL;
    assert_survives_no_memory(rdv_reward_read(bytes, &m, NULL) == RDV_OK, assert_null(m));
    rdv_reward_free(&m);
    rdv_arena_free(&arena);
}

/* ---- judging --------------------------------------------------------------------------------- */

static void test_rule__threshold_and_hazard(void **state)
{
    static const double p[] = {0.1, 0.5, 0.45, 0.9};
    assert_int_equal(rule_locate(RDV_RULE_THRESHOLD, 0.5, p, 4), 1);
    assert_int_equal(rule_locate(RDV_RULE_THRESHOLD, 0.6, p, 4), 3);
    assert_true(rule_locate(RDV_RULE_THRESHOLD, 0.95, p, 4) == RDV_NO_STEP);
    /* first mistakes: .1, .45, .2025, .22275; none: .02475 */
    assert_int_equal(rule_locate(RDV_RULE_HAZARD, 0.03, p, 4), 1);
    assert_true(rule_locate(RDV_RULE_HAZARD, 0.02, p, 4) == RDV_NO_STEP);
    assert_true(rule_locate(RDV_RULE_HAZARD, 0.5, p, 0) == RDV_NO_STEP);
}

/* The contribution that a verdict names first is the largest of all features. */
static void assert_largest_first(const rdv_reward *m, const float *row, const rdv_verdict *v,
                                 rdv_arena *arena)
{
    size_t n;
    rdv_features(&n);
    double *share = RDV_NEW_ARRAY(arena, double, n), most = 0;
    rdv_reward_explain(m, row, share);
    for (size_t i = 0; i < n; i++)
        most = fabs(share[i]) > most ? fabs(share[i]) : most;
    const rdv_evidence *list = rdv_evidence_get(v->evidence, RDV_STR("contributions"));
    assert_non_null(list);
    const rdv_evidence *first = rdv_evidence_first(list);
    assert_true(most <= 0 ||
                fabs(rdv_evidence_get(first, RDV_STR("contribution"))->number) == most);
}

static void test_method__made_of_a_model(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_train_options options = fast;
    options.skip_cross_validation = true;
    rdv_reward *m;
    assert_int_equal(rdv_reward_read(run(fill(arena, NULL), &options).model, &m, NULL), RDV_OK);
    const rdv_method *method;
    assert_int_equal(rdv_reward_method(m, RDV_STR("reward:x"), arena, &method, NULL), RDV_OK);
    rdv_check_options how;
    rdv_check_options_default(&how, sizeof how);
    size_t located = 0;
    for (size_t i = 100; i < 120; i++) {
        rdv_chain chain = make("multistep_arithmetic", i, true, arena);
        rdv_check check;
        double *wrong;
        size_t first;
        assert_int_equal(rdv_check_chain(method, &chain, &how, arena, &check, NULL), RDV_OK);
        assert_int_equal(rdv_reward_judge(m, &chain, arena, &wrong, &first, NULL), RDV_OK);
        assert_true(check.first_error == first);
        assert_text(check.method, "reward:x");
        assert_int_equal(check.n_verdicts, chain.n_steps);
        float *rows;
        size_t n;
        rdv_features(&n);
        assert_int_equal(rdv_features_measure(&chain, arena, &rows, NULL), RDV_OK);
        for (size_t k = 0; k < chain.n_steps; k++) {
            assert_true(fabs(check.verdicts[k].score - (1 - wrong[k])) < 1e-12);
            assert_int_equal(check.verdicts[k].kind == RDV_CONTRADICT,
                             wrong[k] >= rdv_reward_about(m).at);
            assert_largest_first(m, rows + k * n, &check.verdicts[k], arena);
        }
        located += first == chain.label.step;
    }
    assert_true(located >= 10);
    rdv_reward_free(&m);
    rdv_arena_free(&arena);
}

static bool judges(const rdv_method *method, const rdv_chain *chain)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_check check;
    int rc = arena ? rdv_check_chain(method, chain, NULL, arena, &check, NULL) : RDV_E_NOMEM;
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    for (size_t k = 0; rc == RDV_OK && k < check.n_verdicts; k++) {
        const rdv_evidence *noted = check.verdicts[k].evidence;
        assert_non_null(rdv_evidence_get(noted, RDV_STR("error_probability")));
        assert_non_null(rdv_evidence_get(noted, RDV_STR("contributions")));
    }
    rdv_arena_free(&arena);
    return rc == RDV_OK;
}

/* Without memory there are no verdicts, rather than some that lack their evidence. */
static void test_method__without_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reward *m;
    const rdv_method *method;
    rdv_chain chain = make("multistep_arithmetic", 100, true, arena);
    assert_int_equal(rdv_reward_read(small_model(arena), &m, NULL), RDV_OK);
    assert_int_equal(rdv_reward_method(m, RDV_STR("reward:x"), arena, &method, NULL), RDV_OK);
    assert_survives_no_memory(judges(method, &chain), (void)0);
    rdv_reward_free(&m);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_train__learns_and_reports),
        cmocka_unit_test(test_train__held_out_task),
        cmocka_unit_test(test_train__held_out_chains_are_not_seen),
        cmocka_unit_test(test_train__questions_held_out_elsewhere),
        cmocka_unit_test(test_train__questions_of_brackets),
        cmocka_unit_test(test_train__early_stopping),
        cmocka_unit_test(test_train__early_stopping_without_what_is_judged),
        cmocka_unit_test(test_train__the_same_again),
        cmocka_unit_test(test_train__families_left_out),
        cmocka_unit_test(test_train__fitted_settings),
        cmocka_unit_test(test_train__a_threshold_between_what_it_parts),
        cmocka_unit_test(test_train__f1_finds_the_rarer_kind),
        cmocka_unit_test(test_train__nothing_to_learn_from),
        cmocka_unit_test(test_model__written_and_read),
        cmocka_unit_test(test_model__texts_and_sizes_that_can_be_read),
        cmocka_unit_test(test_model__every_cut_and_change_is_refused),
        cmocka_unit_test(test_model__every_walk_ends),
        cmocka_unit_test(test_model__unknown_feature_is_named),
        cmocka_unit_test(test_model__every_failing_allocation_is_told),
        cmocka_unit_test(test_rule__threshold_and_hazard),
        cmocka_unit_test(test_method__made_of_a_model),
        cmocka_unit_test(test_method__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
