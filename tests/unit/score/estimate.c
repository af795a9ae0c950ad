/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/counts.h"
#include "score/estimate.h"
#include "score/eval.h"

static void test_mean__value_and_error(void **state)
{
    (void)state;
    const double x[] = {1, 0, 1, 1};
    rdv_estimate e = rdv_mean(x, 4, true);
    assert_near(e.value, 0.75, 0);
    assert_near(e.se, 0.25, 1e-15); /* sqrt(.75 / 3 / 4) */
    assert_int_equal(e.n, 4);
    const double gains[] = {-1, 0, 2, NAN, 3};
    e = rdv_mean(gains, 5, false);
    assert_near(e.value, 1, 0);
    assert_near(e.se, sqrt(10.0 / 3 / 4), 1e-15);
    assert_near(e.low, 1 - 1.959963984540054 * e.se, 1e-12);
    assert_int_equal(e.n, 4);
}

static void test_mean__too_little_to_say(void **state)
{
    (void)state;
    const double one[] = {0.5}, nothing[] = {NAN, NAN};
    rdv_estimate e = rdv_mean(one, 1, true);
    assert_near(e.value, 0.5, 0);
    assert_nan(e.se);
    assert_true(e.low > 0 && e.high < 1 && e.low < 0.5);
    e = rdv_mean(nothing, 2, true);
    assert_nan(e.value);
    assert_int_equal(e.n, 0);
}

/* All right is not certainty: Wilson's interval for 10 of 10 begins at 0.7225. */
static void test_unit__at_the_edges(void **state)
{
    (void)state;
    const double x[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    rdv_estimate e = rdv_mean(x, 10, true);
    assert_near(e.value, 1, 0);
    assert_near(e.se, 0, 0);
    assert_near(e.low, 0.7224672, 1e-6);
    assert_near(e.high, 1, 0);
    e = rdv_estimate_unit(0, 0, 10, 10);
    assert_near(e.low, 0, 0);
    assert_near(e.high, 1 - 0.7224672, 1e-6);
}

/* With the binomial's own error it is Wilson's interval for that n: 8 of 10. */
static void test_unit__is_wilsons(void **state)
{
    (void)state;
    rdv_estimate e = rdv_estimate_unit(0.8, sqrt(0.8 * 0.2 / 10), 10, 10);
    assert_near(e.low, 0.4901625, 1e-6);
    assert_near(e.high, 0.9433178, 1e-6);
}

static void test_bootstrap__of_equal_values_has_no_interval(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    double x[50];
    for (size_t i = 0; i < 50; i++)
        x[i] = 0.1;
    rdv_estimate e;
    assert_int_equal(rdv_bootstrap(&(const double *){x}, 1, 50, 0, 3, 1, arena, &e, NULL), RDV_OK);
    assert_near(e.value, 0.1, 0);
    assert_nan(e.low);
    assert_nan(e.high);
    for (size_t n = 2; n < 8; n++) {
        x[0] = 0.2;
        assert_int_equal(rdv_bootstrap(&(const double *){x}, 1, n, 0, 3, 1, arena, &e, NULL),
                         RDV_OK);
        assert_int_equal(isnan(e.low), n < RDV_PAIRED_LEAST);
    }
    rdv_arena_free(&arena);
}

static void test_bootstrap__normal_where_there_are_many(void **state)
{
    (void)state;
    enum { N = 2000 };
    rdv_arena *arena = rdv_arena_new(0);
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = i % 3 == 0 ? 1 : 0;
    rdv_estimate a, b, other;
    assert_int_equal(rdv_bootstrap(&(const double *){x}, 1, N, 4000, 1, 1, arena, &a, NULL),
                     RDV_OK);
    assert_int_equal(rdv_bootstrap(&(const double *){x}, 1, N, 4000, 1, 1, arena, &b, NULL),
                     RDV_OK);
    assert_int_equal(rdv_bootstrap(&(const double *){x}, 1, N, 4000, 2, 1, arena, &other, NULL),
                     RDV_OK);
    assert_near(a.low, b.low, 0);
    assert_near(a.high, b.high, 0);
    assert_true(a.low != other.low || a.high != other.high);
    assert_near(a.low, a.value - 1.96 * a.se, 0.1 * a.se);
    assert_near(a.high, a.value + 1.96 * a.se, 0.1 * a.se);
    assert_int_equal(rdv_bootstrap(&(const double *){NULL}, 1, 0, 10, 1, 1, arena, &a, NULL),
                     RDV_OK);
    assert_nan(a.value);
    assert_survives_no_memory(
        rdv_bootstrap(&(const double *){x}, 1, N, 10, 1, 1, arena, &a, NULL) == RDV_OK, (void)0);
    rdv_arena_free(&arena);
}

/* So many draws that threads share them; parts of 1000 resamples that are not of one size too. */
static void test_bootstrap__same_at_any_number_of_threads(void **state)
{
    (void)state;
    enum { N = 10007 };
    rdv_arena *arena = rdv_arena_new(0);
    double *x = RDV_NEW_ARRAY(arena, double, N), *y = RDV_NEW_ARRAY(arena, double, N);
    const double *const series[] = {x, y};
    rdv_estimate alone[2], shared[2];
    for (size_t i = 0; i < N; i++) {
        x[i] = i % 3 == 0 ? 1 : 0;
        y[i] = (double)(i * i % 17);
    }
    assert_int_equal(rdv_bootstrap(series, 2, N, 1000, 9, 1, arena, alone, NULL), RDV_OK);
    for (size_t threads = 2; threads < 5; threads++) {
        assert_int_equal(rdv_bootstrap(series, 2, N, 1000, 9, threads, arena, shared, NULL),
                         RDV_OK);
        assert_memory_equal(shared, alone, sizeof alone);
    }
    rdv_arena_free(&arena);
}

/* Of two series the same numbers are drawn, as of each alone, however many values they have; one
 * that never varies has none. */
static void test_bootstrap__of_series_together(void **state)
{
    (void)state;
    enum { N = 5000 };
    rdv_arena *arena = rdv_arena_new(0);
    double x[N], y[N], each[N], same[N] = {0};
    for (size_t i = 0; i < N; i++) {
        x[i] = i % 3 == 0 ? 1 : 0;
        y[i] = (double)(i * i % 17);
        each[i] = (double)i;
    }
    const double *series[][2] = {{x, y}, {same, y}, {x, each}};
    for (size_t k = 0; k < 3; k++) {
        rdv_estimate both[2], alone[2];
        assert_int_equal(rdv_bootstrap(series[k], 2, N, 200, 9, 1, arena, both, NULL), RDV_OK);
        for (size_t i = 0; i < 2; i++) {
            assert_int_equal(rdv_bootstrap(&series[k][i], 1, N, 200, 9, 1, arena, &alone[i], NULL),
                             RDV_OK);
            assert_true(isnan(alone[i].low) == (series[k][i] == same));
            assert_memory_equal(&both[i].value, &alone[i].value, sizeof(double));
            assert_memory_equal(&both[i].low, &alone[i].low, sizeof(double));
            assert_memory_equal(&both[i].high, &alone[i].high, sizeof(double));
        }
    }
    rdv_arena_free(&arena);
}

typedef struct item {
    char padding;
    uint32_t question;
    bool hit;
} item;

static double share(const double *c)
{
    return rdv_ratio(c[0], c[1]);
}

static rdv_estimate share_of(const item *items, size_t n)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_counts counts;
    assert_int_equal(RDV_COUNTS_NEW(item, items, n, 2, arena, &counts, NULL), RDV_OK);
    for (size_t i = 0; i < n; i++) {
        rdv_counts_row(&counts, i)[0] += items[i].hit;
        rdv_counts_row(&counts, i)[1] += 1;
    }
    rdv_estimate e = rdv_counts_estimate(&counts, share, n);
    assert_int_equal(rdv_counts_total(&counts, 1), n);
    rdv_arena_free(&arena);
    return e;
}

