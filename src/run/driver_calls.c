/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on their way through the driver: into a queue, out of it, and to the end of their waiters.
 */
#include "run/driver_calls.h"
#include "base/str.h"

#include <stdlib.h>

/* A call that waited to be retried no longer does; whether it kept its place meanwhile. */
bool call_leave_place(call *c)
{
    bool kept = c->keeps_place;
    c->backend->host->waiting -= kept;
    c->keeps_place = false;
    return kept;
}

/* Calls that not every server may be sent must not hold up the others. */
void call_enqueue(call *c, bool first)
{
    lanes *all = c->pool->lanes;
    bool some = c->unfit || c->tried || c->stays;
    c->queue = c->pool->n > 1 && some ? &all->some : &all->any;
    c->state = CALL_QUEUED;
    (first ? call_queue_push_front : call_queue_push)(c->queue, c);
}

/* Remove a call from its queue, the heap or its backend. */
static void halt(rdv_run *run, call *c)
{
    switch (c->state) {
    case CALL_HELD:
        break;
    case CALL_QUEUED:
        call_queue_remove(c->queue, c);
        break;
    case CALL_OUT:
        c->backend->ops->cancel(c->backend, &c->sent);
        limit_end(&c->backend->host->limit, c->expected);
        run_release(&run->context, &c->sent.held);
        run->context.totals.in_flight--;
        break;
    case CALL_WAITING:
        call_leave_place(c);
        calls_stop_waiting(&run->calls, c);
        break;
    case CALL_JOINED:
        call_leave(c);
        break;
    case CALL_ANSWERED:
        call_queue_remove(&run->answered, c);
        break;
    }
    while (c->joined)
        call_leave(c->joined);
    c->state = CALL_HELD;
}

static void release_waiter(waiter *w)
{
    call_detach(w);
    open_plan_unlink(w);
    free(w);
}

/* Take the requests that a job source no longer needs. */
void driver_take_cancelled(rdv_run *run, open_plan *p)
{
    uint64_t id;
    while (run->jobs->ops->cancelled(p->source, &id) == RDV_OK) {
        waiter *w = open_plan_waiter(p, id);
        p->keeps &= p->kept.id != id;
        if (!w)
            continue;
        call *c = w->call;
        release_waiter(w);
        if (!c->waiters && c->joined)
            calls_hand_on(&run->calls, c);
        /* a held call is being processed; the code that processes it frees it */
        if (c->waiters || c->state == CALL_HELD)
            continue;
        halt(run, c);
        calls_remove(&run->calls, c);
    }
}

/* Drop a call; its waiters are closed when none of their requests is in flight. */
void driver_drop(rdv_run *run, call *c)
{
    halt(run, c);
    while (c->waiters) {
        c->waiters->plan->closing = true;
        release_waiter(c->waiters);
    }
    calls_remove(&run->calls, c);
}

void driver_ask_alone(rdv_run *run, call *c)
{
    if (run->context.end != RDV_END_DONE)
        driver_drop(run, c);
    else
        call_enqueue(c, true);
}

void driver_leave_alone(rdv_run *run, call *c)
{
    while (c->joined) {
        call *other = c->joined;
        call_leave(other);
        other->tries = c->tries;
        other->answers = c->answers;
        driver_ask_alone(run, other);
    }
}

bool driver_part(rdv_run *run, call *c, const backend_event *event)
{
    bool goes_on = run->context.end == RDV_END_DONE;
    bool again = event->kind == BACKEND_AGAIN || (event->kind == BACKEND_RETRY && event->throttled);
    if (again && goes_on)
        return false;
    driver_leave_alone(run, c);
    if (event->kind != BACKEND_FAILED || !goes_on)
        return false;
    c->refused = c->sent.n;
    call_enqueue(c, true);
    return true;
}

int driver_defer(rdv_run *run, call *c)
{
    run->deferred = true;
    while (c->waiters) {
        open_plan *p = c->waiters->plan;
        release_waiter(c->waiters);
        p->deferred = true;
        open_plans_mark_ready(&run->plans, p);
    }
    calls_remove(&run->calls, c);
    return RDV_OK;
}

void driver_count_told(rdv_run *run, bool reply, rdv_failure failure)
{
    rdv_run_totals *totals = &run->context.totals;
    if (reply) {
        totals->answered++;
        return;
    }
    totals->failed++;
    totals->failures[failure]++;
}

rdv_reply driver_trusted(const rdv_run *run, const rdv_reply *reply)
{
    rdv_reply read = *reply;
    if (read.finish == RDV_FINISH_UNSAID && run->context.options.trust_unfinished)
        read.finish = RDV_FINISH_STOP;
    return read;
}

/* Notify all waiters, and free the call. reply == NULL: there is none, because of `failure` and
 * `why`. */
int driver_tell(rdv_run *run, call *c, const rdv_reply *reply, rdv_failure failure, rdv_str why,
                rdv_error *err)
{
    const job_source_ops *ops = run->jobs->ops;
    rdv_reply read = reply ? driver_trusted(run, reply) : (rdv_reply){0};
    int rc = RDV_OK;
    c->state = CALL_HELD;
    driver_leave_alone(run, c);
    while (c->waiters) {
        open_plan *p = c->waiters->plan;
        uint64_t id = c->waiters->request.id;
        release_waiter(c->waiters);
        if (rc != RDV_OK)
            continue;
        rc = reply ? ops->reply(p->source, id, &read, err)
                   : ops->fail(p->source, id, failure, why, err);
        driver_count_told(run, reply != NULL, failure);
        run->context.totals.cached += reply && c->recorded;
        open_plans_mark_ready(&run->plans, p);
        driver_take_cancelled(run, p);
    }
    calls_remove(&run->calls, c);
    return rc;
}

int driver_fail(rdv_run *run, call *c, rdv_failure failure, const char *why, rdv_error *err)
{
    return driver_tell(run, c, NULL, failure, rdv_str_of(why), err);
}
