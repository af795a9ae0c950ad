/* SPDX-License-Identifier: Apache-2.0 */
/* The recipes of general-purpose verification on chains small enough to do by hand. */
#include "near.h"

#include <rederive/general.h>

static rdv_general *new_general(rdv_arena *arena)
{
    rdv_general_options options = {.how = rdv_combination_default(), .draws = 4};
    return rdv_general_new(arena, &options);
}

/* One chain of one step, by relevance alone. */
static int add(rdv_general *g, const char *question, const char *answer, int correct,
               double relevance)
{
    int8_t yes = 1;
    rdv_step_labels labels = {RDV_STR("ann"), RDV_STR("correct"), &yes, 1};
    rdv_general_chain chain = {.question_id = rdv_str_of(question),
                               .key = rdv_str_of(answer),
                               .correct = correct,
                               .is = {.n_steps = 1, .step = {&relevance}},
                               .step_labels = &labels,
                               .n_step_labels = 1};
    return rdv_general_add(g, &chain, NULL);
}

/* Two questions: of one the best chain is right, of the other two share the best place. */
static bool add_two_questions(rdv_general *g)
{
    return add(g, "a", "1", 1, 0.9) == RDV_OK && add(g, "a", "2", 0, 0.5) == RDV_OK &&
           add(g, "a", "2", -1, 0.4) == RDV_OK && add(g, "b", "1", 1, 0.7) == RDV_OK &&
           add(g, "b", "3", 0, 0.7) == RDV_OK && add(g, "c", "9", -1, 1) == RDV_OK;
}

static void test_general__table1(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_general *g = new_general(arena);
    rdv_grid grid;
    assert_true(add_two_questions(g));
    assert_int_equal(rdv_general_compute(g, RDV_GENERAL_TABLE1, &grid, NULL), RDV_OK);
    assert_int_equal(grid.n_rows, 3);
    assert_string_equal(grid.columns[2].name, "accuracy");
    const rdv_grid_cell *random = grid.cells, *perplexity = random + 5, *best = perplexity + 5;
    assert_near(random[2].is.value, (1.0 / 3 + 1.0 / 2) / 2, 1e-12);
    assert_nan(perplexity[2].is.value);
    assert_near(best[2].is.value, 0.75, 1e-12);
    assert_near(best[3].x, sqrt(0.5 * 0.5) / 2, 1e-12); /* only the tie is drawn for */
    assert_near(best[4].is.value, 0.75 - 5.0 / 12, 1e-12);
    assert_int_equal(best[2].is.n, 2); /* of question c it is not known what is right */
    rdv_arena_free(&arena);
}

static void test_general__every_recipe_without_memory(void **state)
{
    (void)state;
    for (int is = 0; is < RDV_N_GENERALS; is++) {
        if (is == RDV_GENERAL_TABLE6)
            continue; /* needs next to none, and time */
        rdv_arena *arena = rdv_arena_new(0);
        rdv_grid grid;
        rdv_error err = {0};
        rdv_general *g;
        int r = RDV_OK;
        assert_survives_no_memory(
            (g = new_general(arena)) && add_two_questions(g) &&
                (r = rdv_general_compute(g, (rdv_general_is)is, &grid, &err)) != RDV_E_NOMEM,
            rdv_arena_reset(arena));
        assert_true(r == RDV_OK || r == RDV_NONE);
        rdv_arena_free(&arena);
    }
}

/* Relevance is right of every pair, math wrong: it is worth nothing. */
static void test_general_fit(void **state)
{
    (void)state;
    static const double relevant[] = {0.9, 0.6}, right[] = {0.2, 0.8};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_general *g = new_general(arena);
    rdv_general_fitted fit = {.questions = 77};
    assert_int_equal(rdv_general_fit(g, &fit, NULL), RDV_E_INPUT);
    assert_int_equal(fit.questions, 77);
    for (size_t i = 0; i < 2; i++) {
        rdv_general_chain chain = {.question_id = RDV_STR("q"),
                                   .key = i ? RDV_STR("1") : RDV_STR("2"),
                                   .correct = i == 0,
                                   .is = {.n_steps = 1, .step = {&relevant[i], &right[i]}}};
        assert_int_equal(rdv_general_add(g, &chain, NULL), RDV_OK);
    }
    assert_int_equal(rdv_general_fit(g, &fit, NULL), RDV_OK);
    assert_near(fit.in_order_before, 0, 0);
    assert_near(fit.in_order, 1, 0);
    /* the nearest to 1, 1 of those that put the pair in order, which is where math weighs less than
     * half of relevance: 1, 0.25 (2, 0.5 is farther) */
    assert_near(fit.weight[RDV_VERIFIER_RELEVANCE], 1, 0);
    assert_near(fit.weight[RDV_VERIFIER_MATH], 0.25, 0);
    assert_near(fit.weight[RDV_VERIFIER_PERPLEXITY], 2, 0); /* it was not there: as before */
    assert_true(rdv_general_has(g, RDV_STR("q")) && !rdv_general_has(g, RDV_STR("r")));
    assert_survives_no_memory(rdv_general_fit(g, &fit, NULL) == RDV_OK, (void)0);
    rdv_arena_free(&arena);
}

static void test_general_named(void **state)
{
    (void)state;
    for (int i = 0; i < RDV_N_GENERALS; i++) {
        rdv_general_is is;
        const char *about;
        const char *name = rdv_general_name((rdv_general_is)i, &about);
        assert_int_equal(rdv_general_named(rdv_str_of(name), &is), RDV_OK);
        assert_int_equal(is, i);
        assert_true(about[0] != '\0');
    }
    assert_int_equal(rdv_general_named(RDV_STR("general:table3"), &(rdv_general_is){0}), RDV_NONE);
}

/* Where verifier and people agree wholly, the best chain is right unless its scores are all high
 * and one is too low; where they do not agree at all, it is a random one. */
static void test_simulate(void **state)
{
    (void)state;
    rdv_simulation how = rdv_simulation_default();
    rdv_simulated none, all;
    how.questions = 4000;
    assert_int_equal(rdv_simulate(&how, 0, &none, NULL), RDV_OK);
    assert_int_equal(rdv_simulate(&how, 1, &all, NULL), RDV_OK);
    assert_near(none.accuracy.value, 0.19, 4 * none.accuracy.se);
    assert_near(none.correlation, 0, 0.01);
    assert_near(all.accuracy.value, 0.98, 0.02);
    assert_near(all.correlation, 1, 1e-9);
    assert_int_equal(all.accuracy.n, 4000);
    assert_int_equal(rdv_simulate(&how, 1.5, &all, NULL), RDV_E_ARGUMENT);
    how.chains = 0;
    assert_int_equal(rdv_simulate(&how, 1, &all, NULL), RDV_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_general__table1),
        cmocka_unit_test(test_general__every_recipe_without_memory),
        cmocka_unit_test(test_general_fit),
        cmocka_unit_test(test_general_named),
        cmocka_unit_test(test_simulate),
    };
    return cmocka_run_group_tests_name("general", tests, NULL, NULL);
}
