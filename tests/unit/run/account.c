/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "run/account.h"

static account with(rdv_budget budget)
{
    rdv_run_options o = {.budget = budget, .price_in = 2.5, .price_out = 10};
    account a;
    account_init(&a, &o);
    return a;
}

static void test_used_up__each_budget(void **state)
{
    account a = with((rdv_budget){0});
    for (int i = 0; i < 1000; i++)
        account_charge_call(&a);
    account_charge_tokens(&a, 1000000, 1000000);
    assert_null(account_used_up(&a, 1e9));

    a = with((rdv_budget){.calls = 2});
    account_charge_call(&a);
    assert_null(account_used_up(&a, 0));
    account_charge_call(&a);
    assert_string_equal(account_used_up(&a, 0), "calls");

    a = with((rdv_budget){.tokens = 100});
    account_charge_tokens(&a, 60, 39);
    assert_null(account_used_up(&a, 0));
    account_charge_tokens(&a, 0, 1);
    assert_string_equal(account_used_up(&a, 0), "tokens");

    a = with((rdv_budget){.cost_microusd = 3500});
    account_charge_tokens(&a, 1000, 99);
    assert_null(account_used_up(&a, 0));
    account_charge_tokens(&a, 0, 1);
    assert_string_equal(account_used_up(&a, 0), "cost");

    a = with((rdv_budget){.seconds = 1.5});
    assert_null(account_used_up(&a, 1.49));
    assert_string_equal(account_used_up(&a, 1.5), "seconds");
}

/* A budget holds what is spent, reserved and asked for, to the last token and millionth. */
static void test_lacks(void **state)
{
    account a = with((rdv_budget){.tokens = 100, .cost_microusd = 500});
    account_charge_tokens(&a, 20, 10);
    assert_null(account_lacks(&a, (token_usage){70, 0}, true));
    assert_string_equal(account_lacks(&a, (token_usage){71, 0}, true), "tokens");
    assert_null(account_lacks(&a, (token_usage){20, 30}, true)); /* 100 and 400 */
    assert_string_equal(account_lacks(&a, (token_usage){20, 31}, true), "cost");
    account_hold(&a, (token_usage){30, 10});
    account_hold(&a, (token_usage){5, 1});
    assert_null(account_lacks(&a, (token_usage){24, 0}, true));
    assert_string_equal(account_lacks(&a, (token_usage){25, 0}, true), "tokens");
    assert_null(account_lacks(&a, (token_usage){25, 0}, false));
    account_release(&a, (token_usage){30, 10});
    assert_null(account_lacks(&a, (token_usage){25, 0}, true));
    assert_int_equal(a.n_held, 1);
    a = with((rdv_budget){0});
    assert_null(account_lacks(&a, (token_usage){UINT64_MAX, UINT64_MAX}, true));
}

/* 2.50 dollars a million tokens in, 10 out. */
static void test_cost(void **state)
{
    account a = with((rdv_budget){0});
    assert_int_equal(account_microusd(&a), 0);
    account_charge_tokens(&a, 1000000, 0);
    assert_int_equal(account_microusd(&a), 2500000);
    account_charge_tokens(&a, 0, 3);
    assert_int_equal(account_microusd(&a), 2500030);
}

/* What a server says of its tokens is not to be trusted. */
static void test_cost__absurd_usage(void **state)
{
    account a = {.budget = {.cost_microusd = 1000}, .price_in = 1e6};
    for (int i = 0; i < 100; i++)
        account_charge_tokens(&a, (uint64_t)1 << 52, 0);
    assert_true(account_microusd(&a) == UINT64_C(1000000000000000000));
    assert_string_equal(account_used_up(&a, 0), "cost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_used_up__each_budget),
        cmocka_unit_test(test_lacks),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_cost__absurd_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
