/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include <rederive/score.h>

#define ANSWERS_MAX 4

static double failure(double p, const double *wrong, size_t n_wrong, size_t n)
{
    rdv_arena *arena = rdv_arena_new(0);
    double out = NAN;
    assert_int_equal(rdv_majority_failure(p, wrong, n_wrong, n, arena, &out, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return out;
}

static void test_failure__the_papers_bound_does_not_hold(void **state)
{
    (void)state;
    const double q = 0.4;
    double stated = ceil((1 - 0.6) / q) * pow(q / 0.6, ceil(11 / 2.0));
    assert_near(stated, 0.0878, 5e-5);
    assert_near(failure(0.6, &q, 1, 11), 0.24650186752, 1e-11);
    assert_true(rdv_majority_bound(0.6, q, 1, 11) > 0.2465);
}

static void test_failure__small_cases_by_hand(void **state)
{
    (void)state;
    const double even[] = {0.25, 0.25}, none[] = {0};
    assert_near(failure(0.5, even, 2, 1), 0.5, 1e-12);
    /* Two chains: both right .25; one right and one wrong, a tie, .5, of which half fails. */
    assert_near(failure(0.5, even, 2, 2), 1 - 0.25 - 0.25, 1e-12);
    /* Three: right fails alone against two equal wrong ones 3 * .5 * .125, ties with two different
     * ones 3 * .5 * .125 at 2/3, none right .125. */
    assert_near(failure(0.5, even, 2, 3), 0.1875 + 0.1875 * 2 / 3 + 0.125, 1e-12);
    assert_near(failure(0.5, NULL, 0, 3), 0.125, 1e-12); /* the rest is unread: all three */
    assert_near(failure(1, none, 1, 9), 0, 1e-12);
    assert_near(failure(0, even, 2, 9), 1, 1e-12);
    assert_near(failure(0.7, even, 0, 0), 1, 0); /* nobody votes */
}

/* One multinomial outcome after the other. */
typedef struct brute {
    const double *chance; /* right, wrong ones, unread */
    size_t kinds, n;
    size_t count[ANSWERS_MAX + 2];
    double failed;
} brute;

static double outcome_fails(const brute *b)
{
    size_t ties = 1;
    for (size_t i = 1; i + 1 < b->kinds; i++) {
        if (b->count[i] > b->count[0])
            return 1;
        ties += b->count[i] == b->count[0];
    }
    return b->count[0] == 0 ? 1 : 1 - 1 / (double)ties;
}

static void enumerate(brute *b, size_t chain, double chance)
{
    if (chain == b->n) {
        b->failed += chance * outcome_fails(b);
        return;
    }
    for (size_t i = 0; i < b->kinds; i++) {
        b->count[i]++;
        enumerate(b, chain + 1, chance * b->chance[i]);
        b->count[i]--;
    }
}

static void test_failure__against_enumeration(void **state)
{
    (void)state;
    static const struct {
        size_t kinds;
        double chance[ANSWERS_MAX + 2];
    } cases[] = {
        {3, {0.5, 0.3, 0.2}},
        {3, {0.5, 0.5, 0}},
        {4, {0.3, 0.3, 0.3, 0.1}},
        {5, {0.4, 0.1, 0.2, 0.05, 0.25}},
        {6, {0.2, 0.2, 0.2, 0.2, 0.2, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t n = 0; n <= 6; n++) {
            brute b = {.chance = cases[i].chance, .kinds = cases[i].kinds, .n = n};
            enumerate(&b, 0, 1);
            assert_near(failure(b.chance[0], b.chance + 1, b.kinds - 2, n), b.failed, 1e-12);
        }
    }
}

static void test_bound__holds_everywhere(void **state)
{
    (void)state;
    for (int p = 35; p <= 95; p += 10) {
        for (size_t n_wrong = 1; n_wrong <= 3; n_wrong++) {
            double wrong[3], each = (1 - p / 100.0) / (double)n_wrong;
            for (size_t i = 0; i < n_wrong; i++)
                wrong[i] = each;
            for (size_t n = 1; n <= 41; n += 8)
                assert_true(failure(p / 100.0, wrong, n_wrong, n) <=
                            rdv_majority_bound(p / 100.0, each, n_wrong, n) + 1e-9);
        }
    }
    assert_near(rdv_majority_bound(0.4, 0.6, 1, 100), 1, 0);
    assert_near(rdv_majority_bound(0.5, 0.5, 1, 100), 1, 0);
    assert_near(rdv_majority_bound(1, 0, 3, 2), 0, 0);
    assert_near(rdv_majority_bound(-0.1, 0, 1, 9), 1, 0); /* no chances: no bound */
    assert_near(rdv_majority_bound(1.1, 0, 1, 9), 1, 0);
    assert_near(rdv_majority_bound(0.5, -0.1, 1, 9), 1, 0);
}

static void test_failure__faults(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    double out = 7;
    const double wrong[] = {0.6, 0.1}, strange[] = {NAN}, large[] = {1.5};
    assert_int_equal(rdv_majority_failure(1.1, wrong, 0, 5, arena, &out, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_majority_failure(0, large, 1, 5, arena, &out, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_majority_failure(0.4, wrong, 2, 5, arena, &out, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_majority_failure(-0.1, wrong, 1, 5, arena, &out, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_majority_failure(0.1, strange, 1, 5, arena, &out, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_majority_failure(0.4, wrong, 1, SIZE_MAX, arena, &out, &err), RDV_E_LIMIT);
    assert_near(out, 7, 0);
    assert_survives_no_memory(rdv_majority_failure(0.4, wrong, 1, 9, arena, &out, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

static void test_failure__many_chains(void **state)
{
    (void)state;
    const double q = 0.4;
    assert_near(failure(0.6, &q, 1, 401), 2.5776721343730145e-5, 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failure__the_papers_bound_does_not_hold),
        cmocka_unit_test(test_failure__small_cases_by_hand),
        cmocka_unit_test(test_failure__against_enumeration),
        cmocka_unit_test(test_bound__holds_everywhere),
        cmocka_unit_test(test_failure__faults),
        cmocka_unit_test(test_failure__many_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
