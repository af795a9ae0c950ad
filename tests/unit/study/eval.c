/* SPDX-License-Identifier: Apache-2.0 */
#include "items.h"

#include "base/rng.h"
#include "study/eval.h"
#include "score/eval.h"

#include <stdio.h>

static const eval_figure *figure(const eval_figures *f, const char *name)
{
    for (size_t i = 0; i < f->n_figures; i++) {
        if (strcmp(f->figures[i].name, name) == 0)
            return &f->figures[i];
    }
    return NULL;
}

static const eval_curve *curve(const eval_figures *f, const char *name, const char *x)
{
    for (size_t i = 0; i < f->n_curves; i++) {
        if (strcmp(f->curves[i].name, name) == 0 && strcmp(f->curves[i].x, x) == 0)
            return &f->curves[i];
    }
    return NULL;
}

static double value(const eval_figures *f, const char *name)
{
    const eval_figure *one = figure(f, name);
    assert_non_null(one);
    return one->is.value;
}

static eval_figures evaluate(rdv_study *study, const rdv_eval_item *items, size_t n,
                             const eval_options *options)
{
    eval_figures out;
    assert_int_equal(
        eval_items(study, items, n, options ? options : &(eval_options){0}, &out, NULL), RDV_OK);
    return out;
}

/* Two questions of three chains. q1: majority wrong, weighted right, best right. q2: a three-way
 * tie, one of it right, and the last chain is best and wrong. */
static size_t two_questions(rdv_study *s, rdv_eval_item *f)
{
    f[0] = item(s, "q1", "7", 0, 0.1);
    f[1] = item(s, "q2", "1", 0, 0.5);
    f[2] = item(s, "q1", "7", 0, 0.2);
    f[3] = item(s, "q2", "2", 1, 0.5);
    f[4] = item(s, "q1", "8", 1, 0.9);
    f[5] = item(s, "q2", "7", 0, 0.6);
    return 6;
}

static void test_accuracy__by_hand(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[6];
    eval_figures out = evaluate(s, f, two_questions(s, f), NULL);
    assert_int_equal(out.count[EVAL_QUESTIONS], 2);
    assert_int_equal(out.count[EVAL_CHAINS], 6);
    assert_near(value(&out, "accuracy.chain"), 1.0 / 3, 1e-15);
    assert_near(value(&out, "accuracy.majority"), (0 + 1.0 / 3) / 2, 1e-15);
    assert_near(value(&out, "accuracy.weighted"), 0.5, 1e-15);
    assert_near(value(&out, "accuracy.best"), 0.5, 1e-15);
    assert_near(value(&out, "accuracy.oracle"), 1, 0);
    assert_near(value(&out, "gain.weighted"), 0.5 - 1.0 / 6, 1e-15);
    assert_near(value(&out, "gain.best"), 0.5 - 1.0 / 6, 1e-15);
    const eval_figure *gain = figure(&out, "gain.weighted");
    assert_int_equal(gain->is.n, 2);
    assert_nan(gain->is.low); /* two questions are too few */
    assert_nan(gain->is.high);
    assert_near(gain->is.se, (1 + 1.0 / 3) / 2, 1e-12);
    rdv_arena_free(&arena);
}

static void test_curve__ends_are_exact(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[6];
    eval_figures out = evaluate(s, f, two_questions(s, f), NULL);
    const eval_curve *c = curve(&out, "accuracy.weighted", "chains");
    assert_non_null(c);
    assert_int_equal(c->n_points, 3);
    assert_near(c->points[0].is.value, 1.0 / 3, 1e-15); /* one chain */
    assert_near(c->points[2].is.value, 0.5, 1e-15);     /* all */
    assert_near(c->points[2].x, 3, 0);
    const eval_curve *gain = curve(&out, "gain.weighted", "chains");
    assert_near(gain->points[0].is.value, 0, 0);
    rdv_arena_free(&arena);
}

