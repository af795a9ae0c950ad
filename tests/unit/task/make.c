/* SPDX-License-Identifier: Apache-2.0 */
/* Made questions: what is the same for a number, where mistakes can stand, which task a question is
 * of. That the answers are right is for tests/integration/tasks.py. */
#include "task/task.h"

#include "../arena.h"
#include "../test.h"

#include "task/make.h"

#include <string.h>

static rdv_task_options with_trace(uint64_t seed)
{
    rdv_task_options o;
    rdv_task_options_default(&o);
    o.seed = seed;
    o.trace = true;
    return o;
}

static rdv_chain made(const rdv_task *task, const rdv_task_options *o, uint64_t number,
                      rdv_arena *arena)
{
    rdv_chain chain;
    assert_int_equal(rdv_task_make(task, o, number, arena, &chain, NULL), RDV_OK);
    return chain;
}

/* ---- what is made ----------------------------------------------------------------------------
 */

static void test_make__a_mistake_changes_nothing_before_it(void **state)
{
    size_t n;
    const rdv_task *const *tasks = rdv_tasks(&n);
    for (size_t t = 0; t < n; t++)
        for (uint64_t number = 0; number < 40; number++) {
            rdv_task_options o = with_trace(3);
            rdv_chain right = made(tasks[t], &o, number, *state), wrong;
            size_t mistakes = 0;
            assert_int_equal(right.correct, 1);
            assert_int_equal(right.label.kind, RDV_LABEL_NO_MISTAKE);
            for (o.mistake = 0; o.mistake <= right.n_steps; o.mistake++) {
                int r = rdv_task_make(tasks[t], &o, number, *state, &wrong, NULL);
                if (r == RDV_NONE)
                    continue;
                assert_int_equal(r, RDV_OK);
                assert_true(rdv_str_eq(wrong.question.text, right.question.text));
                assert_int_equal(wrong.label.step, o.mistake);
                for (size_t i = 0; i < o.mistake; i++)
                    assert_true(rdv_str_eq(wrong.steps[i], right.steps[i]));
                assert_false(rdv_str_eq(wrong.steps[o.mistake], right.steps[o.mistake]));
                mistakes++;
            }
            assert_true(mistakes >= 2);
        }
}

static void test_make__no_such_mistake(void **state)
{
    rdv_task_options o = with_trace(0);
    rdv_chain chain = {.correct = 77};
    const rdv_task *dyck = rdv_task_named(RDV_STR("dyck_languages"));
    o.mistake = 0; /* it says how the work is done */
    assert_int_equal(rdv_task_make(dyck, &o, 0, *state, &chain, NULL), RDV_NONE);
    o.mistake = 5000;
    assert_int_equal(rdv_task_make(dyck, &o, 0, *state, &chain, NULL), RDV_NONE);
    assert_int_equal(chain.correct, 77); /* untouched */
}

static void test_make__sizes(void **state)
{
    rdv_error err;
    rdv_chain chain;
    const rdv_task *task = rdv_task_named(RDV_STR("logical_deduction"));
    for (uint64_t number = 0; number < 60; number++) {
        rdv_task_options o = with_trace(0);
        chain = made(task, &o, number, *state);
        assert_true(chain.question.n_options % 2 == 1); /* three, five or seven */
        o.least = o.most = 4;
        chain = made(task, &o, number, *state);
        assert_int_equal(chain.question.n_options, 4);
    }
    static const size_t bad[][2] = {{1, 3}, {5, 4}, {3, 8}};
    for (size_t i = 0; i < 3; i++) {
        rdv_task_options o = with_trace(0);
        o.least = bad[i][0];
        o.most = bad[i][1];
        assert_int_equal(rdv_task_make(task, &o, 0, *state, &chain, &err), RDV_E_ARGUMENT);
        assert_int_not_equal(err.msg[0], '\0');
    }
}

static bool makes(const rdv_task *task)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_task_options o = with_trace(1);
    rdv_chain chain;
    o.mistake = RDV_TASK_ANY_STEP;
    int r = arena ? rdv_task_make(task, &o, 0, arena, &chain, NULL) : RDV_E_NOMEM;
    if (r != RDV_OK)
        assert_int_equal(r, RDV_E_NOMEM);
    rdv_arena_free(&arena);
    return r == RDV_OK;
}

static void test_make__no_memory(void **state)
{
    (void)state;
    size_t n;
    const rdv_task *const *tasks = rdv_tasks(&n);
    for (size_t t = 0; t < n; t++)
        assert_survives_no_memory(makes(tasks[t]), (void)0);
}

static void test_words__none_begins_another(void **state)
{
    (void)state;
    for (size_t i = 0; i < words_common.n; i++)
        for (size_t k = 0; k < words_common.n; k++) {
            const char *a = words_common.words[i], *b = words_common.words[k];
            if (i != k && strncmp(a, b, strlen(a)) == 0)
                fail_msg("%s begins %s", a, b);
        }
}

/* ---- which task a question is of --------------------------------------------------------------
 */

