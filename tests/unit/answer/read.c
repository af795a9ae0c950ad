/* SPDX-License-Identifier: Apache-2.0 */
/* Reading answers: tests/golden/answers.txt, steps, BIG-Bench's rule. */

#include "../test.h"
#include "../text/golden.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/read.h"
#include "base/buf.h"
#include "base/str.h"
#include "form.h"

static const char *const ways[] = {"box", "mark", "phrase", "bold", "place"};

static void check_case(const golden_case *c, rdv_arena *arena)
{
    const golden_section *kind = golden_find(c, "kind"), *options = golden_find(c, "options"),
                         *text = golden_find(c, "text"), *answer = golden_find(c, "answer"),
                         *by = golden_find(c, "by");
    assert_non_null(kind);
    assert_non_null(text);
    rdv_answer_form form = form_of(kind->rest, options ? options->rest : (rdv_str){0}, arena);
    rdv_answer got = {0};
    int rc = rdv_answer_read(text->text, &form, &got);
    if (rc != (answer ? RDV_OK : RDV_NONE))
        fail_msg("%.*s: %d, read \"%.*s\"", RDV_FMT(c->name), rc, RDV_FMT(got.text));
    if (!answer)
        return;
    if (!rdv_str_eq(got.text, answer->rest))
        fail_msg("%.*s: read \"%.*s\"", RDV_FMT(c->name), RDV_FMT(got.text));
    assert_true(rdv_str_eq(got.text, rdv_slice(text->text, got.begin, got.begin + got.text.len)));
    if (by && !rdv_str_eq(by->rest, rdv_str_of(ways[got.by])))
        fail_msg("%.*s: read by %s", RDV_FMT(c->name), ways[got.by]);
}

static void test_answer_read__golden(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t n;
    golden_case *cases = golden_read("answers.txt", arena, &n);
    for (size_t i = 0; i < n; i++)
        check_case(&cases[i], arena);
    assert_true(n > 60);
    rdv_arena_free(&arena);
}

static void test_answer_read_steps__last_announcement_wins(void **state)
{
    rdv_str steps[] = {RDV_STR("The answer is 3."), RDV_STR("So the answer is 4."),
                       RDV_STR("That was 1 hour.")};
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_answer got;
    assert_int_equal(rdv_answer_read_steps(steps, 3, &form, &got), RDV_OK);
    assert_text(got.text, "4");
    assert_int_equal(got.step, 1);
    assert_int_equal(got.begin, 17);
    assert_int_equal(rdv_answer_read_steps(steps + 2, 1, &form, &got), RDV_OK);
    assert_text(got.text, "1");
    assert_int_equal(got.by, RDV_ANSWER_BY_PLACE);
    assert_int_equal(rdv_answer_read_steps(steps, 0, &form, &got), RDV_NONE);
}

static void test_answer_read_steps__bold_counts_in_the_last_step(void **state)
{
    rdv_str steps[] = {RDV_STR("There are **3** pens"), RDV_STR("Plus 4 is 7 pens")};
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_answer got;
    assert_int_equal(rdv_answer_read_steps(steps, 2, &form, &got), RDV_OK);
    assert_text(got.text, "7");
}

/* A label that the text opens with is the title of what follows, in other steps too, unless nothing
 * follows. */
static void test_answer_read_steps__heading(void **state)
{
    rdv_str steps[] = {RDV_STR("Answer: we add 2 and 3 first"), RDV_STR(""),
                       RDV_STR("So it is 5.")};
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_answer got;
    assert_int_equal(rdv_answer_read_steps(steps, 3, &form, &got), RDV_OK);
    assert_text(got.text, "5");
    steps[0] = RDV_STR("Answer: 4"); /* an answer by itself */
    assert_int_equal(rdv_answer_read_steps(steps, 3, &form, &got), RDV_OK);
    assert_text(got.text, "4");
    steps[0] = RDV_STR("Answer: we need 2 and 3 pens");
    assert_int_equal(rdv_answer_read_steps(steps, 2, &form, &got), RDV_OK);
    assert_int_equal(got.by, RDV_ANSWER_BY_PHRASE);
    steps[0] = RDV_STR("Answer: we need 2 and 3 pens. Now count.");
    assert_int_equal(rdv_answer_read_steps(steps, 3, &form, &got), RDV_OK);
    assert_text(got.text, "5");
}

