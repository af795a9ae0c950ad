/* SPDX-License-Identifier: Apache-2.0 */
#include "items.h"

/* A comparison of chains and of results of votes, from its creation to its tables. */
static int compare(rdv_arena *scratch, rdv_study_tables *tables, rdv_arena *arena)
{
    rdv_str steps[] = {RDV_STR("One.")};
    rdv_verdict verdict = {.step = 0, .kind = RDV_CONTRADICT};
    rdv_check check = {.method = RDV_STR("m"), .verdicts = &verdict, .n_verdicts = 1};
    rdv_chain chain = {.question = {.id = RDV_STR("q1"), .gold = RDV_STR("5")},
                       .steps = steps,
                       .n_steps = 1,
                       .answer = RDV_STR("5"),
                       .correct = -1,
                       .label = {.kind = RDV_LABEL_AT},
                       .checks = &check,
                       .n_checks = 1};
    rdv_result result = {
        .question_id = RDV_STR("q2"), .answer = RDV_STR("7"), .correct = 1, .expected_correct = 1};
    rdv_study *study = study_of(arena, "comparison", NULL);
    int code = study ? rdv_study_learn(study, &chain, scratch, NULL) : RDV_E_NOMEM;
    chain.answer = RDV_STR("6");
    if (code == RDV_OK)
        code = rdv_study_add(study, &chain, scratch, NULL);
    if (code == RDV_OK)
        code = rdv_study_learn_result(study, &result, NULL);
    if (code == RDV_OK)
        code = rdv_study_add_result(study, &result, NULL);
    return code == RDV_OK ? rdv_study_finish(study, tables, NULL) : code;
}

static void test_comparison__chains_and_results(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_tables tables;
    (void)state;
    assert_int_equal(compare(arena, &tables, arena), RDV_OK);
    assert_int_equal(tables.n, 3);
    assert_near(value_of(&tables.tables[0], 0, "n_broken"), 1, 0);
    assert_near(value_of(&tables.tables[0], 0, "n_both_right"), 1, 0);
    /* accuracy.chain, vote.accuracy, location, location.with_mistake */
    assert_int_equal(tables.tables[1].n_rows, 4);
    assert_near(value_of(&tables.tables[1], 0, "difference"), -1, 0);
    assert_near(value_of(&tables.tables[1], 2, "before"), 1, 0);
    assert_int_equal(tables.tables[2].n_rows, 2);
    assert_int_equal(tables.tables[2].n_hidden, 1);
    rdv_arena_free(&arena);
}

static void test_comparison__other_studies_learn_no_results(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study *study = study_of(arena, "evaluation", NULL);
    rdv_error err = {0};
    (void)state;
    assert_int_equal(rdv_study_learn_result(study, &(rdv_result){.correct = 1}, &err), RDV_E_INPUT);
    assert_true(err.msg[0]);
    rdv_arena_free(&arena);
}

static void test_comparison__every_allocation_may_fail(void **state)
{
    int code = RDV_E_NOMEM;
    size_t n = 1;
    (void)state;
    for (; code == RDV_E_NOMEM && n < 10000; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_study_tables tables;
        rdv_alloc_fail_at(n);
        code = compare(arena, &tables, arena);
        rdv_alloc_fail_at(0);
        rdv_arena_free(&arena);
    }
    assert_int_equal(code, RDV_OK);
    assert_true(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparison__chains_and_results),
        cmocka_unit_test(test_comparison__other_studies_learn_no_results),
        cmocka_unit_test(test_comparison__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
