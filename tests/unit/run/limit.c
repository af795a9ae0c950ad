/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "run/limit.h"

/* Start what may start at `now`; how many. */
static size_t start_all(limit *l, uint64_t now)
{
    size_t n = 0;
    for (; limit_wait(l, now) == 0; n++)
        limit_start(l, 0, 1, now);
    return n;
}

static void test_window__begins_small_and_doubles(void **state)
{
    limit l;
    limit_init(&l, 1000, 0, 0, 0);
    size_t wanted = 4;
    for (int round = 0; round < 5; round++, wanted *= 2) {
        assert_int_equal(start_all(&l, 0), wanted);
        assert_true(limit_wait(&l, 0) == LIMIT_NEVER);
        for (size_t i = 0; i < wanted; i++)
            limit_answered(&l, 0, 1, 1, 1, false);
    }
}

static void test_window__stays_below_jobs(void **state)
{
    limit l;
    limit_init(&l, 3, 0, 0, 0);
    for (int i = 0; i < 100; i++) {
        limit_start(&l, 0, 1, 0);
        limit_answered(&l, 0, 1, 1, 1, false);
    }
    assert_int_equal(limit_window(&l), 3);
}

static void test_window__does_not_grow_with_late_replies(void **state)
{
    limit l;
    limit_init(&l, 100, 0, 0, 0);
    for (int i = 0; i < 50; i++) {
        limit_start(&l, 0, 1, 0);
        limit_answered(&l, 0, 1, 1, 1, true);
    }
    assert_int_equal(limit_window(&l), 4);
}

static void test_throttled__halves_once_for_all_that_were_out(void **state)
{
    limit l;
    limit_init(&l, 16, 0, 0, 0);
    limit_open(&l);
    assert_int_equal(start_all(&l, 5), 16);
    for (int i = 0; i < 16; i++) {
        limit_end(&l, 0);
        limit_throttled(&l, 5, 0, 10);
    }
    assert_int_equal(limit_window(&l), 8);
    limit_throttled(&l, 20, 0, 30); /* one that started after that */
    assert_int_equal(limit_window(&l), 4);
    for (int i = 0; i < 10; i++)
        limit_throttled(&l, 40 + 20 * (uint64_t)i, 0, 50 + 20 * (uint64_t)i);
    assert_int_equal(limit_window(&l), 1);
}

static void test_throttled__then_grows_slowly(void **state)
{
    limit l;
    limit_init(&l, 16, 0, 0, 0);
    limit_open(&l);
    limit_throttled(&l, 0, 0, 1);
    assert_int_equal(limit_window(&l), 8);
    for (int i = 0; i < 9; i++) {
        limit_start(&l, 0, 1, 2);
        limit_answered(&l, 0, 1, 1, 1, false);
    }
    assert_int_equal(limit_window(&l), 9);
}

/* A few more than the places of the host, and never more than the user allows. */
static void test_slots__bound_the_window(void **state)
{
    limit l;
    limit_init(&l, 64, 0, 0, 0);
    limit_slots(&l, 4);
    assert_int_equal(limit_window(&l), 7);
    for (int i = 0; i < 100; i++) {
        limit_start(&l, 0, 1, 0);
        limit_answered(&l, 0, 1, 1, 1, false);
    }
    assert_int_equal(limit_window(&l), 7);
    limit_init(&l, 2, 0, 0, 0);
    limit_slots(&l, 4);
    assert_int_equal(limit_window(&l), 2);
    limit_init(&l, 64, 0, 0, 0);
    limit_slots(&l, 1);
    assert_int_equal(limit_window(&l), 2);
    limit_init(&l, 64, 0, 0, 0);
    limit_throttled(&l, 0, 0, 0); /* it was overloaded by 4 */
    limit_slots(&l, 8);
    assert_int_equal(limit_window(&l), 2);
}

static void test_throttled__holds_the_host(void **state)
{
    limit l;
    limit_init(&l, 16, 0, 0, 0);
    limit_throttled(&l, 0, 500, 100);
    limit_throttled(&l, 0, 200, 110); /* a shorter wish does not shorten it */
    assert_int_equal(limit_wait(&l, 150), 450);
    assert_int_equal(limit_wait(&l, 600), 0);
}

static void test_rpm__no_minute_goes_over(void **state)
{
    static const double rates[] = {1, 7, 60, 600, 6000, 100000};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        limit l;
        size_t n = 0;
        limit_init(&l, 1000, rates[i], 0, 0);
        for (uint64_t now = 0; now < 60000; now++)
            for (; limit_wait(&l, now) == 0; n++) {
                double expected = limit_start(&l, 0, 1, now);
                limit_answered(&l, expected, 0, 0, 1, false);
            }
        assert_true((double)n >= rates[i] * 0.99 && (double)n <= rates[i] * 1.002 + 1);
    }
}

static void test_rpm__says_how_long(void **state)
{
    limit l;
    limit_init(&l, 10, 60, 0, 1000);
    assert_int_equal(start_all(&l, 1000), 1);
    assert_int_equal(limit_wait(&l, 1000), 1000);
    assert_int_equal(limit_wait(&l, 1400), 600);
    assert_int_equal(limit_wait(&l, 2000), 0);
}

static void test_tpm__what_was_guessed_is_set_right(void **state)
{
    limit l;
    limit_init(&l, 10, 0, 60000, 0); /* a token a millisecond */
    double expected = limit_start(&l, 4000, 1, 0);
    assert_true(expected >= 1000);
    limit_answered(&l, expected, 3000, 2000, 1, false);
    uint64_t wait = limit_wait(&l, 0);
    assert_in_range(wait, 4800, 5000);
    assert_int_equal(limit_wait(&l, 5000), 0);
}

static void test_tpm__a_call_that_failed_costs_nothing(void **state)
{
    limit l;
    limit_init(&l, 10, 0, 60000, 0);
    double expected = limit_start(&l, 40000, 1, 0);
    assert_true(limit_wait(&l, 0) > 0);
    limit_end(&l, expected);
    assert_int_equal(limit_wait(&l, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window__begins_small_and_doubles),
        cmocka_unit_test(test_window__stays_below_jobs),
        cmocka_unit_test(test_slots__bound_the_window),
        cmocka_unit_test(test_window__does_not_grow_with_late_replies),
        cmocka_unit_test(test_throttled__halves_once_for_all_that_were_out),
        cmocka_unit_test(test_throttled__then_grows_slowly),
        cmocka_unit_test(test_throttled__holds_the_host),
        cmocka_unit_test(test_rpm__no_minute_goes_over),
        cmocka_unit_test(test_rpm__says_how_long),
        cmocka_unit_test(test_tpm__what_was_guessed_is_set_right),
        cmocka_unit_test(test_tpm__a_call_that_failed_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
