/* SPDX-License-Identifier: Apache-2.0 */
/* Whole replies: which answer is read, and how it is graded. */
#include "../test.h"

#include "answer/money.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <rederive/answer.h>
#include <rederive/data.h>
#include <stdlib.h>
#include <time.h>

static int grade(rdv_arena *arena, const char *text, const char *gold, rdv_text_grade *out)
{
    rdv_error err = {0};
    return rdv_grade_text(rdv_str_of(text), rdv_str_of(gold), NULL, NULL, arena, out, &err);
}

static void test_grade_text__reads_and_compares(void **state)
{
    static const struct {
        const char *text, *gold, *answer;
        rdv_same is;
    } cases[] = {
        {"The answer is 7.", "7", "7", RDV_SAME},
        {"So \\boxed{\\frac{3}{6}}.", "0.5", "\\frac{3}{6}", RDV_SAME},
        {"3 of 4, so the answer is 8.", "7", "8", RDV_DIFFERENT},
        /* a formula alone is the answer as a whole */
        {"1/2", "2", "1/2", RDV_DIFFERENT},
        {"1/2", "0.5", "1/2", RDV_SAME},
        {" sqrt(2)\n", "2", "sqrt(2)", RDV_DIFFERENT},
        {"xy+5", "5", "xy+5", RDV_DIFFERENT},
        {"x = 5", "5", "x = 5", RDV_SAME},
        /* words are not */
        {"it is 5", "5", "5", RDV_SAME},
        {"5 apples", "5", "5", RDV_SAME},
        /* a short line that announces nothing is its own answer where no other can be read */
        {"Paris", "Paris", "Paris", RDV_SAME},
        {"Berlin", "Paris", "Berlin", RDV_DIFFERENT},
        {"", "7", NULL, RDV_DIFFERENT},
        /* what was thought is not read, finished or not */
        {"<think>so \\boxed{4}</think> The answer is 5", "5", "5", RDV_SAME},
        {"<think>so \\boxed{5}\n\nQ: is it?</think>\nThe answer is 6", "5", "6", RDV_DIFFERENT},
        {"<thinking>The answer is 5</thinking>\nIt is 6.", "5", "6", RDV_DIFFERENT},
        {"\xe2\x97\x81"
         "think\xe2\x96\xb7#### 5\xe2\x97\x81/think\xe2\x96\xb7 6",
         "5", "6", RDV_DIFFERENT},
        {"<think>so \\boxed{5}", "5", NULL, RDV_DIFFERENT},
        {"<think>5", "5", NULL, RDV_DIFFERENT},
        {"<think>Berlin?</think>Paris", "Paris", "Paris", RDV_SAME},
        {"<|channel|>analysis<|message|>So \\boxed{4}.<|end|><|start|>assistant"
         "<|channel|>final<|message|>The answer is 5.<|return|>",
         "5", "5", RDV_SAME},
        {"<|channel|>analysis<|message|>So \\boxed{5}.<|end|>", "5", NULL, RDV_DIFFERENT},
        {"analysisSo \\boxed{4}?assistantfinalIt is 5.", "5", "5", RDV_SAME},
        /* the tags of models trained by rewards */
        {"<answer>x^2+1</answer>", "x^2+1", "x^2+1", RDV_SAME},
        {"<answer>\n(1,2)\n</answer>", "(1,2)", "(1,2)", RDV_SAME},
        {"<answer>Paris</answer>", "Paris", "Paris", RDV_SAME},
        {"<answer>3</answer><confidence>90</confidence>", "3", "3", RDV_SAME},
        {"So \\boxed{4}. <answer>5</answer>", "5", "5", RDV_SAME},
        {"<answer>4</answer> So \\boxed{5}.", "5", "5", RDV_SAME},
        {"<answer>It is \\boxed{5}, not 4.</answer>", "5", "5", RDV_SAME},
        {"<answer>The answer is $5$.</answer>", "5", "5", RDV_SAME},
        {"<answer>There are 5 apples</answer>", "5", "5", RDV_SAME},
        {"First 4. <answer>5", "5", "5", RDV_SAME},
        /* what follows the answer in its sentence */
        {"The answer is 5, not 6.", "5", "5", RDV_SAME},
        {"The answer is 5 of the 20 apples.", "5", "5", RDV_SAME},
        {"The answer is 5 because 2+3=5 and 5>4.", "5", "5", RDV_SAME},
        {"The answer is $x^2$, not $x^3$.", "x^2", "x^2", RDV_SAME},
        {"The answer is 1/2 of the 30 = 15.", "15", "15", RDV_SAME},
        {"The answer is not 5.", "6", "not 5", RDV_CANNOT_TELL},
        /* words in LaTeX, emphasis; a formula without digits */
        {"So \\boxed{\\text{Evelyn}}.", "Evelyn", "\\text{Evelyn}", RDV_SAME},
        {"**blue**", "blue", "**blue**", RDV_SAME},
        {"So \\boxed{\\text{odd}}.", "even", "\\text{odd}", RDV_DIFFERENT},
        {"So \\boxed{x+y}.", "y+x", "x+y", RDV_SAME},
        /* the exact part of what is also given as a decimal */
        {"So \\boxed{\\frac13 \\approx 0.333}.", "\\frac13", "\\frac13 \\approx 0.333", RDV_SAME},
        {"So \\boxed{\\frac13 \\approx 0.333}.", "\\frac14", "\\frac13 \\approx 0.333",
         RDV_DIFFERENT},
        {"I do not know.", "7", NULL, RDV_DIFFERENT},
    };
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_text_grade out;
        assert_int_equal(grade(arena, cases[i].text, cases[i].gold, &out), RDV_OK);
        rdv_str expected = rdv_str_of(cases[i].answer);
        if (!rdv_str_eq(out.answer, expected) || (out.answer.p == NULL) != (expected.p == NULL) ||
            out.comparison.is != cases[i].is)
            fail_msg("%s for %s: read %.*s, %s", cases[i].text, cases[i].gold, RDV_FMT(out.answer),
                     rdv_same_name(out.comparison.is));
    }
    rdv_arena_free(&arena);
}

