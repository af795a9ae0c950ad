/* SPDX-License-Identifier: Apache-2.0 */
/* What the end of an exchange means. Tried again is only what may go better: too many requests,
 * faults of the server, of the connection, and bodies that cannot be read. What the server refuses
 * in a request is asked in another way where there is one. */
#include "base/arena.h"
#include "base/str.h"
#include "run/driver.h"
#include "run/retry.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LATE_SHARE 4 /* a reply that took a fourth of the time that it may take was late */

/* ---- again ----------------------------------------------------------------------------------- */

/* The same request, written anew. This ends: each time there is one thing less to refuse. */
static int ask_in_another_way(rdv_run *run, call *c)
{
    if (run->end != RDV_END_DONE) {
        call_drop(run, c);
        return RDV_OK;
    }
    c->state = CALL_QUEUED;
    queue_push_front(&c->server->host->queue, c);
    return RDV_OK;
}

static int give_up(rdv_run *run, call *c, rdv_failure failure, const char *why, rdv_error *err)
{
    const host *h = c->server->host;
    if (failure == RDV_FAIL_UNREACHABLE && h->responses == 0)
        drive_end(run, RDV_END_UNREACHABLE, "%.*s cannot be reached: %s", RDV_FMT(h->name), why);
    return call_fail(run, c, failure, rdv_str_of(why), err);
}

/* A wait of minutes looks like a program that hangs. */
static void tell_wait(rdv_run *run, call *c, const char *why)
{
    host *h = c->server->host;
    uint64_t ms = c->exchange.retry_after_ms;
    if (retry_tells(&h->waits_until, ms, run_now(run)))
        run_notice(run,
                   "%.*s asks to be left alone for %s (%.200s): the run waits; Ctrl-C ends it%s",
                   RDV_FMT(h->name), retry_show(ms).text, why,
                   run->options.journal ? ", and the same command goes on later" : "");
}

