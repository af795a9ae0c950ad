/* SPDX-License-Identifier: Apache-2.0 */
#include "run/backend_http.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/pool.h"
#include "run/retry.h"
#include "run/server.h"
#include "run/survey/survey_call.h"

#include <stdio.h>
#include <stdlib.h>

#define MANY_BYTES 32 /* more than the member "n" of a request */

/* What is kept for a call from its first start to its end. */
typedef struct http_call {
    wire wire;
    char *written;   /* what `wire` points to */
    char *tokenized; /* a score by token grammar: malloc()ed response of /tokenize; or NULL */
    size_t n_tokenized;
    http_exchange exchange;
    bool out;
    bool plain; /* what the request only offers was refused */
} http_call;

/* ---- starting -------------------------------------------------------------------------------- */

/* Copy `s` to *at and advance *at. An absent text stays absent. */
static rdv_str put(char **at, rdv_str s)
{
    if (!s.p)
        return s;
    char *p = *at;
    memcpy(p, s.p, s.len);
    *at = p + s.len;
    return (rdv_str){p, s.len};
}

/* Store the written request in one block of exactly its size: there are as many as calls in
 * flight. */
static int keep_written(http_call *c, const wire *w)
{
    char *block = malloc(w->body.len + w->adapted.len + w->continues.len);
    if (!block)
        return RDV_E_NOMEM;
    free(c->written);
    c->written = block;
    c->wire = *w;
    c->wire.body = put(&block, w->body);
    c->wire.adapted = put(&block, w->adapted);
    c->wire.continues = put(&block, w->continues);
    return RDV_OK;
}

/* *w: in the run's scratch. RDV_NONE: this server does not support such a request. */
static int write_call(const server *s, const backend_call *c, wire *w, rdv_error *err)
{
    const http_call *kept = c->state;
    rdv_arena *scratch = s->run->scratch;
    rdv_abilities known = s->base.abilities;
    const rdv_abilities *a = &known;
    if (kept && kept->plain)
        known.schema = known.choice = RDV_CANNOT;
    rdv_arena_reset(scratch);
    bool grammar = kept && kept->tokenized && a->token_grammar != RDV_CANNOT;
    int rc =
        grammar ? wire_write_grammar(c->request, s->model, a,
                                     (rdv_str){kept->tokenized, kept->n_tokenized}, scratch, w, err)
                : wire_write(c->request, s->model, a, scratch, w, err);
    if (rc == RDV_OK && c->as_is && !grammar && w->adapted.p)
        return rdv_fail(err, RDV_NONE, "the server takes it only as: %.*s", RDV_FMT(w->adapted));
    if (rc == RDV_OK && s->base.host->slow)
        rc = wire_ask_stream(w, c->request, a, scratch, err);
    return rc;
}

static int send_call(server *s, backend_call *c, rdv_error *err)
{
    http_call *kept = c->state;
    const run_context *run = s->run;
    kept->exchange = (http_exchange){.url = server_url(s, kept->wire.path),
                                     .headers = s->headers,
                                     .body = kept->wire.body,
                                     .direct = s->here,
                                     .timeout_ms = run->options.timeout_ms,
                                     .idle_ms = run->options.idle_ms,
                                     .streamed = kept->wire.streamed,
                                     .heard = &s->base.host->heard,
                                     .done = &s->done,
                                     .owner = c};
    int rc = http_start(run->http, &kept->exchange, err);
    kept->out = rc == RDV_OK;
    return rc;
}

static bool reserve(server *s, backend_call *c, const wire *w)
{
    c->limit = w->unlimited ? USAGE_NO_LIMIT : w->limit;
    int rc = run_reserve(s->run, &s->base.seen, w->body.len, c->limit, &c->held);
    c->too_dear = rc == RDV_NONE;
    return rc == RDV_OK;
}

/* The number of choices to ask for at once, at most as many as are wanted. A slow server is asked
 * for one: its replies are streamed, one choice at a time. */
static size_t choices_of(const server *s, const backend_call *c, const wire *w)
{
    bool can = s->base.abilities.many == RDV_CAN && w->form == WIRE_CHAT && !w->unlimited;
    size_t n = can && !s->base.host->slow && c->wanted > 1 ? c->wanted : 1;
    if (s->base.most_choices && n > s->base.most_choices)
        n = s->base.most_choices;
    while (n > 1 && !run_can_hold(s->run, &s->base.seen, w->body.len + MANY_BYTES, w->limit * n))
        n--;
    return n;
}

