/* SPDX-License-Identifier: Apache-2.0 */
/* The type of question in SelfCheck's prompts, from the name of a data set or task. */
#include "method/question_type.h"
#include "../test.h"

static void test_named__the_data_sets_that_are_not_mathematical(void **state)
{
    (void)state;
    static const struct {
        const char *name, *type;
    } cases[] = {{"CSQA", "commonsense"},
                 {"commonsense_qa", "commonsense"},
                 {"StrategyQA", "commonsense"},
                 {"date_understanding", "date understanding"},
                 {"coin_flip", "coin flip"},
                 {"Coin flips", "coin flip"},
                 {"last_letters", "last letter concatenation"},
                 {"Last Letter Concatenation", "last letter concatenation"},
                 {"word_sorting", "word sorting"},
                 {"tracking_shuffled_objects", "shuffled-object tracking"},
                 {"logical-deduction", "logical deduction"},
                 {"dyck_languages", "bracket matching"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(
            rdv_str_eq(question_type_named(rdv_str_of(cases[i].name)), rdv_str_of(cases[i].type)));
    assert_null(question_type_named(RDV_STR("gsm8k")).p);
    assert_null(question_type_named(RDV_STR("csqa2")).p);
    assert_null(question_type_named(RDV_STR("csq")).p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named__the_data_sets_that_are_not_mathematical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
