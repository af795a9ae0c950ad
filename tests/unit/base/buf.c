/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/buf.h"

#include <stdio.h>

static int make_arena(void **state)
{
    *state = rdv_arena_new(0);
    return *state ? 0 : -1;
}

static int drop_arena(void **state)
{
    rdv_arena *arena = *state;
    rdv_arena_free(&arena);
    return 0;
}

static void test_add__joins_pieces(void **state)
{
    rdv_buf b;
    rdv_buf_init(&b, *state, 0);
    assert_text(rdv_buf_str(&b), ""); /* empty, not absent */
    rdv_buf_lit(&b, "a");
    rdv_buf_add(&b, (rdv_str){0});
    rdv_buf_add_char(&b, '\0');
    rdv_buf_printf(&b, "%d-%s", 42, "z");
    rdv_buf_printf(&b, "%s", "");
    assert_true(rdv_buf_ok(&b));
    assert_text(rdv_buf_str(&b), "a\0"
                                 "42-z");
}

static void test_add__keeps_order_over_many_growths(void **state)
{
    rdv_buf b;
    rdv_buf_init(&b, *state, 0);
    for (int i = 0; i < 10000; i++) {
        rdv_buf_printf(&b, "%04d", i);
        assert_non_null(rdv_alloc(*state, 1)); /* so that it cannot grow in place */
    }
    rdv_str all = rdv_buf_str(&b);
    assert_int_equal(all.len, 40000);
    assert_text(rdv_slice(all, 0, 8), "00000001");
    assert_text(rdv_slice(all, 39996, 40000), "9999");
}

static void test_add__its_own_text(void **state)
{
    rdv_buf b;
    rdv_buf_init(&b, *state, 0);
    rdv_buf_lit(&b, "ab");
    for (int i = 0; i < 10; i++)
        rdv_buf_add(&b, rdv_buf_str(&b));
    assert_int_equal(rdv_buf_str(&b).len, 2048);
    assert_text(rdv_slice(rdv_buf_str(&b), 2044, 2048), "abab");
}

static void test_max__is_exact_for_both_ways(void **state)
{
    rdv_buf b;
    rdv_buf_init(&b, *state, 5);
    rdv_buf_lit(&b, "hello");
    assert_true(rdv_buf_ok(&b));
    rdv_buf_lit(&b, "!");
    assert_false(rdv_buf_ok(&b));

    rdv_buf_init(&b, *state, 5);
    rdv_buf_printf(&b, "%s", "hello"); /* the terminator that printf wants does not count */
    assert_true(rdv_buf_ok(&b));
    assert_text(rdv_buf_str(&b), "hello");
    rdv_buf_printf(&b, "%c", '!');
    assert_false(rdv_buf_ok(&b));
}

static void test_failure__sticks_until_cleared(void **state)
{
    rdv_buf b;
    rdv_buf_init(&b, *state, 3);
    rdv_buf_lit(&b, "abcd");
    rdv_buf_lit(&b, "e");
    rdv_buf_printf(&b, "%s", "f");
    assert_false(rdv_buf_ok(&b));
    assert_null(rdv_buf_str(&b).p);
    rdv_buf_clear(&b);
    rdv_buf_lit(&b, "abc");
    assert_text(rdv_buf_str(&b), "abc");
}

/* Formats of texts and sizes alone are printed without vsnprintf(). */
#define assert_printed_as_by_printf(b, ...)                                                        \
    do {                                                                                           \
        char expected[200];                                                                        \
        int n = snprintf(expected, sizeof expected, __VA_ARGS__);                                  \
        rdv_buf_clear(&b);                                                                         \
        rdv_buf_printf(&b, __VA_ARGS__);                                                           \
        assert_true(rdv_str_eq(rdv_buf_str(&b), (rdv_str){expected, (size_t)n}));                  \
    } while (0)

static void test_printf__as_the_c_library(void **state)
{
    rdv_buf b;
    rdv_str text = RDV_STR("text"), none = {0};
    rdv_buf_init(&b, *state, 0);
    assert_printed_as_by_printf(b, "no conversion");
    assert_printed_as_by_printf(b, "%s", "");
    assert_printed_as_by_printf(b, "<%s>%zu</%s>", "a", (size_t)10, "b");
    assert_printed_as_by_printf(b, "%zu %zu", (size_t)0, SIZE_MAX);
    assert_printed_as_by_printf(b, "%.*s|%.*s|%.*s", 2, "text", RDV_FMT(text), RDV_FMT(none));
    assert_printed_as_by_printf(b, "%.*s", -1, "text");
    assert_printed_as_by_printf(b, "%.*s", 3, "a\0b");
    assert_printed_as_by_printf(b, "%s is %d %% of %zu, %.1f", "it", -5, (size_t)7, 0.25);
    assert_printed_as_by_printf(b, "%5s|%-5s|%.2s|%5zu", "a", "b", "cde", (size_t)3);
}

static bool write_much(rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (int i = 0; i < 1000; i++) {
        rdv_buf_lit(&b, "0123456789");
        rdv_buf_printf(&b, "%d", i);
    }
    bool ok = rdv_buf_ok(&b);
    assert_int_equal(ok, rdv_buf_str(&b).p != NULL);
    return ok;
}

static void test_no_memory__fails_and_says_so(void **state)
{
    assert_survives_no_memory(write_much(*state), rdv_arena_reset(*state));
}

static void test_add_lines(void **state)
{
    rdv_str texts[] = {RDV_STR("a"), RDV_STR(""), RDV_STR("b")};
    rdv_buf b;
    rdv_buf_init(&b, *state, 0);
    rdv_buf_add_lines(&b, texts, 0);
    assert_int_equal(b.len, 0);
    rdv_buf_add_lines(&b, texts, 3);
    assert_true(rdv_str_eq(rdv_buf_str(&b), RDV_STR("a\n\nb")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_add__joins_pieces, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(test_add_lines, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(test_add__keeps_order_over_many_growths, make_arena,
                                        drop_arena),
        cmocka_unit_test_setup_teardown(test_printf__as_the_c_library, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(test_add__its_own_text, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(test_max__is_exact_for_both_ways, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(test_failure__sticks_until_cleared, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(test_no_memory__fails_and_says_so, make_arena, drop_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