static void test_curve__mean_over_subsets(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    const size_t counts[] = {2, 50};
    eval_options options = {.counts = counts, .n_counts = 2};
    rdv_eval_item f[6];
    eval_figures out = evaluate(s, f, two_questions(s, f), &options);
    const eval_curve *c = curve(&out, "accuracy.majority", "chains");
    assert_int_equal(c->n_points, 2);
    assert_near(c->points[0].is.value, 1.0 / 3, 1e-12); /* of all subsets, not of drawn ones */
    c = curve(&out, "accuracy.weighted", "chains");
    /* q1: {7,8} twice of three. q2: {1,2} ties, half right; with 7 it is wrong. */
    assert_near(c->points[0].is.value, (2.0 / 3 + 0.5 / 3) / 2, 1e-12);
    assert_int_equal(c->points[0].is.n, 2);
    assert_nan(c->points[1].is.value); /* no question has 50 chains */
    assert_int_equal(c->points[1].is.n, 0);
    rdv_arena_free(&arena);
}

/* 1 of 18 chains is right, and the others have answers of their own: a vote of k chains, all tied,
 * is right with the chance 1/18. All subsets give it exactly, also where 18 over k is largest among
 * those that are not drawn (8568 of 5); the drawn ones nearly. */
static void test_curve__all_subsets_or_drawn(void **state)
{
    (void)state;
    enum { N = 18 };
    static char keys[N][8];
    static rdv_eval_item f[N];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    const size_t counts[] = {2, 5, 6, 9, 13, 17, 18};
    eval_options options = {.draws = 4000, .counts = counts, .n_counts = 7};
    for (size_t i = 0; i < N; i++) {
        snprintf(keys[i], sizeof keys[i], "%zu", i);
        f[i] = item(s, "q", keys[i], i == 0, 1);
    }
    eval_figures out = evaluate(s, f, N, &options);
    const eval_curve *c = curve(&out, "accuracy.weighted", "chains");
    for (size_t i = 0; i < 7; i++) {
        bool drawn = counts[i] == 6 || counts[i] == 9; /* 18564, 48620 */
        assert_near(c->points[i].is.value, 1.0 / N, drawn ? 0.01 : 1e-12);
        assert_int_equal(fabs(c->points[i].is.value - 1.0 / N) > 1e-12, drawn);
    }
    rdv_arena_free(&arena);
}

/* Of 64 chains that all differ only the first is right, and it weighs most: a vote is right if it
 * has the first. Of nearly all chains there are few subsets; a walk through the subsets of every
 * size would not end. */
static void test_curve__nearly_all_of_many(void **state)
{
    (void)state;
    enum { N = 64 };
    static char keys[N][8];
    static rdv_eval_item f[N];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    const size_t counts[] = {2, 62, 63, 64};
    eval_options options = {.counts = counts, .n_counts = 4};
    for (size_t i = 0; i < N; i++) {
        snprintf(keys[i], sizeof keys[i], "%zu", i);
        f[i] = item(s, "q", keys[i], i == 0, 1 - (double)i / N);
    }
    eval_figures out = evaluate(s, f, N, &options);
    const eval_curve *c = curve(&out, "accuracy.weighted", "chains");
    for (size_t i = 0; i < 4; i++)
        assert_near(c->points[i].is.value, (double)counts[i] / N, 1e-12);
    rdv_arena_free(&arena);
}

/* A question's subsets come from its id: other questions, and the order in which the questions
 * come, change nothing. */
