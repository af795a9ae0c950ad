/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run.h"
#include "run/driver_calls.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/clock.h"
#include "plan/draws.h"
#include "plan/request.h"
#include "run/journal/journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TURN_REQUESTS 1000 /* served per turn, so that cached replies delay no other work */
#define LATER_MS 50        /* before `jobs` is asked again after it had no source */
#define TURN_REPLIES 100   /* read before they are committed and given to waiters */
#define MEAN_OF 16         /* number of replies in the running mean of their time */
#define LATE_SHARE 4       /* a reply that took a fourth of its time limit was late */

/* ---- a complete call: a reply ---------------------------------------------------------------- */

/* `told`: the server counted them, for a reply; the count of a failure says nothing of prompts. */
static void charge_tokens(rdv_run *run, const call *c, uint64_t prompt, uint64_t completion,
                          bool told)
{
    backend *b = c->backend;
    token_usage used = {prompt, completion};
    b->totals.prompt_tokens += prompt;
    b->totals.completion_tokens += completion;
    run_charge(&run->context, prompt, completion);
    usage_learn(&b->seen, c->sent.bytes, c->sent.limit, used, told);
}

/* A reply came after this time. */
static void note_time(backend *b, uint64_t ms)
{
    b->totals.answered++;
    b->totals.seconds += (double)ms / 1000;
    double of = b->totals.answered < MEAN_OF ? (double)b->totals.answered : MEAN_OF;
    b->reply_ms += ((double)ms + 1 - b->reply_ms) / of;
}

static size_t bytes_of(const backend_event *event)
{
    size_t bytes = event->reply.text.len;
    for (size_t i = 0; i < event->n_choices; i++)
        bytes += event->choices[i] ? event->choices[i]->text.len : 0;
    return bytes;
}

/* Charge the usage that the server reports, or an estimate from the bytes if it reports none. */
static void charge(rdv_run *run, call *c, const backend_event *event)
{
    host *h = c->backend->host;
    uint64_t took = run_now(&run->context) - c->started;
    const rdv_reply *r = &event->reply;
    uint64_t prompt = r->usage ? r->prompt_tokens : c->sent.bytes / 4;
    uint64_t completion = r->usage ? r->completion_tokens : bytes_of(event) / 4;
    if (!r->usage && completion > c->sent.limit)
        completion = c->sent.limit;
    uint32_t timeout_ms = run->context.options.timeout_ms;
    bool late = timeout_ms && took * LATE_SHARE > timeout_ms;
    limit_answered(&h->limit, c->expected, prompt, completion, c->sent.n, late);
    h->slow |= late;
    h->answers++;
    note_time(c->backend, took);
    charge_tokens(run, c, prompt, completion, r->usage);
}

static int take_reply(rdv_run *run, call *c, const rdv_reply *reply, bool recorded, rdv_error *err)
{
    const rdv_run_options *o = &run->context.options;
    c->reply = *reply;
    c->recorded = recorded;
    c->state = CALL_ANSWERED;
    call_queue_push(&run->answered, c);
    if (recorded || !o->journal)
        return RDV_OK;
    return journal_add(o->journal, c->sent.request, o->journal_requests, &c->reply,
                       clock_ms_since_1970(), err);
}

/* The reply of a call is its own choice; a call without one asks again, alone. */
static int take_choice(rdv_run *run, call *c, const backend_event *event, rdv_error *err)
{
    bool came = c->choice < event->n_choices && event->choices[c->choice];
    if (came)
        return take_reply(run, c, event->choices[c->choice], false, err);
    driver_ask_alone(run, c);
    return RDV_OK;
}

/* All choices are added to the journal before any is committed: after a crash it has all or none.
 */
static int take_choices(rdv_run *run, call *c, const backend_event *event, rdv_error *err)
{
    int rc = RDV_OK;
    if (event->n_choices < c->sent.n)
        backend_gives(c->backend, event->n_choices);
    while (rc == RDV_OK && c->joined) {
        call *other = c->joined;
        call_leave(other);
        other->backend = c->backend;
        rc = take_choice(run, other, event, err);
    }
    return rc == RDV_OK ? take_choice(run, c, event, err) : rc;
}

