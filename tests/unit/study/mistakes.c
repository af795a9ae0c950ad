/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the third paper: rows, drawing, means; and without memory. (Their figures are held
 * to a second computation by tests/integration/mistake_tables.py.) */
#include "items.h"

#include "score/estimate.h"
#include "study/traces.h"

#include <stdio.h>

static rdv_str steps[3] = {{"a", 1}, {"b", 1}, {"c", 1}};
static int8_t good[3] = {1, 1, 1}, bad[3] = {1, 0, 0};
static rdv_step_labels marks[2] = {{{"p", 1}, {"correct", 7}, good, 3},
                                   {{"q", 1}, {"correct", 7}, bad, 3}};

/* Trace `i` of a task, right or not, its label found by a check or not; and as it was repaired,
 * which turned its answer. */
static int add(rdv_study *m, const char *task, size_t i, bool right, bool found, rdv_error *err)
{
    char id[32], raw[256];
    int len = snprintf(id, sizeof id, "%s/%zu", task, i);
    rdv_verdict verdicts[3] = {{.step = 0, .kind = RDV_SUPPORT, .score = 1},
                               {.step = 1, .kind = found ? RDV_CONTRADICT : RDV_SUPPORT},
                               {.step = 2, .kind = RDV_SUPPORT, .score = 1}};
    verdicts[1].score = !found;
    rdv_check check = {.method = RDV_STR("m"),
                       .verdicts = verdicts,
                       .n_verdicts = 3,
                       .confidence = 0.5,
                       .first_error = found ? 1 : RDV_NO_STEP};
    rdv_chain chain = {.id = {id, (size_t)len},
                       .question = {.text = {id, (size_t)len}, .gold = RDV_STR("yes")},
                       .answer = right ? RDV_STR("yes") : RDV_STR("no"),
                       .correct = -1,
                       .steps = steps,
                       .n_steps = 3,
                       .label = {RDV_LABEL_AT, 1},
                       .step_labels = marks,
                       .n_step_labels = 2,
                       .checks = &check,
                       .n_checks = 1};
    rdv_arena *scratch = rdv_arena_new(0);
    int r = scratch ? rdv_study_add(m, &chain, scratch, err) : RDV_E_NOMEM;
    snprintf(raw, sizeof raw,
             "{\"repair\":{\"locator\":\"simulated:0.5\",\"answer_before\":\"%s\","
             "\"n_calls\":9}}",
             right ? "yes" : "no");
    chain.raw = rdv_str_of(raw);
    chain.answer = right ? RDV_STR("no") : RDV_STR("yes");
    if (r == RDV_OK)
        r = rdv_study_add(m, &chain, scratch, err);
    rdv_arena_free(&scratch);
    return r;
}

static int fill(rdv_study *m, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < 20 && r == RDV_OK; i++)
        r = add(m, "dyck_languages", i, i % 2, i < 15, err);
    for (size_t i = 0; i < 10 && r == RDV_OK; i++)
        r = add(m, "hard", i, i == 0, i < 3, err);
    return r;
}

static rdv_study *new_study(rdv_arena *arena, const char *name)
{
    return study_of(arena, name,
                    &(rdv_study_options){.size = sizeof(rdv_study_options), .seed = 1});
}

static rdv_study_table table_of(rdv_arena *arena, const char *name)
{
    rdv_study *m = new_study(arena, name);
    rdv_study_tables tables;
    assert_int_equal(fill(m, NULL), RDV_OK);
    assert_int_equal(rdv_study_finish(m, &tables, NULL), RDV_OK);
    return tables.tables[0];
}

static bool is_drawn(const rdv_study_table *table, size_t row)
{
    return value_of(table, row, "subsampled") > 0;
}

