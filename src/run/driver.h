/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The inside of a run: one state machine, turned by run.c. A turn takes in completed calls, commits
 * their replies to the journal, notifies the waiters, hands over finished job sources, takes
 * requests while there is room, and dispatches calls to their backends. No function here is
 * re-entered. */
#include "run/backend.h"
#include "run/context.h"
#include "run/open_plans.h"
#include "run/pool.h"

#include <stdatomic.h>

struct rdv_run {
    run_context context;
    host *hosts; /* malloc()ed: room for one of each server */
    size_t n_hosts;
    backend **backends; /* the same; the generator's first */
    size_t n_backends;
    pool pools[2]; /* of different models */
    size_t n_pools;
    lanes lanes[2]; /* of the pools, which may share the first */
    pool *by_party[2];
    calls calls;
    open_plans plans;
    const job_stream *jobs;
    bool jobs_ended;
    rdv_arena *batch;    /* holds replies that were read and not yet given to the waiters */
    call_queue answered; /* their calls */
    uint64_t reported_ms;
    bool jobs_later;     /* `jobs` has no further source now; until the next turn */
    bool wound_down;     /* the consequences of the end have been carried out */
    bool deferred;       /* a request was left for a later run, and so was its job source */
    bool told_untrained; /* options.untrained was called */
    atomic_bool stop;
};

/* Do everything that can be done now. *busy: there is more to do; the turn was ended to keep it
 * short. */
int driver_turn(rdv_run *run, bool *busy, rdv_error *err);
/* Milliseconds until something must be done even without an event; UINT64_MAX: nothing must. */
uint64_t driver_wait(rdv_run *run);
/* Whether everything is handed over and nothing is left to take in. */
bool driver_done(const rdv_run *run);
/* After a fault: cancel everything and hand the job sources back. */
void driver_abandon(rdv_run *run);
