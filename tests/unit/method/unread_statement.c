/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that are stated beside what was calculated, and numbers that are only mentioned. */
#include "../arena.h"
#include "../test.h"

#include "base/str.h"
#include "method/number_token.h"
#include "method/unread/unread_statement.h"

#include <stdio.h>
#include <string.h>

/* The first statement of the step, whose calculation is the part `calc`; p == NULL: there is none.
 */
static rdv_str find(const char *question, const char *step, const char *calc, rdv_arena *arena)
{
    given_numbers *given = given_numbers_new(arena);
    rdv_str s = rdv_str_of(step);
    size_t begin = rdv_find(s, rdv_str_of(calc), 0);
    rdv_calc one = {.begin = begin, .end = begin + strlen(calc), .kind = RDV_CALC_RIGHT};
    calc_list list = {.at = &one, .n = 1};
    unread_calculation out;
    assert_non_null(given);
    assert_int_not_equal(begin, RDV_NOT_FOUND);
    assert_int_equal(given_numbers_add(given, rdv_str_of(question)), RDV_OK);
    int r = unread_statement(given, s, &list, &out);
    assert_true(r == RDV_OK || r == RDV_NONE);
    return r == RDV_OK ? rdv_slice(s, out.begin, out.end) : (rdv_str){0};
}

static void test_statement__found(void **state)
{
    static const struct {
        const char *step, *calc, *text;
    } cases[] = {
        {"3 + 4 = 7, so he has 9 left.", "3 + 4 = 7", "so he has 9"},
        {"She spent $3 because 7 - 2 - 1 = 4.", "7 - 2 - 1 = 4", "She spent $3"},
        {"3 + 4 = 7. The total is about 90.", "3 + 4 = 7", "The total is about 90"},
        {"3 + 4 = 7 > 9.", "3 + 4 = 7", "> 9"},
        {"60 < 7 * 8 = 56", "7 * 8 = 56", "60 < 7 * 8 = 56"},
        {"9:45 + 3:35 = 13:20, so it arrives at 13:25.", "9:45 + 3:35 = 13:20",
         "so it arrives at 13:25"},
        {"3 h 10 min is 190 minutes, i.e. 3.1 h.", "3 h 10 min is 190 minutes", "i.e. 3.1"},
        {"3 h 10 min is 190 minutes, or 3.1 hours.", "3 h 10 min is 190 minutes", "or 3.1"},
        {"It takes 3 + 1 = 4 h, so he has 4 h 25 min.", "3 + 1 = 4 h", "so he has 4 h 25"},
        {"x^2 = 9 gives x = 3 and x = -4.", "x^2 = 9 gives x = 3", "and x = -4"},
        {"7 is at least 5 and at most 6.", "7 is at least 5", "and at most 6"},
        {"3 + 4 = 7. Total cost = 90", "3 + 4 = 7", "Total cost = 90"},
        {"3 + 4 = 7, the difference being 1/6.", "3 + 4 = 7", "the difference being 1/6"},
        {"3 + 4 = 7\xef\xbc\x8c\xe7\xad\x89\xe4\xba\x8e"
         "95",
         "3 + 4 = 7",
         "\xef\xbc\x8c\xe7\xad\x89\xe4\xba\x8e"
         "95"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str is = find("How many?", cases[i].step, cases[i].calc, *state);
        if (!rdv_str_eq(is, rdv_str_of(cases[i].text)))
            fail_msg("%s: \"%.*s\"", cases[i].step, RDV_FMT(is));
    }
}

/* What was given, what is of letters, and what nothing says of anything. */
static void test_statement__none(void **state)
{
    static const struct {
        const char *step, *calc;
    } cases[] = {
        {"A pen costs $12, so 3 + 4 = 7.", "3 + 4 = 7"},
        {"20% is 0.2, and 3 + 4 = 7.", "3 + 4 = 7"},
        {"7 / 2 = 3.5, so 4 buses are needed and 3 are full.", "7 / 2 = 3.5"},
        {"5 * 1.9878 = 9.939, which is about 9.94.", "5 * 1.9878 = 9.939"},
        {"3 + 4 = 7, so x = 90y is 8x.", "3 + 4 = 7"},
        {"By step 8, 3 + 4 = 7.", "3 + 4 = 7"},
        {"So <<3+4=7>>7 pens.", "3+4=7"},
        {"3 + 4 = 7 is the 5th result.", "3 + 4 = 7"},
        {"If the price = 100, then 3 + 4 = 7.", "3 + 4 = 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str is = find("A pen costs $12. 20% are blue.", cases[i].step, cases[i].calc, *state);
        if (is.p)
            fail_msg("%s: \"%.*s\"", cases[i].step, RDV_FMT(is));
    }
}

/* The question is read where 12 is looked up, and what follows is looked at. */
static void test_statement__behind_one_of_the_question(void **state)
{
    rdv_str is = find("A pen costs $12 or $1e-7.",
                      "It is $12 and 1e-7. He has 1e7 left. 3 + 4 = 7.", "3 + 4 = 7", *state);
    assert_true(rdv_str_eq(is, RDV_STR("He has 1e7")));
}

/* Is the number that `text` begins with given where only that of `given` is? Without decimals, none
 * is rounded. */
static bool is_same_number(const char *given, const char *text)
{
    number_token a, b;
    char a_shifted[48], b_shifted[48];
    size_t at = 0, from = 0;
    assert_true(number_token_next(rdv_str_of(given), &at, &a));
    assert_true(number_token_next(rdv_str_of(text), &from, &b));
    number_token_shifted(&a, a.hundredths ? -2 : 0, a_shifted);
    number_token_shifted(&b, b.hundredths ? -2 : 0, b_shifted);
    return strcmp(b.key, a.key) == 0 || strcmp(b.key, a_shifted) == 0 ||
           strcmp(b_shifted, a.key) == 0 || strcmp(b_shifted, a_shifted) == 0;
}

/* Each number with each thing behind it, given in a question and stated in a step. */
static void test_statement__each_form(void **state)
{
    static const char *const numbers[] = {"2", "12", "120", "012", "1200", "4095", "4096", "40960"},
                             *const behind[] = {"",           " pens",    "%",         "\\%",
                                                " %",         " percent", "-percent",  " cents",
                                                " million",   "-million", " thousand", ",000",
                                                " \\times x", ";",        " - a lot",  "e3"};
    static const char *const calc = "3 + 4 = 7";
    enum { FORMS = sizeof numbers / sizeof *numbers * (sizeof behind / sizeof *behind) };
    static char form[FORMS][32];
    size_t n = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
            snprintf(form[n++], sizeof *form, "%s%s", numbers[i], behind[k]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            char question[1 << 13], step[1 << 13];
            snprintf(question, sizeof question, "It costs %s.", form[i]);
            snprintf(step, sizeof step, "%s, so he has %s left.", calc, form[k]);
            rdv_str is = find(question, step, calc, *state), unless = {0};
            if (!is_same_number(form[i], form[k]))
                unless = find("How many?", step, calc, *state);
            if (is.len != unless.len)
                fail_msg("%s %s: \"%.*s\", not \"%.*s\"", question, step, RDV_FMT(is),
                         RDV_FMT(unless));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statement__found),
        cmocka_unit_test(test_statement__none),
        cmocka_unit_test(test_statement__behind_one_of_the_question),
        cmocka_unit_test(test_statement__each_form),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
