/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "base/rng.h"
#include "score/sum.h"

#include <float.h>

static double sum_of(const double *x, size_t n)
{
    rdv_sum sum = {{0}};
    for (size_t i = 0; i < n; i++)
        rdv_sum_add(&sum, x[i]);
    return rdv_sum_value(&sum);
}

static void test_value__of_one_number_is_that_number(void **state)
{
    (void)state;
    static const double numbers[] = {0,
                                     1,
                                     -1,
                                     0.1,
                                     -0.3,
                                     DBL_MIN,
                                     -DBL_TRUE_MIN,
                                     DBL_TRUE_MIN,
                                     0x1p60,
                                     -0x1p60,
                                     1e-300,
                                     0x1.fffffffffffffp-1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(sum_of(&numbers[i], 1) == numbers[i]);
}

static void test_value__is_rounded_once(void **state)
{
    (void)state;
    const double tenths[10] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    assert_true(sum_of(tenths, 10) == 1.0); /* adding doubles gives 0.9999999999999999 */
    const double cancel[] = {1e18, 1, -1e18};
    assert_true(sum_of(cancel, 3) == 1.0);
    const double half_even[] = {0x1p53, 1}, above_half[] = {0x1p53, 1, 0x1p-1000};
    assert_true(sum_of(half_even, 2) == 0x1p53);
    assert_true(sum_of(above_half, 3) == 0x1p53 + 2);
    const double negative[] = {-0x1p53, -1, -0x1p-1000};
    assert_true(sum_of(negative, 3) == -0x1p53 - 2);
    const double subnormal[] = {DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_TRUE_MIN};
    assert_true(sum_of(subnormal, 3) == 3 * DBL_TRUE_MIN);
}

/* Numbers of very different sizes, added and taken away again in another order. */
static void test_add__exactly_undoes(void **state)
{
    (void)state;
    enum { N = 300 };
    double x[N];
    size_t order[N];
    rdv_rng rng;
    rdv_rng_seed(&rng, 7);
    for (size_t i = 0; i < N; i++) {
        order[i] = i;
        int exponent = (int)rdv_rng_below(&rng, 1100) - 1060;
        x[i] = ldexp(rdv_rng_unit(&rng) - 0.5, exponent);
    }
    rdv_sum sum = {{0}};
    for (size_t i = 0; i < N; i++)
        rdv_sum_add(&sum, x[i]);
    rdv_rng_shuffle(&rng, order, N);
    for (size_t i = 0; i < N; i++) {
        assert_int_not_equal(rdv_sum_sign(&sum), 0);
        rdv_sum_add(&sum, -x[order[i]]);
    }
    assert_int_equal(rdv_sum_sign(&sum), 0);
}

static void test_add_times__as_often_as_said(void **state)
{
    (void)state;
    rdv_sum once = {{0}}, often = {{0}};
    rdv_sum_add_times(&once, 0.1, 1000);
    for (int i = 0; i < 1000; i++)
        rdv_sum_add(&often, 0.1);
    assert_int_equal(rdv_sum_cmp(&once, &often), 0);
    rdv_sum_add_times(&once, -0.1, 1001);
    assert_true(rdv_sum_value(&once) == -0.1);
    rdv_sum_add_times(&once, 5, 0);
    assert_true(rdv_sum_value(&once) == -0.1);
}

static void test_cmp__orders_like_numbers(void **state)
{
    (void)state;
    static const double ascending[] = {-0x1p60, -2, -1, -DBL_TRUE_MIN, 0, DBL_TRUE_MIN,
                                       0.1,     1,  2,  0x1p60};
    size_t n = sizeof ascending / sizeof *ascending;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            rdv_sum a = {{0}}, b = {{0}};
            rdv_sum_add(&a, ascending[i]);
            rdv_sum_add(&b, ascending[j]);
            assert_int_equal(rdv_sum_cmp(&a, &b), (i > j) - (i < j));
            rdv_sum_subtract(&a, &b);
            assert_int_equal(rdv_sum_sign(&a), (i > j) - (i < j));
            rdv_sum_join(&a, &b);
            assert_true(rdv_sum_value(&a) == ascending[i]);
        }
    }
}

static void test_takes(void **state)
{
    (void)state;
    assert_true(rdv_sum_takes(0));
    assert_true(rdv_sum_takes(-RDV_SUM_MAX));
    assert_false(rdv_sum_takes(0x1.1p60));
    assert_false(rdv_sum_takes(INFINITY));
    assert_false(rdv_sum_takes(NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value__of_one_number_is_that_number),
        cmocka_unit_test(test_value__is_rounded_once),
        cmocka_unit_test(test_add__exactly_undoes),
        cmocka_unit_test(test_add_times__as_often_as_said),
        cmocka_unit_test(test_cmp__orders_like_numbers),
        cmocka_unit_test(test_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