static int try_again(rdv_run *run, call *c, rdv_failure failure, const char *why, rdv_error *err)
{
    if (run->end != RDV_END_DONE) {
        call_drop(run, c);
        return RDV_OK;
    }
    if (c->tries > run->options.retries)
        return give_up(run, c, failure, why, err);
    uint32_t tries = c->tries ? c->tries : 1;
    c->due = run_now(run) +
             retry_delay_ms(&run->rng, tries, run->options.backoff_ms, c->exchange.retry_after_ms);
    run->totals.retries++;
    tell_wait(run, c, why);
    exchange_release(&c->exchange);
    return calls_wait(&run->calls, c) == RDV_OK ? RDV_OK
                                                : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

/* ---- a response that is no reply ------------------------------------------------------------- */

static bool may_go_better(long status)
{
    return status == 408 || status == 425 || (status >= 500 && status != 501 && status != 505);
}

/* Too much at a time. Tries count only while the host answers nobody: as long as it answers others,
 * this call's turn will come. */
static int throttled(rdv_run *run, call *c, const char *why, rdv_error *err)
{
    host *h = c->server->host;
    uint64_t hold = c->exchange.retry_after_ms;
    limit_throttled(&h->limit, c->started, hold == RETRY_NOT_SAID ? 0 : hold, run_now(run));
    c->tries = h->answers == c->answers ? c->tries + 1 : 0;
    c->answers = h->answers;
    return try_again(run, c, RDV_FAIL_UNREACHABLE, why, err);
}

/* Nothing that this run asks will be answered. */
static int refused_for_all(rdv_run *run, call *c, const char *what, const char *why)
{
    drive_end(run, RDV_END_REFUSED, "%.*s %s: %s", RDV_FMT(c->server->host->name), what, why);
    call_drop(run, c);
    return RDV_OK;
}

static int complaint(rdv_run *run, call *c, const wire_error *said, rdv_error *err)
{
    long status = c->exchange.status;
    char why[RDV_ERROR_MAX];
    snprintf(why, sizeof why, "HTTP %ld%s%.*s", status, said->message.len ? ": " : "",
             RDV_FMT(said->message));
    const char *blame = server_blames_key(c->server, status);
    if (blame)
        return refused_for_all(run, c, blame, why);
    if (rdv_str_eq(said->code, RDV_STR("insufficient_quota")))
        return refused_for_all(run, c, "has no quota left for this key", why);
    if (status == 429)
        return throttled(run, c, why, err);
    if (wire_refused(&c->wire, (int)status, said, &c->server->abilities))
        return ask_in_another_way(run, c);
    if (may_go_better(status)) {
        c->tries++;
        return try_again(run, c, RDV_FAIL_UNREACHABLE, why, err);
    }
    if (status == 404 && c->server->host->answers == 0)
        return refused_for_all(run, c,
                               server_lacks_version(c->server)
                                   ? "does not know this address or model (does it lack /v1?)"
                                   : "does not know this address or model",
                               why);
    return call_fail(run, c, RDV_FAIL_REFUSED, rdv_str_of(why), err);
}

/* ---- a reply --------------------------------------------------------------------------------- */

static uint64_t milliseconds_since_1970(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void run_charge(rdv_run *run, const rdv_request *request, uint64_t prompt_tokens,
                uint64_t completion_tokens)
{
    const rdv_run_options *o = &run->options;
    account_charge_tokens(&run->account, prompt_tokens, completion_tokens);
    if (o->charged)
        o->charged(o->payload, request, prompt_tokens, completion_tokens);
}

/* What a server says that it used counts too where nothing of it could be read. */
static void charge_unread(rdv_run *run, const call *c, const rdv_reply *used)
{
    if (used->usage)
        run_charge(run, &c->waiters->request, used->prompt_tokens, used->completion_tokens);
}

/* Charge what the server says it cost; by the usual rule of thumb where it says nothing. */
static void charge(rdv_run *run, call *c)
{
    const rdv_reply *r = &c->reply;
    uint64_t prompt = r->usage ? r->prompt_tokens : c->wire.body.len / 4;
    uint64_t completion = r->usage ? r->completion_tokens : r->text.len / 4;
    uint32_t timeout_ms = run->options.timeout_ms;
    bool late = timeout_ms && (run_now(run) - c->started) * LATE_SHARE > timeout_ms;
    limit_answered(&c->server->host->limit, c->expected, prompt, completion, late);
    c->server->host->slow |= late;
    run_charge(run, &c->waiters->request, prompt, completion);
}

int outcome_answered(rdv_run *run, call *c, rdv_error *err)
{
    charge(run, c);
    c->server->host->answers++;
    c->state = CALL_ANSWERED;
    queue_push(&run->answered, c);
    exchange_release(&c->exchange);
    if (!run->options.journal)
        return RDV_OK;
    return journal_add(run->options.journal, &c->waiters->request, run->options.journal_requests,
                       &c->reply, milliseconds_since_1970(), err);
}

static rdv_str body_of(const call *c)
{
    return (rdv_str){c->exchange.data ? c->exchange.data : "", c->exchange.len};
}

/* 202, 204, 206: a server that promises a reply, gives none, or a part of one. */
static int no_whole_reply(rdv_run *run, call *c, rdv_error *err)
{
    char why[RDV_ERROR_MAX];
    snprintf(why, sizeof why, "HTTP %ld is no whole reply", c->exchange.status);
    c->tries++;
    return try_again(run, c, RDV_FAIL_UNREADABLE, why, err);
}

static int read_response(rdv_run *run, call *c, rdv_error *err)
{
    host *h = c->server->host;
    rdv_error why = {0};
    int rc = wire_read(&c->wire, &c->waiters->request, body_of(c), run->batch, &c->reply, &why);
    if (rc == RDV_OK)
        rc = server_hide_key_in(c->server, &c->reply, run->batch, &why);
    if (rc == RDV_OK)
        return outcome_answered(run, c, err);
    limit_end(&h->limit, c->expected);
    charge_unread(run, c, &c->reply);
    if (rc == RDV_NONE) {
        wire_lacks(&c->wire, &c->server->abilities);
        return ask_in_another_way(run, c);
    }
    if (rc != RDV_E_INPUT)
        return rdv_fail(err, rc, "%s", why.msg);
    c->tries++;
    return try_again(run, c, RDV_FAIL_UNREADABLE, why.msg, err);
}

/* The tokens of a text that is to be scored: it is written now. */
static int take_tokens(rdv_run *run, call *c)
{
    exchange *x = &c->exchange;
    rdv_reply used;
    limit_end(&c->server->host->limit, c->expected);
    wire_read_usage(body_of(c), &used);
    charge_unread(run, c, &used);
    free(c->tokenized);
    c->tokenized = x->data;
    c->n_tokenized = x->data ? x->len : 0;
    x->data = NULL;
    return ask_in_another_way(run, c);
}

static int response(rdv_run *run, call *c, rdv_error *err)
{
    exchange *x = &c->exchange;
    c->server->host->responses++;
    server_hide_key(c->server, x->data, x->len);
    if (wire_is_whole(x->status) && c->wire.form == WIRE_TOKENIZE)
        return take_tokens(run, c);
    if (wire_is_whole(x->status))
        return read_response(run, c, err);
    limit_end(&c->server->host->limit, c->expected);
    rdv_reply used;
    wire_read_usage(body_of(c), &used);
    charge_unread(run, c, &used);
    if (x->status >= 200 && x->status <= 299)
        return no_whole_reply(run, c, err);
    wire_error said;
    rdv_arena_reset(run->scratch);
    wire_read_error(body_of(c), run->scratch, &said);
    return complaint(run, c, &said, err);
}

int outcome(rdv_run *run, call *c, rdv_error *err)
{
    exchange *x = &c->exchange;
    c->state = CALL_HELD;
    run->totals.in_flight--;
    if (x->end == EXCHANGE_DONE)
        return response(run, c, err);
    limit_end(&c->server->host->limit, c->expected);
    if (x->out_of_memory)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory receiving a reply");
    server_hide_key(c->server, x->why, sizeof x->why);
    if (x->end == EXCHANGE_TOO_LONG)
        return call_fail(run, c, RDV_FAIL_UNREADABLE, rdv_str_of(x->why), err);
    c->tries++;
    if (x->end != EXCHANGE_TIMEOUT)
        return try_again(run, c, RDV_FAIL_UNREACHABLE, x->why, err);
    limit_throttled(&c->server->host->limit, c->started, 0, run_now(run));
    c->server->host->slow = true;
    return try_again(run, c, RDV_FAIL_TIMEOUT, x->why, err);
}
