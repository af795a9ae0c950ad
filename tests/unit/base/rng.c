/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/rng.h"

#include <string.h>

/* The published first outputs of splitmix64 (seed 1234567) and of xoshiro256** (state 1, 2, 3, 4).
 */
static void test_seed__is_splitmix64(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 1234567);
    assert_true(rng.s[0] == 6457827717110365317u);
    assert_true(rng.s[1] == 3203168211198807973u);
    assert_true(rng.s[2] == 9817491932198370423u);
    assert_true(rng.s[3] == 4593380528125082431u);
}

static void test_next__is_xoshiro256starstar(void **state)
{
    (void)state;
    rdv_rng rng = {{1, 2, 3, 4}};
    assert_true(rdv_rng_next(&rng) == 11520);
    assert_true(rdv_rng_next(&rng) == 0);
    assert_true(rdv_rng_next(&rng) == 1509978240);
    assert_true(rdv_rng_next(&rng) == 1215971899390074240);
}

static void test_skip__as_if_drawn(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 3000; n = n < 70 ? n + 1 : n * 2 + 1) {
        rdv_rng drawn, skipped;
        rdv_rng_seed(&drawn, n);
        rdv_rng_seed(&skipped, n);
        for (uint64_t i = 0; i < n; i++)
            rdv_rng_next(&drawn);
        rdv_rng_skip(&skipped, n);
        assert_memory_equal(&drawn, &skipped, sizeof drawn);
    }
}

static void test_below__stays_below_and_is_even(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 3);
    size_t count[7] = {0};
    for (int i = 0; i < 70000; i++)
        count[rdv_rng_below(&rng, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(count[i], 9500, 10500); /* 10000 expected, standard deviation 93 */
    for (int i = 0; i < 100; i++)
        assert_int_equal(rdv_rng_below(&rng, 1), 0);
    for (int i = 0; i < 1000; i++)
        assert_true(rdv_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
    /* With n just over a half of the range nearly every second number is drawn again. */
    uint64_t n = ((uint64_t)1 << 63) + 1;
    for (int i = 0; i < 1000; i++)
        assert_true(rdv_rng_below(&rng, n) < n);
}

/* Against the division that it stands for, at both ends of the range and beside powers of two. */
static void test_range__draws_the_rest_of_a_division(void **state)
{
    (void)state;
    static const uint64_t most = UINT64_MAX, half = (uint64_t)1 << 63;
    const uint64_t numbers[] = {1,        2,    3,        7,        8,        1000, 250000,
                                1u << 31, most, most - 1, half - 1, half + 1, half, most / 3};
    rdv_rng ours, theirs;
    rdv_rng_seed(&ours, 5);
    rdv_rng_seed(&theirs, 5);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        uint64_t n = numbers[k], limit = most - most % n;
        rdv_range range = rdv_range_of(n);
        for (int i = 0; i < 10000; i++) {
            uint64_t x = rdv_rng_next(&theirs);
            bool redrawn = false, again = x >= limit;
            while (x >= limit)
                x = rdv_rng_next(&theirs);
            assert_true(rdv_range_draw(&range, &ours, &redrawn) == x % n);
            assert_true(redrawn == again);
        }
    }
}

static void test_unit__covers_zero_to_one(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 4);
    double sum = 0, least = 1, most = 0;
    for (int i = 0; i < 100000; i++) {
        double x = rdv_rng_unit(&rng);
        assert_true(x >= 0 && x < 1);
        sum += x;
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    assert_true(sum > 49500 && sum < 50500); /* standard deviation 91 */
    assert_true(least < 0.001 && most > 0.999);
    /* The state whose output has every bit set, the largest there is. */
    rdv_rng largest = {{0, 0x4fc71c71c71c71c7u, 0, 0}};
    assert_true(rdv_rng_unit(&largest) == 1 - 0x1.0p-53);
}

static void test_shuffle__is_a_permutation_each_as_likely(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 5);
    size_t count[3][3] = {{0}}; /* item, place */
    for (int round = 0; round < 30000; round++) {
        size_t items[3] = {0, 1, 2};
        rdv_rng_shuffle(&rng, items, 3);
        assert_int_equal(items[0] + items[1] + items[2], 3);
        assert_int_equal((1 << items[0]) | (1 << items[1]) | (1 << items[2]), 7);
        for (size_t place = 0; place < 3; place++)
            count[items[place]][place]++;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_in_range(count[i][k], 9500, 10500);
    rdv_rng_shuffle(&rng, NULL, 0);
}

static void test_seed__same_seed_same_numbers(void **state)
{
    (void)state;
    rdv_rng a, b, c;
    rdv_rng_seed(&a, 7);
    rdv_rng_seed(&b, 7);
    rdv_rng_seed(&c, 8);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(memcmp(&a, &c, sizeof a) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seed__is_splitmix64),
        cmocka_unit_test(test_next__is_xoshiro256starstar),
        cmocka_unit_test(test_skip__as_if_drawn),
        cmocka_unit_test(test_below__stays_below_and_is_even),
        cmocka_unit_test(test_range__draws_the_rest_of_a_division),
        cmocka_unit_test(test_unit__covers_zero_to_one),
        cmocka_unit_test(test_shuffle__is_a_permutation_each_as_likely),
        cmocka_unit_test(test_seed__same_seed_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
