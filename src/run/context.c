/* SPDX-License-Identifier: Apache-2.0 */
#include "run/context.h"

#include <stdarg.h>
#include <stdio.h>
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

void run_charge(run_context *c, uint64_t prompt_tokens, uint64_t completion_tokens)
{
    account_charge_tokens(&c->account, prompt_tokens, completion_tokens);
}
