/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/score.h"

/* I_x(a, b) for whole a, b: the chance of at least a successes in a + b - 1 trials. */
static double by_binomial(double x, int a, int b)
{
    int n = a + b - 1;
    double sum = 0;
    for (int k = a; k <= n; k++)
        sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(x) +
                   (n - k) * log(1 - x));
    return sum;
}

static void test_beta__values_known_by_hand(void **state)
{
    (void)state;
    assert_near(rdv_beta_cdf(0.5, 1, 1), 0.5, 1e-15);
    assert_near(rdv_beta_cdf(0.5, 4, 1), 1.0 / 16, 1e-15); /* x^4 */
    assert_near(rdv_beta_cdf(0.5, 1, 4), 15.0 / 16, 1e-15);
    assert_near(rdv_beta_cdf(0.5, 4, 2), 6.0 / 32, 1e-14);     /* 3 votes to 1 */
    assert_near(rdv_beta_cdf(0.25, 0.5, 0.5), 1.0 / 3, 1e-13); /* 2/pi * asin(sqrt x) */
    assert_near(rdv_beta_cdf(0, 3, 4), 0, 0);
    assert_near(rdv_beta_cdf(1, 3, 4), 1, 0);
}

static void test_beta__against_sums_of_binomials(void **state)
{
    (void)state;
    static const double xs[] = {0.01, 0.3, 0.5, 0.77, 0.999};
    for (int a = 1; a <= 60; a += 7) {
        for (int b = 1; b <= 60; b += 5) {
            for (size_t i = 0; i < sizeof xs / sizeof *xs; i++)
                assert_near(rdv_beta_cdf(xs[i], a, b), by_binomial(xs[i], a, b), 1e-11);
        }
    }
}

static void test_beta__mirrored(void **state)
{
    (void)state;
    static const double big[] = {0.1, 3.7, 250, 1e4, 1e6};
    for (size_t i = 0; i < 5; i++) {
        assert_near(rdv_beta_cdf(0.5, big[i], big[i]), 0.5, 1e-8);
        for (size_t j = 0; j < 5; j++)
            assert_near(rdv_beta_cdf(0.3, big[i], big[j]) + rdv_beta_cdf(0.7, big[j], big[i]), 1,
                        1e-8);
    }
}

static void test_beta__outside_its_domain(void **state)
{
    (void)state;
    assert_nan(rdv_beta_cdf(-0.1, 1, 1));
    assert_nan(rdv_beta_cdf(1.1, 1, 1));
    assert_nan(rdv_beta_cdf(NAN, 1, 1));
    assert_nan(rdv_beta_cdf(0.5, 0, 1));
    assert_nan(rdv_beta_cdf(0.5, 1, 0));
    assert_nan(rdv_beta_cdf(0.5, 1, 1e7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beta__values_known_by_hand),
        cmocka_unit_test(test_beta__against_sums_of_binomials),
        cmocka_unit_test(test_beta__mirrored),
        cmocka_unit_test(test_beta__outside_its_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
