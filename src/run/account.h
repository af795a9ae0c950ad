/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The usage of a run and its limits: calls, tokens, money, seconds. Every call is charged here, and
 * none starts without a check here, so no budget is missed. */
#include <rederive/run.h>

typedef struct account {
    rdv_budget budget;
    double price_in, price_out; /* US dollars per million tokens, which is micro-dollars per
                                   token */
    uint64_t calls, prompt_tokens, completion_tokens;
} account;

void account_init(account *a, const rdv_run_options *options);
/* The budget that is used up after `seconds`, as people name it ("calls"); NULL: none. */
const char *account_used_up(const account *a, double seconds);
void account_charge_call(account *a);
void account_charge_tokens(account *a, uint64_t prompt, uint64_t completion);
uint64_t account_microusd(const account *a);
