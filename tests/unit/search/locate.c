/* SPDX-License-Identifier: Apache-2.0 */
/* Locators that need no more than the label. */
#include "search/repair.h"

#include "../test.h"
#include "score/eval.h"

#include <math.h>
#include <stdio.h>

#define MANY 20000

static rdv_str steps[12];

static rdv_chain chain_of(size_t number, size_t n_steps, rdv_label label)
{
    static char id[32];
    int len = snprintf(id, sizeof id, "task/%zu", number);
    return (rdv_chain){.id = {id, (size_t)len}, .steps = steps, .n_steps = n_steps, .label = label};
}

static const rdv_label none = {RDV_LABEL_NO_MISTAKE, 0};

static rdv_label at(size_t step)
{
    return (rdv_label){RDV_LABEL_AT, step};
}

static rdv_label locate(const rdv_locator *l, const rdv_chain *chain)
{
    rdv_label found;
    assert_int_equal(rdv_locate(l, chain, &found, NULL), RDV_OK);
    return found;
}

static bool is_right(rdv_label found, rdv_label label)
{
    if (label.kind == RDV_LABEL_NO_MISTAKE)
        return found.kind == RDV_LABEL_NO_MISTAKE;
    return found.kind == RDV_LABEL_AT && found.step == label.step;
}