static int take_replies(rdv_run *run, call *c, backend_event *event, rdv_error *err)
{
    if (event->recorded)
        limit_end(&c->backend->host->limit, c->expected);
    else
        charge(run, c, event);
    if (event->choices)
        return take_choices(run, c, event, err);
    if (c->refused) /* with others; alone it was not */
        backend_gives(c->backend, c->refused / 2);
    c->holds = event->arena;
    return take_reply(run, c, &event->reply, event->recorded, err);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Handle an event of a backend: a reply, a retry, or a failure. */
static int complete(rdv_run *run, backend_event *event, rdv_error *err)
{
    call *c = (call *)event->call;
    c->state = CALL_HELD;
    run->context.totals.in_flight--;
    run_release(&run->context, &c->sent.held);
    if (event->kind != BACKEND_RETRY)
        pool_works(c->pool, c->backend);
    if (event->kind == BACKEND_REPLY)
        return take_replies(run, c, event, err);
    rdv_arena_free(&event->arena);
    limit_end(&c->backend->host->limit, c->expected);
    if (event->kind == BACKEND_DEFERRED)
        return driver_defer(run, c);
    if (event->reply.usage) /* usage counts even if the reply is unreadable */
        charge_tokens(run, c, event->reply.prompt_tokens, event->reply.completion_tokens, false);
    c->backend->totals.failed += event->kind != BACKEND_AGAIN;
    if (c->joined && driver_part(run, c, event))
        return RDV_OK;
    if (event->kind == BACKEND_RETRY)
        return driver_try_later(run, c, event, err);
    if (event->kind == BACKEND_AGAIN)
        return driver_ask_again(run, c);
    return driver_take_failure(run, c, event, err);
}

/* Commit the replies that were read, then give them to their waiters. */
static int tell_answered(rdv_run *run, rdv_error *err)
{
    if (!run->answered.first)
        return RDV_OK;
    rdv_journal *journal = run->context.options.journal;
    int rc = journal ? journal_commit(journal, err) : RDV_OK;
    while (rc == RDV_OK && run->answered.first) {
        call *c = run->answered.first;
        call_queue_remove(&run->answered, c);
        rc = driver_tell(run, c, &c->reply, RDV_FAIL_UNREADABLE, (rdv_str){0}, err);
    }
    rdv_arena_reset(run->batch);
    return rc;
}

static int take_in(rdv_run *run, backend *b, bool *busy, rdv_error *err)
{
    backend_event event;
    int rc = RDV_OK;
    size_t n = 0;
    while (n < TURN_REPLIES && (rc = b->ops->next(b, run->batch, &event, err)) == RDV_OK) {
        n++;
        rc = complete(run, &event, err);
        if (rc != RDV_OK)
            return rc;
    }
    *busy |= n == TURN_REPLIES;
    return rc < 0 ? rc : RDV_OK;
}

static int take_in_all(rdv_run *run, bool *busy, rdv_error *err)
{
    int rc = RDV_OK;
    for (size_t i = 0; rc == RDV_OK && i < run->n_backends; i++)
        rc = take_in(run, run->backends[i], busy, err);
    return rc == RDV_OK ? tell_answered(run, err) : rc;
}

/* ---- dispatching calls ----------------------------------------------------------------------- */

static void tell_untrained(rdv_run *run, const call *c)
{
    const rdv_run_options *o = &run->context.options;
    const rdv_request *request = c->sent.request;
    const rdv_builtin *file = c->backend->file;
    if (!o->untrained || run->told_untrained || !file || !request->prompt.p ||
        rdv_builtin_trained_on(file, request->prompt))
        return;
    run->told_untrained = true;
    o->untrained(o->payload, request);
}

/* The calls for which no choice was asked are asked next, together. */
static void number_choices(call *c)
{
    call *rest = NULL;
    c->choice = 0;
    size_t i = 1;
    for (call *other = c->joined, *next; other; other = next) {
        next = other->next;
        other->choice = i++;
        if (other->choice < c->sent.n)
            continue;
        call_leave(other);
        if (rest)
            call_join(rest, other);
        else
            rest = other;
    }
    if (rest)
        call_enqueue(rest, true);
}

/* Give the call to that server. RDV_LATER: it takes none now; RDV_NONE: it does not support the
 * request, *why says why. */
static int start_at(rdv_run *run, call *c, backend *b, rdv_error *why)
{
    if (c->backend && c->backend != b)
        c->backend->ops->cancel(c->backend, &c->sent); /* what it keeps for the call */
    c->backend = b;
    c->sent.wanted = 1 + c->n_joined;
    c->sent.n = 1;
    int rc = b->ops->start(b, &c->sent, why);
    if (rc != RDV_OK)
        return rc;
    call_queue_remove(c->queue, c);
    number_choices(c);
    c->state = CALL_OUT;
    c->started = run_now(&run->context);
    c->expected = limit_start(&b->host->limit, c->sent.bytes, c->sent.n, c->started);
    run->context.totals.in_flight++;
    return RDV_OK;
}

/* Put the queued call back for a server that it fits. There may be none: the last one cannot be
 * sent it in its present form, or was left out meanwhile. Then another form is tried, or it fails.
 */
static int pass_on(rdv_run *run, call *c, const char *why, rdv_error *err)
{
    call_queue_remove(c->queue, c);
    c->state = CALL_HELD;
    if (!pool_fits(c->pool, c)) {
        if (!c->sent.as_is)
            return driver_fail(run, c, RDV_FAIL_UNAVAILABLE, why, err);
        c->sent.as_is = false;
        c->unfit = 0;
    }
    call_enqueue(c, true);
    return RDV_OK;
}

/* Give the first call of a queue to a server. RDV_LATER: none takes it now. */
static int dispatch_first(rdv_run *run, call_queue *q, rdv_error *err)
{
    call *c = q->first;
    backend *b = pool_pick(c->pool, c, run_now(&run->context));
    bool busy = false;
    rdv_error why = {0};
    if (!b && !pool_fits(c->pool, c))
        return pass_on(run, c, "no server that supports it is left", err);
    if (!b)
        return RDV_LATER;
    int rc = start_at(run, c, b, &why);
    if (rc == RDV_LATER && c->sent.too_dear) {
        driver_leave_alone(run, c);
        driver_drop(run, c);
        return RDV_OK;
    }
    if (rc == RDV_LATER)
        return b->held ? RDV_OK : rc; /* a server that is held is not picked again */
    if (rc < 0)
        return rdv_fail(err, rc, "%s", why.msg);
    if (rc == RDV_NONE) {
        pool_unfit(c, b);
        return pass_on(run, c, why.msg, err);
    }
    tell_untrained(run, c);
    if (!b->at_once)
        return RDV_OK;
    rc = take_in(run, b, &busy, err);
    return rc == RDV_OK ? tell_answered(run, err) : rc;
}

static int dispatch_queue(rdv_run *run, call_queue *q, rdv_error *err)
{
    int rc = RDV_OK;
    const run_context *x = &run->context;
    while (rc == RDV_OK && x->end == RDV_END_DONE && !x->waits_for_budget && q->first)
        rc = dispatch_first(run, q, err);
    return rc < 0 ? rc : RDV_OK;
}

/* Dispatch queued calls as far as limits and budgets allow. */
static int dispatch(rdv_run *run, rdv_error *err)
{
    int rc = RDV_OK;
    for (size_t i = 0; rc == RDV_OK && i < run->n_pools; i++) {
        rc = dispatch_queue(run, &run->lanes[i].some, err);
        if (rc == RDV_OK)
            rc = dispatch_queue(run, &run->lanes[i].any, err);
    }
    return rc;
}

static void requeue_due(rdv_run *run)
{
    uint64_t now = run_now(&run->context);
    for (call *c; (c = calls_first_due(&run->calls)) && c->due <= now;) {
        bool first = call_leave_place(c) && c->backend->host->answers == 0;
        calls_stop_waiting(&run->calls, c);
        call_enqueue(c, first);
    }
}

/* ---- job sources ----------------------------------------------------------------------------- */

static bool takes_sources(const rdv_run *run)
{
    rdv_run_end end = run->context.end;
    bool goes_on = end == RDV_END_DONE || end == RDV_END_BUDGET;
    return !run->jobs_ended && goes_on && open_plans_count(&run->plans) < run->plans.cap;
}

static int open_source(rdv_run *run, rdv_error *err)
{
    void *source = NULL;
    int rc = run->jobs->next(run->jobs->payload, &source, err);
    if (rc == RDV_LATER) {
        run->jobs_later = true;
        return RDV_NONE;
    }
    if (rc == RDV_OK)
        open_plans_add(&run->plans, source);
    run->jobs_ended = rc != RDV_OK;
    return rc;
}

/* The failure that closed sources get. */
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
    case RDV_END_WAITING:
        break;
    }
    return RDV_FAIL_CANCELLED;
}

