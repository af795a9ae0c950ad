/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "lm/sample.h"

#include <math.h>

#define N 20

typedef struct fixture {
    _Alignas(LM_ALIGN) float logits[32];
    _Alignas(LM_ALIGN) float room[32];
    lm_candidate candidates[N];
    lm_odds odds;
} fixture;

static void begin(fixture *f)
{
    for (size_t i = 0; i < 32; i++)
        f->logits[i] = i < N ? (float)(i * 7 % N) / 4 : 100.0f; /* padding is not looked at */
    f->odds = sample_odds(lm_kernels_at(0), f->logits, N, f->room);
}

static uint32_t draw(fixture *f, double temperature, double top_p, uint64_t seed, uint64_t at)
{
    lm_sampling s = {temperature, top_p, seed};
    return sample_draw(lm_kernels_at(0), &f->odds, &s, at, f->room, f->candidates);
}

static void test_logprob__sums_to_one(void **state)
{
    fixture f;
    begin(&f);
    double sum = 0, exact = 0;
    for (uint32_t i = 0; i < N; i++) {
        sum += exp(sample_logprob(&f.odds, i));
        exact += exp((double)f.logits[i]);
    }
    assert_true(fabs(sum - 1) < 1e-6);
    assert_true(fabs(f.odds.shift - log(exact)) < 1e-6);
}

static void test_top__in_order(void **state)
{
    fixture f;
    rdv_lm_choice top[RDV_LM_MAX_TOP];
    begin(&f);
    f.logits[4] = f.logits[9];
    assert_int_equal(sample_top(&f.odds, top, 5), 5);
    for (size_t i = 1; i < 5; i++)
        assert_true(top[i - 1].logprob > top[i].logprob ||
                    (top[i - 1].logprob == top[i].logprob && top[i - 1].token < top[i].token));
    assert_int_equal(sample_top(&f.odds, top, 0), 0);
    assert_int_equal(sample_top(&f.odds, top, RDV_LM_MAX_TOP), N);
}

/* Shares of many draws, against the probabilities. */
static void check_shares(fixture *f, double temperature, double top_p, size_t kept)
{
    enum { DRAWS = 40000 };
    size_t counts[N] = {0}, seen = 0;
    double weight[N], total = 0;
    rdv_lm_choice top[N];
    sample_top(&f->odds, top, N);
    for (size_t i = 0; i < kept; i++)
        total += weight[i] = exp((double)f->logits[top[i].token] / temperature);
    for (uint64_t i = 0; i < DRAWS; i++)
        counts[draw(f, temperature, top_p, i % 100, i)]++;
    for (size_t i = 0; i < kept; i++) {
        double p = weight[i] / total;
        seen += counts[top[i].token];
        assert_true(fabs((double)counts[top[i].token] / DRAWS - p) < 4 * sqrt(p / DRAWS) + 1e-3);
    }
    assert_int_equal(seen, DRAWS);
}

static void test_draw__follows_the_probabilities(void **state)
{
    fixture f;
    begin(&f);
    check_shares(&f, 1, 1, N);
    check_shares(&f, 0.5, 1, N);
    double sum = 0;
    size_t kept = 0;
    rdv_lm_choice top[N];
    sample_top(&f.odds, top, N);
    while (sum < 0.8)
        sum += exp(top[kept++].logprob);
    check_shares(&f, 1, 0.8, kept);
}

static void test_draw__greedy(void **state)
{
    fixture f;
    begin(&f);
    assert_true(f.logits[17] == 4.75f);
    assert_int_equal(draw(&f, 0, 1, 5, 5), 17);
    assert_int_equal(draw(&f, 1e-40, 1, 5, 5), 17);
    assert_int_equal(draw(&f, 2, 1e-9, 5, 5), 17);
    f.logits[3] = f.logits[17];
    assert_int_equal(draw(&f, 0, 1, 5, 5), 3);
}

static void test_draw__seed_and_place(void **state)
{
    fixture f;
    begin(&f);
    size_t seeds = 0, places = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(draw(&f, 1, 1, i, 3), draw(&f, 1, 1, i, 3));
        seeds += draw(&f, 1, 1, i, 3) != draw(&f, 1, 1, i + 1, 3);
        places += draw(&f, 1, 1, 3, i) != draw(&f, 1, 1, 3, i + 1);
    }
    assert_true(seeds > 500 && places > 500);
}

static void test_odds__what_is_no_number(void **state)
{
    fixture f;
    begin(&f);
    for (size_t i = 0; i < N; i++)
        f.logits[i] = i % 2 ? NAN : -INFINITY;
    f.odds = sample_odds(lm_kernels_at(0), f.logits, N, f.room);
    assert_true(draw(&f, 1, 0.9, 1, 1) < N);
    assert_true(isfinite(sample_logprob(&f.odds, 3)));
    f.logits[6] = INFINITY;
    f.odds = sample_odds(lm_kernels_at(0), f.logits, N, f.room);
    assert_int_equal(draw(&f, 1, 1, 1, 1), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logprob__sums_to_one),
        cmocka_unit_test(test_top__in_order),
        cmocka_unit_test(test_draw__follows_the_probabilities),
        cmocka_unit_test(test_draw__greedy),
        cmocka_unit_test(test_draw__seed_and_place),
        cmocka_unit_test(test_odds__what_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
