/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include <rederive/answer.h>

static rdv_str steps[] = {{"2 + 2 = 4", 9}, {"The answer is 5", 15}};

static rdv_chain chain_of(const char *answer, const char *gold, int correct)
{
    return (rdv_chain){.question = {.gold = rdv_str_of(gold)},
                       .steps = steps,
                       .n_steps = 2,
                       .answer = rdv_str_of(answer),
                       .correct = correct};
}

/* What the grade is with these options; the key is checked where there has to be one. */
static int grade(const rdv_chain *chain, rdv_grading how, const char *key)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_grade out;
    assert_int_equal(rdv_grade_chain(chain, &how, arena, &out, NULL), RDV_OK);
    assert_int_equal(out.key.p != NULL, key != NULL);
    if (key)
        assert_true(rdv_str_eq(out.key, rdv_str_of(key)));
    rdv_arena_free(&arena);
    return out.correct;
}

static void test_grade__by_the_gold_answer(void **state)
{
    (void)state;
    rdv_grading gold = {0};
    rdv_chain chain = chain_of("4.0", "4", 0);
    assert_int_equal(grade(&chain, gold, "4"), 1); /* whatever the source thought */
    chain = chain_of("5", "4", 1);
    assert_int_equal(grade(&chain, gold, "5"), 0);
    chain = chain_of("5", NULL, 1);
    assert_int_equal(grade(&chain, gold, "5"), 1);
    chain = chain_of("5", NULL, -1);
    assert_int_equal(grade(&chain, gold, "5"), -1);
}

static void test_grade__by_the_source(void **state)
{
    (void)state;
    rdv_grading source = {.source_first = true};
    rdv_chain chain = chain_of("5", "4", 1);
    assert_int_equal(grade(&chain, source, "5"), 1);
    chain = chain_of("5", "4", -1);
    assert_int_equal(grade(&chain, source, "5"), 0);
}

/* The source's opinion is about the answer that came with the chain. */
static void test_grade__of_the_steps(void **state)
{
    (void)state;
    rdv_grading read = {.read_steps = true, .source_first = true};
    rdv_chain chain = chain_of("4", NULL, 1);
    assert_int_equal(grade(&chain, read, "5"), -1);
    chain = chain_of("5", NULL, 1);
    assert_int_equal(grade(&chain, read, "5"), 1);
    chain = chain_of("4", "5", 0);
    assert_int_equal(grade(&chain, read, "5"), 1);
    chain = chain_of(NULL, NULL, 1); /* what was right came without an answer */
    assert_int_equal(grade(&chain, read, "5"), -1);
}

/* What could not be read is wrong where anything is known. */
static void test_grade__unread(void **state)
{
    (void)state;
    rdv_chain chain = chain_of(NULL, "4", -1);
    assert_int_equal(grade(&chain, (rdv_grading){0}, NULL), 0);
    chain = chain_of(NULL, NULL, 1);
    assert_int_equal(grade(&chain, (rdv_grading){0}, NULL), 0);
    chain = chain_of(NULL, NULL, -1);
    assert_int_equal(grade(&chain, (rdv_grading){0}, NULL), -1);
}

/* The answer that came with a chain does not stand in for one that its steps do not state. */
static void test_grade__steps_without_an_answer(void **state)
{
    (void)state;
    static rdv_str thoughts[] = {{"We think.", 9}};
    rdv_chain chain = chain_of("4", "4", 1);
    chain.steps = thoughts;
    chain.n_steps = 1;
    assert_int_equal(grade(&chain, (rdv_grading){.read_steps = true}, NULL), 0);
    assert_int_equal(grade(&chain, (rdv_grading){0}, "4"), 1);
}

/* An empty answer is unread, except where the task says that it may be right. */
static void test_grade__empty(void **state)
{
    (void)state;
    rdv_chain chain = chain_of("", "five", -1);
    assert_int_equal(grade(&chain, (rdv_grading){0}, NULL), 0);
    chain.question.kind = RDV_KIND_TEXT;
    assert_int_equal(grade(&chain, (rdv_grading){0}, NULL), 0);
    chain.answer = RDV_STR(" . ");
    assert_int_equal(grade(&chain, (rdv_grading){0}, NULL), 0);
    chain = chain_of(" ", "", -1);
    assert_int_equal(grade(&chain, (rdv_grading){0}, NULL), -1);
    chain.question.kind = RDV_KIND_TEXT; /* brackets that need no closing */
    assert_int_equal(grade(&chain, (rdv_grading){0}, ""), 1);
    chain.answer = RDV_STR("]");
    assert_int_equal(grade(&chain, (rdv_grading){0}, "]"), 0);
}

static void test_grade__shown(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str options[] = {{"red", 3}, {"blue", 4}};
    rdv_chain chain = chain_of(" blue ", "B", -1);
    rdv_grade out;
    chain.question.options = options;
    chain.question.n_options = 2;
    chain.question.kind = RDV_KIND_OPTION;
    assert_int_equal(rdv_grade_chain(&chain, &(rdv_grading){0}, arena, &out, NULL), RDV_OK);
    assert_text(out.shown, "B");
    chain = chain_of(" 1/2 ", "0.5", -1);
    assert_int_equal(rdv_grade_chain(&chain, &(rdv_grading){0}, arena, &out, NULL), RDV_OK);
    assert_text(out.shown, "1/2");
    assert_int_equal(out.correct, 1);
    chain = chain_of(" \xe2\x80\x94 ", "0.5", -1);
    chain.question.kind = RDV_KIND_LATEX;
    assert_int_equal(rdv_grade_chain(&chain, &(rdv_grading){0}, arena, &out, NULL), RDV_OK);
    assert_null(out.key.p);
    assert_null(out.shown.p);
    chain = chain_of(" 1/2 ", "0.5", -1);
    assert_survives_no_memory(
        rdv_grade_chain(&chain, &(rdv_grading){.read_steps = true}, arena, &out, NULL) == RDV_OK,
        rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grade__by_the_gold_answer),
        cmocka_unit_test(test_grade__by_the_source),
        cmocka_unit_test(test_grade__of_the_steps),
        cmocka_unit_test(test_grade__unread),
        cmocka_unit_test(test_grade__steps_without_an_answer),
        cmocka_unit_test(test_grade__empty),
        cmocka_unit_test(test_grade__shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
