/* SPDX-License-Identifier: Apache-2.0 */
/* A complete survey of a server, waiting for each response. */
#include "base/arena.h"
#include "base/options.h"
#include "base/rng.h"
#include "base/str.h"
#include "run/http.h"
#include "run/retry.h"
#include "run/run.h"
#include "run/server.h"

#include <stdio.h>

typedef struct prober {
    const rdv_run_options *options;
    rdv_arena *arena;
    rdv_rng rng;
    http *http;
    host host;
    server server;
    survey survey;
    http_exchange exchange; /* the latest exchange */
} prober;

/* ---- one exchange ---------------------------------------------------------------------------- */

/* Report long waits: otherwise the program seems to hang. */
static void tell_wait(prober *p)
{
    char line[RDV_ERROR_MAX];
    uint64_t ms = p->exchange.retry_after_ms;
    if (!p->options->notice || !retry_tells(&p->host.waits_until, ms, http_now(p->http)))
        return;
    snprintf(line, sizeof line,
             "%.*s asks to be left alone for %s (HTTP %ld); Ctrl-C ends the wait",
             RDV_FMT(p->host.name), retry_show(ms).text, p->exchange.status);
    p->options->notice(p->options->payload, line);
}

static void wait_for(prober *p, uint64_t ms)
{
    uint64_t end = http_now(p->http) + ms;
    while (http_now(p->http) < end)
        http_wait(p->http, end - http_now(p->http));
}

static int exchange_once(prober *p, const char *path, rdv_str body, rdv_error *err)
{
    http_exchange *x = &p->exchange;
    http_exchange_release(x);
    *x = (http_exchange){.url = server_url(&p->server, path),
                         .headers = p->server.headers,
                         .body = body,
                         .direct = p->server.here,
                         .timeout_ms = p->options->timeout_ms,
                         .idle_ms = p->options->idle_ms,
                         .heard = &p->host.heard,
                         .done = &p->server.done};
    int rc = http_start(p->http, x, err);
    while (rc == RDV_OK && !http_next(p->http, &p->server.done))
        http_wait(p->http, 1000);
    if (rc == RDV_OK && x->out_of_memory)
        rc = rdv_no_memory(err);
    return rc;
}

/* Send, with as many retries as necessary and allowed. RDV_OK: a response arrived. */
static int send_body(prober *p, const char *path, rdv_str body, rdv_error *err)
{
    http_exchange *x = &p->exchange;
    for (uint32_t tries = 1;; tries++) {
        int rc = exchange_once(p, path, body, err);
        if (rc != RDV_OK)
            return rc;
        if (!http_exchange_may_pass(x) || tries > p->options->retries)
            break;
        tell_wait(p);
        wait_for(p, retry_delay_ms(&p->rng, tries, p->options->backoff_ms, x->retry_after_ms));
    }
    server_hide_key(&p->server, x->data, x->len);
    server_hide_key(&p->server, x->why, sizeof x->why);
    if (x->end != HTTP_DONE)
        return rdv_fail(err, RDV_E_IO, "%.*s: %s", RDV_FMT(p->host.name), x->why);
    return RDV_OK;
}

/* ---- the whole survey ------------------------------------------------------------------------ */

/* A wrong key ends the probing. */
static int check_key(prober *p, rdv_str body, rdv_error *err)
{
    wire_error error;
    const char *blame = server_blames_key(&p->server, p->exchange.status);
    if (!blame)
        return RDV_OK;
    int rc = wire_read_error(body, p->arena, &error, err);
    if (rc != RDV_OK)
        return rc;
    return rdv_fail(err, RDV_E_IO, "%.*s %s: HTTP %ld: %.*s", RDV_FMT(p->host.name), blame,
                    p->exchange.status, RDV_FMT(error.message));
}

/* Send one request of the survey, and take its response. */
static int probe_one(prober *p, const char *path, rdv_str body, rdv_error *err)
{
    int rc = send_body(p, path, body, err);
    rdv_str came = {p->exchange.data ? p->exchange.data : "", p->exchange.len};
    if (rc == RDV_OK && p->survey.asks) /* a key may permit using a model but not listing models */
        rc = check_key(p, came, err);
    if (rc != RDV_OK)
        return rc;
    p->host.answers += p->survey.asks && p->exchange.status == 200;
    return survey_took(&p->survey, p->exchange.status, came, err);
}

static int probe_all(prober *p, rdv_error *err)
{
    const char *path;
    rdv_str body;
    unsigned exchange = 0;
    int rc = RDV_OK;
    unsigned items = p->server.model.len ? SURVEY_ALL : SURVEY_BIT(SURVEY_MODELS);
    survey_begin(&p->survey, p->server.model, &p->server.base.abilities, items, p->arena);
    while (rc == RDV_OK && (rc = survey_next(&p->survey, &path, &body, err)) == RDV_OK) {
        if (p->options->surveyed)
            p->options->surveyed(p->options->payload, p->host.name, ++exchange);
        rc = probe_one(p, path, body, err);
    }
    return rc == RDV_NONE ? RDV_OK : rc;
}

int rdv_run_probe(const rdv_endpoint *endpoint, const rdv_run_options *options, rdv_arena *arena,
                  rdv_probe *out, rdv_error *err)
{
    *out = (rdv_probe){0};
    rdv_run_options own;
    rdv_run_options_default(&own, sizeof own);
    int rc = rdv_options_take(&own, sizeof own, options, err);
    if (rc != RDV_OK)
        return rc;
    if (endpoint->builtin) {
        out->abilities = rdv_builtin_abilities(endpoint->builtin);
        return RDV_OK;
    }
    if (!endpoint->spec.url.p)
        return rdv_fail(err, RDV_E_ARGUMENT, "only a server can be probed");
    rdv_endpoint unknown = *endpoint;
    unknown.abilities = (rdv_abilities){0};
    prober p = {.options = &own, .arena = arena, .host = {.name = endpoint->spec.host}};
    http_options of_http = {
        .connections = 1, .max_body = own.max_body, .connect_ms = own.connect_ms};
    rdv_rng_seed(&p.rng, own.seed);
    rc = http_new(&p.http, &of_http, err);
    if (rc == RDV_OK)
        rc = server_init(&p.server, &unknown, &p.host, err);
    if (rc == RDV_OK)
        rc = probe_all(&p, err);
    *out = (rdv_probe){.models = p.survey.about.models,
                       .n_models = p.survey.about.n_models,
                       .software = p.survey.about.software,
                       .slots = p.survey.props.slots,
                       .no_template = p.survey.props.no_template,
                       .abilities = p.server.base.abilities,
                       .why = p.survey.refused};
    http_free(&p.http); /* first, because it may still hold the server's headers */
    http_exchange_release(&p.exchange);
    server_deinit(&p.server);
    return rc;
}