/* *w: in the run's scratch. */
static int write_choices(const server *s, backend_call *c, wire *w, rdv_error *err)
{
    int rc = write_call(s, c, w, err);
    if (rc != RDV_OK)
        return rc;
    c->n = choices_of(s, c, w);
    w->counts_first = s->survey.about.software == RDV_SOFTWARE_LLAMA_CPP;
    return c->n > 1 ? wire_ask_many(w, c->n, s->run->scratch, err) : RDV_OK;
}

static int start(backend *b, backend_call *c, rdv_error *err)
{
    server *s = (server *)b;
    wire w;
    int rc = survey_call_ready(s, c->request, c->wanted > 1, err);
    if (rc == RDV_OK)
        rc = write_choices(s, c, &w, err);
    if (rc != RDV_OK)
        return rc;
    if (!run_may_spend(s->run) || (w.form != WIRE_TOKENIZE && !reserve(s, c, &w)))
        return RDV_LATER;
    if (!c->state)
        c->state = calloc(1, sizeof(http_call));
    rc = c->state && keep_written(c->state, &w) == RDV_OK ? send_call(s, c, err)
                                                          : rdv_no_memory(err);
    if (rc != RDV_OK)
        run_release(s->run, &c->held);
    if (rc == RDV_OK && w.form != WIRE_TOKENIZE) { /* /tokenize does not use the model */
        account_charge_call(&s->run->account);
        b->totals.calls++;
    }
    c->bytes = w.body.len;
    return rc;
}

static void cancel(backend *b, backend_call *c)
{
    http_call *kept = c->state;
    if (!kept)
        return;
    if (kept->out)
        http_abort(((server *)b)->run->http, &kept->exchange);
    http_exchange_release(&kept->exchange);
    free(kept->written);
    free(kept->tokenized);
    free(kept);
    c->state = NULL;
}

/* ---- results of exchanges -------------------------------------------------------------------- */

/* Only what may succeed later is retried: too many requests, faults of the server or the
 * connection, and unreadable bodies. What the server refuses in a request is sent in another form
 * if there is one; this terminates, because each time the server has one thing less to refuse. */

static void say_retry(backend_event *out, rdv_failure failure, const char *why)
{
    out->kind = BACKEND_RETRY;
    out->failure = failure;
    snprintf(out->why, sizeof out->why, "%s", why);
}

static void say_failed(backend_event *out, rdv_failure failure, const char *why)
{
    say_retry(out, failure, why);
    out->kind = BACKEND_FAILED;
}

/* No request of this run will be answered by this server. */
static void end_refused(server *s, const char *what, const char *why)
{
    bool known = s->base.left_out;
    s->base.totals.failed++; /* the call is sent to another server, and this one failed it */
    if (pool_leave_out(s->base.pool, &s->base)) {
        if (!known)
            run_notice(s->run, "%.*s %s: %s; it is left out, and the other servers go on",
                       RDV_FMT(s->base.host->name), what, why);
        return;
    }
    run_end_early(s->run, RDV_END_REFUSED, "%.*s %s: %s", RDV_FMT(s->base.host->name), what, why);
}

static bool may_go_better(long status)
{
    return status == 408 || status == 425 || (status >= 500 && status != 501 && status != 505);
}

/* Whether a missing address means that this is no API, or not this model's. Every server has chat;
 * that another address is missing says so only as long as nothing was answered, by this model's
 * servers or, in a run that goes on, by the journal. */
static bool is_elsewhere(const server *s, const http_call *c)
{
    if (c->wire.form == WIRE_CHAT)
        return s->base.host->answers == 0;
    return pool_answers(s->base.pool) == 0 && s->run->totals.cached == 0;
}

/* Whether the request asks for a form that it only offers. */
static bool holds_offered(const http_call *c, const rdv_request *request)
{
    unsigned held = ABILITY_BIT(ABILITY_SCHEMA) | ABILITY_BIT(ABILITY_CHOICE);
    return request->offered && (c->wire.uses & held);
}