static void test_curve__does_not_depend_on_arrival(void **state)
{
    (void)state;
    enum { QUESTIONS = 9, CHAINS = 7, N = QUESTIONS * CHAINS };
    static rdv_eval_item facts[N], turned[N];
    char ids[QUESTIONS][8];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_rng rng;
    rdv_rng_seed(&rng, 3);
    for (size_t i = 0; i < N; i++) {
        size_t q = i / CHAINS;
        snprintf(ids[q], sizeof ids[q], "q%zu", q);
        bool right = rdv_rng_below(&rng, 2);
        facts[i] = item(s, ids[q], right ? "r" : "w", right, rdv_rng_unit(&rng));
    }
    for (size_t i = 0; i < N; i++) /* questions backwards and interleaved, chains in order */
        turned[i] = facts[(QUESTIONS - 1 - i % QUESTIONS) * CHAINS + i / QUESTIONS];
    eval_figures a = evaluate(s, facts, N, NULL), b = evaluate(s, turned, N, NULL);
    assert_int_equal(a.n_figures, b.n_figures);
    for (size_t i = 0; i < a.n_figures; i++)
        assert_near(a.figures[i].is.value, b.figures[i].is.value, 1e-12);
    for (size_t i = 0; i < a.n_curves; i++) {
        for (size_t k = 0; k < a.curves[i].n_points; k++) {
            rdv_estimate x = a.curves[i].points[k].is, y = b.curves[i].points[k].is;
            assert_true(x.value == y.value || fabs(x.value - y.value) < 1e-12 ||
                        (isnan(x.value) && isnan(y.value)));
        }
    }
    rdv_arena_free(&arena);
}

static void test_skipped__in_no_verification_figure(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[4] = {item(s, "q", "a", 1, 0.9), item(s, "q", "b", 0, 0.8),
                          item(s, "q", "b", 0, 0.1), item(s, "q", "b", 0, 1)};
    for (size_t i = 0; i < 4; i++) {
        f[i].check->label = (item_label){RDV_LABEL_AT, 1};
        f[i].check->found = (item_label){RDV_LABEL_AT, 1};
        f[i].check->unknown = 1;
    }
    f[3].check->skipped = true;
    f[3].vote.ballot.weight = NAN; /* as a view reports it */
    eval_figures out = evaluate(s, f, 4, NULL);
    assert_int_equal(out.count[EVAL_SKIPPED], 1);
    assert_int_equal(figure(&out, "auc")->is.n, 3);
    assert_near(value(&out, "auc"), 1, 0);
    assert_int_equal(figure(&out, "location")->is.n, 3);
    assert_int_equal(figure(&out, "weighted_f1")->is.n, 3);
    assert_int_equal(figure(&out, "unknown")->is.n, 12);
    assert_near(value(&out, "unknown"), 0.25, 0);
    /* As doubles, 0.8 + 0.1 is a little more than 0.9: no tie. */
    assert_near(value(&out, "accuracy.weighted"), 0, 0);
    assert_near(value(&out, "accuracy.majority"), 0, 0);
    assert_int_equal(figure(&out, "tpr")->is.n, 1);
    rdv_arena_free(&arena);
}

static void test_left_out__is_counted(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[6] = {item(s, "q1", "a", 1, NAN),  item(s, "q1", NULL, 0, 0.5),
                          item(s, "q2", "a", -1, 0.5), item(s, "q2", "b", -1, 0.5),
                          item(s, "q3", "x", 0, 0.25), item(s, "q3", "y", 1, 0.75)};
    f[5].check->found.kind = RDV_LABEL_UNKNOWN;
    f[0].check->label.kind = RDV_LABEL_NO_MISTAKE;
    eval_figures out = evaluate(s, f, 6, NULL);
    assert_int_equal(out.count[EVAL_QUESTIONS], 3);
    assert_int_equal(out.count[EVAL_QUESTIONS_UNGRADED], 1);
    assert_int_equal(out.count[EVAL_UNGRADED], 2);
    assert_int_equal(out.count[EVAL_UNPARSED], 1);
    assert_int_equal(out.count[EVAL_NULL_CONFIDENCE], 1);
    assert_int_equal(out.count[EVAL_UNLABELLED], 5);
    assert_int_equal(out.count[EVAL_NO_PREDICTION], 1);
    assert_int_equal(figure(&out, "accuracy.majority")->is.n, 2);
    assert_near(value(&out, "accuracy.majority"), (1 + 0.5) / 2, 1e-15);
    assert_near(value(&out, "accuracy.chain"), (0.5 + 0.5) / 2, 1e-15);
    assert_near(value(&out, "accuracy.weighted"), (0 + 1) / 2.0, 1e-15); /* q1: no weight cast */
    assert_int_equal(figure(&out, "auc")->is.n, 3);
    assert_int_equal(figure(&out, "location")->is.n, 1);
    rdv_arena_free(&arena);
}

