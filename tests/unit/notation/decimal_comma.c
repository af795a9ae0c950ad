/* SPDX-License-Identifier: Apache-2.0 */
/* Which sign a record has before its decimals, and its numbers rewritten with a point. */
#include "notation/decimal_comma.h"

#include "../test.h"
#include "base/str.h"

#include <rederive/math.h>

static rdv_decimal sign_of(const char *question, const char *step)
{
    rdv_str s = rdv_str_of(step);
    return rdv_decimal_found(rdv_str_of(question), &s, 1);
}

static void test_found__what_leaves_no_doubt(void **state)
{
    static const char *const texts[] = {
        "4,50 \xe2\x82\xac",
        "\xe2\x82\xac 4,50",
        "4,50 EUR",
        "1.250,00",
        "1 250,5",
        "1\xc2\xa0"
        "250,5",
        "1\xe2\x80\xaf"
        "250,5",
        "3,5 cm",
        "3,5 m",
        "47,8 %",
        "47,8\\%",
        "3{,}5",
        "0,5 * 8 = 4",
        "2 \xc2\xb7 0,5",
        "0,5 + 0,25 = 0,75",
        "the rod is 3,5 cm long, and that is all of it",
        "Das Haus ist 3,5 weit und hoch",
        "4,50 \xe2\x82\xac, Schritt 1.2 und 10.30 Uhr",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (sign_of("", texts[i]) != RDV_DECIMAL_COMMA ||
            sign_of(texts[i], "") != RDV_DECIMAL_COMMA)
            fail_msg("%s", texts[i]);
    }
}

