/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/eval.h"

/* At t = 0.5: of 4 right ones 3 accepted, of 3 wrong ones 2 rejected. */
static const rdv_scored seven[] = {
    {0.9, true, 0},  {0.5, true, 1},  {0.4999, true, 2}, {1, true, 3},
    {0.5, false, 4}, {0.1, false, 5}, {0, false, 6},
};

static rdv_rates rates_at(const rdv_scored *s, size_t n, double t)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rates r;
    assert_int_equal(rdv_rates_at(s, n, t, arena, &r, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return r;
}

static void test_rates__by_hand(void **state)
{
    (void)state;
    rdv_rates r = rates_at(seven, 7, 0.5);
    assert_near(r.tpr.value, 3.0 / 4, 1e-15);
    assert_int_equal(r.tpr.n, 4);
    assert_near(r.tnr.value, 2.0 / 3, 1e-15);
    assert_int_equal(r.tnr.n, 3);
    assert_near(r.balanced.value, (3.0 / 4 + 2.0 / 3) / 2, 1e-15);
    assert_near(r.precision_accepted.value, 3.0 / 4, 1e-15);
    assert_int_equal(r.precision_accepted.n, 4);
    assert_near(r.precision_rejected.value, 2.0 / 3, 1e-15);
    assert_int_equal(r.precision_rejected.n, 3);
    assert_true(r.balanced.se > 0.1 && r.balanced.low < r.balanced.value);
}

static void test_rates__accept_all_or_none(void **state)
{
    (void)state;
    rdv_rates r = rates_at(seven, 7, -1);
    assert_near(r.tpr.value, 1, 0);
    assert_near(r.tnr.value, 0, 0);
    assert_near(r.balanced.value, 0.5, 0);
    assert_near(r.precision_accepted.value, 4.0 / 7, 1e-15);
    assert_nan(r.precision_rejected.value);
    assert_int_equal(r.precision_rejected.n, 0);
    r = rates_at(seven, 7, 2);
    assert_nan(r.precision_accepted.value);
    assert_near(r.precision_rejected.value, 3.0 / 7, 1e-15);
}

static void test_rates__of_one_kind_or_nothing(void **state)
{
    (void)state;
    rdv_rates r = rates_at(seven, 4, 0.5);
    assert_nan(r.tnr.value);
    assert_nan(r.balanced.value);
    assert_near(r.precision_accepted.value, 1, 0);
    r = rates_at(NULL, 0, 0.5);
    assert_nan(r.tpr.value);
    assert_nan(r.precision_accepted.value);
}

/* A ratio over single chains: sqrt(p (1 - p) / (n - 1)). */
static void test_rates__standard_error(void **state)
{
    (void)state;
    rdv_rates r = rates_at(seven, 4, 0.5);
    assert_near(r.tpr.se, sqrt(0.75 * 0.25 / 3), 1e-7);
}

/* 14 rejected chains, 12 of them of one question: (a - p b) / 14 summed over the three questions.
 */
static void test_rates__standard_error_of_few_questions(void **state)
{
    (void)state;
    rdv_scored s[20] = {[0] = {0}};
    for (size_t i = 0; i < 20; i++)
        s[i] = (rdv_scored){i < 14 ? 0.1 : 0.9, i == 12 || i == 13, i < 12 ? 0 : i};
    rdv_estimate e = rates_at(s, 20, 0.5).precision_rejected;
    double p = 12.0 / 14, squares = (12 - 12 * p) * (12 - 12 * p) + 2 * p * p;
    assert_near(e.value, p, 1e-15);
    assert_int_equal(e.n, 14);
    assert_near(e.se, sqrt(squares * 3 / 2) / 14, 1e-7);
    e = rates_at(seven, 7, -1).tpr; /* 4 of 4 in as many questions: Wilson's interval of 4 */
    assert_near(e.se, 0, 1e-12);
    assert_near(e.low, 4 / (4 + 1.959963984540054 * 1.959963984540054), 1e-9);
    e = rates_at(s, 12, 0.5).precision_rejected; /* all of one question: nothing is known */
    assert_near(e.value, 1, 0);
    assert_nan(e.se);
    assert_true(e.low < 0.25);
}

static void test_rates__no_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rates r;
    assert_survives_no_memory(rdv_rates_at(seven, 7, 0.5, arena, &r, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates__by_hand),
        cmocka_unit_test(test_rates__accept_all_or_none),
        cmocka_unit_test(test_rates__of_one_kind_or_nothing),
        cmocka_unit_test(test_rates__standard_error),
        cmocka_unit_test(test_rates__standard_error_of_few_questions),
        cmocka_unit_test(test_rates__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
