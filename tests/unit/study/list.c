/* SPDX-License-Identifier: Apache-2.0 */
/* The list of studies, and how tables are filled. */
#include "items.h"

static void test_list__names_are_found(void **state)
{
    (void)state;
    const rdv_study_info *info;
    size_t n = 0;
    for (; (info = rdv_study_at(n)); n++) {
        assert_ptr_equal(rdv_study_named(rdv_str_of(info->name)), info);
        assert_true(info->summary[0] && (info->section[0] || !strchr(info->name, ':')));
    }
    assert_true(n > 30);
    assert_null(rdv_study_named(RDV_STR("table1")));
}

static void test_new__refuses(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        rdv_study_options options;
    } bad[] = {
        {"selfcheck:table2", {.seed = 1}}, /* without a size */
        {"table1", {.size = sizeof(rdv_study_options)}},
        {"mistakes:table4", {.size = sizeof(rdv_study_options), .fit = true}},
        {"general:table1", {.size = sizeof(rdv_study_options), .fit = true, .parts = 2}},
        {"selfcheck:table1", {.size = sizeof(rdv_study_options), .weight = "something"}},
        {"selfcheck:table1",
         {.size = sizeof(rdv_study_options),
          .integrates = true,
          .integration = {.l1 = 0.2, .l0 = 0.5}}},
        {"general:table1",
         {.size = sizeof(rdv_study_options), .combination = {.verifiers = RDV_ALL_VERIFIERS}}},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rdv_study *study = NULL;
        rdv_error err = {0};
        assert_int_equal(
            rdv_study_new(rdv_str_of(bad[i].name), &bad[i].options, arena, &study, &err),
            RDV_E_ARGUMENT);
        assert_null(study);
        assert_true(err.msg[0]);
    }
    rdv_arena_free(&arena);
}

/* A simulation takes no chains, and passes those over that come. */
static void test_simulation__needs_no_chains(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *study = study_of(arena, "general:table6", NULL);
    rdv_study_tables tables;
    assert_int_equal(rdv_study_add(study, &(rdv_chain){.correct = -1}, arena, NULL), RDV_OK);
    assert_int_equal(rdv_study_finish(study, &tables, NULL), RDV_OK);
    assert_int_equal(tables.tables[0].n_rows, 8);
    assert_near(value_of(&tables.tables[0], 0, "score"), 0.19, 0.02);
    rdv_arena_free(&arena);
}

static const rdv_column columns[] = {COLUMN("name", TEXT), COLUMN("n", COUNT),
                                     COLUMN("share", SHARE)};

static void test_table__cells_know_what_they_hold(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table t = table_new(arena, "rows", COLUMNS_OF(columns));
    rdv_cell *row = table_row(&t);
    row[0] = table_text(RDV_STR("one"));
    row[1] = table_number(3);
    row[2] = table_absent("nobody looked");
    row = table_row(&t);
    row[2] = table_estimate((rdv_estimate){.value = 0.5, .se = 0.1, .n = 4});
    table_note_count(&t, 0, "chain", "left out");
    table_note_count(&t, 2, "chain", "left out");
    assert_int_equal(table_close(&t, NULL), RDV_OK);
    assert_int_equal(t.n_rows, 2);
    assert_int_equal(t.cells[0].kind, RDV_CELL_TEXT);
    assert_int_equal(t.cells[1].kind, RDV_CELL_COUNT);
    assert_int_equal(t.cells[2].kind, RDV_CELL_ABSENT);
    assert_text(t.cells[2].text, "nobody looked");
    assert_int_equal(t.cells[3].kind, RDV_CELL_ABSENT);
    assert_int_equal(t.cells[5].kind, RDV_CELL_SHARE);
    assert_int_equal(t.n_notes, 1);
    assert_text(t.notes[0], "2 chains left out");
    rdv_arena_free(&arena);
}

static void test_table__failure_sticks(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table t = table_new(arena, "rows", COLUMNS_OF(columns));
    rdv_alloc_fail_at(1);
    assert_null(table_row(&t));
    rdv_alloc_fail_at(0);
    assert_non_null(table_row(&t));
    assert_int_equal(table_close(&t, NULL), RDV_E_NOMEM);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list__names_are_found),
        cmocka_unit_test(test_new__refuses),
        cmocka_unit_test(test_simulation__needs_no_chains),
        cmocka_unit_test(test_table__cells_know_what_they_hold),
        cmocka_unit_test(test_table__failure_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