static void test_found__what_leaves_doubt(void **state)
{
    static const char *const texts[] = {
        "",
        "no numbers, none",
        "1,250",
        "1.250",
        "1,250 \xe2\x82\xac",
        "16,0000 / 2 = 8,0000",
        "(3,5) * 2",
        "{3,5} cm",
        "[0,1] + [0,5]",
        "f(2,5) * 3",
        "1,2,3 cm",
        "3,5 and 7 cm",
        "x_{1,2} * 3",
        "x = 3,5",
        "the roots of it are 3,5 and the sum is 8",
        "Der Punkt (3,5) liegt auf der Geraden und ist das Ziel",
        "Es ist f(2,5) und [0,1] ist das Intervall",
        "Die Werte sind 1,2, 3 und das ist alles",
        "1,250.50 \xe2\x82\xac and 4,50 \xe2\x82\xac",
        "4,50 \xe2\x82\xac and 4.50 \xe2\x82\xac",
        "1,234,567 + 4,50 \xe2\x82\xac",
        "$4.50 + 4,50 \xe2\x82\xac",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (sign_of("", texts[i]) != RDV_DECIMAL_POINT)
            fail_msg("%s", texts[i]);
}

static void test_found__in_all_texts(void **state)
{
    const rdv_str steps[] = {RDV_STR("1.250 * 2 = 2.500"), RDV_STR("so 4,50 \xe2\x82\xac")};
    assert_int_equal(rdv_decimal_found((rdv_str){0}, steps, 2), RDV_DECIMAL_COMMA);
    assert_int_equal(rdv_decimal_found((rdv_str){0}, steps, 1), RDV_DECIMAL_POINT);
    assert_int_equal(rdv_decimal_found((rdv_str){0}, NULL, 0), RDV_DECIMAL_POINT);
}

static void test_fold__numbers(void **state)
{
    static const struct {
        const char *text, *folded;
    } cases[] = {
        {"4,50", "4.50"},
        {"1.250,00", "1,250.00"},
        {"1.250", "1,250"},
        {"1.250.000", "1,250,000"},
        {"1,250", "1.250"},
        {"3{,}5", "3.5\v\v"},
        {"1 250,5 m", "1,250.5 m"},
        {"1\xc2\xa0"
         "250 m",
         "1,250\v m"},
        {"\\cdot3,5", "\\cdot3.5"},
        {"\\frac{3,5}{1,25}", "\\frac{3.5}{1.25}"},
        {"10^{2,5}", "10^{2.5}"},
        {"(3,5)^2 + (3,5)", "(3.5)^2 + (3,5)"},
        {"(-3,5) {3,5} [3,5] f(3,5)", "(-3,5) {3,5} [3,5] f(3,5)"},
        {"(3,5 + 1)", "(3.5 + 1)"},
        {"1,2,3", "1,2,3"},
        {"12.5 12.03.2024 10.30", "12.5 12.03.2024 10.30"},
        {"1,250.50", "1,250.50"},
        {"x3,5 a_{1,2}", "x3,5 a_{1,2}"},
        {"0.125", "0.125"},
        {"12345,5", "12345.5"},
        {"1,", "1,"},
        {",5 .5", ",5 .5"},
        {"1.2.3.4.5.6.7.8.9.10,5", "1.2.3.4.5.6.7.8.9.10,5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str out, text = rdv_str_of(cases[i].text);
        assert_int_equal(decimal_comma_fold(text, arena, &out), RDV_OK);
        assert_int_equal(out.len, text.len);
        if (!rdv_str_eq(out, rdv_str_of(cases[i].folded)))
            fail_msg("%s: %.*s", cases[i].text, RDV_FMT(out));
        assert_int_equal(decimal_comma_end(text, out, text.len), text.len);
        rdv_arena_free(&arena);
    }
}

static void test_unfold__as_the_text_writes(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str line = RDV_STR("1,250.50 and 2, 3.");
    assert_true(rdv_str_eq(decimal_comma_unfold(line, RDV_STR("1.250 = 1"), arena),
                           RDV_STR("1.250,50 and 2, 3.")));
    assert_true(rdv_str_eq(decimal_comma_unfold(line, RDV_STR("1 250 = 1"), arena),
                           RDV_STR("1 250,50 and 2, 3.")));
    assert_null(decimal_comma_unfold((rdv_str){0}, line, arena).p);
    rdv_arena_free(&arena);
}

/* Runs of digits and signs that could be read again and again. */
static void test_long_texts_take_linear_time(void **state)
{
    static const char *const parts[] = {"1,", "1.", "1 ", "1{,}", "{,}", ",", "1,2 * ", "111 "};
    enum { N = 200000 };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        rdv_arena *arena = rdv_arena_new(0);
        size_t len = strlen(parts[k]);
        char *text = rdv_alloc(arena, N * len);
        assert_non_null(text);
        for (size_t i = 0; i < N; i++)
            memcpy(text + i * len, parts[k], len);
        rdv_str s = {text, N * len}, out;
        rdv_decimal_found((rdv_str){0}, &s, 1);
        assert_int_equal(decimal_comma_fold(s, arena, &out), RDV_OK);
        rdv_arena_free(&arena);
    }
}

static int check_step(rdv_arena *arena)
{
    rdv_calc *calcs;
    size_t n;
    rdv_str question = RDV_STR("Was kosten 7 Hefte zu 1,20 \xe2\x82\xac?");
    rdv_calculator *c = rdv_calculator_new(arena, question);
    int r = c ? rdv_calculator_set_decimal(c, RDV_DECIMAL_COMMA) : RDV_E_NOMEM;
    if (r == RDV_OK)
        r = rdv_calculator_step(c, RDV_STR("7 \xc2\xb7 1,2 = 8,2"), &calcs, &n, NULL);
    if (r == RDV_OK) {
        assert_int_equal(n, 1);
        assert_true(rdv_str_eq(calcs[0].value, RDV_STR("8,4")));
        assert_true(rdv_str_eq(calcs[0].rhs, RDV_STR("8,2")));
    }
    rdv_calculator_free(&c);
    return r;
}

static void test_step__out_of_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(check_step(arena) == RDV_OK, rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found__what_leaves_no_doubt),
        cmocka_unit_test(test_found__what_leaves_doubt),
        cmocka_unit_test(test_found__in_all_texts),
        cmocka_unit_test(test_fold__numbers),
        cmocka_unit_test(test_unfold__as_the_text_writes),
        cmocka_unit_test(test_step__out_of_memory),
        cmocka_unit_test(test_long_texts_take_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
