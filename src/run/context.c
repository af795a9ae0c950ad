/* SPDX-License-Identifier: Apache-2.0 */
#include "run/context.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

uint64_t run_now(const run_context *c)
{
    if (c->http)
        return http_now(c->http);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

double run_elapsed(const run_context *c)
{
    return (double)(run_now(c) - c->began_ms) / 1000;
}

void run_notice(const run_context *c, const char *fmt, ...)
{
    char line[RDV_ERROR_MAX];
    if (!c->options.notice)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    c->options.notice(c->options.payload, line);
}

void run_end_early(run_context *c, rdv_run_end end, const char *fmt, ...)
{
    if (c->end != RDV_END_DONE)
        return;
    c->end = end;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(c->why, sizeof c->why, fmt, ap);
    va_end(ap);
}

bool run_may_spend(run_context *c)
{
    const char *used_up = account_used_up(&c->account, run_elapsed(c));
    if (used_up)
        run_end_early(c, RDV_END_BUDGET, "the budget of %s is used up", used_up);
    return !used_up;
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* All that is left, and more than any budget: of a reply of which nothing is known. */
static const token_usage whatever = {.completion = UINT64_C(1) << 50};

static int hold(run_context *c, token_usage of, token_usage *held)
{
    *held = of;
    account_hold(&c->account, of);
    return RDV_OK;
}

static uint64_t sum(token_usage u)
{
    return u.prompt + u.completion;
}

static int leave_out(run_context *c, const char *budget, token_usage of)
{
    if (!c->too_small || sum(of) < sum(c->least)) {
        c->too_small = budget;
        c->least = of;
    }
    return RDV_NONE;
}

static int wait_for_budget(run_context *c)
{
    c->waits_for_budget = true;
    return RDV_LATER;
}

/* A call whose reply may have any length, the first of its kind: it is sent alone. */
static int reserve_whatever(run_context *c, token_usage of, token_usage *held)
{
    const char *lacks = account_lacks(&c->account, (token_usage){.prompt = of.prompt}, false);
    if (c->account.n_held)
        return wait_for_budget(c);
    if (lacks)
        return leave_out(c, lacks, of);
    return hold(c, whatever, held);
}

int run_reserve(run_context *c, const usage_seen *seen, size_t bytes, uint64_t limit,
                token_usage *held)
{
    account *a = &c->account;
    token_usage most = {0}, likely = {0};
    *held = (token_usage){0};
    if (!a->budget.tokens && !a->budget.cost_microusd)
        return RDV_OK;
    bool known = usage_likely(seen, bytes, limit, &likely);
    if (!usage_most(seen, bytes, limit, &most))
        return reserve_whatever(c, known ? likely : most, held);
    const char *lacks = account_lacks(a, most, true);
    if (!lacks)
        return hold(c, most, held);
    if (a->n_held && (!known || !account_lacks(a, likely, false)))
        return wait_for_budget(c);
    /* The last calls are sent one at a time, by what they are likely to use. */
    if (known)
        lacks = account_lacks(a, likely, false);
    return lacks ? leave_out(c, lacks, known ? likely : most) : hold(c, likely, held);
}

bool run_can_hold(const run_context *c, const usage_seen *seen, size_t bytes, uint64_t limit)
{
    const account *a = &c->account;
    token_usage most;
    if (!a->budget.tokens && !a->budget.cost_microusd)
        return true;
    return usage_most(seen, bytes, limit, &most) && !account_lacks(a, most, false);
}

void run_release(run_context *c, token_usage *held)
{
    if (sum(*held) == 0)
        return;
    account_release(&c->account, *held);
    c->waits_for_budget = false;
    *held = (token_usage){0};
}

void run_end_if_too_small(run_context *c)
{
    const account *a = &c->account;
    const rdv_budget *b = &a->budget;
    uint64_t spent = a->prompt_tokens + a->completion_tokens;
    if (!c->too_small)
        return;
    if (strcmp(c->too_small, "tokens") == 0)
        run_end_early(c, RDV_END_BUDGET,
                      "the budget of tokens is used up: %" PRIu64 " of %" PRIu64
                      " are left, and no call is left that fits; the least may take %" PRIu64,
                      b->tokens > spent ? b->tokens - spent : 0, b->tokens, sum(c->least));
    else
        run_end_early(c, RDV_END_BUDGET,
                      "the budget of cost is used up: $%.4f of $%.4f are left, and no call is left "
                      "that fits; the least may cost $%.4f",
                      fmax(0, (double)b->cost_microusd - (double)account_microusd(a)) / 1e6,
                      (double)b->cost_microusd / 1e6, account_cost(a, c->least));
}

void run_charge(run_context *c, uint64_t prompt_tokens, uint64_t completion_tokens)
{
    account_charge_tokens(&c->account, prompt_tokens, completion_tokens);
}
