/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The state that the driver and the backends of a run share: options, clock, account, totals, and
 * the reason for its end. One thread. */
#include "base/rng.h"
#include "run/account.h"
#include "run/http.h"

typedef struct run_context {
    rdv_run_options options;
    http *http; /* the event loop; NULL: no requests are sent */
    struct survey_memory *surveys; /* shared with other runs; NULL: it surveys for itself */
    account account;
    rdv_rng rng; /* for the jitter of waiting times */
    rdv_run_totals totals;
    rdv_arena *scratch; /* reset for each step */
    uint64_t began_ms;  /* 0: not started */
    rdv_run_end end;
    char why[RDV_ERROR_MAX]; /* why the run ended early */
    bool waits_for_budget;   /* a call is to be held once another that is in flight has ended */
    const char *too_small;   /* the budget that did not hold a call; NULL: none. Of those calls, */
    token_usage least;       /* the one that may use least */
} run_context;

/* Milliseconds from any origin. */
uint64_t run_now(const run_context *c);
/* Seconds since the run began. */
double run_elapsed(const run_context *c);
/* Report a notice to the caller of the run; one line. */
void run_notice(const run_context *c, const char *fmt, ...) RDV_PRINTF(2, 3);
/* End the run at the driver's next turn; the first reason counts. */
void run_end_early(run_context *c, rdv_run_end end, const char *fmt, ...) RDV_PRINTF(3, 4);
/* Whether another call may be sent. False: the budget is used up, and the run is to end. */
bool run_may_spend(run_context *c);
/* Reserve what a call of so many bytes, with that limit of the reply's tokens (USAGE_NO_LIMIT:
 * none), may use at a server. *held: for run_release(), empty if no budget is to hold it.
 * RDV_LATER: the budget may hold it once a call in flight has ended; RDV_NONE: it never will. */
int run_reserve(run_context *c, const usage_seen *seen, size_t bytes, uint64_t limit,
                token_usage *held);
/* Whether a budget can hold such a call once no other is in flight. */
bool run_can_hold(const run_context *c, const usage_seen *seen, size_t bytes, uint64_t limit);
/* A call ended: what it held is free, and *held is empty. */
void run_release(run_context *c, token_usage *held);
/* End the run if there were calls that no budget held. */
void run_end_if_too_small(run_context *c);
/* Charge the account with the token_usage of a request. */
void run_charge(run_context *c, uint64_t prompt_tokens, uint64_t completion_tokens);