static rdv_failure close_failure(const rdv_run *run, const open_plan *p)
{
    rdv_run_end end = run->context.end;
    bool too_dear = end == RDV_END_DONE && !p->deferred; /* no budget held one of its calls */
    return end_failure(too_dear ? RDV_END_BUDGET : end);
}

/* Close a source that is to be closed, once none of its requests is in flight. */
static int close_first(rdv_run *run, open_plan *p, rdv_error *err)
{
    const job_source_ops *ops = run->jobs->ops;
    if (!p->closing || p->waiters || ops->done(p->source))
        return RDV_OK;
    int rc = ops->close(p->source, close_failure(run, p), err);
    driver_take_cancelled(run, p);
    if (rc == RDV_OK && !ops->done(p->source))
        return rdv_fail(err, RDV_E_INTERNAL, "a plan that was closed is not done");
    return rc;
}

static int hand_over(rdv_run *run, rdv_error *err)
{
    for (open_plan *p; (p = open_plans_first(&run->plans));) {
        int rc = close_first(run, p, err);
        if (rc != RDV_OK)
            return rc;
        if (p->waiters || !run->jobs->ops->done(p->source))
            return RDV_OK;
        void *source = p->source;
        open_plans_remove_first(&run->plans);
        run->context.totals.plans_done++;
        rc = run->jobs->done(run->jobs->payload, source, err);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

/* ---- requests -------------------------------------------------------------------------------- */

static int give(rdv_run *run, open_plan *p, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    driver_count_told(run, true, RDV_FAIL_UNREADABLE);
    rdv_reply read = driver_trusted(run, reply);
    int rc = run->jobs->ops->reply(p->source, id, &read, err);
    driver_take_cancelled(run, p);
    return rc;
}

static int serve_journalled(rdv_run *run, open_plan *p, const rdv_request *request, rdv_error *err)
{
    rdv_reply reply;
    run_context *x = &run->context;
    rdv_arena_reset(x->scratch);
    int rc = journal_find(x->options.journal, request->key, x->scratch, &reply, err);
    if (rc != RDV_OK)
        return rc;
    x->totals.cached++;
    return give(run, p, request->id, &reply, err);
}

/* Whether other replies to this request may come from the same call. */
static bool may_share(const rdv_run *run, const pool *servers, const rdv_request *request)
{
    return !run->context.options.separate_samples && pool_asks_many(servers) &&
           request_is_drawn(request);
}

/* Add a call for the request, or a waiter to the call in progress that has the same key. A new call
 * joins *lead, or becomes it if others may join it. */
static int ask(rdv_run *run, open_plan *p, const rdv_request *request, call **lead, rdv_error *err)
{
    waiter *w = calloc(1, sizeof *w);
    if (!w)
        return rdv_no_memory(err);
    w->request = *request;
    call *c = calls_find(&run->calls, request->key);
    if (c) {
        call_attach(c, w);
    } else {
        pool *servers = run->by_party[request->party];
        c = calls_add(&run->calls, w, servers);
        if (!c) {
            free(w);
            return rdv_no_memory(err);
        }
        c->sent.as_is = servers->n > 1;
        c->answers = pool_answers(servers);
        if (*lead)
            call_join(*lead, c);
        else
            call_enqueue(c, false);
        if (!*lead && may_share(run, servers, request))
            *lead = c;
    }
    open_plan_link(p, w);
    return RDV_OK;
}

/* Answer from the journal (the backend of a transcript reads it itself), otherwise by a call. */
static int serve(rdv_run *run, open_plan *p, const rdv_request *request, call **lead,
                 rdv_error *err)
{
    const rdv_run_options *o = &run->context.options;
    int rc = RDV_NONE;
    if (o->journal && o->mode != RDV_RUN_REPLAY)
        rc = serve_journalled(run, p, request, err);
    if (rc == RDV_NONE && run->context.end == RDV_END_DONE)
        return ask(run, p, request, lead, err);
    *lead = NULL;                 /* what the plan was given may have cancelled it */
    p->closing |= rc == RDV_NONE; /* it needs a request that may no longer be sent */
    return rc == RDV_NONE ? RDV_OK : rc;
}

/* Serve the request, and those that follow and differ from it in the sample alone: they may share a
 * call. The first one that differs in more is kept for the next time. */
static int serve_draws(rdv_run *run, open_plan *p, const rdv_request *first, rdv_error *err)
{
    call *lead = NULL;
    int rc = serve(run, p, first, &lead, err);
    while (rc == RDV_OK && lead && lead->n_joined + 1 < REQUEST_MOST_DRAWS) {
        rdv_request request;
        rc = run->jobs->ops->next(p->source, &request, err);
        if (rc != RDV_OK)
            return rc == RDV_NONE ? RDV_OK : rc;
        p->kept = request;
        p->keeps = !request_same_but_sample(lead->sent.request, &request);
        if (p->keeps)
            return RDV_OK;
        rc = serve(run, p, &request, &lead, err);
    }
    return rc;
}

static int next_request(const rdv_run *run, open_plan *p, rdv_request *request, rdv_error *err)
{
    if (!p->keeps)
        return run->jobs->ops->next(p->source, request, err);
    *request = p->kept;
    p->keeps = false;
    return RDV_OK;
}

static size_t n_queued(const rdv_run *run)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_pools; i++)
        n += run->lanes[i].any.n + run->lanes[i].some.n;
    return n;
}

