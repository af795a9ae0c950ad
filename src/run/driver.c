/* SPDX-License-Identifier: Apache-2.0 */
#include "run/driver.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TURN_REQUESTS 1000 /* served in one turn, so that a journal's do not hold up the rest */
#define LATER_MS 50        /* until a feed that had nothing is asked again */
#define TURN_REPLIES 100   /* read before they are committed and told */

/* ---- the end --------------------------------------------------------------------------------- */

void drive_end(rdv_run *run, rdv_run_end end, const char *fmt, ...)
{
    if (run->end != RDV_END_DONE)
        return;
    run->end = end;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(run->why, sizeof run->why, fmt, ap);
    va_end(ap);
}

/* What closed works are told. */
static rdv_failure end_failure(rdv_run_end end)
{
    switch (end) {
    case RDV_END_BUDGET:
        return RDV_FAIL_BUDGET;
    case RDV_END_REFUSED:
        return RDV_FAIL_REFUSED;
    case RDV_END_UNREACHABLE:
        return RDV_FAIL_UNREACHABLE;
    case RDV_END_DONE:
    case RDV_END_STOPPED:
        break;
    }
    return RDV_FAIL_CANCELLED;
}

static void abort_surveys(rdv_run *run)
{
    for (size_t i = 0; i < run->n_servers; i++)
        survey_call_abort(run, &run->servers[i]);
}

static void wind_down(rdv_run *run)
{
    run->wound_down = true;
    for (call *c = calls_each(&run->calls, NULL), *next; c; c = next) {
        next = calls_each(&run->calls, c);
        if (c->state != CALL_OUT || run->end != RDV_END_BUDGET)
            call_drop(run, c);
    }
    for (uint64_t i = run->slots.first; run->end != RDV_END_BUDGET && i < run->slots.end; i++)
        slots_at(&run->slots, i)->closing = true;
    abort_surveys(run);
}

/* ---- calls and those who wait ---------------------------------------------------------------- */

/* Out of its queue, heap or exchange. */
static void halt(rdv_run *run, call *c)
{
    host *h = c->server->host;
    switch (c->state) {
    case CALL_HELD:
        break;
    case CALL_QUEUED:
        queue_remove(&h->queue, c);
        break;
    case CALL_OUT:
        if (c->job)
            builtin_call_abort(run, c);
        else
            http_abort(run->http, &c->exchange);
        limit_end(&h->limit, c->expected);
        run->totals.in_flight--;
        break;
    case CALL_WAITING:
        calls_stop_waiting(&run->calls, c);
        break;
    case CALL_ANSWERED:
        queue_remove(&run->answered, c);
        break;
    }
    c->state = CALL_HELD;
}

static void release_waiter(waiter *w)
{
    call_detach(w);
    slot_unlink(w);
    free(w);
}

/* What a work no longer needs. */
static void take_cancelled(rdv_run *run, slot *s)
{
    uint64_t id;
    while (run->feed->ops->cancelled(s->work, &id) == RDV_OK) {
        waiter *w = slot_waiter(s, id);
        if (!w)
            continue;
        call *c = w->call;
        release_waiter(w);
        /* One that is held is just being told, and is freed by who tells it. */
        if (c->waiters || c->state == CALL_HELD)
            continue;
        halt(run, c);
        calls_remove(&run->calls, c);
    }
}

void call_drop(rdv_run *run, call *c)
{
    halt(run, c);
    while (c->waiters) {
        c->waiters->slot->closing = true;
        release_waiter(c->waiters);
    }
    calls_remove(&run->calls, c);
}

static void count_told(rdv_run *run, bool reply, rdv_failure failure)
{
    if (reply) {
        run->totals.answered++;
        return;
    }
    run->totals.failed++;
    run->totals.failures[failure]++;
}

