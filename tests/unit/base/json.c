/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/json.h"
#include "base/rng.h"

#include <float.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rdv_str text_of(rdv_arena *arena, rdv_str s)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_json_text(&b, s);
    return rdv_buf_str(&b);
}

static rdv_str number_of(rdv_arena *arena, double x)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_json_number(&b, x);
    return rdv_buf_str(&b);
}

static void test_text__escapes(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    static const struct {
        rdv_str in;
        const char *out;
    } cases[] = {
        {{0}, "null"},
        {{"", 0}, "\"\""},
        {{"plain <b>&", 10}, "\"plain <b>&\""},
        {{"\"\\/", 3}, "\"\\\"\\\\/\""},
        {{"\n\r\t\b", 4}, "\"\\n\\r\\t\\u0008\""},
        {{"a\0b\x7f", 4}, "\"a\\u0000b\\u007f\""},
        {{"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9}, "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {{"a\xff"
          "b",
          3},
         "\"a\xef\xbf\xbd"
         "b\""},
        {{"\xc3", 1}, "\"\xef\xbf\xbd\""},                                 /* cut short */
        {{"\xed\xa0\x80", 3}, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* a surrogate */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str got = text_of(arena, cases[i].in);
        assert_true(rdv_str_eq(got, rdv_str_of(cases[i].out)));
    }
    rdv_arena_free(&arena);
}

/* Each byte at each place of a text that is skipped eight bytes at a time is written as alone. */
static void test_text__each_byte_at_each_place(void **state)
{
    (void)state;
    static const char around[] = "abcdefghijklmnopqr";
    rdv_arena *arena = rdv_arena_new(0);
    for (int byte = 0; byte < 256; byte++) {
        char one = (char)byte;
        rdv_str alone = text_of(arena, (rdv_str){&one, 1});
        for (size_t at = 0; at < sizeof around - 1; at++) {
            char text[sizeof around];
            memcpy(text, around, sizeof around);
            text[at] = one;
            rdv_str whole = text_of(arena, (rdv_str){text, sizeof around - 1});
            rdv_str expected = rdv_str_printf(arena, "\"%.*s%.*s%s\"", (int)at, around,
                                              (int)alone.len - 2, alone.p + 1, around + at + 1);
            assert_true(rdv_str_eq(whole, expected));
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

/* Whatever the bytes, another implementation reads back what was meant. */
static void test_text__any_bytes_are_valid_json(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rng rng;
    rdv_rng_seed(&rng, 1);
    for (int round = 0; round < 2000; round++) {
        char bytes[40];
        size_t n = rdv_rng_below(&rng, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)rdv_rng_below(&rng, 256);
        rdv_str out = text_of(arena, (rdv_str){bytes, n});
        json_error_t error;
        json_t *read = json_loadb(
            out.p, out.len, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
        if (!read)
            fail_msg("%.*s: %s", RDV_FMT(out), error.text);
        rdv_str again =
            text_of(arena, (rdv_str){json_string_value(read), json_string_length(read)});
        assert_true(rdv_str_eq(out, again));
        json_decref(read);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

static void test_number__reads_as_people_write_it(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_text(number_of(arena, 0), "0");
    assert_text(number_of(arena, 1), "1");
    assert_text(number_of(arena, 40), "40");
    assert_text(number_of(arena, -300), "-300");
    assert_text(number_of(arena, -0.0), "-0");
    assert_text(number_of(arena, 123456789012345), "123456789012345");
    assert_text(number_of(arena, -999999999999999), "-999999999999999");
    assert_text(number_of(arena, 1e15), "1e+15");
    assert_text(number_of(arena, 0.1), "0.1");
    assert_text(number_of(arena, 0.1 + 0.2), "0.30000000000000004");
    assert_text(number_of(arena, 1e300), "1e+300");
    assert_text(number_of(arena, 5e-324), "5e-324");
    assert_text(number_of(arena, NAN), "null");
    assert_text(number_of(arena, INFINITY), "null");
    assert_text(number_of(arena, -INFINITY), "null");
    rdv_arena_free(&arena);
}

static void test_number__reads_back_as_the_same_double(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rng rng;
    rdv_rng_seed(&rng, 2);
    double x = DBL_MAX;
    for (int round = 0; round < 20000; round++) {
        char *out = rdv_cstring(arena, number_of(arena, x));
        if (isfinite(x))
            assert_true(strtod(out, NULL) == x);
        rdv_arena_reset(arena);
        uint64_t bits = rdv_rng_next(&rng);
        memcpy(&x, &bits, sizeof x);
    }
    rdv_arena_free(&arena);
}

static void test_count__has_all_digits(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 9, 10, UINT64_MAX};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        rdv_json_put_count(&b, "n", counts[i]);
    assert_text(rdv_buf_str(&b), "\"n\":0,\"n\":9,\"n\":10,\"n\":18446744073709551615");
    rdv_arena_free(&arena);
}

/* Of few digits, of many, and subnormal: no number of fewer digits is the same double. */
static void test_number__is_the_shortest(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rng rng;
    rdv_rng_seed(&rng, 3);
    for (int round = 0; round < 20000; round++) {
        uint64_t bits = rdv_rng_next(&rng);
        double some = (double)(bits % 1000003) / 1000 + 1.0 / 1024;
        double x = round % 3 == 0 ? some : round % 3 == 1 ? some / 7 : ldexp(some, -1060);
        char digits[40];
        for (int precision = 1; precision <= DBL_DECIMAL_DIG; precision++) {
            snprintf(digits, sizeof digits, "%.*g", precision, x);
            if (strtod(digits, NULL) == x)
                break;
        }
        assert_string_equal(rdv_cstring(arena, number_of(arena, x)), digits);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

static void test_number__in_a_locale_with_a_comma(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        skip();
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str got = number_of(arena, 1.5);
    setlocale(LC_NUMERIC, "C");
    assert_text(got, "1.5");
    rdv_arena_free(&arena);
}

static void test_name__puts_commas_between_members(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{");
    rdv_json_name(&b, RDV_STR("a"));
    rdv_json_text(&b, RDV_STR("{"));
    rdv_json_name(&b, RDV_STR("b\""));
    rdv_buf_lit(&b, "{");
    rdv_json_name(&b, RDV_STR("c"));
    rdv_json_number(&b, 1);
    rdv_buf_lit(&b, "}}");
    assert_text(rdv_buf_str(&b), "{\"a\":\"{\",\"b\\\"\":{\"c\":1}}");
    rdv_arena_free(&arena);
}

static bool write_record(rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{");
    for (int i = 0; i < 50; i++) {
        rdv_json_name(&b, RDV_STR("name"));
        rdv_json_text(&b, RDV_STR("a\nb\xff"));
        rdv_json_name(&b, RDV_STR("number"));
        rdv_json_number(&b, 0.1 * i);
    }
    return rdv_buf_ok(&b);
}

static void test_no_memory__fails_and_says_so(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(write_record(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text__escapes),
        cmocka_unit_test(test_text__each_byte_at_each_place),
        cmocka_unit_test(test_text__any_bytes_are_valid_json),
        cmocka_unit_test(test_number__reads_as_people_write_it),
        cmocka_unit_test(test_number__reads_back_as_the_same_double),
        cmocka_unit_test(test_count__has_all_digits),
        cmocka_unit_test(test_number__is_the_shortest),
        cmocka_unit_test(test_number__in_a_locale_with_a_comma),
        cmocka_unit_test(test_name__puts_commas_between_members),
        cmocka_unit_test(test_no_memory__fails_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
