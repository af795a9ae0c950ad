/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The token_usage of a run and its limits: calls, tokens, money, seconds. Every call is charged
 * here, and none starts without a check here, so no budget is missed. */
#include "run/usage.h"
#include <rederive/run.h>

typedef struct account {
    rdv_budget budget;
    double price_in, price_out; /* US dollars per million tokens, which is micro-dollars per
                                   token */
    uint64_t calls, prompt_tokens, completion_tokens;
    token_usage held; /* reserved for calls in flight, */
    size_t n_held;    /* of this number */
} account;

void account_init(account *a, const rdv_run_options *options);
/* The budget that is used up after `seconds`, as people name it ("calls"); NULL: none. */
const char *account_used_up(const account *a, double seconds);
/* The budget that does not hold this usage in addition to what is spent and, `beside_held`, what is
 * reserved: "tokens" or "cost". NULL: every budget holds it. */
const char *account_lacks(const account *a, token_usage more, bool beside_held);
void account_hold(account *a, token_usage held);
void account_release(account *a, token_usage held);
void account_charge_call(account *a);
void account_charge_tokens(account *a, uint64_t prompt, uint64_t completion);
uint64_t account_microusd(const account *a);
/* The price of a usage, in dollars. */
double account_cost(const account *a, token_usage of);
