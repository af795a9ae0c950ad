/* SPDX-License-Identifier: Apache-2.0 */
/* From a request in a queue to an exchange under way. */
#include "base/arena.h"
#include "base/str.h"
#include "run/driver.h"

#include <stdlib.h>

/* Copy `s` to *at, move *at behind it. Absent stays absent. */
static rdv_str put(char **at, rdv_str s)
{
    if (!s.p)
        return s;
    char *p = *at;
    memcpy(p, s.p, s.len);
    *at = p + s.len;
    return (rdv_str){p, s.len};
}

/* Keep what was written in one block of exactly its size: there are as many as calls in flight. */
static int keep_written(call *c, const wire *w)
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

/* RDV_NONE: this server cannot do such a request. */
static int write_call(rdv_run *run, call *c, rdv_error *err)
{
    wire w;
    const server *s = c->server;
    const rdv_request *request = &c->waiters->request;
    rdv_str tokenized = {c->tokenized, c->n_tokenized};
    rdv_arena_reset(run->scratch);
    int rc =
        tokenized.p && s->abilities.token_grammar != RDV_CANNOT
            ? wire_write_grammar(request, s->model, &s->abilities, tokenized, run->scratch, &w, err)
            : wire_write(request, s->model, &s->abilities, run->scratch, &w, err);
    if (rc == RDV_OK && s->host->slow)
        rc = wire_ask_stream(&w, request, &s->abilities, run->scratch, err);
    if (rc != RDV_OK)
        return rc;
    return keep_written(c, &w) == RDV_OK ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

static int start(rdv_run *run, call *c, rdv_error *err)
{
    host *h = c->server->host;
    exchange_release(&c->exchange);
    c->exchange = (exchange){.url = server_url(c->server, c->wire.path),
                             .headers = c->server->headers,
                             .body = c->wire.body,
                             .direct = c->server->here,
                             .timeout_ms = run->options.timeout_ms,
                             .idle_ms = run->options.idle_ms,
                             .streamed = c->wire.streamed,
                             .heard = &h->heard,
                             .owner = c};
    int rc = http_start(run->http, &c->exchange, err);
    if (rc != RDV_OK)
        return rc;
    c->state = CALL_OUT;
    c->started = run_now(run);
    c->expected = limit_start(&h->limit, c->wire.body.len, c->started);
    if (c->wire.form != WIRE_TOKENIZE) /* which asks nothing of the model */
        account_charge_call(&run->account);
    run->totals.in_flight++;
    return RDV_OK;
}

static bool may_spend(rdv_run *run)
{
    const char *used_up = account_used_up(&run->account, run_elapsed(run));
    if (used_up)
        drive_end(run, RDV_END_BUDGET, "the budget of %s is used up", used_up);
    return !used_up;
}

static void hold(host *h, call *c)
{
    queue_remove(&h->queue, c);
    c->state = CALL_HELD;
}

static int cannot(rdv_run *run, call *c, const rdv_error *why, rdv_error *err)
{
    return call_fail(run, c, RDV_FAIL_UNAVAILABLE, rdv_str_of(why->msg), err);
}

static int start_here(rdv_run *run, host *h, rdv_error *err)
{
    call *c = h->queue.first;
    rdv_error why = {0};
    if (!may_spend(run))
        return RDV_OK;
    hold(h, c);
    int rc = builtin_call_start(run, c, &why);
    if (rc == RDV_NONE)
        return cannot(run, c, &why, err);
    return rc == RDV_OK ? RDV_OK : rdv_fail(err, rc, "%s", why.msg);
}

static int start_first(rdv_run *run, host *h, rdv_error *err)
{
    call *c = h->queue.first;
    rdv_error why = {0};
    if (c->server->builtin)
        return start_here(run, h, err);
    int rc = survey_call_ready(run, c->server, &c->waiters->request, err);
    if (rc != RDV_OK)
        return rc;
    rc = write_call(run, c, &why);
    if (rc == RDV_NONE) {
        hold(h, c);
        return cannot(run, c, &why, err);
    }
    if (rc != RDV_OK)
        return rdv_fail(err, rc, "%s", why.msg);
    if (!may_spend(run))
        return RDV_OK;
    hold(h, c);
    return start(run, c, err);
}

int start_calls(rdv_run *run, rdv_error *err)
{
    for (size_t i = 0; i < run->n_hosts; i++) {
        host *h = &run->hosts[i];
        while (run->end == RDV_END_DONE && h->queue.first &&
               limit_wait(&h->limit, run_now(run)) == 0) {
            int rc = start_first(run, h, err);
            if (rc == RDV_NONE) /* its server is being surveyed */
                break;
            if (rc != RDV_OK)
                return rc;
        }
    }
    return RDV_OK;
}
