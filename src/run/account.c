/* SPDX-License-Identifier: Apache-2.0 */
#include "run/account.h"

#include <math.h>

/* Servers report token counts: sums are capped at what a whole number can hold. */
#define MOST_MICROUSD 1e18

void account_init(account *a, const rdv_run_options *options)
{
    *a = (account){
        .budget = options->budget, .price_in = options->price_in, .price_out = options->price_out};
}

uint64_t account_microusd(const account *a)
{
    double cost =
        (double)a->prompt_tokens * a->price_in + (double)a->completion_tokens * a->price_out;
    return cost < MOST_MICROUSD ? (uint64_t)llround(cost) : (uint64_t)MOST_MICROUSD;
}

const char *account_used_up(const account *a, double seconds)
{
    const rdv_budget *b = &a->budget;
    if (b->calls && a->calls >= b->calls)
        return "calls";
    if (b->tokens && a->prompt_tokens + a->completion_tokens >= b->tokens)
        return "tokens";
    if (b->cost_microusd && account_microusd(a) >= b->cost_microusd)
        return "cost";
    return b->seconds > 0 && seconds >= b->seconds ? "seconds" : NULL;
}

void account_charge_call(account *a)
{
    a->calls++;
}

void account_charge_tokens(account *a, uint64_t prompt, uint64_t completion)
{
    a->prompt_tokens += prompt;
    a->completion_tokens += completion;
}
