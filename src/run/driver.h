/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A run from inside. One turn of the loop (run.c) is: take in what came (outcome.c), write it down,
 * tell those who wait for it, hand over works that are done, ask for requests while there is room
 * and start calls (driver.c), then sleep until something happens (http.c). Callbacks decide
 * nothing, so nothing here is entered twice. */
#include "base/rng.h"
#include "run/account.h"
#include "run/journal.h"
#include "run/slots.h"

#include <stdatomic.h>

struct rdv_run {
    rdv_run_options options;
    http *http;    /* NULL where nothing is sent */
    host hosts[2]; /* one or two of them */
    size_t n_hosts;
    server servers[2];
    size_t n_servers;
    server *by_party[2];
    struct builtin *builtins[2];
    size_t n_builtins;
    account account;
    rdv_rng rng; /* of waiting times */
    calls calls;
    slots slots;
    const work_feed *feed;
    bool feed_ended;
    rdv_arena *scratch;  /* of one step */
    rdv_arena *batch;    /* replies that are read, and not told yet */
    call_queue answered; /* their calls */
    rdv_run_totals totals;
    uint64_t began_ms, reported_ms, swept_ms;
    rdv_run_end end;
    bool feed_later;     /* the feed has no further work yet; until the next turn */
    bool wound_down;     /* what the end means has been done */
    bool told_untrained; /* options.untrained was called */
    char why[RDV_ERROR_MAX];
    atomic_bool stop;
};

/* ---- driver.c -------------------------------------------------------------------------------- */

/* Everything that can be done now. *busy: there is more, only a turn should not last too long. */
int drive(rdv_run *run, bool *busy, rdv_error *err);
/* Milliseconds until something is to be done even if nothing comes; UINT64_MAX: nothing is. */
uint64_t drive_wait(rdv_run *run);
/* Is everything handed over, and nothing more to take in? */
bool drive_done(const rdv_run *run);
/* After a fault: give everything up and hand the works back. */
void drive_abandon(rdv_run *run);
/* The run is to end; the first reason counts. Done at the next turn. */
void drive_end(rdv_run *run, rdv_run_end end, const char *fmt, ...) RDV_PRINTF(3, 4);

/* Give a call up. Those who wait get `failure`, or (call_drop) are closed when nothing of theirs is
 * out. */
int call_fail(rdv_run *run, call *c, rdv_failure failure, rdv_str why, rdv_error *err);
void call_drop(rdv_run *run, call *c);

/* ---- start.c --------------------------------------------------------------------------------- */

/* Start calls of the queues as far as limits and budgets allow. */
int start_calls(rdv_run *run, rdv_error *err);

/* ---- survey_call.c ----------------------------------------------------------------------------
 */

/* Is what this request rests on known of the server? RDV_NONE: it is being found out. */
int survey_call_ready(rdv_run *run, server *s, const rdv_request *request, rdv_error *err);
/* Try again what was to be tried later. */
int survey_call_due(rdv_run *run, server *s, rdv_error *err);
/* Milliseconds until then; UINT64_MAX: nothing waits. */
uint64_t survey_call_wait(const rdv_run *run, const server *s);
/* Its exchange has ended. */
int survey_call_outcome(rdv_run *run, server *s, rdv_error *err);
/* Give up a survey that is under way. */
void survey_call_abort(rdv_run *run, server *s);

/* ---- run_builtin.c --------------------------------------------------------------------------- */

/* Start a call that is held. RDV_NONE: the model cannot do such a request, err says why. */
int builtin_call_start(rdv_run *run, call *c, rdv_error *err);
/* Give up a call that is out. */
void builtin_call_abort(rdv_run *run, call *c);
/* Take in what ended, and what has taken too long. *busy: there is more. */
int builtin_take_in(rdv_run *run, bool *busy, rdv_error *err);

/* ---- outcome.c ------------------------------------------------------------------------------- */

/* Decide what the end of a call's exchange means: a reply, another try, or failure. */
int outcome(rdv_run *run, call *c, rdv_error *err);
/* c->reply has come, and counts tokens as it does or as `wire` was long. */
int outcome_answered(rdv_run *run, call *c, rdv_error *err);
/* Put what an answered request cost on the account, and tell whoever keeps another. */
void run_charge(rdv_run *run, const rdv_request *request, uint64_t prompt_tokens,
                uint64_t completion_tokens);

/* Tell whoever wants to know; one line. */
void run_notice(const rdv_run *run, const char *fmt, ...) RDV_PRINTF(2, 3);

/* Milliseconds from any origin. */
uint64_t run_now(const rdv_run *run);
double run_elapsed(const rdv_run *run);