/* What is thought and not finished is no answer, wherever it begins once more. */
static void test_answer_read_steps__unfinished_thinking(void **state)
{
    rdv_str steps[] = {RDV_STR("The answer is 5. <think>Or is the answer 6?"),
                       RDV_STR("<think>The answer is 7."), RDV_STR("The answer is 8.")};
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_answer got;
    assert_int_equal(rdv_answer_read_steps(steps, 3, &form, &got), RDV_OK);
    assert_text(got.text, "5");
}

/* Lines may end as those of Windows do. */
static void test_answer_read__title_before_a_carriage_return(void **state)
{
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_answer got;
    rdv_str text = RDV_STR("### Final answer\r\n5\r\n\r\nThere were 7 at first.");
    assert_int_equal(rdv_answer_read(text, &form, &got), RDV_OK);
    assert_text(got.text, "5");
    assert_int_equal(got.by, RDV_ANSWER_BY_PHRASE);
}

/* The value stands before more numbers that name something than are looked at from the end back:
 * the last value counts, and without one the last name. */
static void test_answer_read__value_before_many_names(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_answer got;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (int i = 0; i < 40; i++)
        rdv_buf_printf(&b, "Look at page %d. ", i + 100);
    rdv_str names = rdv_buf_str(&b);
    rdv_str text = rdv_str_printf(arena, "There are 3, then 7 birds. %.*s", RDV_FMT(names));
    assert_int_equal(rdv_answer_read(text, &form, &got), RDV_OK);
    assert_text(got.text, "7");
    assert_int_equal(rdv_answer_read(names, &form, &got), RDV_OK);
    assert_text(got.text, "139");
    rdv_arena_free(&arena);
}

static void test_answer_read__form_may_be_absent(void **state)
{
    rdv_answer got;
    assert_int_equal(rdv_answer_read(RDV_STR("The answer is $\\pi$."), NULL, &got), RDV_OK);
    assert_text(got.text, "\\pi");
}

static void test_answer_read_bigbench__rule(void **state)
{
    rdv_answer got = {0};
    rdv_str text = RDV_STR("Thus she answer is no. the answer is: ] ) . \nThe answer is 5");
    assert_int_equal(rdv_answer_read_bigbench(text, &got), RDV_OK);
    assert_text(got.text, "] )");
    assert_int_equal(rdv_answer_read_bigbench(RDV_STR("The answer is 3.5"), &got), RDV_OK);
    assert_text(got.text, "3.5");
    assert_int_equal(rdv_answer_read_bigbench(RDV_STR("The answer is\n5"), &got), RDV_NONE);
    assert_int_equal(rdv_answer_read_bigbench(RDV_STR("the ANSWER is 5"), &got), RDV_NONE);
    assert_int_equal(rdv_answer_read_bigbench(RDV_STR("he answer is 5"), &got), RDV_NONE);
    assert_int_equal(rdv_answer_read_bigbench((rdv_str){0}, &got), RDV_NONE);
}

