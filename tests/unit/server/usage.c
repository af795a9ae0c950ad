/* SPDX-License-Identifier: Apache-2.0 */
/* Limits by key: what is reserved counts, a day ends, and a clock that is set back begins none. */
#include "../test.h"
#include "server/usage.h"

static const usage_limits limits = {.per_day = 3, .day = {.tokens = 100, .cost = USAGE_DOLLAR}};

static void test_days(void **state)
{
    (void)state;
    api_error e;
    usage_amount got;
    usage *u = usage_new();
    usage_time day = usage_time_of(1, 86400 * 5 + 86000), next = usage_time_of(2, 86400 * 6);
    assert_non_null(u);
    for (int i = 0; i < 3; i++)
        assert_true(usage_enter(u, &limits, day, &e));
    assert_false(usage_enter(u, &limits, day, &e));
    assert_int_equal(e.retry_after, 400);
    assert_true(usage_reserve(u, &limits, (usage_amount){60, 0}, day, &got, &e));
    usage_settle(u, (usage_amount){60, 0}, (usage_amount){90, 5}, false, day);
    assert_false(usage_reserve(u, &limits, (usage_amount){11, 0}, day, &got, &e));
    assert_true(usage_reserve(u, &limits, (usage_amount){11, 0}, next, &got, &e));
    assert_true(usage_enter(u, &limits, next, &e));
    /* 11 are reserved. */
    assert_false(usage_reserve(u, &limits, (usage_amount){90, 0}, day, &got, &e));
    usage_settle(u, (usage_amount){11, 0}, (usage_amount){100, 0}, true, day);
    assert_false(usage_reserve(u, &limits, (usage_amount){1, 0}, day, &got, &e));
    assert_int_equal(u->all_tokens[0], 90);
    assert_int_equal(u->all_tokens[1], 100);
    usage_release(&u);
}

static void test_amounts_do_not_wrap(void **state)
{
    (void)state;
    api_error e;
    usage_amount got;
    usage *u = usage_new();
    const usage_amount all = {UINT64_MAX, UINT64_MAX};
    usage_time now = usage_time_of(1, 1);
    assert_non_null(u);
    assert_false(usage_reserve(u, &limits, all, now, &got, &e));
    assert_true(usage_reserve(u, &limits, (usage_amount){5, 5}, now, &got, &e));
    usage_settle(u, got, all, false, now);
    usage_settle(u, (usage_amount){0}, all, false, now);
    assert_false(usage_reserve(u, &limits, (usage_amount){1, 1}, now, &got, &e));
    usage_release(&u);
}

static void test_no_amount_is_lost(void **state)
{
    (void)state;
    api_error e;
    usage_amount got;
    usage *u = usage_new();
    usage_time now = usage_time_of(1, 1);
    assert_non_null(u);
    /* Without limits, reservations that pass every number are given back as they were made. */
    const usage_amount most = {UINT64_MAX - 1, UINT64_MAX - 1};
    assert_true(usage_reserve(u, &(usage_limits){0}, most, now, &got, &e));
    assert_true(usage_reserve(u, &(usage_limits){0}, most, now, &got, &e));
    usage_settle(u, got, (usage_amount){0}, false, now);
    usage_settle(u, got, (usage_amount){0}, false, now);
    assert_int_equal(u->reserved.tokens, 0);
    assert_int_equal(u->reserved.cost, 0);
    usage_release(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_days),
                                       cmocka_unit_test(test_amounts_do_not_wrap),
                                       cmocka_unit_test(test_no_amount_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