/* Whether a further request would find a server that has room for it. If the budget is used up and
 * nothing is in flight, a request is wanted nevertheless, to learn whether there are any. */
static bool wants_requests(rdv_run *run)
{
    run_context *x = &run->context;
    if (x->end != RDV_END_DONE)
        return true;
    if (x->waits_for_budget)
        return false;
    bool room = false;
    for (size_t i = 0; i < run->n_pools; i++) {
        const pool *p = &run->pools[i];
        room |= p->lanes->any.n == 0 && pool_wait(p, NULL, run_now(x)) == 0;
    }
    bool last = run->calls.n == 0 && account_used_up(&x->account, run_elapsed(x));
    return last || (room && n_queued(run) < x->options.jobs);
}

/* Take one request of the earliest job source that has one. RDV_NONE: no open source has one. */
static int pull(rdv_run *run, rdv_error *err)
{
    for (open_plan *p; (p = open_plans_next_ready(&run->plans));) {
        rdv_request request;
        int rc = next_request(run, p, &request, err);
        if (rc == RDV_OK)
            return serve_draws(run, p, &request, err);
        if (rc != RDV_NONE)
            return rc;
        p->ready = false;
        p->closing |= p->deferred;
    }
    return RDV_NONE;
}

static int pull_and_dispatch(rdv_run *run, bool *busy, rdv_error *err)
{
    for (size_t n = 0; n < TURN_REQUESTS; n++) {
        if (!wants_requests(run))
            return RDV_OK;
        int rc = pull(run, err);
        if (rc == RDV_NONE) {
            rc = hand_over(run, err);
            if (rc == RDV_OK)
                rc = takes_sources(run) ? open_source(run, err) : RDV_NONE;
        }
        if (rc == RDV_OK)
            rc = dispatch(run, err);
        if (rc != RDV_OK)
            return rc == RDV_NONE ? RDV_OK : rc;
    }
    *busy = true;
    return RDV_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A call that waits for a retry, or for a rate limit while nothing is in flight, cannot start if
 * the budget is used up. */
static void check_budget(rdv_run *run)
{
    run_context *x = &run->context;
    if (run->calls.n_waiting || (x->totals.in_flight == 0 && run->calls.n))
        (void)run_may_spend(x);
}

static void end_backends(rdv_run *run)
{
    for (size_t i = 0; i < run->n_backends; i++)
        if (run->backends[i]->ops->end)
            run->backends[i]->ops->end(run->backends[i]);
}

static void wind_down(rdv_run *run)
{
    bool awaited = run->context.end == RDV_END_BUDGET; /* calls in flight may complete */
    run->wound_down = true;
    for (call *c = calls_each(&run->calls, NULL), *next; c; c = next) {
        next = calls_each(&run->calls, c);
        const call *out = c->state == CALL_JOINED ? c->lead : c;
        if (out->state != CALL_OUT || !awaited)
            driver_drop(run, c);
    }
    for (uint64_t i = run->plans.first; !awaited && i < run->plans.end; i++)
        open_plans_at(&run->plans, i)->closing = true;
    end_backends(run);
}

static bool has_ended(const rdv_run *run)
{
    return run->context.end != RDV_END_DONE && !run->wound_down;
}

/* ---- a turn ---------------------------------------------------------------------------------- */

int driver_turn(rdv_run *run, bool *busy, rdv_error *err)
{
    *busy = false;
    run->jobs_later = false;
    int rc = take_in_all(run, busy, err);
    if (rc != RDV_OK)
        return rc;
    check_budget(run);
    if (atomic_load(&run->stop))
        run_end_early(&run->context, RDV_END_STOPPED, "stopped");
    if (has_ended(run))
        wind_down(run);
    requeue_due(run);
    rc = dispatch(run, err);
    if (rc == RDV_OK)
        rc = pull_and_dispatch(run, busy, err);
    *busy |= has_ended(run);
    return rc == RDV_OK ? hand_over(run, err) : rc;
}

static uint64_t until(uint64_t due, uint64_t now)
{
    if (due == UINT64_MAX)
        return due;
    return due > now ? due - now : 0;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t driver_wait(rdv_run *run)
{
    uint64_t now = run_now(&run->context), wait = run->jobs_later ? LATER_MS : UINT64_MAX;
    const call *due = calls_first_due(&run->calls);
    if (due)
        wait = sooner(wait, until(due->due, now));
    bool wanted = (open_plans_next_ready(&run->plans) || takes_sources(run)) &&
                  n_queued(run) < run->context.options.jobs;
    for (size_t i = 0; i < run->n_pools && !run->context.waits_for_budget; i++) {
        const lanes *of = run->pools[i].lanes;
        const call *any = of->any.first, *some = of->some.first;
        if (some)
            wait = sooner(wait, pool_wait(some->pool, some, now));
        if (any)
            wait = sooner(wait, pool_wait(any->pool, any, now));
        else if (wanted)
            wait = sooner(wait, pool_wait(&run->pools[i], NULL, now));
    }
    for (size_t i = 0; i < run->n_backends; i++)
        wait = sooner(wait, until(run->backends[i]->due, now));
    return wait;
}

bool driver_done(const rdv_run *run)
{
    rdv_run_end end = run->context.end;
    bool no_more = run->jobs_ended || (end != RDV_END_DONE && end != RDV_END_BUDGET);
    return no_more && open_plans_count(&run->plans) == 0;
}

void driver_abandon(rdv_run *run)
{
    for (call *c; (c = calls_each(&run->calls, NULL));)
        driver_drop(run, c);
    end_backends(run);
    rdv_arena_reset(run->batch);
    for (open_plan *p; (p = open_plans_first(&run->plans));) {
        void *source = p->source;
        run->jobs->ops->close(source, RDV_FAIL_CANCELLED, NULL);
        open_plans_remove_first(&run->plans);
        run->jobs->done(run->jobs->payload, source, NULL);
    }
}
