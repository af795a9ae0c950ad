/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the driver and the backends of a run share: its options, clock, account and totals, and why
 * it ends. One thread. */
#include "base/rng.h"
#include "run/account.h"
#include "run/http.h"

typedef struct run_context {
    rdv_run_options options;
    http *http; /* the event loop; NULL: nothing is sent */
    account account;
    rdv_rng rng; /* of waiting times */
    rdv_run_totals totals;
    rdv_arena *scratch; /* of one step */
    uint64_t began_ms;  /* 0: not begun */
    rdv_run_end end;
    char why[RDV_ERROR_MAX]; /* it ended before everything was done */
} run_context;

/* Milliseconds from any origin. */
uint64_t run_now(const run_context *c);
/* Seconds since the run began. */
double run_elapsed(const run_context *c);
/* Tell whoever wants to know; one line. */
void run_notice(const run_context *c, const char *fmt, ...) RDV_PRINTF(2, 3);
/* The run is to end; the first reason counts. Done at the driver's next turn. */
void run_end_early(run_context *c, rdv_run_end end, const char *fmt, ...) RDV_PRINTF(3, 4);
/* May a further call be sent? False: the budget is used up, and the run is to end. */
bool run_may_spend(run_context *c);
/* Charge the account with what a request used. */
void run_charge(run_context *c, uint64_t prompt_tokens, uint64_t completion_tokens);
