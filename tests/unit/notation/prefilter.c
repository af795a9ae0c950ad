/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/prefilter.h"

#include "../test.h"
#include "base/str.h"

static void test_glance_may_hold__prose_is_passed_over(void **state)
{
    static const char *const texts[] = {
        "",
        "Let us think about what the question asks.",
        "Step 12: We go on with the second half of the problem.",
        "**3.** The rest is a part of one, not of two.",
        "It takes 5.",
        "Isolate it at 7",
        /* as long as words that are looked for, and with their first letters */
        "They halt at the sewer, equips in hand, and the monster elopes with a tender firm mind.",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(prefilter_may_hold(rdv_str_of(texts[i])));
}

static void test_glance_may_hold__what_may_be_checked_is_not(void **state)
{
    static const char *const texts[] = {
        "3 + 4 = 7",
        "3 + 4 ~ 7",
        "so \\(x\\) is left",
        "1 \xe2\x89\xa4 2",
        "It is equal to the other.",
        "It EQUALS the other.",
        "Half of 48 is 24",
        "Half of 48 is $24",
        "Half of 48 is **24**",
        "Half of 48 is twenty-four",
        "we get five",
        "an hour has 60 minutes",
        "an hour has 60... $ minutes",
        "an hour has **60** minutes",
        "an hour has 60 & minutes",
        "60minutes",
        "91 (a prime)",
        "Remainder: 2",
        "its Factors: 2, 3",
        "60\ta",
        "a sum of 3 + 4, which totals 7",
        "Three goes into twelve four times.",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(prefilter_may_hold(rdv_str_of(texts[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glance_may_hold__prose_is_passed_over),
        cmocka_unit_test(test_glance_may_hold__what_may_be_checked_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
