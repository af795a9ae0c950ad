/* SPDX-License-Identifier: Apache-2.0 */
/* Traces made by program with a mistake at a known step, or none, are judged exactly by the program
 * that follows the task, and every step of them is read. With a step in other words nothing is
 * accused. */
#include "task/follow.h"
#include "task/task.h"

#include "../unit/test.h"

#define TRACES 300

static rdv_chain make(const char *name, size_t mistake, uint64_t seed, uint64_t number,
                      rdv_arena *arena)
{
    rdv_task_options options;
    rdv_chain chain;
    rdv_task_options_default(&options);
    options.trace = true;
    options.mistake = mistake;
    options.seed = seed;
    const rdv_task *task = rdv_task_named(rdv_str_of(name));
    assert_non_null(task);
    assert_int_equal(rdv_task_make(task, &options, number, arena, &chain, NULL), RDV_OK);
    return chain;
}

/* A factor of zero can hide a slip: (24 * 0) = (32 * 0) is true. Such a slip is not looked for. */
static bool hides_slips(const rdv_chain *chain)
{
    rdv_str text = chain->question.text;
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] == '0' && (i == 0 || !rdv_is_digit(text.p[i - 1])))
            return true;
    return false;
}

static void judge(const follow_task *task, const rdv_chain *chain, rdv_arena *arena)
{
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain->n_steps);
    assert_non_null(verdicts);
    assert_int_equal(follow_chain(task, chain, arena, verdicts, NULL), RDV_OK);
    size_t end = chain->label.kind == RDV_LABEL_AT ? chain->label.step : chain->n_steps;
    for (size_t i = 0; i < end; i++)
        if (verdicts[i].kind == RDV_CONTRADICT || verdicts[i].kind == RDV_UNKNOWN)
            fail_msg("%.*s, step %zu: %.*s: %.*s", RDV_FMT(chain->id), i, RDV_FMT(chain->steps[i]),
                     RDV_FMT(verdicts[i].why));
    if (end < chain->n_steps && verdicts[end].kind != RDV_CONTRADICT)
        fail_msg("%.*s, step %zu is wrong and is not found so: %.*s", RDV_FMT(chain->id), end,
                 RDV_FMT(chain->steps[end]));
}

static void follow_made(const char *name, const follow_task *task)
{
    for (uint64_t i = 0; i < TRACES; i++)
        for (size_t wrong = 0; wrong < 2; wrong++) {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_chain chain =
                make(name, wrong ? RDV_TASK_ANY_STEP : RDV_TASK_NO_MISTAKE, 7, i, arena);
            if (!wrong || task != &follow_arithmetic || !hides_slips(&chain))
                judge(task, &chain, arena);
            rdv_arena_free(&arena);
        }
}

/* A right trace in which one step says in other words what it did: nothing in it is wrong. */
static void follow_reworded(const char *name, const follow_task *task)
{
    for (uint64_t i = 0; i < TRACES; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_chain chain = make(name, RDV_TASK_NO_MISTAKE, 8, i, arena);
        chain.steps[i % chain.n_steps] = RDV_STR("As before, what comes next is done likewise.");
        rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain.n_steps);
        assert_non_null(verdicts);
        assert_int_equal(follow_chain(task, &chain, arena, verdicts, NULL), RDV_OK);
        for (size_t k = 0; k < chain.n_steps; k++)
            if (verdicts[k].kind == RDV_CONTRADICT)
                fail_msg("%.*s, step %zu, behind a step that cannot be read (%zu): %.*s: %.*s",
                         RDV_FMT(chain.id), k, (size_t)(i % chain.n_steps), RDV_FMT(chain.steps[k]),
                         RDV_FMT(verdicts[k].why));
        rdv_arena_free(&arena);
    }
}

static void test_made__reworded(void **state)
{
    (void)state;
    follow_reworded("dyck_languages", &follow_dyck);
    follow_reworded("word_sorting", &follow_sorting);
    follow_reworded("tracking_shuffled_objects", &follow_shuffled);
    follow_reworded("multistep_arithmetic", &follow_arithmetic);
    follow_reworded("logical_deduction", &follow_deduction);
}

static void test_made__dyck(void **state)
{
    (void)state;
    follow_made("dyck_languages", &follow_dyck);
}

static void test_made__sorting(void **state)
{
    (void)state;
    follow_made("word_sorting", &follow_sorting);
}

static void test_made__shuffled(void **state)
{
    (void)state;
    follow_made("tracking_shuffled_objects", &follow_shuffled);
}

static void test_made__arithmetic(void **state)
{
    (void)state;
    follow_made("multistep_arithmetic", &follow_arithmetic);
}

static void test_made__deduction(void **state)
{
    (void)state;
    follow_made("logical_deduction", &follow_deduction);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made__dyck),      cmocka_unit_test(test_made__sorting),
        cmocka_unit_test(test_made__shuffled),  cmocka_unit_test(test_made__arithmetic),
        cmocka_unit_test(test_made__deduction), cmocka_unit_test(test_made__reworded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
