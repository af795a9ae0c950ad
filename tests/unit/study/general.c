/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of general-purpose verification on chains small enough to do by hand. */
#include "items.h"

#include "study/general.h"
#include "study/simulate.h"

typedef int put(rdv_study *, const rdv_chain *, rdv_arena *, rdv_error *);

/* One chain of one step, by relevance and perhaps by math (NaN: it did not look). */
static int put_chain(put *to, rdv_study *study, const char *question, const char *answer,
                     int correct, double relevance, double math)
{
    int8_t yes = 1;
    rdv_step_labels labels = {RDV_STR("ann"), RDV_STR("correct"), &yes, 1};
    rdv_verdict verdicts[2] = {{.kind = RDV_SUPPORT, .score = relevance},
                               {.kind = RDV_SUPPORT, .score = math}};
    rdv_check checks[2] = {{.method = RDV_STR("relevance"), .verdicts = verdicts, .n_verdicts = 1},
                           {.method = RDV_STR("math"), .verdicts = verdicts + 1, .n_verdicts = 1}};
    rdv_str step = RDV_STR("a step");
    rdv_chain chain = {.question = {.id = rdv_str_of(question)},
                       .steps = &step,
                       .n_steps = 1,
                       .answer = rdv_str_of(answer),
                       .correct = correct,
                       .step_labels = &labels,
                       .n_step_labels = 1,
                       .checks = checks,
                       .n_checks = isnan(math) ? 1 : 2};
    rdv_arena *scratch = rdv_arena_new(0);
    int r = scratch ? to(study, &chain, scratch, NULL) : RDV_E_NOMEM;
    rdv_arena_free(&scratch);
    return r;
}

static int add(rdv_study *study, const char *question, const char *answer, int correct,
               double relevance)
{
    return put_chain(rdv_study_add, study, question, answer, correct, relevance, NAN);
}

/* Two questions: of one the best chain is right, of the other two share the best place. */
static bool add_two_questions(rdv_study *g)
{
    return add(g, "a", "1", 1, 0.9) == RDV_OK && add(g, "a", "2", 0, 0.5) == RDV_OK &&
           add(g, "a", "2", -1, 0.4) == RDV_OK && add(g, "b", "1", 1, 0.7) == RDV_OK &&
           add(g, "b", "3", 0, 0.7) == RDV_OK && add(g, "c", "9", -1, 1) == RDV_OK;
}

static void test_general__table1(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *g = study_of(arena, "general:table1", NULL);
    rdv_study_tables tables;
    assert_true(add_two_questions(g));
    assert_int_equal(rdv_study_finish(g, &tables, NULL), RDV_OK);
    const rdv_study_table *t = &tables.tables[0];
    assert_int_equal(tables.n, 1);
    assert_int_equal(t->n_rows, 3);
    assert_near(value_of(t, 0, "accuracy"), (1.0 / 3 + 1.0 / 2) / 2, 1e-12);
    assert_int_equal(cell_of(t, 1, "accuracy")->kind, RDV_CELL_ABSENT);
    assert_non_null(cell_of(t, 1, "accuracy")->text.p); /* and why */
    assert_near(value_of(t, 2, "accuracy"), 0.75, 1e-12);
    assert_near(value_of(t, 2, "std"), sqrt(0.5 * 0.5) / 2, 1e-12); /* only the tie is drawn for */
    assert_near(value_of(t, 2, "gain"), 0.75 - 5.0 / 12, 1e-12);
    /* of question c it is not known what is right */
    assert_int_equal(cell_of(t, 2, "accuracy")->is.n, 2);
    assert_int_equal(cell_of(t, 2, "accuracy")->kind, RDV_CELL_SHARE);
    rdv_arena_free(&arena);
}