static void test_task_of__what_was_made(void **state)
{
    size_t n;
    const rdv_task *const *tasks = rdv_tasks(&n);
    for (size_t t = 0; t < n; t++)
        for (uint64_t number = 0; number < 50; number++) {
            rdv_task_options o = with_trace(9);
            rdv_chain chain = made(tasks[t], &o, number, *state);
            assert_ptr_equal(rdv_task_of(&chain.question), tasks[t]);
        }
}

static void test_task_of__other_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text, *task;
    } cases[] = {
        {"( < [ ( )", "dyck_languages"},
        {"Close what is open. Input: [ {", "dyck_languages"},
        {"((-2 * 3) - (4 + -5)) =", "multistep_arithmetic"},
        {"2 + 2", NULL},
        {"plum pear it's a-b r&d", "word_sorting"},
        {"Sort the words alphabetically: List: plum pear", "word_sorting"},
        {"plum", NULL},
        {"How many plums are there?", NULL},
        {"Ann has a cup. First, Ann and Bob swap cups. At the end of the day, Ann has", //
         "tracking_shuffled_objects"},
        {"The statements describe three objects in a fixed order.\n- ...", "logical_deduction"},
        {"A coin is heads up. Ann flips it. Is it heads up?", "coin_flip"},
        {"Take the last letters of \"Ann Bob\".", "last_letters"},
        {"", NULL},
        {"Ann sells 3 pens for 4 dollars each. What does she get?", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rdv_question q = {.text = rdv_str_of(cases[i].text)};
        const rdv_task *task = rdv_task_of(&q);
        if (cases[i].task ? !task || strcmp(task->name, cases[i].task) != 0 : task != NULL)
            fail_msg("\"%s\": %s", cases[i].text, task ? task->name : "none");
    }
    assert_null(rdv_task_of(&(rdv_question){0}));
}

/* A bare list is its task's only if the right answer is such a list too. */
static void test_task_left_out__lists(void **state)
{
    (void)state;
    static const struct {
        const char *text, *gold, *task;
    } cases[] = {
        {"plum pear it's r&d", "it's pear plum r&d", "word_sorting"},
        {" plum pear\n", "pear plum", "word_sorting"},
        {"plum pear", "pear", NULL},
        {"plum pear", NULL, NULL},
        {"who is oldest", "the plum", NULL},
        {"Sort these words: plum pear", "pear plum", NULL},
        {"[ { ( )", "} ]", "dyck_languages"},
        {"( [ ] )", "", "dyck_languages"},
        {"[ {", "{ [", NULL},
        {"[ {", NULL, NULL},
        {"Close what is open: [ {", "} ]", NULL},
        {"((2 + 3)) =", "5", NULL},
        {"", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rdv_question q = {.text = rdv_str_of(cases[i].text),
                                .gold = rdv_str_of(cases[i].gold)};
        const rdv_task *task = rdv_task_left_out(&q);
        if (cases[i].task ? !task || strcmp(task->name, cases[i].task) != 0 : task != NULL)
            fail_msg("\"%s\": %s", cases[i].text, task ? task->name : "none");
        if (task)
            assert_non_null(task->asks);
    }
}

static void test_task_list__without_its_words(void **state)
{
    static const struct {
        const char *text, *list;
    } cases[] = {
        {"Sort these words alphabetically: plum pear", "plum pear"},
        {"Sort the words alphabetically: List: plum pear", "plum pear"},
        {"plum pear", "plum pear"},
        {"Close the brackets that are open: [ {", "[ {"},
        {"Sort them alphabetically: Plum?", "Sort them alphabetically: Plum?"},
        {"A list: plum pear", "A list: plum pear"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rdv_question q = {.text = rdv_str_of(cases[i].text)};
        assert_true(rdv_str_eq(rdv_task_list(&q), rdv_str_of(cases[i].list)));
    }
    for (size_t t = 0; t < 2; t++) { /* what was made asks in the words put before a list */
        const rdv_task *task = rdv_task_named(rdv_str_of(t ? "dyck_languages" : "word_sorting"));
        rdv_chain chain;
        rdv_task_options options;
        rdv_task_options_default(&options);
        assert_int_equal(rdv_task_make(task, &options, 0, *state, &chain, NULL), RDV_OK);
        rdv_str list = rdv_task_list(&chain.question);
        assert_true(rdv_starts(chain.question.text, rdv_str_of(task->asks)));
        assert_int_equal(strlen(task->asks) + list.len, chain.question.text.len);
        chain.question.text = list;
        assert_ptr_equal(rdv_task_left_out(&chain.question), task);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make__a_mistake_changes_nothing_before_it),
        cmocka_unit_test(test_make__no_such_mistake),
        cmocka_unit_test(test_make__sizes),
        cmocka_unit_test(test_make__no_memory),
        cmocka_unit_test(test_words__none_begins_another),
        cmocka_unit_test(test_task_of__what_was_made),
        cmocka_unit_test(test_task_of__other_forms),
        cmocka_unit_test(test_task_left_out__lists),
        cmocka_unit_test(test_task_list__without_its_words),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
