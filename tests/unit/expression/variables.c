/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/variables.h"

#include "../test.h"
#include "base/str.h"

static bool may_hold(const char *question, const char *text, char letter)
{
    chain_letters before = {.question = rdv_str_of(question)};
    rdv_str s = rdv_str_of(text);
    return variables_may_hold(&before, s, s.len, s.len, letter);
}

static void test_variables_may_hold__letters_of_formulas(void **state)
{
    static const char *const texts[] = {
        "J = 5", "Let J be five.", "2J + 3", "the sum J, K", "3aJ^2",
        "x/J",   "(J + 1)",        "J",      "F(J)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!may_hold("", texts[i], 'J') || !may_hold(texts[i], "", 'J'))
            fail_msg("%s", texts[i]);
        assert_false(may_hold("", texts[i], 'W'));
    }
}

static void test_variables_may_hold__units_and_items_are_none(void **state)
{
    static const char *const texts[] = {"It needs 5 J of heat.",
                                        "8.31 J/(mol K)",
                                        "4.2\\,J",
                                        "5 \\text{J} and 6 \\mathrm{ J}",
                                        "2 kg/J",
                                        "2 kg\xc2\xb7J",
                                        "(J) 5",
                                        "one\nJ. 5\nJ) 6",
                                        "Joe jumps.",
                                        "\\J"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (may_hold("", texts[i], 'J') || may_hold(texts[i], "", 'J'))
            fail_msg("%s", texts[i]);
    assert_false(may_hold("", "A train leaves.", 'A'));
}

static void test_variables_may_hold__steps_before(void **state)
{
    rdv_str steps[] = {RDV_STR("Let m be the mass."), RDV_STR("Then J = 4.")};
    chain_letters before = {.steps = steps, .n_steps = 1};
    assert_true(variables_may_hold(&before, RDV_STR(""), 0, 0, 'm'));
    assert_false(variables_may_hold(&before, RDV_STR(""), 0, 0, 'J'));
    before.n_steps = 2;
    assert_true(variables_may_hold(&before, RDV_STR(""), 0, 0, 'J'));
}

static void test_variables_name_unit__its_word_or_an_amount(void **state)
{
    chain_letters none = {0}, metres = {.question = RDV_STR("How many metres?")};
    rdv_str text = RDV_STR("It is 5 m long. 2 * 3 = 7 m");
    assert_true(variables_name_unit(&none, text, 16, text.len, 'm'));
    assert_false(variables_name_unit(&none, text, 0, text.len, 'm'));
    assert_true(variables_name_unit(&metres, RDV_STR("2 * 3 = 7 m"), 0, 11, 'm'));
    assert_false(variables_name_unit(&metres, RDV_STR("2 * 3 = 7 g"), 0, 11, 'g'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables_may_hold__letters_of_formulas),
        cmocka_unit_test(test_variables_may_hold__units_and_items_are_none),
        cmocka_unit_test(test_variables_may_hold__steps_before),
        cmocka_unit_test(test_variables_name_unit__its_word_or_an_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
