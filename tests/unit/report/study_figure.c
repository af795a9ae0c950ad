/* SPDX-License-Identifier: Apache-2.0 */
/* Figures from tables: which rows are series, which are panels, and what happens without memory. */
#include "base/arena.h"
#include "base/str.h"
#include "report/study_figure.h"
#include "report/table_page.h"
#include "study/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const rdv_column columns[] = {
    COLUMN_PEOPLE("check", TEXT),       COLUMN_PEOPLE("generator", TEXT),
    COLUMN("n_chains", COUNT),          COLUMN("accuracy.majority", SHARE),
    COLUMN("accuracy.weighted", SHARE), COLUMN("gain.weighted", GAIN),
};

/* A table like that of Figure 6: `checks` checks by `makers` generators, at 1 to 3 chains. */
static rdv_study_table figure_6(rdv_arena *arena, size_t checks, size_t makers)
{
    rdv_study_table t = table_new(arena, "rows", COLUMNS_OF(columns));
    t.name = "selfcheck:fig6";
    t.summary = "accuracies";
    for (size_t check = 0; check < checks; check++)
        for (size_t maker = 0; maker < makers; maker++)
            for (size_t n = 1; n <= 3; n++)
                TABLE_ADD(&t, table_text(rdv_str_printf(arena, "check%zu", check)),
                          table_text(rdv_str_printf(arena, "<maker %zu>", maker)), table_count(n),
                          table_number(0.5), table_number(0.5 + 0.01 * (double)(n + check)),
                          n == 2 ? table_number(NAN) : table_number(0.1));
    assert_int_equal(table_close(&t, NULL), RDV_OK);
    return t;
}

static const rdv_figure_grid *figure_of(rdv_study_table *table, rdv_arena *arena)
{
    const rdv_study_tables tables = {table, 1};
    rdv_figure_grid *grids;
    size_t n;
    assert_int_equal(rdv_study_figures(&tables, arena, &grids, &n), RDV_OK);
    assert_int_equal(n, 1);
    return grids;
}

static void test_checks_share_a_panel_and_makers_do_not(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table table = figure_6(arena, 3, 2);
    const rdv_figure_grid *grid = figure_of(&table, arena);
    assert_int_equal(grid->n_panels, 4);
    assert_int_equal(grid->n_columns, 2);
    assert_true(rdv_str_eq(grid->panels[1].heading, RDV_STR("<maker 1>")));
    assert_int_equal(grid->panels[0].n_series, 4); /* the majority is the same for all checks */
    assert_true(rdv_str_eq(grid->panels[0].series[0].name, RDV_STR("majority")));
    assert_true(rdv_str_eq(grid->panels[0].series[1].name, RDV_STR("check0")));
    assert_int_equal(grid->panels[2].n_series, 3);
    rdv_arena_free(&arena);
}

static void test_nine_checks_have_panels_of_their_own(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table table = figure_6(arena, 9, 1);
    const rdv_figure_grid *grid = figure_of(&table, arena);
    assert_int_equal(grid->n_columns, 3);
    assert_int_equal(grid->n_panels, 9 * 2);
    rdv_arena_free(&arena);
}

static void test_too_many_panels_are_said(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table table = figure_6(arena, 1, 30);
    const rdv_figure_grid *grid = figure_of(&table, arena);
    assert_int_equal(grid->n_panels, 24 * 2);
    assert_true(rdv_find(rdv_str_of(grid->reading), RDV_STR("first 24 of 30"), 0) != RDV_NOT_FOUND);
    rdv_arena_free(&arena);
}

static void test_a_table_without_rows_or_entry_has_none(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_table some[] = {figure_6(arena, 0, 0), figure_6(arena, 1, 1)};
    const rdv_study_tables tables = {some, 2};
    rdv_figure_grid *grids;
    size_t n;
    some[1].name = "selfcheck:unknown";
    assert_int_equal(rdv_study_figures(&tables, arena, &grids, &n), RDV_OK);
    assert_int_equal(n, 0);
    rdv_arena_free(&arena);
}

/* Write the picture and the page with the `fail`-th allocation failing. */
static int draw(size_t fail, rdv_str *svg)
{
    rdv_arena *arena = rdv_arena_new(0), *pages = rdv_arena_new(0);
    rdv_study_table table = figure_6(arena, 2, 2);
    const rdv_study_tables tables = {&table, 1};
    const rdv_study_info info = {"selfcheck:fig6", "Fig. 6", "accuracies"};
    rdv_figure_grid *grids;
    rdv_buf b;
    size_t n;
    rdv_alloc_fail_at(fail);
    int code = rdv_study_figures(&tables, pages, &grids, &n);
    rdv_buf_init(&b, pages, 0);
    if (code == RDV_OK) {
        rdv_table_page page = {.info = &info, .figures = grids, .n_figures = n};
        rdv_figure_grid_svg(&grids[0], &b);
        rdv_figure_grid_csv(&grids[0], &b);
        rdv_table_csv(&table, &b);
        rdv_table_html(&page, &tables, &b);
        code = rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
    }
    rdv_alloc_fail_at(0);
    if (code == RDV_OK)
        svg->len = rdv_buf_str(&b).len;
    rdv_arena_free(&arena);
    rdv_arena_free(&pages);
    return code;
}

static void test_every_allocation_may_fail(void **state)
{
    rdv_str whole, left;
    int code = RDV_E_NOMEM;
    size_t fail = 1;
    assert_int_equal(draw(0, &whole), RDV_OK);
    for (; code != RDV_OK && fail < 10000; fail++) {
        code = draw(fail, &left);
        if (code != RDV_OK)
            assert_int_equal(code, RDV_E_NOMEM);
    }
    assert_int_equal(code, RDV_OK);
    assert_int_equal(left.len, whole.len);
    assert_true(fail > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks_share_a_panel_and_makers_do_not),
        cmocka_unit_test(test_nine_checks_have_panels_of_their_own),
        cmocka_unit_test(test_too_many_panels_are_said),
        cmocka_unit_test(test_a_table_without_rows_or_entry_has_none),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
