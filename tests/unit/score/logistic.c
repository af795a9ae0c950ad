/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "base/rng.h"
#include "score/logistic.h"

static void fit(const logistic_pairs *pairs, double strength, const bool *never_positive,
                double *out)
{
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(logistic_fit(pairs, strength, never_positive, arena, out, NULL), RDV_OK);
    rdv_arena_free(&arena);
}

/* One feature and one pair: the minimum solves c * strength = 1 / (1 + exp(c)). */
static void test_fit__one_pair_by_hand(void **state)
{
    (void)state;
    const double x = 1, weight = 3;
    const bool free = false;
    double c = 0;
    fit(&(logistic_pairs){1, 1, &x, &weight}, 0.25, &free, &c);
    assert_near(c * 0.25, 1 / (1 + exp(c)), 1e-7); /* the objective is flat there */
    assert_true(c > 1);
}

static void test_fit__a_bound_holds_and_the_rest_adapts(void **state)
{
    (void)state;
    const double x[] = {1, 1, 2, 0, 0, -1}, weight[] = {1, 1, 1};
    const bool bound[] = {true, false}, free[] = {false, false};
    logistic_pairs pairs = {3, 2, x, weight};
    double with[2] = {0}, without[2] = {0};
    fit(&pairs, 0.1, bound, with);
    fit(&pairs, 0.1, free, without);
    assert_true(without[0] > 0.5);
    assert_near(with[0], 0, 0);
    /* the second feature alone: one pair for it, one against it */
    assert_near(with[1], 0, 1e-7);
    assert_true(logistic_likelihood(&pairs, without) > logistic_likelihood(&pairs, with));
}

/* Several features that depend on one another: at the minimum the gradient is zero. */
static void test_fit__the_gradient_is_zero(void **state)
{
    enum { PAIRS = 60, FEATURES = 4 };
    double x[PAIRS * FEATURES], weight[PAIRS], c[FEATURES] = {0}, total = 0;
    const bool free[FEATURES] = {false};
    const double strength = 1e-3;
    rdv_rng rng;
    (void)state;
    rdv_rng_seed(&rng, 1);
    for (size_t i = 0; i < PAIRS; i++) {
        double common = rdv_rng_unit(&rng);
        for (size_t j = 0; j < FEATURES; j++)
            x[i * FEATURES + j] = common + rdv_rng_unit(&rng) - 0.8;
        total += weight[i] = 1 + (double)(i % 3);
    }
    fit(&(logistic_pairs){PAIRS, FEATURES, x, weight}, strength, free, c);
    for (size_t j = 0; j < FEATURES; j++) {
        double gradient = strength * c[j];
        for (size_t i = 0; i < PAIRS; i++) {
            double z = 0;
            for (size_t k = 0; k < FEATURES; k++)
                z += c[k] * x[i * FEATURES + k];
            gradient -= weight[i] / total * x[i * FEATURES + j] / (1 + exp(z));
        }
        assert_near(gradient, 0, 1e-9);
    }
    assert_true(fabs(c[0]) > 0.1);
}

static void test_fit__huge_differences_do_not_overflow(void **state)
{
    (void)state;
    const double x[] = {1e6, -1e3, 1e-9}, weight[] = {1, 1, 0};
    const bool free = false;
    double c = 0;
    fit(&(logistic_pairs){3, 1, x, weight}, 1e-4, &free, &c);
    assert_true(isfinite(c) && c > 0);
}

static void test_fit__memory_ends(void **state)
{
    (void)state;
    const double x = 1, weight = 1;
    const bool free = false;
    for (size_t k = 1; k <= 4; k++) {
        rdv_arena *arena = rdv_arena_new(0);
        double c = 0;
        rdv_alloc_fail_at(k);
        int r = logistic_fit(&(logistic_pairs){1, 1, &x, &weight}, 1, &free, arena, &c, NULL);
        rdv_alloc_fail_at(0);
        assert_int_equal(r, RDV_E_NOMEM);
        rdv_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit__one_pair_by_hand),
        cmocka_unit_test(test_fit__a_bound_holds_and_the_rest_adapts),
        cmocka_unit_test(test_fit__the_gradient_is_zero),
        cmocka_unit_test(test_fit__huge_differences_do_not_overflow),
        cmocka_unit_test(test_fit__memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
