/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/paired.h"

/* Pairs of single answers, from the counts of questions. */
static size_t fill(rdv_pair *pairs, size_t both, size_t fixed, size_t broken, size_t neither)
{
    size_t n = 0;
    for (size_t i = 0; i < both; i++)
        pairs[n++] = (rdv_pair){1, 1, 1, 1};
    for (size_t i = 0; i < fixed; i++)
        pairs[n++] = (rdv_pair){0, 1, 1, 1};
    for (size_t i = 0; i < broken; i++)
        pairs[n++] = (rdv_pair){1, 1, 0, 1};
    for (size_t i = 0; i < neither; i++)
        pairs[n++] = (rdv_pair){0, 1, 0, 1};
    return n;
}

/* Bentur's data in Fagerland, Lydersen and Laake (Statistics in Medicine 33, 2014): Newcombe's
 * interval is 0.026 to 0.507, McNemar's exact p 0.0703. */
static void test_paired__published_figures(void **state)
{
    (void)state;
    rdv_pair pairs[32];
    rdv_paired is;
    rdv_paired_difference(pairs, fill(pairs, 1, 7, 1, 12), &is);
    assert_true(is.single);
    assert_near(is.before.value, 2.0 / 21, 1e-15);
    assert_near(is.after.value, 8.0 / 21, 1e-15);
    assert_near(is.difference.value, 6.0 / 21, 1e-15);
    assert_near(is.difference.low, 0.026, 5e-4);
    assert_near(is.difference.high, 0.507, 5e-4);
    assert_near(is.p, 18.0 / 256, 1e-12);
    assert_int_equal(is.difference.n, 21);
}

/* Newcombe's method with the correlation of the two answers, worked out apart: phi is 0.6834. */
static void test_paired__correlated_answers_narrow_the_interval(void **state)
{
    (void)state;
    rdv_pair pairs[100];
    rdv_paired is;
    rdv_paired_difference(pairs, fill(pairs, 40, 10, 5, 45), &is);
    assert_near(is.difference.value, 0.05, 1e-15);
    assert_near(is.difference.low, -0.027083567511575576, 1e-12);
    assert_near(is.difference.high, 0.12563108632719552, 1e-12);
}

/* The standard error of the mean of the differences, one difference for each question. */
static void test_paired__standard_error_is_of_the_differences(void **state)
{
    (void)state;
    rdv_pair pairs[100];
    rdv_paired is;
    size_t n = fill(pairs, 40, 10, 5, 45);
    rdv_paired_difference(pairs, n, &is);
    double mean = 5.0 / (double)n, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double d = pairs[i].after - pairs[i].before - mean;
        squares += d * d;
    }
    assert_near(is.difference.se, sqrt(squares / (double)(n - 1) / (double)n), 1e-12);
}

/* A question rises or falls by its share of right chains, however many there are of it in each run:
 * of these two, one rises, and one falls from 1 of 1 to 2 of 3. */
static void test_paired__shares_are_compared_and_not_sums(void **state)
{
    (void)state;
    const rdv_pair pairs[] = {{1, 4, 3, 4}, {1, 1, 2, 3}};
    rdv_paired is;
    rdv_paired_difference(pairs, 2, &is);
    assert_near(is.p, 1, 1e-12);
    const rdv_pair both[] = {{1, 4, 3, 4}, {2, 4, 1, 1}};
    rdv_paired_difference(both, 2, &is);
    assert_near(is.p, 0.5, 1e-12);
}

static void test_paired__agreement_is_not_certainty(void **state)
{
    (void)state;
    rdv_pair pairs[32];
    rdv_paired is;
    rdv_paired_difference(pairs, fill(pairs, 20, 0, 0, 0), &is);
    assert_near(is.difference.value, 0, 0);
    assert_true(is.difference.low < -0.05 && is.difference.high > 0.05);
    assert_near(is.p, 1, 0);
    rdv_paired_difference(pairs, fill(pairs, 0, 20, 0, 0), &is);
    assert_near(is.difference.value, 1, 0);
    assert_true(is.difference.low > 0.5 && is.difference.low < 1 && is.difference.high <= 1);
}

