/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "run/retry.h"

#define NOW 1700000000 /* Tue, 14 Nov 2023 22:13:20 GMT */

static void test_retry_after(void **state)
{
    static const struct {
        const char *value;
        uint64_t ms;
    } cases[] = {{"0", 0},
                 {"1", 1000},
                 {"0.25", 250},
                 {"120", 120000},
                 {"99999999999999999999", RETRY_MAX_MS},
                 {"inf", RETRY_MAX_MS},
                 {"Tue, 14 Nov 2023 22:13:30 GMT", 10000},
                 {"Tue, 14 Nov 2023 22:13:10 GMT", 0},
                 {"Tuesday, 14-Nov-23 22:13:21 GMT", 1000},
                 {"Sun, 06 Nov 2094 08:49:37 GMT", RETRY_MAX_MS},
                 {"-1", RETRY_NOT_GIVEN},
                 {"nan", RETRY_NOT_GIVEN},
                 {"soon", RETRY_NOT_GIVEN},
                 {"", RETRY_NOT_GIVEN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("%s\n", cases[i].value);
        assert_true(retry_after_ms(cases[i].value, NOW) == cases[i].ms);
    }
}

static void test_delay__is_uniform_below_a_doubling_bound(void **state)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, 1);
    for (uint32_t tries = 1; tries < 12; tries++) {
        uint64_t bound = 1000u << (tries - 1), most = 0, sum = 0;
        bound = bound < 60000 ? bound : 60000;
        for (int i = 0; i < 4000; i++) {
            uint64_t delay = retry_delay_ms(&rng, tries, 1000, RETRY_NOT_GIVEN);
            most = delay > most ? delay : most;
            sum += delay;
        }
        assert_in_range(most, bound * 99 / 100, bound);
        assert_in_range(sum / 4000, bound * 48 / 100, bound * 52 / 100);
    }
}

static void test_delay__is_at_least_what_was_asked(void **state)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, 1);
    for (int i = 0; i < 1000; i++)
        assert_in_range(retry_delay_ms(&rng, 9, 100, 5000), 5000, 5100);
    assert_int_equal(retry_delay_ms(&rng, 1, 0, RETRY_NOT_GIVEN), 0);
}

static void test_delay__is_the_same_for_a_seed(void **state)
{
    rdv_rng a, b;
    rdv_rng_seed(&a, 7);
    rdv_rng_seed(&b, 7);
    for (uint32_t i = 1; i < 100; i++)
        assert_int_equal(retry_delay_ms(&a, i, 1000, RETRY_NOT_GIVEN),
                         retry_delay_ms(&b, i, 1000, RETRY_NOT_GIVEN));
}

static void test_tells__once_a_wait(void **state)
{
    uint64_t until = 0;
    assert_false(retry_tells(&until, RETRY_NOT_GIVEN, 1000));
    assert_false(retry_tells(&until, RETRY_LONG_MS, 1000));
    assert_int_equal(until, 0);
    assert_true(retry_tells(&until, 60000, 1000));
    assert_int_equal(until, 61000);
    assert_false(retry_tells(&until, 60000, 1500)); /* another call of the same wait */
    assert_true(retry_tells(&until, 60000, 61000)); /* the next one */
}

static void test_show(void **state)
{
    assert_string_equal(retry_show(10001).text, "11 s");
    assert_string_equal(retry_show(119000).text, "119 s");
    assert_string_equal(retry_show(120001).text, "3 min");
    assert_string_equal(retry_show(RETRY_MAX_MS).text, "1 h 0 min");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_retry_after),
        cmocka_unit_test(test_delay__is_uniform_below_a_doubling_bound),
        cmocka_unit_test(test_delay__is_at_least_what_was_asked),
        cmocka_unit_test(test_delay__is_the_same_for_a_seed),
        cmocka_unit_test(test_tells__once_a_wait),
        cmocka_unit_test(test_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