static void read_complaint(server *s, http_call *c, const wire_error *error, backend_event *out)
{
    long status = c->exchange.status;
    char why[RDV_ERROR_MAX];
    snprintf(why, sizeof why, "HTTP %ld%s%.*s", status, error->message.len ? ": " : "",
             RDV_FMT(error->message));
    const char *blame = server_blames_key(s, status);
    if (!blame && rdv_str_eq(error->code, RDV_STR("insufficient_quota")))
        blame = "has no quota left for this key";
    if (blame) {
        end_refused(s, blame, why);
    } else if (status == 429) {
        say_retry(out, RDV_FAIL_UNREACHABLE, why);
        out->throttled = true;
    } else if (wire_refused(&c->wire, (int)status, error, &s->base.abilities)) {
        out->kind = BACKEND_AGAIN;
    } else if ((status == 400 || status == 422 || status == 500) &&
               holds_offered(c, out->call->request)) {
        c->plain = true; /* what it refuses may be the form: this call is made once without */
        if (status == 500)
            say_retry(out, RDV_FAIL_UNREACHABLE, why);
        else
            out->kind = BACKEND_AGAIN;
    } else if (may_go_better(status)) {
        say_retry(out, RDV_FAIL_UNREACHABLE, why);
    } else if ((status == 405 || status == 501) && is_elsewhere(s, c)) {
        end_refused(s, "does not take such requests (is this the address of the API?)", why);
    } else if (status == 404 && is_elsewhere(s, c)) {
        end_refused(s,
                    server_lacks_version(s)
                        ? "does not know this address or model (does it lack /v1?)"
                        : "does not know this address or model",
                    why);
    } else {
        say_failed(out, RDV_FAIL_REFUSED, why);
    }
}

/* Whether the reply lacks log-probabilities that were asked for. */
static bool lacks_logprobs(const rdv_request *request, const rdv_reply *reply)
{
    return request->sampling.logprobs && reply->text.len > 0 && reply->n_tokens == 0;
}

/* A reply without a finish_reason may be whole only if the server gives none at all, which is found
 * out before it is asked again. *again: it is to be. */
static void judge_unsaid(server *s, rdv_reply *reply, bool *again)
{
    rdv_can *finish = &s->base.abilities.finish;
    bool unsaid = reply->finish == RDV_FINISH_UNSAID;
    if (reply->finish == RDV_FINISH_STOP || reply->finish == RDV_FINISH_LENGTH)
        *finish = RDV_CAN;
    *again = unsaid && *finish == RDV_CAN_UNKNOWN && !(s->surveyed & SURVEY_BIT(SURVEY_FINISH));
    s->unsaid |= unsaid;
    if (unsaid && *finish != RDV_CANNOT)
        reply->finish = RDV_FINISH_OTHER;
    else if (unsaid)
        survey_call_tell_unsaid(s);
}

/* Look at one reply, or one choice of several. */
static int take_choice(server *s, const backend_call *c, rdv_reply *reply, rdv_arena *arena,
                       bool *again, bool *lacks, rdv_error *err)
{
    bool unsure;
    int rc = server_hide_key_in(s, reply, arena, err);
    if (rc != RDV_OK)
        return rc;
    judge_unsaid(s, reply, &unsure);
    *again |= unsure;
    *lacks |= c->as_is && lacks_logprobs(c->request, reply);
    return RDV_OK;
}

static int read_reply(server *s, http_call *c, rdv_str body, rdv_arena *arena, backend_event *out,
                      rdv_error *err)
{
    bool again = false, lacks = false;
    rdv_error why = {0};
    rdv_reply *one = &out->reply, **replies = &one;
    size_t n = 1;
    int rc = c->wire.n > 1 ? wire_read_many(&c->wire, out->call->request, body, arena, &out->reply,
                                            &out->choices, &out->n_choices, &why)
                           : wire_read(&c->wire, out->call->request, body, arena, one, &why);
    if (rc == RDV_OK && c->wire.n > 1)
        replies = out->choices, n = out->n_choices;
    for (size_t i = 0; i < n && rc == RDV_OK; i++)
        if (replies[i])
            rc = take_choice(s, out->call, replies[i], arena, &again, &lacks, &why);
    if (rc == RDV_OK && again)
        return RDV_OK;
    if (rc == RDV_OK && lacks) {
        s->base.abilities.logprobs = RDV_CANNOT; /* another server may give them */
    } else if (rc == RDV_OK) {
        out->kind = BACKEND_REPLY;
    } else if (rc == RDV_NONE) {
        wire_lacks(&c->wire, &s->base.abilities);
    } else if (rc == RDV_E_INPUT) {
        bool page = wire_is_page(body);
        say_retry(out, RDV_FAIL_UNREADABLE, page ? WIRE_PAGE : why.msg);
        if (page && s->base.host->answers == 0) /* it is no API, and will not become one */
            end_refused(s, "answers no call", out->why);
    } else {
        return rdv_fail(err, rc, "%s", why.msg);
    }
    return RDV_OK;
}

