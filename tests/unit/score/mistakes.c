/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/eval.h"

#define AT(i)                                                                                      \
    {                                                                                              \
        RDV_LABEL_AT, (i)                                                                          \
    }
#define FINE                                                                                       \
    {                                                                                              \
        RDV_LABEL_NO_MISTAKE, 0                                                                    \
    }
#define FOUND(i)                                                                                   \
    {                                                                                              \
        RDV_LABEL_AT, (i)                                                                          \
    }
#define FOUND_NONE                                                                                 \
    {                                                                                              \
        RDV_LABEL_NO_MISTAKE, 0                                                                    \
    }
#define SILENT                                                                                     \
    {                                                                                              \
        RDV_LABEL_UNKNOWN, 0                                                                       \
    }

static void test_locate__by_hand(void **state)
{
    (void)state;
    static const rdv_located chains[] = {
        {AT(2), FOUND(2), 0}, {AT(2), FOUND(1), 1},  {AT(0), FOUND_NONE, 2},
        {AT(0), SILENT, 3},   {FINE, FOUND_NONE, 4}, {FINE, FOUND(0), 5},
        {FINE, SILENT, 6},    {FINE, FOUND_NONE, 7}, {AT(3), FOUND(RDV_WHOLE_CHAIN), 8},
    };
    rdv_arena *arena = rdv_arena_new(0);
    rdv_location l;
    assert_int_equal(rdv_locate_score(chains, 9, arena, &l, NULL), RDV_OK);
    assert_near(l.overall.value, 3.0 / 9, 1e-15);
    assert_int_equal(l.overall.n, 9);
    assert_near(l.with_mistake.value, 1.0 / 5, 1e-15);
    assert_int_equal(l.with_mistake.n, 5);
    assert_near(l.without_mistake.value, 2.0 / 4, 1e-15);
    assert_int_equal(l.without_mistake.n, 4);
    assert_near(l.f1.value, 2 * 0.2 * 0.5 / 0.7, 1e-15);
    assert_true(l.f1.se > 0 && l.f1.low < l.f1.value && l.f1.value < l.f1.high);
    assert_int_equal(l.no_prediction, 2);
    rdv_arena_free(&arena);
}

/* The label that one verdict on the whole chain stands for. */
static void test_label_by__a_verdict_on_the_whole_chain(void **state)
{
    (void)state;
    rdv_verdict verdict = {.step = RDV_WHOLE_CHAIN, .kind = RDV_SUPPORT};
    rdv_check check = {.verdicts = &verdict, .n_verdicts = 1, .first_error = RDV_NO_STEP};
    assert_int_equal(rdv_label_by(&check).kind, RDV_LABEL_NO_MISTAKE);
    verdict.kind = RDV_UNRELATED;
    assert_int_equal(rdv_label_by(&check).kind, RDV_LABEL_NO_MISTAKE);
    verdict.kind = RDV_UNKNOWN;
    assert_int_equal(rdv_label_by(&check).kind, RDV_LABEL_UNKNOWN);
    verdict.kind = RDV_CONTRADICT;
    rdv_label label = rdv_label_by(&check);
    assert_int_equal(label.kind, RDV_LABEL_AT);
    assert_true(label.step == RDV_WHOLE_CHAIN);
}