/* The form's other ways of writing the gold answer count too, and an empty answer where it says so.
 */
/* Beside the only amount of a sentence, a number of the question is not its answer; the amount is,
 * where no word changes it. Signs and words of one currency agree. A constant has any letter. */
static void test_grade_text__with_a_question(void **state)
{
    static const struct {
        const char *question, *text, *gold;
        rdv_same is;
    } cases[] = {
        {"He buys 16 cups. What does he pay?", "He pays 64 dollars for the 16 cups.", "$64",
         RDV_SAME},
        {"He buys 16 cups. What does he pay?", "He pays 60 dollars for the 16 cups.", "$64",
         RDV_DIFFERENT},
        {"He buys 16 cups. What does he pay?", "He does not pay 64 dollars for the 16 cups.", "$64",
         RDV_CANNOT_TELL},
        {"He buys 16 cups. What does he pay?", "He pays 64 dollars for each of the 16 cups.", "$64",
         RDV_CANNOT_TELL},
        {"How much does it cost?",
         "\xc2\xa5"
         "200",
         "200 yen", RDV_SAME},
        {"How much does it cost?",
         "\xc2\xa5"
         "200",
         "200 yen more", RDV_CANNOT_TELL},
        {"Solve y' = 2y.", "$y=Ae^{2x}$, where A is a constant.", "y = Ce^{2x}", RDV_SAME},
        {"Solve y' = 2y.", "$y=-Ae^{2x}$, where A is a constant.", "y = Ce^{2x}", RDV_CANNOT_TELL},
        {"Solve y' = Cy.", "$y=Ae^{2x}$, where A is a constant.", "y = Ce^{2x}", RDV_DIFFERENT},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_text_grade got;
        rdv_compare_options how = {.size = sizeof how, .question = rdv_str_of(cases[i].question)};
        assert_int_equal(rdv_grade_text(rdv_str_of(cases[i].text), rdv_str_of(cases[i].gold), NULL,
                                        &how, arena, &got, NULL),
                         RDV_OK);
        if (got.comparison.is != cases[i].is)
            fail_msg("%s: %s", cases[i].text, rdv_same_name(got.comparison.is));
    }
    rdv_arena_free(&arena);
}

