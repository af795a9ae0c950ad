/* SPDX-License-Identifier: Apache-2.0 */
#include "report/votes.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* The whole table of these rows; RDV_OK or RDV_E_NOMEM. */
static int table_of(rdv_votes *votes, const rdv_votes_row *rows, size_t n, rdv_arena *arena,
                    rdv_buf *out)
{
    rdv_str text = {0};
    int code = RDV_OK;
    rdv_buf_init(out, arena, 0);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        code = rdv_votes_add(votes, &rows[i], arena, &text, NULL);
        rdv_buf_add(out, text);
    }
    if (code == RDV_OK)
        code = rdv_votes_end(votes, arena, &text, NULL);
    rdv_buf_add(out, text);
    return code == RDV_OK && !rdv_buf_ok(out) ? RDV_E_NOMEM : code;
}

static const rdv_votes_row rows[] = {
    {RDV_STR("q1"), 3, 3, {RDV_STR("6"), 0, false}, {RDV_STR("5"), 1, false}, true},
    {RDV_STR("q2"), 9, 4, {{0}, 0, false}, {RDV_STR("7"), -1, true}, true},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static void test_votes__table(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_votes votes = {.chosen_by = "confidence", .options = {.width = 90}};
    rdv_buf out;
    (void)state;
    assert_int_equal(table_of(&votes, rows, N_ROWS, arena, &out), RDV_OK);
    assert_string_equal(
        rdv_cstring(arena, rdv_buf_str(&out)),
        "question                chains      by majority           by confidence\n"
        "q1                      3           6 WRONG               5 right               "
        "\xe2\x86\x90 turned\n"
        "q2                      4 of 9      no answer             7 tied                "
        "\xe2\x86\x90 changed\n"
        "\n"
        "right: 0 of 1 by majority, 1 by confidence (1 turned to right, 0 to wrong)\n"
        "right, WRONG: beside the gold answer\n"
        "\xe2\x86\x90 turned: the choice by confidence is right where the majority is wrong, or "
        "the other way\n  round\n"
        "\xe2\x86\x90 changed: another answer than the majority's, with the same result or with no "
        "gold answer\n"
        "tied: it shares the first place; of those the answer that came first is shown\n");
    rdv_arena_free(&arena);
}

/* In every width the columns stay apart and a long answer that is tied and wrong is cut. */
static void test_votes__every_width(void **state)
{
    static const char text[] = "an answer that is longer than the column it is put into";
    const rdv_votes_side side = {rdv_str_of(text), 0, true};
    const rdv_votes_row row = {rdv_str_of(text), 10, 2, side, side, true};
    (void)state;
    for (size_t width = 30; width <= 120; width++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_votes votes = {.chosen_by = "confidence", .options = {.width = width, .ascii = true}};
        rdv_buf out;
        assert_int_equal(table_of(&votes, &row, 1, arena, &out), RDV_OK);
        const char *table = rdv_cstring(arena, rdv_buf_str(&out));
        assert_null(strstr(table, "majorityby"));
        const char *first = strstr(table, "... tied WRONG");
        assert_non_null(first);
        assert_non_null(strstr(first + 1, "... tied WRONG"));
        for (const char *end; (end = strchr(table, '\n')); table = end + 1)
            assert_true((size_t)(end - table) <= width);
        rdv_arena_free(&arena);
    }
}

static void test_votes__nothing(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_votes votes = {.chosen_by = "confidence"};
    rdv_buf out;
    (void)state;
    assert_int_equal(table_of(&votes, NULL, 0, arena, &out), RDV_OK);
    assert_int_equal(rdv_buf_str(&out).len, 0);
    rdv_arena_free(&arena);
}

static void test_votes__every_allocation_may_fail(void **state)
{
    int code = RDV_E_NOMEM;
    size_t n = 1;
    (void)state;
    for (; code != RDV_OK && n < 1000; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_votes votes = {.chosen_by = "confidence", .options = {.width = n % 2 ? 90 : 30}};
        rdv_buf out;
        rdv_alloc_fail_at(n);
        code = table_of(&votes, rows, N_ROWS, arena, &out);
        rdv_alloc_fail_at(0);
        rdv_arena_free(&arena);
    }
    assert_int_equal(code, RDV_OK);
    assert_true(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes__table),
        cmocka_unit_test(test_votes__every_width),
        cmocka_unit_test(test_votes__nothing),
        cmocka_unit_test(test_votes__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
