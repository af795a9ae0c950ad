/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that got no reply: to be sent again, later, to another server, or not at all. */
#include "run/driver_calls.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/retry.h"

#define GIVEN_UP_MOST 20 /* tries in vain, before a host that never answered is asked no more */

/* Send the same request in another form. */
int driver_ask_again(rdv_run *run, call *c)
{
    if (run->context.end != RDV_END_DONE) {
        driver_drop(run, c);
        return RDV_OK;
    }
    c->stays = c->pool->n > 1; /* it may hold what that server said of the request */
    call_enqueue(c, true);
    return RDV_OK;
}

/* Report once why calls fail: when one is given up, and when a host that has answered nothing fails
 * for the second time. */
static void tell_failing(rdv_run *run, const call *c, const backend_event *event)
{
    host *h = c->backend->host;
    if (!h->told_failing && !event->throttled)
        run_notice(&run->context, "%.*s: a call failed: %s", RDV_FMT(h->name), event->why);
    h->told_failing |= !event->throttled;
}

static int give_up(rdv_run *run, call *c, const backend_event *event, rdv_error *err)
{
    host *h = c->backend->host;
    const pool *p = c->pool;
    h->given_up += event->throttled ? 0 : c->tries;
    tell_failing(run, c, event);
    if (event->failure == RDV_FAIL_UNREACHABLE && pool_responses(p) == 0)
        run_end_early(&run->context, RDV_END_UNREACHABLE, "%.*s cannot be reached: %s",
                      RDV_FMT(h->name), event->why);
    else if (pool_answers(p) == 0 && pool_given_up(p) >= GIVEN_UP_MOST)
        run_end_early(&run->context, RDV_END_UNREACHABLE, "%.*s answers no call: %s",
                      RDV_FMT(h->name), event->why);
    return driver_fail(run, c, event->failure, event->why, err);
}

/* Send the call to another server, if there is one that works and was not sent it. That server may
 * be set aside before the call is sent, and the call then goes to one that had it before; so the
 * moves are counted, and there are at most as many as other servers. */
static bool send_elsewhere(rdv_run *run, call *c)
{
    pool_tried(c, c->backend);
    if (run->context.end != RDV_END_DONE || c->moves + 1 >= c->pool->n ||
        !pool_has_other(c->pool, c))
        return false;
    c->moves++;
    run->context.totals.retries++;
    call_enqueue(c, true);
    return true;
}

/* A call that is not worth another try. The next one may be: servers refuse single prompts. What a
 * transcript lacks is no fault of a host. Another server may have a longer context. */
int driver_take_failure(rdv_run *run, call *c, const backend_event *event, rdv_error *err)
{
    if (event->failure == RDV_FAIL_REFUSED && send_elsewhere(run, c))
        return RDV_OK;
    if (event->failure == RDV_FAIL_REFUSED || event->failure == RDV_FAIL_UNREADABLE)
        tell_failing(run, c, event);
    return driver_fail(run, c, event->failure, event->why, err);
}

/* Report long waits: otherwise the program seems to hang. Of several servers the one that takes
 * calls first decides. */
static void tell_wait(rdv_run *run, call *c, const backend_event *event)
{
    host *h = c->backend->host;
    uint64_t now = run_now(&run->context);
    uint64_t ms = c->pool->n > 1 ? pool_wait(c->pool, c, now) : event->retry_after_ms;
    if (retry_tells(&h->waits_until, ms, now))
        run_notice(&run->context,
                   "%.*s asks to be left alone for %s (%.200s): the run waits; Ctrl-C ends it%s",
                   RDV_FMT(h->name), retry_show(ms).text, event->why,
                   run->context.options.journal ? ", and the same command goes on later" : "");
}

/* Overload slows the host down; a fault counts against its server. */
static void note_fault(rdv_run *run, call *c, const backend_event *event)
{
    host *h = c->backend->host;
    uint64_t hold = event->retry_after_ms, now = run_now(&run->context);
    if (event->throttled)
        limit_throttled(&h->limit, c->started, hold == RETRY_NOT_GIVEN ? 0 : hold, now);
    else
        pool_fault(c->pool, c->backend, false, event->why);
    if (event->failure == RDV_FAIL_TIMEOUT) {
        limit_throttled(&h->limit, c->started, 0, now);
        h->slow = true;
    }
}

/* A try that was throttled counts only if no other call is answered: while others are, this call
 * will get its turn. */
static void count_try(call *c, const backend_event *event)
{
    uint64_t answers = pool_answers(c->pool);
    c->tries = event->throttled && answers != c->answers ? 0 : c->tries + 1;
    c->answers = event->throttled ? answers : c->answers;
}

int driver_try_later(rdv_run *run, call *c, const backend_event *event, rdv_error *err)
{
    run_context *x = &run->context;
    note_fault(run, c, event);
    if (send_elsewhere(run, c))
        return RDV_OK;
    count_try(c, event);
    if (event->throttled)
        c->tried = c->moves = 0; /* of servers that take calls in turn, each may be asked again */
    if (x->end != RDV_END_DONE) {
        driver_drop(run, c);
        return RDV_OK;
    }
    if (c->tries > x->options.retries)
        return give_up(run, c, event, err);
    uint32_t tries = c->tries ? c->tries : 1;
    /* Where there are several servers, a pause that one requests is no other's. */
    uint64_t asked = c->pool->n > 1 ? RETRY_NOT_GIVEN : event->retry_after_ms;
    c->due = run_now(x) + retry_delay_ms(&x->rng, tries, x->options.backoff_ms, asked);
    x->totals.retries++;
    c->keeps_place = !event->throttled;
    c->backend->host->waiting += c->keeps_place;
    if (c->tries > 1 && c->backend->host->answers == 0)
        tell_failing(run, c, event);
    tell_wait(run, c, event);
    return calls_wait(&run->calls, c) == RDV_OK ? RDV_OK : rdv_no_memory(err);
}
