/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include <string.h>

static void test_fail__sets_code_and_message(void **state)
{
    (void)state;
    rdv_error err = {0};
    assert_int_equal(rdv_fail(&err, RDV_E_LIMIT, "more than %d steps", 7), RDV_E_LIMIT);
    assert_int_equal(err.code, RDV_E_LIMIT);
    assert_string_equal(err.msg, "more than 7 steps");
}

static void test_wrap__puts_context_before(void **state)
{
    (void)state;
    rdv_error err = {0};
    rdv_fail(&err, RDV_E_INPUT, "not JSON");
    assert_int_equal(rdv_wrap(&err, RDV_E_INPUT, "line %d", 3), RDV_E_INPUT);
    rdv_wrap(&err, RDV_E_INPUT, "%s", "a.jsonl");
    assert_string_equal(err.msg, "a.jsonl: line 3: not JSON");
}

static void test_null__is_accepted(void **state)
{
    (void)state;
    assert_int_equal(rdv_fail(NULL, RDV_E_IO, "unheard"), RDV_E_IO);
    assert_int_equal(rdv_wrap(NULL, RDV_E_IO, "unheard"), RDV_E_IO);
}

static void test_long_texts__are_cut_and_terminated(void **state)
{
    (void)state;
    char text[3 * RDV_ERROR_MAX];
    memset(text, 'm', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    rdv_error err = {0};
    rdv_fail(&err, RDV_E_INPUT, "%s", text);
    assert_int_equal(strlen(err.msg), RDV_ERROR_MAX - 1);

    memset(text, 'c', sizeof text - 1);
    rdv_wrap(&err, RDV_E_INPUT, "%s", text);
    assert_int_equal(strlen(err.msg), RDV_ERROR_MAX - 1);
    /* A long context leaves room for the reason. */
    assert_non_null(strstr(err.msg, "c: m"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail__sets_code_and_message),
        cmocka_unit_test(test_wrap__puts_context_before),
        cmocka_unit_test(test_null__is_accepted),
        cmocka_unit_test(test_long_texts__are_cut_and_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
