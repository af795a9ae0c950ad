/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include <rederive/recipe.h>

static rdv_fact fact(const char *question, const char *key, int correct, double confidence)
{
    return (rdv_fact){.question_id = rdv_str_of(question),
                      .key = rdv_str_of(key),
                      .correct = correct,
                      .confidence = confidence,
                      .checked = true};
}

static const rdv_makers nobody = {{0}, {0}};

static int compute(rdv_recipe_is is, const rdv_fact *facts, size_t n, rdv_arena *arena,
                   rdv_recipe_table *out)
{
    size_t makers[16] = {0};
    rdv_recipe_check check = {RDV_STR("selfcheck"), facts, makers, n};
    rdv_recipe_input input = {.checks = &check, .n_checks = 1, .makers = &nobody, .n_makers = 1};
    return rdv_recipe_compute(is, &input, arena, out, NULL);
}

static const rdv_estimate *cell(const rdv_recipe_table *t, size_t row, const char *column)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        if (strcmp(t->columns[c].name, column) == 0)
            return &t->series[0].rows[row * t->n_columns + c].is;
    }
    fail_msg("no column %s", column);
    return NULL;
}

/* Four questions of two chains: both right; one right, the check knows it; one right, the check is
 * mistaken; both wrong in different ways. */
static const char *const ids[] = {"q0", "q0", "q1", "q1", "q2", "q2", "q3", "q3"};
static size_t four_questions(rdv_fact *f)
{
    static const int right[] = {1, 1, 1, 0, 1, 0, 0, 0};
    static const char *const keys[] = {"5", "5", "5", "6", "5", "6", "6", "7"};
    static const double confidence[] = {1, 0.9, 0.9, 0.5, 0.2, 0.3, 0.4, 0.1};
    for (size_t i = 0; i < 8; i++)
        f[i] = fact(ids[i], keys[i], right[i], confidence[i]);
    return 8;
}

static void test_table1__by_hand(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fact f[8];
    rdv_recipe_table t;
    assert_int_equal(compute(RDV_SELFCHECK_TABLE1, f, four_questions(f), arena, &t), RDV_OK);
    assert_int_equal(t.n_series, 1);
    assert_int_equal(t.series[0].n_rows, 1);
    assert_near(t.series[0].rows[0].x, 2, 0);
    assert_near(cell(&t, 0, "correct.none")->value, 0.25, 0);
    assert_near(cell(&t, 0, "correct.some")->value, 0.5, 0);
    assert_near(cell(&t, 0, "correct.all")->value, 0.25, 0);
    assert_near(cell(&t, 0, "accuracy.majority")->value, 0.5, 0);
    assert_near(cell(&t, 0, "accuracy.weighted")->value, 0.5, 0);
    const rdv_estimate *gain = cell(&t, 0, "gain.weighted"); /* 0, .5, -.5, 0 */
    assert_near(gain->value, 0, 0);
    assert_near(gain->se, sqrt(0.5 / 3 / 4), 1e-15);
    assert_int_equal(gain->n, 4);
    assert_int_equal(t.series[0].questions, 4);
    assert_int_equal(t.series[0].chains, 8);
    rdv_arena_free(&arena);
}

/* A chain that was not checked, or skipped, takes its whole question out of the votes; of the
 * verification only the chain goes. */
