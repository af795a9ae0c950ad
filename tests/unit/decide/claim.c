/* SPDX-License-Identifier: Apache-2.0 */
/* Calculations that somebody else took from a step. */
#include "decide/claim.h"

#include "../arena.h"
#include "../test.h"

static const struct {
    const char *lhs, *op, *rhs;
    const char *is; /* NULL: no calculation */
    const char *value;
} cases[] = {
    {"87-32", "=", "55", "right", NULL},
    {"87-32", "=", "40", "wrong", "55"},
    {"$87 - $32", "==", "$55", "right", NULL},
    {"10 / 3", "=", "3.33", "rounded", "10/3"},
    {"10 / 3", "\xe2\x89\x88", "3.3", "rounded", "10/3"},
    {"2 * 3", "equals", "6", "right", NULL},
    {"2 * 3", "<", "7", "right", NULL},
    {"2 * 3", ">", "7", "wrong", NULL},
    {"2 * 3", "<=", "6", "right", NULL},
    {"2 * 3", ">=", "6", "right", NULL},
    {"2 * 3", "\xe2\x89\xa5", "6", "right", NULL},
    {"2 * 3", "\xe2\x89\xa4", "6", "right", NULL},
    {"2 * 3", "\xe2\x89\xa0", "6", "wrong", NULL},
    {"1,000 - 365", "!=", "645", "right", NULL},
    {"sqrt(2)", "<", "1.5", "right", NULL},
    {"sqrt(3)", ">", "1.7", "right", NULL},
    {"sqrt(2) * sqrt(2)", "<=", "2", "right", NULL},
    {"$3.50 * 2", ">", "$7", "wrong", NULL},
    {"\xe2\x82\xac"
     "8",
     ">",
     "\xe2\x82\xac"
     "7",
     "right", NULL},
    {"\xc2\xa3"
     "8",
     "<", "7", "wrong", NULL},
    {"8\xe2\x82\xac", ">", "9\xe2\x82\xac", "wrong", NULL},
    {"8\xc2\xa3", "<", "9\xc2\xa3", "right", NULL},
    {"\\$8", "<", "\\$9", "right", NULL},
    {"2$3", "<", "13", NULL, NULL},
    {"2 * 3 = 6", "=", "12 / 2", "right", NULL},
    {"2 * 3 = 7", "=", "7", "wrong", "6"},
    {"2 \\sqrt[0]{8} + 1 = 2 * 3", "=", "7", "wrong", "6"}, /* undecided, then wrong */
    {"2 \\sqrt[0]{8} + 1 = 10 / 3", "=", "3.33", "undecided", NULL},
    {"87", "-", "32", NULL, NULL},
    {"x", "=", "3", NULL, NULL},
    {"", "=", "3", NULL, NULL},
    {"2 * 3", "", "6", NULL, NULL},
    {"apples", "<", "pears", NULL, NULL},
    {"x + 1", "<", "x + 2", "right", NULL},
};

static void test_claim(void **state)
{
    rdv_arena *arena = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_calculator *c = rdv_calculator_new(arena, (rdv_str){0});
        math_claimed claimed;
        assert_non_null(c);
        int rc = math_claim(c, rdv_str_of(cases[i].lhs), rdv_str_of(cases[i].op),
                            rdv_str_of(cases[i].rhs), &claimed, NULL);
        const char *is = rc == RDV_OK ? rdv_calc_name(claimed.kind) : "none";
        if (strcmp(is, cases[i].is ? cases[i].is : "none") != 0)
            fail_msg("%s %s %s: %s", cases[i].lhs, cases[i].op, cases[i].rhs, is);
        if (cases[i].value)
            assert_true(rdv_str_eq(claimed.value, rdv_str_of(cases[i].value)));
        rdv_calculator_free(&c);
    }
}

/* What a step said before is known; what is only tried is forgotten. */
static void test_claim__remembers_steps_only(void **state)
{
    rdv_calculator *c = rdv_calculator_new(*state, (rdv_str){0});
    rdv_calc *calcs;
    size_t n;
    math_claimed claimed;
    rdv_str step = RDV_STR("1 / 3 = 0.33"), lhs = RDV_STR("0.33 * 30000"), rhs = RDV_STR("10000");
    assert_int_equal(rdv_calculator_try(c, step, &calcs, &n, NULL), RDV_OK);
    assert_int_equal(math_claim(c, lhs, RDV_STR("="), rhs, &claimed, NULL), RDV_OK);
    assert_int_equal(claimed.kind, RDV_CALC_WRONG);
    assert_int_equal(rdv_calculator_step(c, step, &calcs, &n, NULL), RDV_OK);
    assert_int_equal(math_claim(c, lhs, RDV_STR("="), rhs, &claimed, NULL), RDV_OK);
    assert_int_not_equal(claimed.kind, RDV_CALC_WRONG);
    rdv_calculator_free(&c);
}

/* Of the numbers that were rounded in a chain the first 64 are remembered; a later one is exact. */
static void test_claim__remembers_64_roundings(void **state)
{
    for (size_t earlier = 63; earlier <= 64; earlier++) {
        rdv_calculator *c = rdv_calculator_new(*state, (rdv_str){0});
        rdv_calc *calcs;
        size_t n;
        math_claimed claimed;
        for (size_t i = 0; i < earlier; i++)
            assert_int_equal(rdv_calculator_step(c, RDV_STR("2 / 7 = 0.286"), &calcs, &n, NULL),
                             RDV_OK);
        assert_int_equal(rdv_calculator_step(c, RDV_STR("1 / 3 = 0.33"), &calcs, &n, NULL), RDV_OK);
        assert_int_equal(
            math_claim(c, RDV_STR("0.33 * 30000"), RDV_STR("="), RDV_STR("10000"), &claimed, NULL),
            RDV_OK);
        assert_int_equal(claimed.kind == RDV_CALC_WRONG, earlier == 64);
        rdv_calculator_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claim),
        cmocka_unit_test(test_claim__remembers_steps_only),
        cmocka_unit_test(test_claim__remembers_64_roundings),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
