/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A run from inside: one state machine that is turned by run.c. A turn is: take in what is
 * complete, write it down, tell those who wait for it, hand over job sources that are done, ask for
 * requests while there is room and dispatch calls to their backends. Nothing here is entered twice.
 */
#include "run/backend.h"
#include "run/context.h"
#include "run/open_plans.h"

#include <stdatomic.h>

struct rdv_run {
    run_context context;
    host hosts[2]; /* one or two of them; in a dry run none */
    size_t n_hosts;
    backend *backends[2];
    size_t n_backends;
    backend *by_party[2];
    calls calls;
    open_plans plans;
    const job_stream *jobs;
    bool jobs_ended;
    rdv_arena *batch;    /* replies that are read, and not told yet */
    call_queue answered; /* their calls */
    uint64_t reported_ms;
    bool jobs_later;     /* the jobs has no further source yet; until the next turn */
    bool wound_down;     /* what the end means has been done */
    bool told_untrained; /* options.untrained was called */
    atomic_bool stop;
};

/* Everything that can be done now. *busy: there is more, only a turn should not last too long. */
int driver_turn(rdv_run *run, bool *busy, rdv_error *err);
/* Milliseconds until something is to be done even if nothing comes; UINT64_MAX: nothing is. */
uint64_t driver_wait(rdv_run *run);
/* Is everything handed over, and nothing more to take in? */
bool driver_done(const rdv_run *run);
/* After a fault: give everything up and hand the job sources back. */
void driver_abandon(rdv_run *run);
