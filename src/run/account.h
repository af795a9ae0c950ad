/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a run has spent, and what it may: calls, tokens, money, seconds. Every call is charged here,
 * and none starts without asking, so a budget cannot be forgotten. */
#include <rederive/run.h>

typedef struct account {
    rdv_budget budget;
    double price_in, price_out; /* US dollars a million tokens, which is micro-dollars a token */
    uint64_t calls, prompt_tokens, completion_tokens;
} account;

void account_init(account *a, const rdv_run_options *options);
/* Which budget is used up after `seconds`, as people call it ("calls"); NULL: none. */
const char *account_used_up(const account *a, double seconds);
void account_charge_call(account *a);
void account_charge_tokens(account *a, uint64_t prompt, uint64_t completion);
uint64_t account_microusd(const account *a);
