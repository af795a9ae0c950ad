/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers a step has: what a model lists must be made of them. */
#include "method/step_numbers.h"
#include "../test.h"

#include <stdio.h>

static void assert_numbers(const char *text, bool words, const char *wanted)
{
    rdv_arena *arena = rdv_arena_new(0);
    step_numbers found;
    char all[200] = "";
    assert_int_equal(step_numbers_of(rdv_str_of(text), words, arena, &found), RDV_OK);
    for (size_t i = 0; i < found.n; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.*s", i ? " " : "",
                 RDV_FMT(found.at[i]));
    if (strcmp(all, wanted) != 0)
        fail_msg("%s: \"%s\" is not \"%s\"", text, all, wanted);
    rdv_arena_free(&arena);
}

static void test_numbers__in_one_form(void **state)
{
    assert_numbers("1,000 and 1000.0 and 01000", false, "1000. 1000. 1000.");
    assert_numbers("0.50 and .5 and 0", false, ".5 .5 .");
    assert_numbers("It costs 3.25, or 4.", false, "3.25 4.");
    assert_numbers("1,2,3", false, "1. 2. 3.");
    assert_numbers("12,34 and 1,2345", false, "12. 34. 1. 2345.");
    assert_numbers("1,000,000.5", false, "1000000.5");
    assert_numbers("1.5,000", false, "1.5 .");
    assert_numbers("1.2.3", false, "1.2 .3");
    assert_numbers("3 * 4 = 12", false, "3. 4. 12.");
    assert_numbers("no number. at all", false, "");
}

static void test_numbers__words_and_percents(void **state)
{
    assert_numbers("Twenty, a dozen and half of zero", true, "20. 12. 2. .");
    assert_numbers("Twenty, a dozen and half of zero", false, "");
    assert_numbers("20% and 5 \\% and 150%", true, "20. .2 100. 5. .05 100. 150. 1.5 100.");
    assert_numbers("20% and 5", false, "20. 5.");
    assert_numbers("0.5%", true, ".5 .005 100.");
}

/* Each word that names a number has the form of its digits, alone and in a sentence, in any case.
 */
static void test_numbers__each_word(void **state)
{
    static const char *const below_21[] = {
        "zero",     "one",     "two",     "three",     "four",     "five",     "six",
        "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
    static const char *const tens[] = {"thirty",  "forty",  "fifty", "sixty",
                                       "seventy", "eighty", "ninety"};
    static const struct {
        const char *word;
        int number;
    } others[] = {{"hundred", 100}, {"dozen", 12}, {"half", 2},    {"twice", 2},
                  {"double", 2},    {"third", 3},  {"quarter", 4}, {"triple", 3}};
    for (int i = 0; i < 21 + 7 + 8; i++) {
        const char *word = i < 21 ? below_21[i] : i < 28 ? tens[i - 21] : others[i - 28].word;
        int number = i < 21 ? i : i < 28 ? 10 * (i - 18) : others[i - 28].number;
        char text[60], form[20];
        snprintf(form, sizeof form, number ? "%d." : ".", number);
        assert_numbers(word, true, form);
        assert_numbers(word, false, "");
        snprintf(text, sizeof text, "She has %s, and %sish.", word, word);
        text[8] = (char)(text[8] - 'a' + 'A');
        assert_numbers(text, true, form);
    }
}

static void test_hold__all_of_them(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    step_numbers of;
    assert_int_equal(step_numbers_of(RDV_STR("3 boxes of 4.50"), false, arena, &of), RDV_OK);
    assert_int_equal(step_numbers_hold(&of, RDV_STR("3 * 4.5"), arena), 1);
    assert_int_equal(step_numbers_hold(&of, RDV_STR("3 * 4"), arena), 0);
    assert_int_equal(step_numbers_hold(&of, RDV_STR("4.5 + 5"), arena), 0);
    assert_int_equal(step_numbers_hold(&of, RDV_STR("x"), arena), 1);
    rdv_arena_free(&arena);
}

/* Of a very long number the first digits count. */
static void test_numbers__very_long(void **state)
{
    char text[200];
    rdv_arena *arena = rdv_arena_new(0);
    step_numbers of;
    memset(text, '7', sizeof text);
    assert_int_equal(step_numbers_of((rdv_str){text, sizeof text}, true, arena, &of), RDV_OK);
    assert_int_equal(of.n, 1);
    assert_true(of.at[0].len > 20 && of.at[0].len < sizeof text);
    assert_int_equal(step_numbers_hold(&of, (rdv_str){text, sizeof text}, arena), 1);
    assert_int_equal(step_numbers_hold(&of, RDV_STR("7"), arena), 0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers__in_one_form),
        cmocka_unit_test(test_numbers__words_and_percents),
        cmocka_unit_test(test_numbers__each_word),
        cmocka_unit_test(test_hold__all_of_them),
        cmocka_unit_test(test_numbers__very_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