static void test_unchecked__is_left_out(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fact f[8];
    rdv_recipe_table t;
    size_t n = four_questions(f);
    f[3].skipped = true;
    f[6].checked = false;
    f[7].confidence = NAN;
    assert_int_equal(compute(RDV_SELFCHECK_FIG2, f, n, arena, &t), RDV_OK);
    const rdv_series *s = &t.series[0];
    assert_int_equal(s->skipped, 1);
    assert_int_equal(s->unchecked, 1);
    assert_int_equal(s->null_confidence, 1);
    assert_int_equal(s->questions_unchecked, 2);
    assert_int_equal(s->questions, 4);
    assert_int_equal(s->n_rows, 2); /* 1 and 2 chains: nobody has 3 */
    assert_int_equal(cell(&t, 1, "gain.weighted")->n, 2);
    assert_near(cell(&t, 1, "gain.weighted")->value, -0.25, 0);
    assert_int_equal(compute(RDV_SELFCHECK_TABLE2, f, n, arena, &t), RDV_OK);
    assert_int_equal(cell(&t, 0, "balanced_accuracy")->n, 5);
    assert_near(cell(&t, 0, "tpr")->value, 0.75, 0);
    assert_near(cell(&t, 0, "tnr")->value, 1, 0); /* q2's only: .3 */
    rdv_arena_free(&arena);
}

static void test_thresholds__by_hand(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fact f[8];
    rdv_recipe_table t;
    size_t n = four_questions(f);
    assert_int_equal(compute(RDV_SELFCHECK_V2FIG4, f, n, arena, &t), RDV_OK);
    assert_int_equal(t.series[0].n_rows, 21);
    assert_near(t.series[0].rows[10 * t.n_columns].x, 0.5, 0);
    assert_near(cell(&t, 0, "precision_accepted")->value, 0.5, 0); /* t = 0: all are accepted */
    assert_nan(cell(&t, 0, "precision_rejected")->value);
    assert_near(cell(&t, 10, "precision_accepted")->value, 0.75, 0); /* 1 .9 .9, and .5 wrong */
    assert_near(cell(&t, 10, "precision_rejected")->value, 0.75, 0);
    assert_int_equal(compute(RDV_SELFCHECK_V2FIG3, f, n, arena, &t), RDV_OK);
    assert_near(cell(&t, 10, "tpr")->value, 0.75, 0);
    assert_near(cell(&t, 10, "tnr")->value, 0.75, 0);
    assert_near(cell(&t, 10, "balanced_accuracy")->value, 0.75, 0);
    assert_int_equal(compute(RDV_SELFCHECK_FIG3, f, n, arena, &t), RDV_OK);
    assert_near(cell(&t, 20, "precision_accepted")->value, 1, 0);
    assert_int_equal(cell(&t, 20, "precision_accepted")->n, 1);
    rdv_arena_free(&arena);
}

static void test_roc__by_hand(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fact f[8];
    rdv_recipe_table t;
    assert_int_equal(compute(RDV_SELFCHECK_FIG4, f, four_questions(f), arena, &t), RDV_OK);
    const rdv_series *s = &t.series[0];
    /* right: 1 .9 .9 .2; wrong: .5 .3 .4 .1: of 16 pairs 3 * 4 + 1 are in order */
    assert_near(s->auc.value, 13.0 / 16, 1e-15);
    assert_int_equal(s->n_rows, 8);
    assert_true(isinf(s->rows[0].x));
    assert_near(s->rows[2 * t.n_columns].x, 0.9, 0);
    assert_near(cell(&t, 2, "tpr")->value, 0.75, 0);
    assert_near(cell(&t, 2, "fpr")->value, 0, 0);
    assert_near(cell(&t, 7, "fpr")->value, 1, 0);
    /* Right ones only have no curve. */
    assert_int_equal(compute(RDV_SELFCHECK_FIG4, f, 2, arena, &t), RDV_OK);
    assert_int_equal(t.series[0].n_rows, 0);
    assert_nan(t.series[0].auc.value);
    rdv_arena_free(&arena);
}