/* Tell all who wait, and free the call. reply == NULL: none will come, `failure` and `why`. */
static int tell(rdv_run *run, call *c, const rdv_reply *reply, rdv_failure failure, rdv_str why,
                rdv_error *err)
{
    const work_ops *ops = run->feed->ops;
    int rc = RDV_OK;
    c->state = CALL_HELD;
    while (c->waiters) {
        slot *s = c->waiters->slot;
        uint64_t id = c->waiters->request.id;
        release_waiter(c->waiters);
        if (rc != RDV_OK)
            continue;
        rc =
            reply ? ops->reply(s->work, id, reply, err) : ops->fail(s->work, id, failure, why, err);
        count_told(run, reply != NULL, failure);
        slots_mark_ready(&run->slots, s);
        take_cancelled(run, s);
    }
    calls_remove(&run->calls, c);
    return rc;
}

int call_fail(rdv_run *run, call *c, rdv_failure failure, rdv_str why, rdv_error *err)
{
    return tell(run, c, NULL, failure, why, err);
}

/* ---- what came ------------------------------------------------------------------------------- */

/* Commit the replies that were read, then tell them. */
static int tell_answered(rdv_run *run, rdv_error *err)
{
    if (!run->answered.first)
        return RDV_OK;
    int rc = run->options.journal ? journal_commit(run->options.journal, err) : RDV_OK;
    while (rc == RDV_OK && run->answered.first) {
        call *c = run->answered.first;
        queue_remove(&run->answered, c);
        rc = tell(run, c, &c->reply, RDV_FAIL_UNREADABLE, (rdv_str){0}, err);
    }
    rdv_arena_reset(run->batch);
    return rc;
}

static int take_in(rdv_run *run, bool *busy, rdv_error *err)
{
    exchange *x = NULL;
    int rc = RDV_OK;
    for (size_t n = 0; rc == RDV_OK && n < TURN_REPLIES && (x = http_next(run->http)); n++)
        rc = x->surveys ? survey_call_outcome(run, x->owner, err) : outcome(run, x->owner, err);
    *busy |= x != NULL;
    if (rc == RDV_OK && run->n_builtins)
        rc = builtin_take_in(run, busy, err);
    return rc == RDV_OK ? tell_answered(run, err) : rc;
}

static int requeue_due(rdv_run *run, rdv_error *err)
{
    uint64_t now = run_now(run);
    int rc = RDV_OK;
    for (call *c; (c = calls_first_due(&run->calls)) && c->due <= now;) {
        calls_stop_waiting(&run->calls, c);
        c->state = CALL_QUEUED;
        queue_push(&c->server->host->queue, c);
    }
    for (size_t i = 0; i < run->n_servers && rc == RDV_OK; i++)
        rc = survey_call_due(run, &run->servers[i], err);
    return rc;
}

/* Waiting for another try, or with nothing out for a rate to let the next call go, is waiting for a
 * call that may not start. */
static void check_budget(rdv_run *run)
{
    const char *used_up = account_used_up(&run->account, run_elapsed(run));
    bool held_back = run->calls.n_waiting || (run->totals.in_flight == 0 && run->calls.n);
    if (used_up && held_back)
        drive_end(run, RDV_END_BUDGET, "the budget of %s is used up", used_up);
}

/* ---- works ----------------------------------------------------------------------------------- */

static bool takes_works(const rdv_run *run)
{
    bool goes_on = run->end == RDV_END_DONE || run->end == RDV_END_BUDGET;
    return !run->feed_ended && goes_on && slots_open(&run->slots) < run->slots.cap;
}

static int open_work(rdv_run *run, rdv_error *err)
{
    void *work = NULL;
    int rc = run->feed->next(run->feed->payload, &work, err);
    if (rc == RDV_LATER) {
        run->feed_later = true;
        return RDV_NONE;
    }
    if (rc == RDV_OK)
        slots_add(&run->slots, work);
    run->feed_ended = rc != RDV_OK;
    return rc;
}

/* Close what is to be closed, when nothing of it is out. */
static int close_first(rdv_run *run, slot *s, rdv_error *err)
{
    const work_ops *ops = run->feed->ops;
    if (!s->closing || s->waiters || ops->done(s->work))
        return RDV_OK;
    int rc = ops->close(s->work, end_failure(run->end), err);
    take_cancelled(run, s);
    if (rc == RDV_OK && !ops->done(s->work))
        return rdv_fail(err, RDV_E_INTERNAL, "a plan that was closed is not done");
    return rc;
}