/* One question of many chains, each with an answer of its own: time must not grow with the square.
 */
static void test_many_answers__in_one_question(void **state)
{
    (void)state;
    enum { N = 4000 };
    static char keys[N][8];
    static rdv_eval_item f[N];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    eval_options options = {.draws = 1};
    for (size_t i = 0; i < N; i++) {
        snprintf(keys[i], sizeof keys[i], "%zu", i);
        f[i] = item(s, "q", keys[i], i == 7, 0.5);
    }
    eval_figures out = evaluate(s, f, N, &options);
    const eval_curve *c = curve(&out, "accuracy.majority", "chains");
    assert_near(c->points[0].is.value, 1.0 / N, 1e-15);
    assert_near(c->points[c->n_points - 1].is.value, 1.0 / N, 1e-15);
    rdv_arena_free(&arena);
}

/* An answer is judged by any of its chains; one that could not be read is wrong, said or not. */
static void test_truth__holds_for_all_chains_of_an_answer(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[3] = {item(s, "q", "a", -1, 0.5), item(s, "q", "a", 1, 0.5),
                          item(s, "q", NULL, -1, 0.5)};
    eval_figures out = evaluate(s, f, 3, NULL);
    assert_int_equal(out.count[EVAL_QUESTIONS_UNGRADED], 0);
    const eval_curve *c = curve(&out, "accuracy.majority", "chains");
    assert_near(c->points[0].is.value, 2.0 / 3, 1e-15);
    assert_near(c->points[1].is.value, 1, 0);
    assert_near(c->points[2].is.value, 1, 0);
    rdv_arena_free(&arena);
}

static void test_no_checks__no_verification_figures(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[2] = {item(s, "q", "a", 1, NAN), item(s, "q", "b", 0, NAN)};
    f[0].check->checked = f[1].check->checked = false;
    eval_figures out = evaluate(s, f, 2, NULL);
    assert_non_null(figure(&out, "accuracy.majority"));
    assert_null(figure(&out, "accuracy.weighted"));
    assert_null(figure(&out, "gain.best"));
    assert_null(figure(&out, "auc"));
    assert_null(figure(&out, "unknown"));
    assert_null(curve(&out, "gain.weighted", "chains"));
    out = evaluate(s, NULL, 0, NULL);
    assert_int_equal(out.n_figures, 0);
    assert_int_equal(out.n_curves, 0);
    rdv_arena_free(&arena);
}

static void test_threshold__outside_the_unit_interval(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    eval_options options = {.n_thresholds = 3};
    rdv_eval_item f[3] = {item(s, "q1", "a", 1, 4), item(s, "q2", "b", 0, -2),
                          item(s, "q3", "b", 0, 3)};
    for (size_t i = 0; i < 3; i++)
        f[i].check->threshold = 2;
    eval_figures out = evaluate(s, f, 3, &options);
    const eval_curve *c = curve(&out, "balanced_accuracy", "threshold");
    assert_int_equal(c->n_points, 3);
    assert_near(c->points[0].x, -2, 0);
    assert_near(c->points[1].x, 1, 0);
    assert_near(c->points[2].x, 4, 0);
    assert_near(c->points[1].is.value, 0.75, 1e-15);
    assert_near(c->points[2].is.value, 1, 1e-15);
    assert_near(value(&out, "balanced_accuracy"), 0.75, 1e-15);
    rdv_arena_free(&arena);
}