static void test_named__what_there_is(void **state)
{
    static const struct {
        const char *name;
        rdv_locator_kind kind;
        double accuracy;
    } cases[] = {{"gold", RDV_LOCATE_GOLD, 0},
                 {"random", RDV_LOCATE_RANDOM, 0},
                 {"simulated:0.65", RDV_LOCATE_SIMULATED, 0.65},
                 {"simulated:65%", RDV_LOCATE_SIMULATED, 0.65},
                 {"simulated:1", RDV_LOCATE_SIMULATED, 1},
                 {"simulated:0", RDV_LOCATE_SIMULATED, 0},
                 {"calculations", RDV_LOCATE_METHOD, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_locator l;
        assert_int_equal(rdv_locator_named(rdv_str_of(cases[i].name), &l, NULL), RDV_OK);
        assert_int_equal(l.kind, cases[i].kind);
        assert_true(fabs(l.accuracy - cases[i].accuracy) < 1e-15);
        assert_int_equal(rdv_locator_is_drawn(&l), l.kind != RDV_LOCATE_METHOD);
    }
}

static void test_named__what_there_is_not(void **state)
{
    static const char *const names[] = {"",
                                        "golden",
                                        "simulated",
                                        "simulated:",
                                        "simulated:%",
                                        "simulated:1.1",
                                        "simulated:101%",
                                        "simulated:-1",
                                        "simulated:1e-1",
                                        "simulated:0.5.5",
                                        "simulated:nan",
                                        "simulated:0.50000000000000000000000001"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rdv_locator l = {.accuracy = 7};
        rdv_error err = {0};
        assert_int_equal(rdv_locator_named(rdv_str_of(names[i]), &l, &err), RDV_E_ARGUMENT);
        assert_true(rdv_starts(rdv_str_of(err.msg), rdv_str_of(names[i])));
        assert_true(err.msg[strlen(names[i])] == ':' && l.accuracy == 7);
    }
}

static void test_gold__is_the_label(void **state)
{
    rdv_locator gold = {.kind = RDV_LOCATE_GOLD};
    rdv_chain chain = chain_of(0, 4, at(2));
    assert_true(is_right(locate(&gold, &chain), at(2)));
    chain.label = none;
    assert_true(is_right(locate(&gold, &chain), none));
    chain.label = (rdv_label){0};
    assert_int_equal(locate(&gold, &chain).kind, RDV_LABEL_UNKNOWN);
}

static void test_random__any_step_or_none_alike(void **state)
{
    rdv_locator random = {.kind = RDV_LOCATE_RANDOM, .seed = 3};
    size_t counts[5] = {0};
    for (size_t i = 0; i < MANY; i++) {
        rdv_chain chain = chain_of(i, 4, at(1));
        rdv_label found = locate(&random, &chain);
        counts[found.kind == RDV_LABEL_AT ? found.step : 4]++;
    }
    for (size_t i = 0; i < 5; i++) /* 4000 expected, sd 57 */
        assert_in_range(counts[i], 3700, 4300);
    rdv_chain empty = chain_of(0, 0, none);
    assert_int_equal(locate(&random, &empty).kind, RDV_LABEL_NO_MISTAKE);
}

static void test_drawn__by_id_and_seed(void **state)
{
    rdv_locator a = {.kind = RDV_LOCATE_RANDOM, .seed = 1},
                b = {.kind = RDV_LOCATE_RANDOM, .seed = 2};
    size_t differ = 0;
    for (size_t i = 0; i < 1000; i++) {
        rdv_chain chain = chain_of(i, 9, none);
        rdv_label first = locate(&a, &chain), again = locate(&a, &chain),
                  other = locate(&b, &chain);
        assert_true(first.kind == again.kind && first.step == again.step);
        differ += first.kind != other.kind || first.step != other.step;
    }
    assert_in_range(differ, 850, 950);
}

/* ---- simulated ------------------------------------------------------------------------------- */

static rdv_locations locations_of(rdv_arena *arena, const size_t *counts, size_t n, size_t without)
{
    rdv_locations l = {0};
    for (size_t step = 0; step < n; step++)
        for (size_t i = 0; i < counts[step]; i++)
            assert_int_equal(rdv_locations_add(&l, at(step), arena), RDV_OK);
    for (size_t i = 0; i < without; i++)
        assert_int_equal(rdv_locations_add(&l, none, arena), RDV_OK);
    assert_int_equal(rdv_locations_add(&l, (rdv_label){0}, arena), RDV_OK);
    assert_int_equal(rdv_locations_add(&l, at(SIZE_MAX), arena), RDV_OK);
    return l;
}

static void test_simulated__is_as_right_as_it_says(void **state)
{
    static const size_t counts[] = {0, 30, 50, 20};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_locations among = locations_of(arena, counts, 4, 10);
    for (int x = 0; x <= 10; x++) {
        rdv_locator l = {.kind = RDV_LOCATE_SIMULATED, .accuracy = x / 10.0, .among = &among};
        size_t right = 0;
        for (size_t i = 0; i < MANY; i++) {
            rdv_label label = i % 3 ? at(i % 3) : none;
            rdv_chain chain = chain_of(i, 4, label);
            right += is_right(locate(&l, &chain), label);
        }
        assert_true(fabs((double)right / MANY - x / 10.0) < 0.015);
        if (x == 0 || x == 10)
            assert_int_equal(right, x ? MANY : 0);
    }
    rdv_arena_free(&arena);
}

/* What is wrong comes as often as it does among the labels, the right one left out. */
static void test_simulated__wrong_locations_are_the_datas_own(void **state)
{
    static const size_t counts[] = {0, 30, 50, 20};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_locations among = locations_of(arena, counts, 4, 20);
    rdv_locator l = {.kind = RDV_LOCATE_SIMULATED, .accuracy = 0, .among = &among};
    size_t drawn[5] = {0};
    for (size_t i = 0; i < MANY; i++) {
        rdv_chain chain = chain_of(i, 4, at(2));
        rdv_label found = locate(&l, &chain);
        drawn[found.kind == RDV_LABEL_AT ? found.step : 4]++;
    }
    assert_int_equal(drawn[0] + drawn[2], 0);
    assert_true(fabs((double)drawn[1] / MANY - 30.0 / 70) < 0.015);
    assert_true(fabs((double)drawn[3] / MANY - 20.0 / 70) < 0.015);
    assert_true(fabs((double)drawn[4] / MANY - 20.0 / 70) < 0.015);
    rdv_arena_free(&arena);
}

static void test_simulated__steps_that_the_chain_lacks(void **state)
{
    static const size_t counts[] = {0, 0, 0, 0, 0, 0, 0, 9};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_locations among = locations_of(arena, counts, 8, 0), empty = {0};
    const rdv_locations *const tables[] = {&among, &empty};
    for (size_t t = 0; t < 2; t++) {
        rdv_locator l = {.kind = RDV_LOCATE_SIMULATED, .accuracy = 0, .among = tables[t]};
        size_t drawn[4] = {0};
        for (size_t i = 0; i < 1000; i++) {
            rdv_chain chain = chain_of(i, 3, at(1));
            rdv_label found = locate(&l, &chain);
            drawn[found.kind == RDV_LABEL_AT ? found.step : 3]++;
        }
        assert_int_equal(drawn[1], 0);
        for (size_t i = 0; i < 4; i++)
            assert_true(i == 1 || drawn[i] > 250);
    }
    rdv_arena_free(&arena);
}

/* A more accurate one is right wherever a less accurate one is, and wrong in the same way. */
static void test_simulated__a_sweep_draws_from_the_same_numbers(void **state)
{
    static const size_t counts[] = {5, 5, 5, 5};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_locations among = locations_of(arena, counts, 4, 5);
    rdv_locator low = {.kind = RDV_LOCATE_SIMULATED, .accuracy = 0.3, .among = &among}, high = low;
    high.accuracy = 0.7;
    for (size_t i = 0; i < 2000; i++) {
        rdv_chain chain = chain_of(i, 4, at(i % 4));
        rdv_label a = locate(&low, &chain), b = locate(&high, &chain);
        assert_true(!is_right(a, chain.label) || is_right(b, chain.label));
        assert_true(is_right(b, chain.label) || (a.kind == b.kind && a.step == b.step));
    }
    rdv_arena_free(&arena);
}

static void test_simulated__needs_its_settings(void **state)
{
    rdv_locations among = {0};
    rdv_chain chain = chain_of(0, 3, at(1));
    rdv_label found;
    rdv_locator l = {.kind = RDV_LOCATE_SIMULATED, .accuracy = 0.5};
    assert_int_equal(rdv_locate(&l, &chain, &found, NULL), RDV_E_ARGUMENT);
    l.among = &among;
    static const double wrong[] = {NAN, -0.1, 1.1, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        l.accuracy = wrong[i];
        assert_int_equal(rdv_locate(&l, &chain, &found, NULL), RDV_E_ARGUMENT);
    }
    l = (rdv_locator){.kind = RDV_LOCATE_METHOD};
    assert_int_equal(rdv_locate(&l, &chain, &found, NULL), RDV_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named__what_there_is),
        cmocka_unit_test(test_named__what_there_is_not),
        cmocka_unit_test(test_gold__is_the_label),
        cmocka_unit_test(test_random__any_step_or_none_alike),
        cmocka_unit_test(test_drawn__by_id_and_seed),
        cmocka_unit_test(test_simulated__is_as_right_as_it_says),
        cmocka_unit_test(test_simulated__wrong_locations_are_the_datas_own),
        cmocka_unit_test(test_simulated__steps_that_the_chain_lacks),
        cmocka_unit_test(test_simulated__a_sweep_draws_from_the_same_numbers),
        cmocka_unit_test(test_simulated__needs_its_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
