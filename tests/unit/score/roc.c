/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "base/rng.h"

#include "score/eval.h"

static rdv_estimate auc_of(const rdv_scored *s, size_t n)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_estimate e;
    assert_int_equal(rdv_auc(s, n, arena, &e, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return e;
}

/* Right: .8 .5, wrong: .5 .2 .9. Pairs won: 2 (and .9 lost) + 1 and a half = 3.5 of 6. */
static const rdv_scored small[] = {
    {0.5, false, 1}, {0.8, true, 2}, {0.2, false, 3}, {0.5, true, 4}, {0.9, false, 5},
};

static void test_auc__by_hand(void **state)
{
    (void)state;
    rdv_estimate e = auc_of(small, 5);
    assert_near(e.value, 3.5 / 6, 1e-15);
    /* DeLong: components of the right ones 2/3, 1.5/3; of the wrong ones 1.5/2, 2/2, 0. */
    double theta = 3.5 / 6;
    double right = (pow(2.0 / 3 - theta, 2) + pow(0.5 - theta, 2)) / 1 / 2;
    double wrong = (pow(0.75 - theta, 2) + pow(1 - theta, 2) + pow(theta, 2)) / 2 / 3;
    assert_near(e.se, sqrt(right + wrong), 1e-12);
    assert_int_equal(e.n, 5);
}

/* Three right and two wrong ones: what was won is lost, with the same error. */
static void test_auc__mirrored(void **state)
{
    rdv_scored mirrored[5];
    for (size_t i = 0; i < 5; i++) {
        mirrored[i] = small[i];
        mirrored[i].right = !small[i].right;
    }
    assert_near(auc_of(mirrored, 5).value, 2.5 / 6, 1e-15);
    assert_near(auc_of(mirrored, 5).se, auc_of(small, 5).se, 1e-12);
}

static void test_auc__extremes(void **state)
{
    (void)state;
    const rdv_scored perfect[] = {{1, true, 0}, {0, false, 1}, {2, true, 2}, {-1, false, 3}};
    rdv_estimate e = auc_of(perfect, 4);
    assert_near(e.value, 1, 0);
    assert_near(e.se, 0, 0);
    assert_true(e.low < 0.7); /* four chains prove little */
    const rdv_scored flat[] = {{1, true, 0}, {1, false, 1}, {1, true, 2}, {1, false, 3}};
    assert_near(auc_of(flat, 4).value, 0.5, 0);
    assert_nan(auc_of(perfect, 1).value);
    assert_nan(auc_of(NULL, 0).value);
}

/* Sums of shares like 1/49 may round to more than 1. */
static void test_auc__is_never_more_than_one(void **state)
{
    (void)state;
    rdv_scored s[100];
    for (size_t right = 1; right < 100; right++) {
        for (size_t i = 0; i < 100; i++)
            s[i] = (rdv_scored){(double)i, i >= 100 - right, i};
        rdv_estimate e = auc_of(s, 100);
        assert_true(e.value <= 1 && e.value > 1 - 1e-12);
        assert_true(e.low <= e.value && e.value <= e.high && e.high <= 1);
    }
}

static void test_auc__against_all_pairs(void **state)
{
    (void)state;
    enum { N = 200 };
    rdv_scored s[N];
    rdv_rng rng;
    rdv_rng_seed(&rng, 11);
    for (size_t i = 0; i < N; i++)
        s[i] = (rdv_scored){(double)rdv_rng_below(&rng, 12), rdv_rng_below(&rng, 3) == 0, i / 4};
    double won = 0, pairs = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            if (s[i].right && !s[j].right) {
                pairs++;
                won += s[i].score > s[j].score ? 1 : s[i].score == s[j].score ? 0.5 : 0;
            }
        }
    }
    assert_near(auc_of(s, N).value, won / pairs, 1e-12);
}

/* The same chains ten times over say nothing new, when each keeps its question. */
static void test_auc__error_is_over_questions(void **state)
{
    (void)state;
    rdv_scored many[50];
    for (size_t i = 0; i < 50; i++)
        many[i] = small[i % 5];
    rdv_estimate once = auc_of(small, 5), repeated = auc_of(many, 50);
    assert_near(repeated.value, once.value, 1e-12);
    assert_near(repeated.se, once.se, 1e-12);
}

static void test_roc__points(void **state)
{
    (void)state;
    static const rdv_roc_point expected[] = {
        {INFINITY, 0, 0}, {0.9, 1.0 / 3, 0}, {0.8, 1.0 / 3, 0.5}, {0.5, 2.0 / 3, 1}, {0.2, 1, 1},
    };
    rdv_arena *arena = rdv_arena_new(0);
    rdv_roc_point *roc;
    size_t n;
    assert_int_equal(rdv_roc(small, 5, arena, &roc, &n, NULL), RDV_OK);
    assert_int_equal(n, 5);
    for (size_t i = 0; i < n; i++) {
        assert_true(roc[i].threshold == expected[i].threshold);
        assert_near(roc[i].fpr, expected[i].fpr, 1e-15);
        assert_near(roc[i].tpr, expected[i].tpr, 1e-15);
    }
    assert_int_equal(rdv_roc(small, 1, arena, &roc, &n, NULL), RDV_NONE);
    assert_int_equal(rdv_roc(NULL, 0, arena, &roc, &n, NULL), RDV_NONE);
    rdv_arena_free(&arena);
}

static void test_no_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_estimate e;
    rdv_roc_point *roc;
    size_t n;
    assert_survives_no_memory(rdv_auc(small, 5, arena, &e, NULL) == RDV_OK, rdv_arena_reset(arena));
    assert_survives_no_memory(rdv_roc(small, 5, arena, &roc, &n, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_auc__by_hand),
        cmocka_unit_test(test_auc__mirrored),
        cmocka_unit_test(test_auc__extremes),
        cmocka_unit_test(test_auc__is_never_more_than_one),
        cmocka_unit_test(test_auc__against_all_pairs),
        cmocka_unit_test(test_auc__error_is_over_questions),
        cmocka_unit_test(test_roc__points),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
