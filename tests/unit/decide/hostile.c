/* SPDX-License-Identifier: Apache-2.0 */
/* Calculations in texts that nobody writes in good faith: time, depth, bytes, lack of memory. */
#include <rederive/math.h>

#include "../../repeated_patterns.h"
#include "../test.h"
#include "base/buf.h"

#include <time.h>

/* Time is judged without sanitizers. With them the text is shorter, and still longer than every
 * limit. */
#define LONG_TEXT ((size_t)1 << (SANITIZED ? 15 : 18))
/* A text LONG_TEXT / PARTS long takes a PARTS-th of the time. A quadratic pattern takes PARTS times
   as long as that, noise and caches much less. */
#define PARTS 8
#define TIMES_LINEAR 3
#define TOO_SHORT 0.1 /* seconds: shorter parts say nothing */

static rdv_calc *decide(rdv_str step, rdv_arena *arena, size_t *n)
{
    rdv_calc *calcs;
    rdv_calculator *calculator = rdv_calculator_new(arena, (rdv_str){0});
    assert_non_null(calculator);
    assert_int_equal(rdv_calculator_step(calculator, step, &calcs, n, NULL), RDV_OK);
    rdv_calculator_free(&calculator);
    return calcs;
}

static rdv_str repeated(const char *pattern, size_t size, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    while (b.len < size)
        rdv_buf_add(&b, rdv_str_of(pattern));
    assert_true(rdv_buf_ok(&b));
    return rdv_str_copy(arena, rdv_buf_str(&b));
}

/* Processor seconds to decide "1 = 2 " and then `pattern` over and over, `size` bytes of it. */
static double seconds_to_decide(const char *pattern, size_t size)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf text;
    rdv_buf_init(&text, arena, 0);
    rdv_buf_lit(&text, "1 = 2 ");
    rdv_buf_add(&text, repeated(pattern, size, arena));
    size_t n;
    clock_t begin = clock();
    decide(rdv_buf_str(&text), arena, &n);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    rdv_arena_free(&arena);
    return seconds;
}

static void test_calculator_step__time_is_linear(void **state)
{
    for (size_t i = 0; i < N_REPEATED_PATTERNS; i++) {
        double whole = seconds_to_decide(repeated_patterns[i], LONG_TEXT);
        if (SANITIZED)
            continue;
        double part = seconds_to_decide(repeated_patterns[i], LONG_TEXT / PARTS);
        if (whole > TIMES_LINEAR * PARTS * (part + TOO_SHORT))
            fail_msg("\"%s\": %d times the text takes %.0f times as long (%.1f s)",
                     repeated_patterns[i], PARTS, whole / part, whole);
    }
}

static rdv_str nested(const char *open, const char *close, size_t depth, rdv_arena *arena)
{
    rdv_str before = repeated(open, depth * strlen(open), arena);
    rdv_str after = repeated(close, depth * strlen(close), arena);
    return rdv_str_printf(arena, "%.*s1 + 1%.*s = 3", RDV_FMT(before), RDV_FMT(after));
}

static void assert_never_wrong(rdv_str step, rdv_arena *arena)
{
    size_t n;
    rdv_calc *calcs = decide(step, arena, &n);
    for (size_t i = 0; i < n; i++)
        if (calcs[i].kind == RDV_CALC_WRONG)
            fail_msg("%.40s... is wrong", step.p);
}