/* 10 of 20 are right: of those one is drawn (10 * 15 / 85), and no more. */
static void test_rows__whole_drawn_and_mean(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table counts = table_of(arena, "mistakes:table2");
    assert_int_equal(counts.n_rows, 3);
    assert_near(value_of(&counts, 0, "n_correct"), 10, 0);
    assert_near(value_of(&counts, 0, "n_incorrect"), 10, 0);
    assert_true(is_drawn(&counts, 1));
    assert_near(value_of(&counts, 1, "n_correct"), 1, 0);
    assert_near(value_of(&counts, 1, "n_incorrect"), 10, 0);
    assert_near(value_of(&counts, 2, "n_traces"), 10, 0);
    rdv_study_table located = table_of(arena, "mistakes:table4");
    assert_int_equal(located.n_rows, 5);
    assert_near(value_of(&located, 0, "location"), 0.75, 0);
    assert_near(value_of(&located, 2, "location"), 0.3, 0);
    assert_int_equal(cell_of(&located, 3, "task")->kind, RDV_CELL_ABSENT);
    assert_false(is_drawn(&located, 3));
    assert_near(value_of(&located, 3, "location"), 0.525, 1e-12);
    double a = cell_of(&located, 0, "location")->is.se, b = cell_of(&located, 2, "location")->is.se;
    assert_near(cell_of(&located, 3, "location")->is.se, sqrt(a * a + b * b) / 2, 1e-12);
    assert_true(is_drawn(&located, 4));
    rdv_arena_free(&arena);
}

static void test_repairs__each_answer_was_turned(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table table = table_of(arena, "mistakes:table6");
    assert_near(value_of(&table, 0, "delta.correct"), -1, 0);
    assert_near(value_of(&table, 0, "delta.incorrect"), 1, 0);
    assert_near(value_of(&table, 0, "mean_calls"), 9, 0);
    table = table_of(arena, "mistakes:fig2");
    assert_near(value_of(&table, 0, "accuracy"), 0.5, 0);
    rdv_arena_free(&arena);
}

/* The name of the `i`-th table of the paper that is computed from chains, or NULL past the last. */
static const char *name_at(size_t i)
{
    const rdv_study_info *info;
    for (size_t k = 0; (info = rdv_study_at(k)); k++)
        if (strncmp(info->name, "mistakes:", 9) == 0 && !info->reports && i-- == 0)
            return info->name;
    return NULL;
}

static void test_compute__nothing(void **state)
{
    (void)state;
    const char *name;
    size_t i = 0;
    rdv_arena *arena = rdv_arena_new(0);
    for (; (name = name_at(i)); i++) {
        rdv_study_tables tables;
        rdv_error err = {0};
        assert_int_equal(rdv_study_finish(new_study(arena, name), &tables, &err), RDV_NONE);
        assert_non_null(strstr(err.msg, "needs"));
    }
    assert_int_equal(i, 9);
    rdv_arena_free(&arena);
}

static void test_add__too_many_tasks(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *m = new_study(arena, "mistakes:table2");
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

static bool runs(const char *name)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *m = arena ? new_study(arena, name) : NULL;
    rdv_study_tables tables;
    int r = m ? RDV_OK : RDV_E_NOMEM;
    for (size_t i = 0; i < 6 && r == RDV_OK; i++)
        r = add(m, i < 4 ? "even" : "hard", i, i % 2, i < 3, NULL);
    if (r == RDV_OK)
        r = rdv_study_finish(m, &tables, NULL);
    if (r != RDV_OK)
        assert_int_equal(r, RDV_E_NOMEM);
    rdv_arena_free(&arena);
    return r == RDV_OK;
}

/* What nothing was measured of has no projection. */
static void test_projected__only_where_both_were_measured(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table table;
    rdv_cell labels[8] = {0};
    const rdv_estimate none = rdv_estimate_none(0), half = rdv_estimate_unit(0.5, 0.1, 10, 10);
    projected_begin(&table, arena);
    projected_add(&table, labels, RDV_STR("a"), &none, &half);
    projected_add(&table, labels, RDV_STR("b"), &half, &none);
    assert_int_equal(table.n_rows, 0);
    projected_add(&table, labels, RDV_STR("c"), &half, &half);
    assert_int_equal(table.n_rows, 1);
    rdv_arena_free(&arena);
}

static void test_tables__no_memory(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = name_at(i)); i++)
        assert_survives_no_memory(runs(name), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows__whole_drawn_and_mean),
        cmocka_unit_test(test_repairs__each_answer_was_turned),
        cmocka_unit_test(test_compute__nothing),
        cmocka_unit_test(test_add__too_many_tasks),
        cmocka_unit_test(test_projected__only_where_both_were_measured),
        cmocka_unit_test(test_tables__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
