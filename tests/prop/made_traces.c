/* SPDX-License-Identifier: Apache-2.0 */
/* Traces made by program with a mistake at a known step, or none, are judged exactly by the program
 * that follows the task, and every step of them is read. With a step in other words nothing is
 * accused. A right step in which words are put that the program cannot read is never supported. */
#include "base/rng.h"
#include "task/follow.h"
#include "task/task.h"

#include "../unit/test.h"

#define TRACES SHARE(300)

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

/* ---- words that are not read ----------------------------------------------------------------- */

static const char *const strange[] = {
    "whatever nonsense",   "xyzzy",    "not",       "never",    "She has nothing now.",
    "she black, he white", "or not",   "hardly",    "unless",   "which is false",
    "the former has it",   "anything", "seventeen", "its twin", "42%"};
#define STRANGE (sizeof strange / sizeof *strange)

/* The next place from `at` on where a word begins or ends. */
static size_t word_edge(rdv_str s, size_t at)
{
    while (at < s.len && !rdv_is_space(s.p[at]))
        at++;
    return at;
}

/* The step with the words put in at a drawn place between two words, at an end, or instead of what
 * stands between two places. */
static rdv_str with_words(rdv_str step, const char *words, rdv_rng *rng, rdv_arena *arena)
{
    size_t way = (size_t)rdv_rng_below(rng, 4);
    size_t from = way == 0   ? 0
                  : way == 1 ? step.len
                             : word_edge(step, (size_t)rdv_rng_below(rng, step.len));
    size_t to = way == 3 && from < step.len ? word_edge(step, from + 1) : from;
    rdv_str out = rdv_str_printf(arena, "%.*s %s %.*s", RDV_FMT(rdv_slice(step, 0, from)), words,
                                 RDV_FMT(rdv_slice(step, to, step.len)));
    assert_non_null(out.p);
    return out;
}

/* Nothing unread counts as support: with words in a step that it does not know, the program never
 * supports it. */
static void follow_strange(const char *name, const follow_task *task)
{
    rdv_rng rng;
    size_t tried = 0, supported = 0;
    rdv_rng_seed(&rng, 9);
    for (uint64_t i = 0; i < TRACES; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_chain chain = make(name, RDV_TASK_NO_MISTAKE, 9, i, arena);
        rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, chain.n_steps);
        assert_non_null(verdicts);
        for (size_t k = 0; k < STRANGE; k++) {
            size_t at = (size_t)rdv_rng_below(&rng, chain.n_steps);
            rdv_str before = chain.steps[at];
            chain.steps[at] = with_words(before, strange[k], &rng, arena);
            assert_int_equal(follow_chain(task, &chain, arena, verdicts, NULL), RDV_OK);
            tried++;
            if (verdicts[at].kind == RDV_SUPPORT && ++supported <= 12)
                print_error("%s supports: %.*s\n", name, RDV_FMT(chain.steps[at]));
            chain.steps[at] = before;
        }
        rdv_arena_free(&arena);
    }
    if (supported)
        fail_msg("%s: %zu of %zu steps with strange words are supported", name, supported, tried);
}

static void test_made__strange_dyck(void **state)
{
    (void)state;
    follow_strange("dyck_languages", &follow_dyck);
}

static void test_made__strange_sorting(void **state)
{
    (void)state;
    follow_strange("word_sorting", &follow_sorting);
}

static void test_made__strange_shuffled(void **state)
{
    (void)state;
    follow_strange("tracking_shuffled_objects", &follow_shuffled);
}

static void test_made__strange_arithmetic(void **state)
{
    (void)state;
    follow_strange("multistep_arithmetic", &follow_arithmetic);
}

static void test_made__strange_deduction(void **state)
{
    (void)state;
    follow_strange("logical_deduction", &follow_deduction);
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
        cmocka_unit_test(test_made__dyck),
        cmocka_unit_test(test_made__sorting),
        cmocka_unit_test(test_made__shuffled),
        cmocka_unit_test(test_made__arithmetic),
        cmocka_unit_test(test_made__deduction),
        cmocka_unit_test(test_made__reworded),
        cmocka_unit_test(test_made__strange_dyck),
        cmocka_unit_test(test_made__strange_sorting),
        cmocka_unit_test(test_made__strange_shuffled),
        cmocka_unit_test(test_made__strange_arithmetic),
        cmocka_unit_test(test_made__strange_deduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