static void test_answer_form__auto(void **state)
{
    static const struct {
        const char *gold;
        rdv_kind kind;
    } cases[] = {
        {"42", RDV_KIND_NUMBER},        {"#### 1,042", RDV_KIND_NUMBER},
        {"515 miles", RDV_KIND_NUMBER}, {"$1.50", RDV_KIND_NUMBER},
        {"3 1/2", RDV_KIND_NUMBER},     {"50%", RDV_KIND_NUMBER},
        {"yes", RDV_KIND_YESNO},        {"False", RDV_KIND_YESNO},
        {"(B)", RDV_KIND_OPTION},       {"E", RDV_KIND_OPTION},
        {"\\pi", RDV_KIND_LATEX},       {"x+1", RDV_KIND_LATEX},
        {"x^2", RDV_KIND_LATEX},        {"(1,2)", RDV_KIND_LATEX},
        {"2i", RDV_KIND_LATEX},         {"05/01/2021", RDV_KIND_DATE},
        {"12:30", RDV_KIND_TIME},       {"eyai", RDV_KIND_TEXT},
        {"May 5", RDV_KIND_DATE},       {"] ) }", RDV_KIND_TEXT},
        {"", RDV_KIND_LATEX},           {"maybe", RDV_KIND_YESNO_MAYBE},
        {"(k)", RDV_KIND_TEXT},         {"(J)", RDV_KIND_OPTION},
        {"(b]", RDV_KIND_TEXT},         {"5.", RDV_KIND_NUMBER},
        {"5. apples", RDV_KIND_NUMBER}, {"13.45.2021", RDV_KIND_TEXT},
        {"1.2.3.4", RDV_KIND_LATEX},    {"x+", RDV_KIND_TEXT},
        {"(x+y)", RDV_KIND_TEXT},       {"x+y)", RDV_KIND_LATEX},
        {"x+(", RDV_KIND_TEXT},         {"2:3", RDV_KIND_LATEX},
        {":5", RDV_KIND_TEXT},          {"5:", RDV_KIND_TEXT},
        {"1:20:4", RDV_KIND_LATEX},     {"25:10:34", RDV_KIND_TEXT},
        {"1:20:30:4", RDV_KIND_LATEX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_question q = {.gold = rdv_str_of(cases[i].gold)};
        if (rdv_answer_form_of(&q).kind != cases[i].kind)
            fail_msg("%s is of kind %d", cases[i].gold, (int)rdv_answer_form_of(&q).kind);
    }
    rdv_str options[] = {RDV_STR("1"), RDV_STR("2")};
    rdv_question q = {.options = options, .n_options = 2, .gold = RDV_STR("2")};
    assert_int_equal(rdv_answer_form_of(&q).kind, RDV_KIND_OPTION);
    q.kind = RDV_KIND_TEXT;
    assert_int_equal(rdv_answer_form_of(&q).kind, RDV_KIND_TEXT);
    assert_int_equal(rdv_answer_form_of(&(rdv_question){0}).kind, RDV_KIND_LATEX);
}

/* A number behind a blank or sign, of which most are found by one look, ends where it ends behind a
 * bracket, whatever three characters follow it. */
static void test_next_number__behind_a_blank(void **state)
{
    (void)state;
    static const char marks[] = " axX%/.=+*1\\e:,'-^\n){", before[] = " =<>*\n";
    static const char *const tails[] = {"m", "10^3"};
    size_t n = sizeof marks - 1, all = n * n * n * (sizeof before - 1) * 2;
    for (size_t i = 0; i < all; i++) {
        char text[2][12];
        rdv_str numbers[2];
        for (size_t k = 0; k < 2; k++) {
            size_t from = 0;
            char first = k ? '(' : before[i / (n * n * n) % (sizeof before - 1)];
            int len = snprintf(text[k], sizeof text[k], "%c51%c%c%c%s", first, marks[i % n],
                               marks[i / n % n], marks[i / n / n % n],
                               tails[i / (n * n * n) / (sizeof before - 1)]);
            assert_true(answer_next_number((rdv_str){text[k], (size_t)len}, &from, &numbers[k]));
        }
        if (!rdv_str_eq(numbers[0], numbers[1]))
            fail_msg("\"%s\": %.*s", text[0], RDV_FMT(numbers[0]));
    }
}

/* A text that begins with no unit has none there, whatever follows. */
static void test_measure_is_no_unit__then_none_is_read(void **state)
{
    static const char *const others[] = {"pens", "text", "times", "square", "a", "per", "x", "in"};
    static const char *const behind[] = {"",   " ",  "s", "^2",      " per hour",
                                         "/h", " 5", ".", "\xc2\xb2"};
    const size_t n = sizeof others / sizeof *others;
    size_t none = 0;
    (void)state;
    for (size_t i = 0; i < n || unit_spelling(i - n).p; i++) {
        rdv_str word = i < n ? rdv_str_of(others[i]) : unit_spelling(i - n);
        for (size_t k = 0; k < sizeof behind / sizeof *behind; k++) {
            char text[80];
            int len = snprintf(text, sizeof text, "%.*s%s", RDV_FMT(word), behind[k]);
            rdv_str s = {text, (size_t)len};
            bool is = measure_is_no_unit(s);
            none += is;
            if (is && measure_len(s))
                fail_msg("\"%s\" has a unit of %zu bytes", text, measure_len(s));
        }
    }
    assert_true(none > 0);
    assert_false(measure_is_no_unit(RDV_STR("km")) || measure_is_no_unit(RDV_STR("5")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer_read__golden),
        cmocka_unit_test(test_answer_read_steps__last_announcement_wins),
        cmocka_unit_test(test_answer_read_steps__bold_counts_in_the_last_step),
        cmocka_unit_test(test_answer_read_steps__heading),
        cmocka_unit_test(test_answer_read_steps__unfinished_thinking),
        cmocka_unit_test(test_answer_read__value_before_many_names),
        cmocka_unit_test(test_answer_read__title_before_a_carriage_return),
        cmocka_unit_test(test_answer_read__form_may_be_absent),
        cmocka_unit_test(test_answer_read_bigbench__rule),
        cmocka_unit_test(test_answer_form__auto),
        cmocka_unit_test(test_next_number__behind_a_blank),
        cmocka_unit_test(test_measure_is_no_unit__then_none_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
