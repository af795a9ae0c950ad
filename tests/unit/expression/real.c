/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/eval.h"

#include "../test.h"
#include "base/str.h"

/* The value of the text into `out`; whether it is known exactly. */
static bool is_exact(rdv_str text, rdv_arena *arena, fmpq_t out)
{
    tokens t;
    expression e;
    uint64_t budget = UINT64_C(1) << 40;
    assert_int_equal(lex(text, arena, &t), RDV_OK);
    assert_int_equal(parse_expression(&t, 0, arena, &e), RDV_OK);
    evaluation ev = {.t = &t, .budget = &budget};
    assert_int_equal(real_eval(&ev, e.root, out), EVAL_OK);
    return !ev.inexact;
}

static void test_real_eval__finds_each_small_denominator(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    fmpq_t value, want;
    fmpq_init(value);
    fmpq_init(want);
    for (int den = 1; den <= 1000; den++) {
        rdv_arena_reset(arena);
        for (int num = -1; num <= 3; num += 2) {
            rdv_str text = rdv_str_printf(arena, "%d * sqrt(2) * sqrt(2) / %d", num, den);
            assert_true(is_exact(text, arena, value));
            fmpq_set_si(want, 2 * num, (ulong)den);
            assert_true(fmpq_equal(value, want));
        }
    }
    assert_true(is_exact(RDV_STR("10^30 + sqrt(2) * sqrt(2)"), arena, value));
    assert_false(is_exact(RDV_STR("sqrt(2)"), arena, value));
    assert_false(is_exact(RDV_STR("sqrt(2) * sqrt(2) / 1009"), arena, value));
    fmpq_clear(value);
    fmpq_clear(want);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_eval__finds_each_small_denominator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
