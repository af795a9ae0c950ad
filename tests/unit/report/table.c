/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/arena.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static const char *const heads[] = {"name", ">n", "note"};

static void test_table__aligns_by_characters(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_table *table = rdv_table_new(arena, heads, 3);
    rdv_table_cell(table, RDV_STR("\xc3\xa4pfel"));
    rdv_table_cellf(table, "%d", 7);
    rdv_table_cell(table, RDV_STR("ok"));
    rdv_table_cell(table, RDV_STR("x"));
    rdv_table_cellf(table, "%d", 1234);
    rdv_str out;
    assert_int_equal(rdv_table_print(table, &(rdv_view_options){.ascii = true}, &out, NULL), 0);
    assert_string_equal(rdv_cstring(arena, out), "name      n  note\n"
                                                 "-----  ----  ----\n"
                                                 "\xc3\xa4pfel     7  ok\n"
                                                 "x      1234\n");
    rdv_arena_free(&arena);
}

static void test_table__hostile_cells_stay_in_their_line(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_table *table = rdv_table_new(arena, heads, 3);
    rdv_table_cell(table, RDV_STR("a\nb\x1b[0m"));
    rdv_str out;
    assert_int_equal(rdv_table_print(table, &(rdv_view_options){.ascii = true}, &out, NULL), 0);
    assert_true(rdv_find(out, RDV_STR("a\\x0ab\\x1b[0m\n"), 0) != RDV_NOT_FOUND);
    rdv_arena_free(&arena);
}

static void test_table__failure_sticks(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_table *table = rdv_table_new(arena, heads, 3);
    rdv_alloc_fail_at(1);
    rdv_table_cell(table, RDV_STR("lost"));
    rdv_alloc_fail_at(0);
    rdv_str out = {0};
    assert_int_equal(rdv_table_print(table, NULL, &out, NULL), RDV_E_NOMEM);
    assert_null(out.p);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table__aligns_by_characters),
        cmocka_unit_test(test_table__hostile_cells_stay_in_their_line),
        cmocka_unit_test(test_table__failure_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