static int hand_over(rdv_run *run, rdv_error *err)
{
    for (slot *s; (s = slots_first(&run->slots));) {
        int rc = close_first(run, s, err);
        if (rc != RDV_OK)
            return rc;
        if (s->waiters || !run->feed->ops->done(s->work))
            return RDV_OK;
        void *work = s->work;
        slots_remove_first(&run->slots);
        run->totals.plans_done++;
        rc = run->feed->done(run->feed->payload, work, err);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

/* ---- requests -------------------------------------------------------------------------------- */

static int give(rdv_run *run, slot *s, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    count_told(run, true, RDV_FAIL_UNREADABLE);
    int rc = run->feed->ops->reply(s->work, id, reply, err);
    take_cancelled(run, s);
    return rc;
}

static int serve_journalled(rdv_run *run, slot *s, const rdv_request *request, rdv_error *err)
{
    rdv_reply reply;
    if (!run->options.journal)
        return RDV_NONE;
    rdv_arena_reset(run->scratch);
    int rc = journal_find(run->options.journal, request->key, run->scratch, &reply, err);
    if (rc != RDV_OK)
        return rc;
    run->totals.cached++;
    return give(run, s, request->id, &reply, err);
}

static int serve_dry(rdv_run *run, slot *s, const rdv_request *request, rdv_error *err)
{
    rdv_reply reply = {0};
    rdv_arena_reset(run->scratch);
    int rc = run->feed->ops->dry_reply(s->work, request, run->scratch, &reply, err);
    if (rc != RDV_OK)
        return rc;
    size_t prompt = request->text.len;
    for (size_t i = 0; i < request->n_messages; i++)
        prompt += request->messages[i].text.len;
    for (size_t i = 0; i < request->n_steps; i++)
        prompt += request->steps[i].len;
    rc = slot_estimate(s, request->key);
    if (rc == RDV_E_NOMEM)
        return rdv_fail(err, rc, "out of memory");
    if (rc == RDV_OK) {
        account_charge_call(&run->account);
        run_charge(run, request, prompt / 4, reply.text.len / 4);
    }
    return give(run, s, request->id, &reply, err);
}

static int serve_missing(rdv_run *run, slot *s, const rdv_request *request, rdv_error *err)
{
    count_told(run, false, RDV_FAIL_MISSING);
    int rc = run->feed->ops->fail(s->work, request->id, RDV_FAIL_MISSING,
                                  RDV_STR("the transcript has no such reply"), err);
    take_cancelled(run, s);
    return rc;
}

/* A call for the request; or, where one of the same key is on its way, a part in that. */
static int ask(rdv_run *run, slot *s, const rdv_request *request, rdv_error *err)
{
    waiter *w = calloc(1, sizeof *w);
    if (!w)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    w->request = *request;
    call *c = calls_find(&run->calls, request->key);
    if (c) {
        call_attach(c, w);
    } else {
        c = calls_add(&run->calls, w, run->by_party[request->party]);
        if (!c) {
            free(w);
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        }
        c->state = CALL_QUEUED;
        c->answers = c->server->host->answers;
        queue_push(&c->server->host->queue, c);
    }
    slot_link(s, w);
    return RDV_OK;
}

static int serve(rdv_run *run, slot *s, const rdv_request *request, rdv_error *err)
{
    int rc = serve_journalled(run, s, request, err);
    if (rc != RDV_NONE)
        return rc;
    switch (run->options.mode) {
    case RDV_RUN_DRY:
        return serve_dry(run, s, request, err);
    case RDV_RUN_REPLAY:
        return serve_missing(run, s, request, err);
    case RDV_RUN_ASK:
        break;
    }
    if (run->end == RDV_END_DONE)
        return ask(run, s, request, err);
    s->closing = true; /* it needs what may no longer be asked */
    return RDV_OK;
}

/* Would a further request find a host that has room for it? Where the budget is used up and nothing
 * is out one is wanted all the same, to learn whether there is more to ask. */
static bool wants_requests(rdv_run *run)
{
    if (run->options.mode != RDV_RUN_ASK || run->end != RDV_END_DONE)
        return true;
    size_t queued = 0;
    bool room = false;
    for (size_t i = 0; i < run->n_hosts; i++) {
        host *h = &run->hosts[i];
        queued += h->queue.n;
        room |= h->queue.n == 0 && limit_wait(&h->limit, run_now(run)) == 0;
    }
    bool last = run->calls.n == 0 && account_used_up(&run->account, run_elapsed(run));
    return last || (room && queued < run->options.jobs);
}

/* One request of the earliest work that has one. RDV_NONE: no open work has. */
static int pull(rdv_run *run, rdv_error *err)
{
    for (slot *s; (s = slots_next_ready(&run->slots));) {
        rdv_request request;
        int rc = run->feed->ops->next(s->work, &request, err);
        if (rc == RDV_OK)
            return serve(run, s, &request, err);
        if (rc != RDV_NONE)
            return rc;
        s->ready = false;
    }
    return RDV_NONE;
}

static int pull_and_start(rdv_run *run, bool *busy, rdv_error *err)
{
    for (size_t n = 0; n < TURN_REQUESTS; n++) {
        if (!wants_requests(run))
            return RDV_OK;
        int rc = pull(run, err);
        if (rc == RDV_NONE) {
            rc = hand_over(run, err);
            if (rc == RDV_OK)
                rc = takes_works(run) ? open_work(run, err) : RDV_NONE;
        }
        if (rc == RDV_OK && run->http)
            rc = start_calls(run, err);
        if (rc != RDV_OK)
            return rc == RDV_NONE ? RDV_OK : rc;
    }
    *busy = true;
    return RDV_OK;
}

/* ---- a turn ---------------------------------------------------------------------------------- */

static void wind_down_if_ended(rdv_run *run)
{
    if (atomic_load(&run->stop))
        drive_end(run, RDV_END_STOPPED, "stopped");
    if (run->end != RDV_END_DONE && !run->wound_down)
        wind_down(run);
}

int drive(rdv_run *run, bool *busy, rdv_error *err)
{
    *busy = false;
    run->feed_later = false;
    int rc = run->http ? take_in(run, busy, err) : RDV_OK;
    if (rc != RDV_OK)
        return rc;
    check_budget(run);
    wind_down_if_ended(run);
    rc = requeue_due(run, err);
    if (rc == RDV_OK && run->http)
        rc = start_calls(run, err);
    if (rc == RDV_OK)
        rc = pull_and_start(run, busy, err);
    *busy |= run->end != RDV_END_DONE && !run->wound_down;
    return rc == RDV_OK ? hand_over(run, err) : rc;
}

uint64_t drive_wait(rdv_run *run)
{
    uint64_t now = run_now(run), wait = run->feed_later ? LATER_MS : UINT64_MAX;
    const call *due = calls_first_due(&run->calls);
    if (due)
        wait = due->due > now ? due->due - now : 0;
    for (size_t i = 0; i < run->n_hosts; i++) {
        uint64_t host_wait = limit_wait(&run->hosts[i].limit, now);
        const call *first = run->hosts[i].queue.first;
        bool wanted = first || slots_next_ready(&run->slots) || takes_works(run);
        bool held = first && first->server->surveying;
        if (wanted && !held && host_wait < wait)
            wait = host_wait;
    }
    for (size_t i = 0; i < run->n_servers; i++) {
        uint64_t survey_wait = survey_call_wait(run, &run->servers[i]);
        wait = survey_wait < wait ? survey_wait : wait;
    }
    return wait;
}

bool drive_done(const rdv_run *run)
{
    bool no_more = run->feed_ended || (run->end != RDV_END_DONE && run->end != RDV_END_BUDGET);
    return no_more && slots_open(&run->slots) == 0;
}

void drive_abandon(rdv_run *run)
{
    for (call *c; (c = calls_each(&run->calls, NULL));)
        call_drop(run, c);
    abort_surveys(run);
    rdv_arena_reset(run->batch);
    for (slot *s; (s = slots_first(&run->slots));) {
        void *work = s->work;
        run->feed->ops->close(work, RDV_FAIL_CANCELLED, NULL);
        slots_remove_first(&run->slots);
        run->feed->done(run->feed->payload, work, NULL);
    }
}
