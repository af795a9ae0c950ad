/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/print.h"

#include "../test.h"

/* p/q as each function prints it. */
static const struct {
    const char *value, *shown, *fraction, *digits;
} cases[] = {
    {"0", "0", "0", "0"},
    {"12", "12", "12", "1.200e1"},
    {"-12", "-12", "-12", "-1.200e1"},
    {"15/4", "3.75", "15/4", "3.750e0"},
    {"-1/8", "-0.125", "-1/8", "-1.250e-1"},
    {"10/3", "10/3", "10/3", "3.333e0"},
    {"-2/3", "-2/3", "-2/3", "-6.667e-1"},
    {"1/100", "0.01", "1/100", "1.000e-2"},
    {"1/1000000000000", "0.000000000001", "1/1000000000000", "1.000e-12"},
    {"1/10000000000000", "1/10000000000000", "1/10000000000000", "1.000e-13"},
    {"1/4096", "0.000244140625", "1/4096", "2.441e-4"},
    {"1/8192", "1/8192", "1/8192", "1.221e-4"},
    {"99999/10000", "9.9999", "99999/10000", "1.000e1"},
    {"999949/100000", "9.99949", "999949/100000", "9.999e0"},
};

static void test_print__table(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(fmpq_set_str(x, cases[i].value, 10), 0);
        assert_string_equal(print_value(x, arena).p, cases[i].shown);
        assert_string_equal(print_fraction(x, arena).p, cases[i].fraction);
        assert_string_equal(print_digits(x, 4, arena).p, cases[i].digits);
    }
    fmpq_clear(x);
    rdv_arena_free(&arena);
}

static void test_print__large(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_ui(x, 10, 1);
    fmpq_pow_si(x, x, 300);
    assert_text(print_value(x, arena), "a number of 301 digits");
    assert_int_equal(print_fraction(x, arena).len, 301);
    assert_text(print_digits(x, 3, arena), "1.00e300");
    fmpq_inv(x, x);
    assert_text(print_real(x, arena), "1.00000000000e-300");
    fmpq_clear(x);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print__table),
        cmocka_unit_test(test_print__large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