static void test_grade_text__whole_form(void **state)
{
    static const rdv_str golds[] = {{"color", 5}, {"colour", 6}};
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_answer_form form = {.kind = RDV_KIND_PHRASE, .golds = golds, .n_golds = 2};
    rdv_text_grade out;
    assert_int_equal(
        rdv_grade_text(RDV_STR("The answer is Colour."), golds[0], &form, NULL, arena, &out, NULL),
        RDV_OK);
    assert_int_equal(out.comparison.is, RDV_SAME);
    form.kind = RDV_KIND_AUTO; /* several golds that are texts: a phrase */
    assert_int_equal(
        rdv_grade_text(RDV_STR("The answer is Colour."), golds[0], &form, NULL, arena, &out, NULL),
        RDV_OK);
    assert_int_equal(out.comparison.is, RDV_SAME);
    form = (rdv_answer_form){.kind = RDV_KIND_TEXT, .empty_counts = true};
    assert_int_equal(rdv_grade_text(RDV_STR("x"), RDV_STR(""), &form, NULL, arena, &out, NULL),
                     RDV_OK);
    assert_int_equal(out.comparison.is, RDV_DIFFERENT);
    rdv_arena_free(&arena);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Many announcements after many marks, and openings that never end: linear, and on a small stack.
 */
static void test_grade_text__linear(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf text, money;
    rdv_buf_init(&text, arena, 0);
    rdv_buf_init(&money, arena, 0);
    for (int i = 0; i < 200000; i++)
        rdv_buf_add_char(&text, '*');
    for (int i = 0; i < 20000; i++)
        rdv_buf_lit(&text, "\nanswer: x\n");
    rdv_buf_lit(&money, "$5");
    for (int i = 0; i < 300000; i++)
        rdv_buf_lit(&money, "\\text{");
    assert_true(rdv_buf_ok(&text) && rdv_buf_ok(&money));
    rdv_answer_form form = {.kind = RDV_KIND_MONEY};
    rdv_text_grade out;
    rdv_str last;
    double began = seconds();
    assert_int_equal(
        rdv_grade_text(rdv_buf_str(&text), RDV_STR("7"), NULL, NULL, arena, &out, NULL), RDV_OK);
    assert_true(money_last(rdv_buf_str(&money), &last)); /* a key has a limit of bytes */
    assert_int_equal(
        rdv_grade_text(rdv_buf_str(&money), RDV_STR("$5"), &form, NULL, arena, &out, NULL), RDV_OK);
    assert_true(seconds() - began < 5); /* 40 where each announcement reads the marks again */
    rdv_arena_free(&arena);
}

static void test_grade_text__unreadable_gold(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_text_grade out = {.by = RDV_ANSWER_BY_BOLD};
    assert_int_equal(grade(arena, "The answer is 7.", "", &out), RDV_NONE);
    assert_int_equal(grade(arena, "The answer is 7.", NULL, &out), RDV_NONE);
    assert_int_equal(out.by, RDV_ANSWER_BY_BOLD); /* untouched */
    rdv_arena_free(&arena);
}

static void test_grade_text__a_text_over_the_limit(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    size_t n = RDV_GRADE_TEXT_MAX + 1;
    char *text = malloc(n);
    rdv_text_grade out;
    assert_non_null(text);
    memset(text, '7', n);
    assert_int_equal(
        rdv_grade_text((rdv_str){text, n}, RDV_STR("7"), NULL, NULL, arena, &out, NULL), RDV_OK);
    assert_int_equal(out.comparison.is, RDV_CANNOT_TELL);
    assert_string_equal(out.comparison.why, "limit");
    assert_null(out.answer.p);
    free(text);
    rdv_arena_free(&arena);
}

static void test_grade_text__options(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_compare_options how = {.size = sizeof how, .tolerance = RDV_STR("0.01")};
    rdv_text_grade out;
    assert_int_equal(
        rdv_grade_text(RDV_STR("It is 0.333."), RDV_STR("1/3"), NULL, &how, arena, &out, NULL),
        RDV_OK);
    assert_int_equal(out.comparison.is, RDV_SAME);
    assert_string_equal(out.comparison.why, "tolerance");
    how.tolerance = RDV_STR("much");
    assert_int_equal(
        rdv_grade_text(RDV_STR("It is 0.333."), RDV_STR("1/3"), NULL, &how, arena, &out, NULL),
        RDV_E_ARGUMENT);
    rdv_arena_free(&arena);
}

/* What the form says counts, and what it leaves open is decided by gold. */
static void test_grade_text__by_the_form(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_text_grade out;
    rdv_answer_form form = {.kind = RDV_KIND_TEXT};
    rdv_str reply = RDV_STR("The answer is blue."), gold = RDV_STR("Blue");
    assert_int_equal(rdv_grade_text(reply, gold, &form, NULL, arena, &out, NULL), RDV_OK);
    assert_int_not_equal(out.comparison.is, RDV_SAME);
    form = (rdv_answer_form){.kind = RDV_KIND_TEXT, .any_case = true};
    assert_int_equal(rdv_grade_text(reply, gold, &form, NULL, arena, &out, NULL), RDV_OK);
    assert_int_equal(out.comparison.is, RDV_SAME);
    /* nothing is the right answer: brackets that need no closing */
    form = (rdv_answer_form){.kind = RDV_KIND_TEXT};
    assert_int_equal(rdv_grade_text(reply, RDV_STR(" "), &form, NULL, arena, &out, NULL), RDV_OK);
    assert_int_not_equal(out.comparison.is, RDV_SAME);
    assert_int_equal(grade(arena, "", "7", &out), RDV_OK);
    assert_int_not_equal(out.comparison.is, RDV_SAME);
    rdv_arena_free(&arena);
}

static void test_grade_text__every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_text_grade out;
        rdv_alloc_fail_at(n);
        int code = grade(arena, "sqrt(8)", "2\\sqrt{2}", &out);
        rdv_alloc_fail_at(0);
        rdv_arena_free(&arena);
        if (code == RDV_OK)
            break;
        assert_int_equal(code, RDV_E_NOMEM);
        assert_true(n < 10000);
    }
}