/* Take the tokens of a text that is to be scored, and write the request that scores it. */
static void take_tokens(http_call *c)
{
    http_exchange *x = &c->exchange;
    free(c->tokenized);
    c->tokenized = x->data;
    c->n_tokenized = x->len; /* 0 where there is no data */
    x->data = NULL;
}

static int read_response(server *s, http_call *c, rdv_arena *arena, backend_event *out,
                         rdv_error *err)
{
    const http_exchange *x = &c->exchange;
    rdv_str body = {x->data ? x->data : "", x->len};
    s->base.host->responses++;
    server_hide_key(s, x->data, x->len);
    bool whole = wire_is_whole(x->status);
    if (whole && c->wire.form != WIRE_TOKENIZE)
        return read_reply(s, c, body, arena, out, err);
    wire_read_usage(body, arena, &out->reply);
    if (whole) {
        take_tokens(c);
        return RDV_OK;
    }
    if (x->status >= 200 && x->status <= 299) { /* not yet, empty, or partial */
        char why[64];
        snprintf(why, sizeof why, "HTTP %ld is no whole reply", x->status);
        say_retry(out, RDV_FAIL_UNREADABLE, why);
        return RDV_OK;
    }
    wire_error error;
    rdv_arena_reset(s->run->scratch);
    int rc = wire_read_error(body, s->run->scratch, &error, err);
    if (rc == RDV_OK)
        read_complaint(s, c, &error, out);
    return rc;
}

/* *out: BACKEND_AGAIN if nothing else applies. */
static int read_end(server *s, http_call *c, rdv_arena *arena, backend_event *out, rdv_error *err)
{
    http_exchange *x = &c->exchange;
    if (x->end == HTTP_DONE)
        return read_response(s, c, arena, out, err);
    if (x->out_of_memory)
        return rdv_no_memory(err);
    server_hide_key(s, x->why, sizeof x->why);
    if (x->end == HTTP_TOO_LONG)
        say_failed(out, RDV_FAIL_UNREADABLE, x->why);
    else if (x->end == HTTP_TIMEOUT)
        say_retry(out, RDV_FAIL_TIMEOUT, x->why);
    else
        say_retry(out, RDV_FAIL_UNREACHABLE, x->why);
    return RDV_OK;
}

static int next(backend *b, rdv_arena *arena, backend_event *out, rdv_error *err)
{
    server *s = (server *)b;
    http_exchange *x = NULL;
    int rc = survey_call_due(s, err);
    while (rc == RDV_OK && (x = http_next(s->run->http, &s->done)) == &s->exchange)
        rc = survey_call_complete(s, err);
    if (rc != RDV_OK || !x)
        return rc == RDV_OK ? RDV_NONE : rc;
    backend_call *of = x->owner;
    http_call *c = of->state;
    c->out = false;
    *out = (backend_event){.kind = BACKEND_AGAIN, .call = of, .retry_after_ms = x->retry_after_ms};
    rc = read_end(s, c, arena, out, err);
    http_exchange_release(x);
    if (out->kind == BACKEND_REPLY || out->kind == BACKEND_FAILED)
        cancel(b, of);
    return rc;
}

/* ---- creation and release -------------------------------------------------------------------- */

static void end(backend *b)
{
    survey_call_abort((server *)b);
}

static bool describe(const backend *b, char *line, size_t size)
{
    return survey_call_describe((const server *)b, line, size);
}

static void free_server(backend *b)
{
    server *s = (server *)b;
    survey_call_abort(s);
    server_deinit(s);
    free(s);
}

int backend_http_new(backend **out, run_context *run, const rdv_endpoint *endpoint, host *h,
                     rdv_error *err)
{
    static const backend_ops ops = {start, cancel, next, free_server, end, describe};
    server *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return rdv_no_memory(err);
    int rc = server_init(s, endpoint, h, err);
    s->run = run;
    s->base.ops = &ops;
    s->base.asks_many = true;
    if (rc == RDV_OK)
        *out = &s->base;
    else
        free_server(&s->base);
    return rc;
}
