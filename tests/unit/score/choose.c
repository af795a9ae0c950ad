/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing the chains that may vote. */
#include "../test.h"

#include "score/choose.h"

#include <math.h>

#define MAX_CHAINS 64

static void expect(rdv_choose_kind how, const double *by, size_t n, size_t m,
                   const size_t *expected)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t chosen[MAX_CHAINS], n_chosen = 0;
    assert_non_null(arena);
    assert_int_equal(rdv_choose(how, by, n, m, 0, arena, chosen, &n_chosen, NULL), RDV_OK);
    assert_int_equal(n_chosen, m < n ? m : n);
    for (size_t i = 0; i < n_chosen; i++)
        assert_int_equal(chosen[i], expected[i]);
    rdv_arena_free(&arena);
}

static void test_choose__by_value(void **state)
{
    (void)state;
    const double by[] = {3, 1, NAN, 2, 1};
    expect(RDV_CHOOSE_LOWEST, by, 5, 1, (size_t[]){1});
    expect(RDV_CHOOSE_LOWEST, by, 5, 3, (size_t[]){1, 3, 4});
    expect(RDV_CHOOSE_HIGHEST, by, 5, 1, (size_t[]){0});
    expect(RDV_CHOOSE_HIGHEST, by, 5, 3, (size_t[]){0, 1, 3});
}

static void test_choose__without_a_value_last(void **state)
{
    (void)state;
    const double by[] = {NAN, -INFINITY, NAN, INFINITY};
    expect(RDV_CHOOSE_LOWEST, by, 4, 2, (size_t[]){1, 3});
    expect(RDV_CHOOSE_HIGHEST, by, 4, 3, (size_t[]){0, 1, 3});
}

static void test_choose__more_than_there_are(void **state)
{
    (void)state;
    const double by[] = {2, 1};
    expect(RDV_CHOOSE_LOWEST, by, 2, 10, (size_t[]){0, 1});
    expect(RDV_CHOOSE_LOWEST, by, 0, 3, NULL);
    expect(RDV_CHOOSE_RANDOM, NULL, 2, 5, (size_t[]){0, 1});
}

/* Every set of 2 of 4 chains as often as any other, within 5 standard deviations. */
static void test_choose__random_is_even(void **state)
{
    enum { DRAWS = 12000 };
    size_t count[4][4] = {{0}}, chosen[2], n;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        assert_int_equal(rdv_choose(RDV_CHOOSE_RANDOM, NULL, 4, 2, seed, *state, chosen, &n, NULL),
                         RDV_OK);
        assert_true(chosen[0] < chosen[1]);
        count[chosen[0]][chosen[1]]++;
    }
    for (size_t i = 0; i < 4; i++)
        for (size_t k = i + 1; k < 4; k++)
            assert_true(fabs((double)count[i][k] - DRAWS / 6.0) < 5 * sqrt(DRAWS * 5 / 36.0));
}

static void test_choose__more_keeps_those_of_fewer(void **state)
{
    size_t few[3], many[7], n;
    for (uint64_t seed = 0; seed < 50; seed++) {
        assert_int_equal(rdv_choose(RDV_CHOOSE_RANDOM, NULL, 40, 3, seed, *state, few, &n, NULL),
                         RDV_OK);
        assert_int_equal(rdv_choose(RDV_CHOOSE_RANDOM, NULL, 40, 7, seed, *state, many, &n, NULL),
                         RDV_OK);
        for (size_t i = 0; i < 3; i++) {
            bool found = false;
            for (size_t k = 0; k < 7; k++)
                found |= many[k] == few[i];
            assert_true(found);
        }
    }
}

static int setup(void **state)
{
    *state = rdv_arena_new(0);
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    rdv_arena *arena = *state;
    rdv_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choose__by_value),
        cmocka_unit_test(test_choose__without_a_value_last),
        cmocka_unit_test(test_choose__more_than_there_are),
        cmocka_unit_test_setup_teardown(test_choose__random_is_even, setup, teardown),
        cmocka_unit_test_setup_teardown(test_choose__more_keeps_those_of_fewer, setup, teardown),
    };
    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
