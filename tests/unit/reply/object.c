/* SPDX-License-Identifier: Apache-2.0 */
/* JSON objects of a reply, as sentences. */
#include "reply/object.h"

#include "../test.h"

#include <string.h>

/* Every blank of what is expected stands for one or more. */
static bool same_but_for_blanks(const char *is, const char *want)
{
    while (*is || *want) {
        if (*is != *want)
            return false;
        bool blank = *is == ' ';
        is += blank ? strspn(is, " ") : 1;
        want += blank ? strspn(want, " ") : 1;
    }
    return true;
}

static void lays_out(const char *text, const char *want)
{
    char copy[256];
    size_t len = strlen(text);
    memcpy(copy, text, len + 1);
    object_lay_out(copy, len);
    assert_int_equal(strlen(copy), len);
    if (!same_but_for_blanks(copy, want))
        fail_msg("%s\nbecomes %s\nand not %s", text, copy, want);
}

static void stays(const char *text)
{
    lays_out(text, text);
}

static void test_object__members_are_sentences(void **state)
{
    (void)state;
    lays_out("{\"is_correct\": true, \"reason\": \"Both say 5.\"}",
             "  is correct : true; reason : Both say 5. ;");
    lays_out("So: {\"verdict\":\"yes\"} Done.", "So: verdict : yes ; Done.");
    lays_out("{\"a\": {\"b\": null, \"c\": [1, 2.5]}, \"d\": [\"x, y\", \"z\"]}",
             "  a : ; b : null; c : 1, 2.5 ; d : x, y ; z ;");
    lays_out("{}", " ;");
    lays_out("{\"a\": 1}\n{\"a\": 2}", "  a : 1;\n a : 2;");
}

static void test_object__escapes(void **state)
{
    (void)state;
    lays_out("{\"reason\": \"One.\\nTwo \\\"three\\\".\"}", "  reason : One.; Two \"three \". ;");
    lays_out("{\"reason\": \"It is\\tnot\\r right.\"}", "  reason : It is not right. ;");
    lays_out("{\"reason\": \"It isn\\u2019t 5\\u00b0.\"}", "  reason : It isn\u2019t 5\u00b0. ;");
    lays_out("{\"reason\": \"\\u006eot \\ud83d\\ude0a\\u000aso\"}",
             "  reason : not \U0001f60a so ;");
    lays_out("{\"reason\": \"\\ud83d \\u12\"}", "  reason : ud83d u12 ;");
}

static void test_object__what_is_no_whole_object_stays(void **state)
{
    (void)state;
    stays("{\"verdict\": \"correct\"");
    stays("{\"verdict\": \"correct\", ");
    stays("{\"verdict\": \"correct\" | \"wrong\"}");
    stays("{\"verdict\": }");
    stays("{\"verdict\" \"correct\"}");
    stays("{verdict: \"correct\"}");
    stays("{\"yes, it is right\": 0.5}");
    stays("{\"a\": [1, 2}");
    stays("{\"a\": \"\\");
    stays("\\frac{1}{2} and {5}");
    stays("{\"this name has more signs than a name of a member has\": 1}");
}

static void test_object__depth(void **state)
{
    (void)state;
    stays("{\"a\":[[[[[[[[1]]]]]]]]}");
    lays_out("{\"a\":[[[[[[[1]]]]]]]}", "  a : 1 ;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_object__members_are_sentences),
        cmocka_unit_test(test_object__escapes),
        cmocka_unit_test(test_object__what_is_no_whole_object_stays),
        cmocka_unit_test(test_object__depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