static void test_locate__edges(void **state)
{
    (void)state;
    static const rdv_located chains[] = {{AT(2), FOUND_NONE, 0}, {FINE, FOUND(1), 1}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_location l;
    assert_int_equal(rdv_locate_score(chains, 2, arena, &l, NULL), RDV_OK);
    assert_near(l.f1.value, 0, 0); /* both accuracies are 0 */
    assert_int_equal(rdv_locate_score(chains, 1, arena, &l, NULL), RDV_OK);
    assert_nan(l.f1.value); /* no chain without a mistake */
    assert_nan(l.without_mistake.value);
    assert_int_equal(rdv_locate_score(NULL, 0, arena, &l, NULL), RDV_OK);
    assert_nan(l.overall.value);
    assert_survives_no_memory(rdv_locate_score(chains, 2, arena, &l, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

static rdv_estimate f1_of(const rdv_detected *d, size_t n)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_estimate e;
    assert_int_equal(rdv_weighted_f1(d, n, arena, &e, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return e;
}

/* 255 wrong and 45 right answers a task, all said to be wrong: the paper's 78. */
static void test_weighted_f1__always_wrong(void **state)
{
    (void)state;
    static rdv_detected chains[300];
    for (size_t i = 0; i < 300; i++)
        chains[i] = (rdv_detected){i < 45, RDV_LABEL_AT, i};
    assert_near(f1_of(chains, 300).value, 0.78, 0.002);
    assert_near(f1_of(chains, 300).value, 0.85 * (2 * 0.85 / 1.85), 1e-12);
}

static void test_weighted_f1__by_hand(void **state)
{
    (void)state;
    static const rdv_detected chains[] = {
        {false, RDV_LABEL_AT, 0}, {false, RDV_LABEL_AT, 1},        {false, RDV_LABEL_NO_MISTAKE, 2},
        {true, RDV_LABEL_AT, 3},  {true, RDV_LABEL_NO_MISTAKE, 4}, {false, RDV_LABEL_UNKNOWN, 5},
    };
    /* wrong: 2 hits, 4 are, 3 said: 4/7. right: 1 hit, 2 are, 2 said: 1/2. */
    assert_near(f1_of(chains, 6).value, (4 * 4.0 / 7 + 2 * 0.5) / 6, 1e-15);
    assert_near(f1_of(chains + 4, 1).value, 1, 0);
    assert_near(f1_of(chains + 5, 1).value, 0, 0);
    assert_nan(f1_of(NULL, 0).value);
}

static void test_found_by(void **state)
{
    (void)state;
    rdv_verdict steps[] = {{.step = 0, .kind = RDV_SUPPORT},
                           {.step = 1, .kind = RDV_UNKNOWN},
                           {.step = 2, .kind = RDV_CONTRADICT}};
    rdv_check check = {.verdicts = steps, .n_verdicts = 3, .first_error = 2};
    rdv_label f = rdv_label_by(&check);
    assert_int_equal(f.kind, RDV_LABEL_AT);
    assert_int_equal(f.step, 2);
    check.n_verdicts = 2;
    check.first_error = RDV_NO_STEP;
    assert_int_equal(rdv_label_by(&check).kind, RDV_LABEL_NO_MISTAKE);
    check.skipped = true;
    assert_int_equal(rdv_label_by(&check).kind, RDV_LABEL_UNKNOWN);
    rdv_check unread = {.verdicts = steps + 1, .n_verdicts = 1, .first_error = RDV_NO_STEP};
    assert_int_equal(rdv_label_by(&unread).kind, RDV_LABEL_UNKNOWN);
    rdv_check empty = {.first_error = RDV_NO_STEP};
    assert_int_equal(rdv_label_by(&empty).kind, RDV_LABEL_UNKNOWN);
    rdv_verdict whole = {.step = RDV_WHOLE_CHAIN, .kind = RDV_CONTRADICT};
    rdv_check global = {.verdicts = &whole, .n_verdicts = 1, .first_error = RDV_NO_STEP};
    assert_int_equal(rdv_label_by(&global).kind, RDV_LABEL_AT);
    assert_true(rdv_label_by(&global).step == RDV_WHOLE_CHAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locate__by_hand),
        cmocka_unit_test(test_label_by__a_verdict_on_the_whole_chain),
        cmocka_unit_test(test_locate__edges),
        cmocka_unit_test(test_weighted_f1__always_wrong),
        cmocka_unit_test(test_weighted_f1__by_hand),
        cmocka_unit_test(test_found_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