/* A threshold of its own, fitted for the part that a chain is in, decides over the options'. */
static void test_table2__thresholds_of_parts(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fact f[8];
    rdv_recipe_table t;
    size_t n = four_questions(f);
    for (size_t i = 0; i < n; i++) {
        f[i].fitted = true;
        f[i].threshold = i < 4 ? 0.7 : 0.15;
    }
    assert_int_equal(compute(RDV_SELFCHECK_TABLE2, f, n, arena, &t), RDV_OK);
    assert_near(cell(&t, 0, "tpr")->value, 1, 0);
    assert_near(cell(&t, 0, "tnr")->value, 0.5, 0); /* .5 < .7 and .1 < .15 are rejected */
    f[7].threshold = 0;                             /* a threshold that was fitted may be 0 */
    assert_int_equal(compute(RDV_SELFCHECK_TABLE2, f, n, arena, &t), RDV_OK);
    assert_near(cell(&t, 0, "tnr")->value, 0.25, 0);
    rdv_arena_free(&arena);
}

/* Rows by check and by makers; what nobody checked is left out. */
static void test_series__by_check_and_makers(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_fact self[8], other[8], none[8];
    size_t n = four_questions(self), by[8] = {0, 0, 1, 1, 0, 0, 1, 1};
    four_questions(other);
    four_questions(none);
    for (size_t i = 0; i < n; i++) {
        none[i].checked = false;
        other[i].checked = by[i] == 1;
    }
    const rdv_makers makers[] = {{RDV_STR("g1"), RDV_STR("c")}, {RDV_STR("g2"), RDV_STR("c")}};
    const rdv_recipe_check checks[] = {{RDV_STR("selfcheck"), self, by, n},
                                       {RDV_STR("global"), none, by, n},
                                       {RDV_STR("error-check"), other, by, n}};
    rdv_recipe_input input = {.checks = checks, .n_checks = 3, .makers = makers, .n_makers = 2};
    rdv_recipe_table t;
    assert_int_equal(rdv_recipe_compute(RDV_SELFCHECK_FIG6, &input, arena, &t, NULL), RDV_OK);
    assert_int_equal(t.n_series, 3);
    assert_text(t.series[0].makers.generator, "g1");
    assert_text(t.series[1].makers.generator, "g2");
    assert_text(t.series[2].check, "error-check");
    assert_text(t.series[2].makers.generator, "g2");
    assert_int_equal(t.series[1].questions, 2);
    input.checks = &checks[1];
    input.n_checks = 1;
    assert_int_equal(rdv_recipe_compute(RDV_SELFCHECK_FIG6, &input, arena, &t, NULL), RDV_NONE);
    rdv_arena_free(&arena);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < RDV_N_RECIPES; i++) {
        const char *about = NULL;
        rdv_recipe_is is;
        rdv_str name = rdv_str_of(rdv_recipe_name((rdv_recipe_is)i, &about));
        assert_int_equal(rdv_recipe_named(name, &is), RDV_OK);
        assert_int_equal(is, i);
        assert_non_null(about);
        assert_string_equal(rdv_recipe_method(is, 0), "selfcheck");
    }
    rdv_recipe_is is;
    assert_int_equal(rdv_recipe_named(RDV_STR("table1"), &is), RDV_NONE);
    assert_string_equal(rdv_recipe_method(RDV_SELFCHECK_TABLE2, 4), "error-check-1shot");
    assert_null(rdv_recipe_method(RDV_SELFCHECK_TABLE2, 5));
    assert_null(rdv_recipe_method(RDV_SELFCHECK_FIG2, 9));
}

/* One recipe of each shape. */
static bool shapes_work(rdv_arena *arena)
{
    static const rdv_recipe_is shapes[] = {RDV_SELFCHECK_TABLE1, RDV_SELFCHECK_TABLE2,
                                           RDV_SELFCHECK_FIG4};
    rdv_fact f[8];
    rdv_recipe_table t;
    size_t n = four_questions(f);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (compute(shapes[i], f, n, arena, &t) != RDV_OK)
            return false;
    }
    return true;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(shapes_work(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table1__by_hand),
        cmocka_unit_test(test_unchecked__is_left_out),
        cmocka_unit_test(test_thresholds__by_hand),
        cmocka_unit_test(test_roc__by_hand),
        cmocka_unit_test(test_table2__thresholds_of_parts),
        cmocka_unit_test(test_series__by_check_and_makers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