/* Every study of the list but the simulation (which needs next to none, and time). */
static void test_every_study__without_memory(void **state)
{
    (void)state;
    const rdv_study_info *info;
    for (size_t i = 0; (info = rdv_study_at(i)); i++) {
        /* "combined" needs scorers, and something to fit them on; some take reports, not chains. */
        if (info->no_chains || info->reports || strcmp(info->name, "combined") == 0)
            continue;
        rdv_arena *arena = rdv_arena_new(0);
        rdv_study_options options = {.size = sizeof options, .draws = 4};
        rdv_study_tables tables;
        rdv_study *g;
        int r = RDV_OK;
        assert_survives_no_memory((g = study_of(arena, info->name, &options)) &&
                                      add_two_questions(g) &&
                                      (r = rdv_study_finish(g, &tables, NULL)) != RDV_E_NOMEM,
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
    rdv_study_options options = {.size = sizeof options, .fit = true};
    rdv_study *g = study_of(arena, "general:table1", &options);
    general_fitted fit = {.questions = 77};
    assert_int_equal(general_fit(g->of, &fit, NULL), RDV_E_INPUT);
    assert_int_equal(fit.questions, 77);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(
            put_chain(rdv_study_learn, g, "q", i ? "1" : "2", i == 0, relevant[i], right[i]),
            RDV_OK);
    assert_int_equal(general_fit(g->of, &fit, NULL), RDV_OK);
    assert_near(fit.in_order_before, 0, 0);
    assert_near(fit.in_order, 1, 0);
    /* the nearest to 1, 1 of those that put the pair in order, which is where math weighs less than
     * half of relevance: 1, 0.25 (2, 0.5 is farther) */
    assert_near(fit.weight[RDV_VERIFIER_RELEVANCE], 1, 0);
    assert_near(fit.weight[RDV_VERIFIER_MATH], 0.25, 0);
    assert_near(fit.weight[RDV_VERIFIER_PERPLEXITY], 2, 0); /* it was not there: as before */
    assert_survives_no_memory(general_fit(g->of, &fit, NULL) == RDV_OK, (void)0);
    /* Nothing is reported on a question that was fitted on, whatever group it is in. */
    assert_int_equal(add(g, "q", "1", 1, 0.5), RDV_E_ARGUMENT);
    assert_int_equal(add(g, "r", "1", 1, 0.5), RDV_OK);
    rdv_study_tables tables;
    assert_int_equal(rdv_study_finish(g, &tables, NULL), RDV_OK);
    const rdv_study_table *t = &tables.tables[0];
    assert_true(rdv_find(t->notes[t->n_notes - 1], RDV_STR("math=0.25"), 0) != RDV_NOT_FOUND);
    rdv_arena_free(&arena);
}

/* Where verifier and people agree wholly, the best chain is right unless its scores are all high
 * and one is too low; where they do not agree at all, it is a random one. */
static void test_simulate(void **state)
{
    (void)state;
    simulation how = simulate_default();
    simulated none, all;
    how.questions = 4000;
    assert_int_equal(simulate(&how, 0, &none, NULL), RDV_OK);
    assert_int_equal(simulate(&how, 1, &all, NULL), RDV_OK);
    assert_near(none.accuracy.value, 0.19, 4 * none.accuracy.se);
    assert_near(none.correlation, 0,
                4 / sqrt(16000)); /* four standard errors of 4000 chains of 4 steps */
    assert_near(all.accuracy.value, 0.98, 0.02);
    assert_near(all.correlation, 1, 1e-9);
    assert_int_equal(all.accuracy.n, 4000);
    assert_int_equal(simulate(&how, 1.5, &all, NULL), RDV_E_ARGUMENT);
    how.chains = 0;
    assert_int_equal(simulate(&how, 1, &all, NULL), RDV_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_general__table1),
        cmocka_unit_test(test_every_study__without_memory),
        cmocka_unit_test(test_general_fit),
        cmocka_unit_test(test_simulate),
    };
    return cmocka_run_group_tests_name("general", tests, NULL, NULL);
}