/* A pair from memory, as a reader gives it. */
static void test_pairs__of_a_record(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_read_options options = {.size = sizeof options, .pairs = true};
    rdv_error err = {0};
    rdv_record *r;
    size_t n;
    rdv_str pair = RDV_STR("{\"answer\":1.50,\"gold\":[\"a\",2],\"options\":[\"x\",\"y\"]}");
    assert_int_equal(rdv_record_read(pair, &options, arena, &r, &n, &err), RDV_OK);
    assert_int_equal(n, 1);
    assert_int_equal(r->kind, RDV_RECORD_PAIR);
    assert_true(rdv_str_eq(r->pair.answer, RDV_STR("1.50"))); /* a number keeps its digits */
    assert_null(r->pair.text.p);
    assert_int_equal(r->pair.n_golds, 2);
    assert_true(rdv_str_eq(r->pair.golds[1], RDV_STR("2")));
    assert_int_equal(r->chain.question.n_options, 2);
    assert_true(rdv_str_eq(r->chain.raw, pair));
    assert_int_equal(rdv_record_read(pair, NULL, arena, &r, &n, &err), RDV_E_INPUT);
    for (size_t at = 1;; at++) {
        rdv_arena_reset(arena);
        rdv_alloc_fail_at(at);
        int code = rdv_record_read(pair, &options, arena, &r, &n, &err);
        rdv_alloc_fail_at(0);
        if (code == RDV_OK)
            break;
        assert_int_equal(code, RDV_E_NOMEM);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grade_text__reads_and_compares),
        cmocka_unit_test(test_grade_text__with_a_question),
        cmocka_unit_test(test_grade_text__whole_form),
        cmocka_unit_test(test_grade_text__linear),
        cmocka_unit_test(test_grade_text__unreadable_gold),
        cmocka_unit_test(test_grade_text__a_text_over_the_limit),
        cmocka_unit_test(test_grade_text__options),
        cmocka_unit_test(test_grade_text__by_the_form),
        cmocka_unit_test(test_grade_text__every_allocation_may_fail),
        cmocka_unit_test(test_pairs__of_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