static void test_roc__is_thinned_with_both_ends(void **state)
{
    (void)state;
    enum { N = 1000 };
    static rdv_eval_item f[N];
    char id[N][8];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    for (size_t i = 0; i < N; i++) {
        snprintf(id[i], sizeof id[i], "%zu", i);
        f[i] = item(s, id[i], "a", i % 2, (double)i / N);
    }
    eval_figures out = evaluate(s, f, N, NULL);
    const eval_curve *roc = curve(&out, "roc", "false positive rate");
    assert_int_equal(roc->n_points, 101);
    assert_near(roc->points[0].x, 0, 0);
    assert_near(roc->points[0].is.value, 0, 0);
    assert_near(roc->points[100].x, 1, 0);
    assert_near(roc->points[100].is.value, 1, 0);
    rdv_arena_free(&arena);
}

/* Keys that would collide if question and answer were simply put together. */
static void test_answers__belong_to_their_question(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[4] = {item(s, "1", "2:x", 1, 1), item(s, "1", "x", 0, 1),
                          item(s, "12", ":x", 1, 1), item(s, "12", "x", 1, 1)};
    eval_figures out = evaluate(s, f, 4, NULL);
    assert_near(value(&out, "accuracy.majority"), 0.75, 0);
    rdv_arena_free(&arena);
}

static void test_confidence__too_large(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f = item(s, "q", "a", 1, INFINITY);
    eval_figures out;
    assert_int_equal(eval_items(s, &f, 1, &(eval_options){0}, &out, NULL), RDV_E_INPUT);
    rdv_arena_free(&arena);
}

/* Chains of which nothing was read and nothing is known say nothing about the question. */
static void test_truth__nothing_is_known(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[2] = {item(s, "q", NULL, -1, 1), item(s, "r", NULL, 0, 1)};
    eval_figures out = evaluate(s, f, 2, NULL);
    assert_int_equal(out.count[EVAL_QUESTIONS_UNGRADED], 1);
    assert_near(value(&out, "accuracy.majority"), 0, 0);
    rdv_arena_free(&arena);
}

static bool runs_through(rdv_arena *arena, rdv_study *s, const rdv_eval_item *f, size_t n)
{
    rdv_mark mark = rdv_arena_mark(arena);
    eval_options options = {.resamples = 3, .draws = 2, .n_thresholds = 2};
    eval_figures out;
    bool done = eval_items(s, f, n, &options, &out, NULL) == RDV_OK;
    rdv_arena_rewind(arena, mark);
    return done;
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *s = study_of(arena, "evaluation", NULL);
    rdv_eval_item f[6];
    size_t n = two_questions(s, f);
    f[1].check->label.kind = RDV_LABEL_NO_MISTAKE;
    assert_survives_no_memory(runs_through(arena, s, f, n), (void)0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy__by_hand),
        cmocka_unit_test(test_curve__ends_are_exact),
        cmocka_unit_test(test_curve__mean_over_subsets),
        cmocka_unit_test(test_curve__all_subsets_or_drawn),
        cmocka_unit_test(test_curve__nearly_all_of_many),
        cmocka_unit_test(test_curve__does_not_depend_on_arrival),
        cmocka_unit_test(test_skipped__in_no_verification_figure),
        cmocka_unit_test(test_left_out__is_counted),
        cmocka_unit_test(test_many_answers__in_one_question),
        cmocka_unit_test(test_truth__holds_for_all_chains_of_an_answer),
        cmocka_unit_test(test_no_checks__no_verification_figures),
        cmocka_unit_test(test_threshold__outside_the_unit_interval),
        cmocka_unit_test(test_roc__is_thinned_with_both_ends),
        cmocka_unit_test(test_answers__belong_to_their_question),
        cmocka_unit_test(test_confidence__too_large),
        cmocka_unit_test(test_truth__nothing_is_known),
        cmocka_unit_test(test_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
