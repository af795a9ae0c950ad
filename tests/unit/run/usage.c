/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "run/usage.h"

/* A token for each byte, and the limit; likely, half again as dense as the densest prompt. */
static void test_most_and_likely(void **state)
{
    usage_seen seen = {0};
    token_usage u;
    assert_true(usage_most(&seen, 1000, 50, &u));
    assert_int_equal(u.prompt, 1000);
    assert_int_equal(u.completion, 50);
    assert_false(usage_likely(&seen, 1000, 50, &u));
    usage_learn(&seen, 400, 50, (token_usage){100, 50}, false); /* an estimate */
    assert_false(usage_likely(&seen, 1000, 50, &u));
    usage_learn(&seen, 400, 50, (token_usage){100, 50}, true);
    usage_learn(&seen, 400, 50, (token_usage){40, 3}, true);
    assert_true(usage_likely(&seen, 1000, 50, &u));
    assert_int_equal(u.prompt, 375);
    assert_int_equal(u.completion, 50);
    assert_true(usage_most(&seen, 1000, 50, &u));
    assert_int_equal(u.prompt, 1000);
    usage_learn(&seen, 400, 50, (token_usage){390, 3}, true);
    assert_true(usage_likely(&seen, 1000, 50, &u));
    assert_int_equal(u.prompt, 1000); /* no more than the most */
}

/* A server that adds to the prompt, or passes the limit, is expected to do so again. */
static void test_most__of_a_server_that_passes_it(void **state)
{
    usage_seen seen = {0};
    token_usage u;
    usage_learn(&seen, 100, 50, (token_usage){130, 57}, true);
    usage_learn(&seen, 100, 50, (token_usage){110, 52}, true);
    assert_true(usage_most(&seen, 200, 20, &u));
    assert_int_equal(u.prompt, 230);
    assert_int_equal(u.completion, 27);
}

/* The mean, and two deviations, or half of the mean if that is more. */
static void test_most__without_a_limit(void **state)
{
    usage_seen seen = {0};
    token_usage u;
    static const uint64_t replies[] = {100, 300, 100, 300};
    for (size_t i = 0; i < 4; i++) {
        assert_false(usage_most(&seen, 10, USAGE_NO_LIMIT, &u));
        assert_int_equal(u.completion, 0);
        usage_learn(&seen, 10, 5, (token_usage){1, 5}, true); /* one with a limit says nothing */
        usage_learn(&seen, 10, USAGE_NO_LIMIT, (token_usage){1, replies[i]}, false);
    }
    assert_true(usage_most(&seen, 10, USAGE_NO_LIMIT, &u));
    assert_int_equal(u.completion, 431); /* 200 + 2 * 115.47 */
    for (size_t i = 0; i < 396; i++)
        usage_learn(&seen, 10, USAGE_NO_LIMIT, (token_usage){1, 200}, true);
    assert_true(usage_most(&seen, 10, USAGE_NO_LIMIT, &u));
    assert_int_equal(u.completion, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_most_and_likely),
        cmocka_unit_test(test_most__of_a_server_that_passes_it),
        cmocka_unit_test(test_most__without_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
