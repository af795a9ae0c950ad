/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the third paper: rows, drawing, means; and without memory. (Their figures are held
 * to a second computation by tests/integration/mistake_tables.py.) */
#include <rederive/mistakes.h>

#include "../test.h"

#include <math.h>
#include <stdio.h>

static rdv_str steps[3] = {{"a", 1}, {"b", 1}, {"c", 1}};
static int8_t good[3] = {1, 1, 1}, bad[3] = {1, 0, 0};
static rdv_step_labels marks[2] = {{{"p", 1}, {"correct", 7}, good, 3},
                                   {{"q", 1}, {"correct", 7}, bad, 3}};

/* Trace `i` of a task, right or not, its label found by a check or not. */
static int add(rdv_mistakes *m, const char *task, size_t i, bool right, bool found, rdv_error *err)
{
    char id[32];
    int len = snprintf(id, sizeof id, "%s/%zu", task, i);
    rdv_verdict verdicts[3] = {{.step = 0, .is = RDV_SUPPORT, .score = 1},
                               {.step = 1, .is = found ? RDV_CONTRADICT : RDV_SUPPORT},
                               {.step = 2, .is = RDV_SUPPORT, .score = 1}};
    verdicts[1].score = !found;
    rdv_check check = {.method = RDV_STR("m"),
                       .verdicts = verdicts,
                       .n_verdicts = 3,
                       .confidence = 0.5,
                       .first_error = found ? 1 : RDV_NO_STEP};
    rdv_chain chain = {.id = {id, (size_t)len},
                       .question = {.text = {id, (size_t)len}},
                       .steps = steps,
                       .n_steps = 3,
                       .label = {RDV_LABEL_AT, 1},
                       .step_labels = marks,
                       .n_step_labels = 2,
                       .checks = &check,
                       .n_checks = 1};
    rdv_trace trace = {
        .task = rdv_str_of(task), .chain = &chain, .right = right, .right_before = -1};
    int r = rdv_mistakes_add(m, &trace, err);
    trace.locator = RDV_STR("simulated:0.5");
    trace.right = !right;
    trace.right_before = right;
    trace.calls = 9;
    return r == RDV_OK ? rdv_mistakes_add(m, &trace, err) : r;
}

static int fill(rdv_mistakes *m, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < 20 && r == RDV_OK; i++)
        r = add(m, "even", i, i % 2, i < 15, err);
    for (size_t i = 0; i < 10 && r == RDV_OK; i++)
        r = add(m, "hard", i, i == 0, i < 3, err);
    return r;
}

static rdv_mistakes_table table_of(rdv_mistakes *m, rdv_mistakes_is is)
{
    rdv_mistakes_table table;
    assert_int_equal(rdv_mistakes_compute(m, is, &table, NULL), RDV_OK);
    return table;
}

static void test_names(void **state)
{
    for (int i = 0; i < RDV_N_MISTAKES; i++) {
        rdv_mistakes_is is;
        const char *about;
        const char *name = rdv_mistakes_name((rdv_mistakes_is)i, &about);
        assert_int_equal(rdv_mistakes_named(rdv_str_of(name), &is), RDV_OK);
        assert_true(is == (rdv_mistakes_is)i && about[0]);
    }
    rdv_mistakes_is is;
    assert_int_equal(rdv_mistakes_named(RDV_STR("mistakes:table1"), &is), RDV_NONE);
}

/* 10 of 20 are right: of those one is drawn (10 * 15 / 85), and no more. */
static void test_rows__whole_drawn_and_mean(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_mistakes *m = rdv_mistakes_new(arena, 1);
    assert_int_equal(fill(m, NULL), RDV_OK);
    rdv_mistakes_table counts = table_of(m, RDV_MISTAKES_TABLE2);
    assert_int_equal(counts.n_rows, 3);
    assert_true(counts.rows[0].cells[0].x == 10 && counts.rows[0].cells[1].x == 10);
    assert_true(counts.rows[1].drawn && counts.rows[1].cells[0].x == 1);
    assert_true(counts.rows[1].cells[1].x == 10 && counts.rows[2].cells[3].x == 10);
    rdv_mistakes_table located = table_of(m, RDV_MISTAKES_TABLE4);
    assert_int_equal(located.n_rows, 5);
    assert_true(located.rows[0].cells[0].is.value == 0.75);
    assert_true(located.rows[2].cells[0].is.value == 0.3);
    assert_true(!located.rows[3].task.p && !located.rows[3].drawn);
    assert_true(fabs(located.rows[3].cells[0].is.value - 0.525) < 1e-12);
    double a = located.rows[0].cells[0].is.se, b = located.rows[2].cells[0].is.se;
    assert_true(fabs(located.rows[3].cells[0].is.se - sqrt(a * a + b * b) / 2) < 1e-12);
    assert_true(located.rows[4].drawn);
    rdv_arena_free(&arena);
}

static void test_repairs__each_answer_was_turned(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_mistakes *m = rdv_mistakes_new(arena, 1);
    assert_int_equal(fill(m, NULL), RDV_OK);
    rdv_mistakes_table table = table_of(m, RDV_MISTAKES_TABLE6);
    assert_true(table.rows[0].cells[0].is.value == -1 && table.rows[0].cells[1].is.value == 1);
    assert_true(table.rows[0].cells[5].x == 9);
    assert_true(table_of(m, RDV_MISTAKES_FIG2).rows[0].cells[0].x == 0.5);
    rdv_arena_free(&arena);
}

static void test_compute__nothing(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_mistakes *m = rdv_mistakes_new(arena, 1);
    for (int i = 0; i < RDV_N_MISTAKES; i++) {
        rdv_mistakes_table table;
        rdv_error err = {0};
        assert_int_equal(rdv_mistakes_compute(m, (rdv_mistakes_is)i, &table, &err), RDV_NONE);
        assert_non_null(strstr(err.msg, "needs"));
    }
    rdv_arena_free(&arena);
}

static void test_add__too_many_tasks(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_mistakes *m = rdv_mistakes_new(arena, 1);
    int r = RDV_OK;
    size_t i;
    for (i = 0; i < 5000 && r == RDV_OK; i++) {
        char task[16];
        snprintf(task, sizeof task, "t%zu", i);
        r = add(m, task, 0, true, true, NULL);
    }
    assert_int_equal(r, RDV_E_LIMIT);
    assert_int_equal(i, 4097);
    rdv_arena_free(&arena);
}

static bool runs(void)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_mistakes *m = rdv_mistakes_new(arena, 1);
    int r = m ? RDV_OK : RDV_E_NOMEM;
    for (size_t i = 0; i < 6 && r == RDV_OK; i++)
        r = add(m, i < 4 ? "even" : "hard", i, i % 2, i < 3, &err);
    for (int i = 0; i < RDV_N_MISTAKES && r == RDV_OK; i++) {
        rdv_mistakes_table table;
        r = rdv_mistakes_compute(m, (rdv_mistakes_is)i, &table, &err);
    }
    if (r != RDV_OK)
        assert_int_equal(r, RDV_E_NOMEM);
    rdv_arena_free(&arena);
    return r == RDV_OK;
}

static void test_tables__no_memory(void **state)
{
    assert_survives_no_memory(runs(), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_rows__whole_drawn_and_mean),
        cmocka_unit_test(test_repairs__each_answer_was_turned),
        cmocka_unit_test(test_compute__nothing),
        cmocka_unit_test(test_add__too_many_tasks),
        cmocka_unit_test(test_tables__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
