/* SPDX-License-Identifier: Apache-2.0 */
/* A step of many equalities, which are decided in batches, is read like a short one. */
#include <rederive/math.h>

#include "../test.h"
#include "base/buf.h"

#define FEW 8
#define BATCH 256 /* as calculator.c has it */
#define LONG 2048 /* a longer list is kept in pages */

/* The text behind so many calculations, which stand on lines of their own. */
static rdv_str behind(size_t n, const char *text, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < n; i++)
        rdv_buf_lit(&b, "1 + 1 = 2.\n");
    rdv_buf_add(&b, rdv_str_of(text));
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

/* What is said of the text, and of the next step, a line for each calculation. */
static rdv_str said(size_t n, const char *text, const char *next, rdv_arena *arena)
{
    rdv_calculator *c = rdv_calculator_new(arena, (rdv_str){0});
    rdv_str steps[] = {behind(n, text, arena), rdv_str_of(next)};
    size_t skipped = steps[0].len - strlen(text), before = 0;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    assert_non_null(c);
    for (size_t s = 0; s < 2; s++) {
        rdv_calc *calcs;
        size_t n_calcs;
        assert_int_equal(rdv_calculator_step(c, steps[s], &calcs, &n_calcs, NULL), RDV_OK);
        for (size_t i = 0; i < n_calcs; i++) {
            if (s == 0 && calcs[i].begin < skipped) {
                assert_int_equal(calcs[i].kind, RDV_CALC_RIGHT);
                before++;
                continue;
            }
            rdv_buf_printf(&b, "%zu to %zu %s '%.*s' '%.*s' %.*s; %.*s\n",
                           calcs[i].begin - (s == 0 ? skipped : 0),
                           calcs[i].end - (s == 0 ? skipped : 0), rdv_calc_name(calcs[i].kind),
                           RDV_FMT(calcs[i].lhs), RDV_FMT(calcs[i].rhs), RDV_FMT(calcs[i].value),
                           RDV_FMT(calcs[i].note));
        }
    }
    assert_int_equal(before, n);
    rdv_calculator_free(&c);
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

/* Wherever the end of a batch falls in the text. */
static void test_many__said_as_of_few(void **state)
{
    static const struct {
        const char *text, *next;
    } rows[] = {
        /* each follows from the one before, or from that above it, or does not */
        {"Solve 2x + 3 = 11. Subtract 3 from both sides:\n2x = 8\nx = 4\n", "So x = 5."},
        {"Divide both sides by 2.\n2x + 4 = 12\nx + 2 = 6\nx + 2 = 7\nx = 4\n", "x = 5"},
        {"2x = 14, so x = 8. 3y = 9, so y = 3, and y + x = 11", "y = 4"},
        {"Solving:\nx = 10. Then 3x + 4 = 16\n2x = 8; 3x + 4 = 16. Subtract 3 from both sides:\n"
         "3x = 12",
         "x = 4"},
        {"x + 2 = 6; x = 4 => 3x = 12\n3x = 12. Subtract 3 from both sides:\nx = 11", "x = 4"},
        {"x = 90/3, so x = 31. Then x + 2 = 33", "x - 1 = 30"},
        {"10 / 3 = 3.33, and 3.33 * 3 = 10. A = 3 * 4 = 12, A + 1 = 13, A + 1 = 14", "A = 12"},
        /* read in words, too */
        {"Half of 48 is 23. 2 + 2 = 5. Then 7 is congruent to 1 (mod 3)", "2 + 3 = 6"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str few = said(FEW, rows[i].text, rows[i].next, arena);
        assert_true(few.len > 0);
        for (size_t n = BATCH - 10; n < LONG + 4; n = n == BATCH + 3 ? LONG - 4 : n + 1) {
            rdv_str many = said(n, rows[i].text, rows[i].next, arena);
            if (!rdv_str_eq(many, few))
                fail_msg("behind %zu:\n%.*sbehind %d:\n%.*s", n, RDV_FMT(many), FEW, RDV_FMT(few));
        }
        rdv_arena_free(&arena);
    }
}

/* A chain of more sides than one equality holds is read in pieces, which batches may divide. */
static void test_many__long_chain(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < 70000; i++)
        rdv_buf_lit(&b, "1 + 1 = ");
    rdv_buf_lit(&b, "3");
    rdv_calculator *c = rdv_calculator_new(arena, (rdv_str){0});
    rdv_calc *calcs;
    size_t n;
    assert_int_equal(rdv_calculator_step(c, rdv_buf_str(&b), &calcs, &n, NULL), RDV_OK);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += calcs[i].kind == RDV_CALC_WRONG;
    assert_int_equal(wrong, 1);
    assert_int_equal(calcs[n - 1].kind, RDV_CALC_WRONG);
    rdv_calculator_free(&c);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many__said_as_of_few),
        cmocka_unit_test(test_many__long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