static void test_calculator_step__depth(void **state)
{
    static const char *const pairs[][2] = {
        {"(", ")"},       {"[", "]"},  {"{", "}"},          {"|", "|"},
        {"\\sqrt{", "}"}, {"-(", ")"}, {"\\frac{", "}{1}"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_never_wrong(nested(pairs[i][0], pairs[i][1], 10000, arena), arena);
    size_t n;
    rdv_calc *calcs = decide(nested("(", ")", 20, arena), arena, &n);
    assert_int_equal(n, 1);
    assert_int_equal(calcs[0].kind, RDV_CALC_WRONG);
    rdv_arena_free(&arena);
}

static void test_calculator_step__digits(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str digits = repeated("9", 1000000, arena);
    size_t n;
    rdv_calc *calcs = decide(rdv_str_printf(arena, "%s + 1 = %s", digits.p, digits.p), arena, &n);
    assert_int_equal(n, 1);
    assert_int_equal(calcs[0].kind, RDV_CALC_UNDECIDED);
    assert_non_null(calcs[0].note.p);

    digits = rdv_str_copy(arena, rdv_slice(digits, 0, 1000));
    calcs = decide(rdv_str_printf(arena, "%s + 1 = %s", digits.p, digits.p), arena, &n);
    assert_int_equal(n, 1);
    assert_int_equal(calcs[0].kind, RDV_CALC_WRONG);
    assert_text(calcs[0].value, "a number of 1001 digits");
    rdv_arena_free(&arena);
}

static void test_calculator_step__bytes(void **state)
{
    static const char nul[] = "a\0 2 + 3 = 6\0 b", broken[] = "\xff\xfe 2 + 3 = 6 \xc3";
    rdv_arena *arena = rdv_arena_new(0);
    size_t n;
    rdv_calc *calcs = decide((rdv_str){nul, sizeof nul - 1}, arena, &n);
    assert_int_equal(n, 1);
    assert_int_equal(calcs[0].begin, 3);
    assert_int_equal(calcs[0].end, 12);
    assert_never_wrong(rdv_str_of(broken), arena);
    assert_never_wrong(RDV_STR("2 \xe2\x88 3 = 6"), arena);
    decide(RDV_STR(""), arena, &n);
    assert_int_equal(n, 0);
    rdv_arena_free(&arena);
}

/* More equalities in one chain, more letters and more rounded values than are remembered. */
static void test_calculator_step__many(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t n;
    decide(repeated("1 + 1 = 2 = ", 12 * 1000, arena), arena, &n);
    assert_true(n >= 1000);
    decide(repeated("10 / 3 = 3.33, ", 15 * 1000, arena), arena, &n);
    assert_int_equal(n, 1000);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < 1000; i++)
        rdv_buf_printf(&b, "x_%zu = %zu + 1 = %zu\n", i, i, i + 1);
    decide(rdv_buf_str(&b), arena, &n);
    assert_int_equal(n, 1000);
    rdv_arena_free(&arena);
}

static const char rich_step[] =
    "A = (3 - 5) * 2 = -4 and <<1/3=0.33>> so \\frac12 + \\sqrt{2}^2 = 2.5; 10% of 50 = 6, "
    "x(x + 1) = x^2 + x, 1 hour + 30 minutes = 90 minutes, \\pi * 2 = 6.5. 2^(10^9) = 1. "
    "Half of 48 is 25. 2y = 14, so y = 7. $17 \\equiv 2 \\pmod 5$, gcd(4, 6) = 2, "
    "\\sum_{i=1}^{3} i = 6, (a+b)^2 = a^2 + b^2 for all a and b. \xef\xbc\x91 + 1 = 3";

static bool decide_rich(rdv_arena *arena)
{
    rdv_calc *calcs = NULL;
    size_t n = 0;
    rdv_error err = {0};
    rdv_calculator *calculator = rdv_calculator_new(arena, RDV_STR("What is A?"));
    if (!calculator)
        return false;
    int r = rdv_calculator_step(calculator, rdv_str_of(rich_step), &calcs, &n, &err);
    rdv_calculator_free(&calculator);
    if (r == RDV_OK) {
        assert_true(n >= 8);
        return true;
    }
    assert_int_equal(r, RDV_E_NOMEM);
    assert_int_equal(err.code, RDV_E_NOMEM);
    assert_null(calcs);
    return false;
}

static void test_calculator_step__no_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(decide_rich(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calculator_step__time_is_linear),
        cmocka_unit_test(test_calculator_step__depth),
        cmocka_unit_test(test_calculator_step__digits),
        cmocka_unit_test(test_calculator_step__bytes),
        cmocka_unit_test(test_calculator_step__many),
        cmocka_unit_test(test_calculator_step__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