/* The error of a mean of single items is s / sqrt(n); repeated items teach nothing new. */
static void test_counts__errors_are_over_questions(void **state)
{
    (void)state;
    const item single[] = {{0, 5, true}, {0, 900, false}, {0, 7, true}, {0, 1, true}};
    rdv_estimate e = share_of(single, 4);
    assert_near(e.value, 0.75, 0);
    assert_near(e.se, 0.25, 1e-12);
    item repeated[40];
    for (size_t i = 0; i < 40; i++)
        repeated[i] = single[i % 4];
    e = share_of(repeated, 40);
    assert_near(e.value, 0.75, 0);
    assert_near(e.se, 0.25, 1e-12);
    assert_int_equal(e.n, 40);
}

static void test_counts__nothing_to_share(void **state)
{
    (void)state;
    rdv_estimate e = share_of(NULL, 0);
    assert_nan(e.value);
    const item one[] = {{0, 1, true}};
    e = share_of(one, 1);
    assert_near(e.value, 1, 0);
    assert_nan(e.se);
    assert_true(e.low < 0.3);
}

static void test_quantile__ends(void **state)
{
    (void)state;
    const double one[] = {3}, two[] = {1, 5};
    assert_near(rdv_quantile(one, 1, 0.025), 3, 0);
    assert_near(rdv_quantile(two, 2, 0), 1, 0);
    assert_near(rdv_quantile(two, 2, 0.25), 2, 0);
    assert_near(rdv_quantile(two, 2, 1), 5, 0);
    const double more[] = {1, 5, NAN}; /* what stands behind them is none of theirs */
    assert_near(rdv_quantile(more, 2, 1), 5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean__value_and_error),
        cmocka_unit_test(test_mean__too_little_to_say),
        cmocka_unit_test(test_unit__at_the_edges),
        cmocka_unit_test(test_unit__is_wilsons),
        cmocka_unit_test(test_bootstrap__of_equal_values_has_no_interval),
        cmocka_unit_test(test_bootstrap__normal_where_there_are_many),
        cmocka_unit_test(test_bootstrap__same_at_any_number_of_threads),
        cmocka_unit_test(test_bootstrap__of_series_together),
        cmocka_unit_test(test_counts__errors_are_over_questions),
        cmocka_unit_test(test_counts__nothing_to_share),
        cmocka_unit_test(test_quantile__ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
