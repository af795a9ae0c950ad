/* SPDX-License-Identifier: Apache-2.0 */
/* The table of readings, and that docs/calculations.md has the same rows. */
#include "expression/reading.h"

#include "../test.h"
#include "../text/golden.h"
#include "base/arena.h"
#include "base/str.h"

#define HEADING                                                                                    \
    "| written | usual (all must hold) | unusual (saves from *wrong*, never makes *right*) |"

static rdv_str documented_row(const reading *row, rdv_arena *arena)
{
    rdv_str text = rdv_str_printf(arena, "| %s | %s | %s |", row->written, row->usual,
                                  row->unusual ? row->unusual : "\xe2\x80\x93");
    assert_non_null(text.p);
    return text;
}

/* Does the table have a row with this text? */
static bool has_row(rdv_str line, rdv_arena *arena)
{
    size_t n;
    const reading *rows = readings_all(&n);
    for (size_t i = 0; i < n; i++)
        if (rows[i].written && rdv_str_eq(line, documented_row(&rows[i], arena)))
            return true;
    return false;
}

/* What stands in the page below the heading, up to the first line that is no row. */
static rdv_str documented_table(rdv_arena *arena)
{
    rdv_str page = golden_text("../../docs/calculations.md", arena);
    size_t begin = rdv_find(page, RDV_STR(HEADING "\n| --- | --- | --- |\n"), 0);
    if (begin == RDV_NOT_FOUND)
        fail_msg("docs/calculations.md has no table with the heading %s", HEADING);
    rdv_str rest = rdv_slice(page, begin, page.len), line;
    size_t end = 0;
    while (rdv_next_line(&rest, &line) && rdv_starts(line, RDV_STR("|")))
        end += line.len + 1;
    return rdv_slice(page, begin, begin + end);
}

static void test_table__is_that_of_the_documentation(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    size_t n, n_lines = 0, n_rows = 0;
    const reading *rows = readings_all(&n);
    rdv_str table = documented_table(arena), line;
    for (size_t i = 0; i < n; i++) {
        if (!rows[i].written)
            continue;
        rdv_str row = documented_row(&rows[i], arena);
        n_rows++;
        if (rdv_find(table, row, 0) == RDV_NOT_FOUND)
            fail_msg("docs/calculations.md lacks %.*s", RDV_FMT(row));
    }
    while (rdv_next_line(&table, &line)) {
        bool head = rdv_str_eq(line, RDV_STR(HEADING)) || rdv_starts(line, RDV_STR("| ---"));
        if (!head && !has_row(line, arena))
            fail_msg("src/expression/reading.c lacks %.*s", RDV_FMT(line));
        n_lines += !head;
    }
    assert_int_equal(n_lines, n_rows);
    rdv_arena_free(&arena);
}

static void test_table__a_bit_has_one_row_and_words(void **state)
{
    (void)state;
    size_t n;
    unsigned seen = 0;
    const reading *rows = readings_all(&n);
    for (size_t i = 0; i < n; i++) {
        bool two_ways = rows[i].is == READING_INSTEAD || rows[i].is == READING_BOTH;
        assert_int_equal(seen & rows[i].bit, 0);
        assert_int_equal(rows[i].note != NULL, rows[i].bit != 0);
        assert_int_equal(rows[i].otherwise != NULL, two_ways);
        assert_int_equal(rows[i].usual != NULL, rows[i].written != NULL);
        seen |= rows[i].bit;
    }
}

/* A row that the page calls unusual saves from wrong; were it a derivation, it would make right. */
static void test_table__decides_as_it_is_documented(void **state)
{
    (void)state;
    size_t n;
    const reading *rows = readings_all(&n);
    for (size_t i = 0; i < n; i++) {
        if (!rows[i].written)
            continue;
        if (rows[i].is == READING_DERIVED || (rows[i].is == READING_BOTH) != !rows[i].unusual)
            fail_msg("%s is not of the kind that its columns say", rows[i].written);
    }
}

static void test_readings_that_are__of_a_kind(void **state)
{
    (void)state;
    unsigned offered =
        READ_UNITS | READ_LEFT_TO_RIGHT | READ_ASIDE | READ_IMPLICIT_FIRST | READ_PERCENT_OF_LEFT;
    assert_int_equal(readings_that_are(offered, READING_DERIVED), READ_UNITS);
    assert_int_equal(readings_that_are(offered, READING_UNUSUAL), READ_LEFT_TO_RIGHT | READ_ASIDE);
    assert_int_equal(readings_that_are(offered, READING_INSTEAD), READ_PERCENT_OF_LEFT);
    assert_int_equal(readings_that_are(offered, READING_BOTH), READ_IMPLICIT_FIRST);
    assert_int_equal(readings_that_are(READ_UNITS, READING_BOTH), 0);
    assert_int_equal(readings_that_are(READ_LITERALLY, READING_UNUSUAL), 0);
}

static void test_reading_note__of_the_first_in_the_table(void **state)
{
    (void)state;
    assert_null(reading_note(READ_LITERALLY));
    assert_string_equal(reading_note(READ_NEGATIVE_BASE),
                        "the power read as of the negative number");
    assert_string_equal(reading_note(READ_UNITS | READ_NEGATIVE_BASE), "units converted");
    assert_string_equal(reading_note(READ_ASIDE | READ_LEFT_TO_RIGHT),
                        "the divisions read from left to right");
}

static void test_reading_otherwise__of_what_replaces_the_literal_one(void **state)
{
    (void)state;
    assert_null(reading_otherwise(READ_LITERALLY));
    assert_null(reading_otherwise(READ_NEGATIVE_BASE));
    assert_string_equal(reading_otherwise(READ_PERCENT_OF_LEFT),
                        "the percentage read as hundredths of one");
    assert_string_equal(reading_otherwise(READ_IMPLICIT_FIRST | READ_ASIDE),
                        "the division read before the product without a sign");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table__is_that_of_the_documentation),
        cmocka_unit_test(test_table__a_bit_has_one_row_and_words),
        cmocka_unit_test(test_table__decides_as_it_is_documented),
        cmocka_unit_test(test_readings_that_are__of_a_kind),
        cmocka_unit_test(test_reading_note__of_the_first_in_the_table),
        cmocka_unit_test(test_reading_otherwise__of_what_replaces_the_literal_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