static void test_paired__chains_of_a_question_are_not_independent(void **state)
{
    (void)state;
    /* Eight chains that always agree say no more than one. */
    rdv_pair one[16], eight[16];
    rdv_paired of_one, of_eight;
    size_t n = fill(one, 5, 4, 2, 5);
    for (size_t i = 0; i < n; i++)
        eight[i] = (rdv_pair){8 * one[i].before, 8, 8 * one[i].after, 8};
    rdv_paired_difference(one, n, &of_one);
    rdv_paired_difference(eight, n, &of_eight);
    assert_false(of_eight.single);
    assert_near(of_eight.difference.value, of_one.difference.value, 1e-15);
    assert_near(of_eight.difference.se, of_one.difference.se, 1e-15);
    assert_near(of_eight.p, of_one.p, 0);
    /* Wilson's size is then n - 1, that of the standard errors. */
    assert_true(of_eight.difference.low <= of_one.difference.low);
    assert_true(of_eight.difference.high >= of_one.difference.high);
}

static void test_paired__questions_of_one_run_are_left_out(void **state)
{
    (void)state;
    rdv_pair pairs[] = {{1, 1, 1, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}, {0, 1, 1, 1}};
    rdv_paired is;
    rdv_paired_difference(pairs, 4, &is);
    assert_int_equal(is.difference.n, 2);
    assert_near(is.before.value, 0.5, 0);
    assert_near(is.after.value, 1, 0);
    rdv_paired_difference(pairs + 1, 2, &is);
    assert_int_equal(is.difference.n, 0);
    assert_nan(is.difference.value);
    assert_nan(is.p);
    rdv_paired_difference(pairs, 1, &is);
    assert_nan(is.difference.se);
}

/* Of five questions that all rise alike the exact test has p = 1/16: that says nothing. */
static void test_paired__few_questions_have_no_interval(void **state)
{
    (void)state;
    double before[8] = {0}, after[8];
    rdv_pair pairs[8];
    for (size_t n = 1; n <= 8; n++) {
        rdv_paired is;
        rdv_paired_difference(pairs, fill(pairs, 0, n, 0, 0), &is);
        assert_int_equal(isnan(is.difference.low), is.p > 0.05);
        assert_int_equal(isnan(is.difference.high), is.p > 0.05);
        after[n - 1] = 0.25;
        rdv_estimate mean = rdv_mean_difference(before, after, n);
        assert_near(mean.value, 0.25, 0);
        assert_int_equal(isnan(mean.low), n < RDV_PAIRED_LEAST);
    }
    before[0] = NAN; /* not compared */
    assert_int_equal(rdv_mean_difference(before, after, 8).n, 7);
}

/* p of 1000 questions that all changed in one way is 2^-999, and must not be lost. */
static void test_paired__tiny_p_values(void **state)
{
    (void)state;
    static rdv_pair pairs[1000];
    rdv_paired is;
    rdv_paired_difference(pairs, fill(pairs, 0, 1000, 0, 0), &is);
    assert_near(log2(is.p), -999, 1e-6);
}

/* p is twice the chance that a fair coin falls as seldom on one side: here in whole numbers. */
static void test_paired__p_of_every_small_count(void **state)
{
    static rdv_pair pairs[20];
    for (size_t n = 1; n <= 20; n++) {
        double ways = 1, as_seldom = 1; /* of k in n; of at most k */
        for (size_t k = 0; 2 * k <= n; k++) {
            rdv_paired is;
            rdv_paired_difference(pairs, fill(pairs, 0, n - k, k, 0), &is);
            assert_near(is.p, fmin(2 * as_seldom / pow(2, (double)n), 1), 1e-12);
            ways = ways * (double)(n - k) / (double)(k + 1);
            as_seldom += ways;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paired__published_figures),
        cmocka_unit_test(test_paired__correlated_answers_narrow_the_interval),
        cmocka_unit_test(test_paired__standard_error_is_of_the_differences),
        cmocka_unit_test(test_paired__shares_are_compared_and_not_sums),
        cmocka_unit_test(test_paired__agreement_is_not_certainty),
        cmocka_unit_test(test_paired__chains_of_a_question_are_not_independent),
        cmocka_unit_test(test_paired__questions_of_one_run_are_left_out),
        cmocka_unit_test(test_paired__few_questions_have_no_interval),
        cmocka_unit_test(test_paired__tiny_p_values),
        cmocka_unit_test(test_paired__p_of_every_small_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
