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

static uint64_t microusd(const account *a, double prompt, double completion)
{
    double cost = prompt * a->price_in + completion * a->price_out;
    return cost < MOST_MICROUSD ? (uint64_t)llround(cost) : (uint64_t)MOST_MICROUSD;
}

uint64_t account_microusd(const account *a)
{
    return microusd(a, (double)a->prompt_tokens, (double)a->completion_tokens);
}

double account_cost(const account *a, token_usage of)
{
    return (double)microusd(a, (double)of.prompt, (double)of.completion) / 1e6;
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

const char *account_lacks(const account *a, token_usage more, bool beside_held)
{
    const rdv_budget *b = &a->budget;
    double prompt = (double)a->prompt_tokens + (double)more.prompt;
    double completion = (double)a->completion_tokens + (double)more.completion;
    if (beside_held) {
        prompt += (double)a->held.prompt;
        completion += (double)a->held.completion;
    }
    if (b->tokens && prompt + completion > (double)b->tokens)
        return "tokens";
    return b->cost_microusd && microusd(a, prompt, completion) > b->cost_microusd ? "cost" : NULL;
}

void account_hold(account *a, token_usage held)
{
    a->held.prompt += held.prompt;
    a->held.completion += held.completion;
    a->n_held++;
}

void account_release(account *a, token_usage held)
{
    a->held.prompt -= held.prompt;
    a->held.completion -= held.completion;
    a->n_held--;
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
