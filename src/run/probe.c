/* SPDX-License-Identifier: Apache-2.0 */
/* Finding out what a server can do, by asking for each thing once, one call after the other. */
#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/wire.h"
#include "run/http.h"
#include "run/retry.h"
#include "run/server.h"

#include <math.h>
#include <stdlib.h>

typedef struct prober {
    const rdv_run_options *options;
    rdv_arena *arena;
    rdv_rng rng;
    http *http;
    host host;
    server server;
    exchange exchange; /* the latest */
    rdv_str why;       /* of the latest refusal */
} prober;

/* ---- one exchange ---------------------------------------------------------------------------- */

static void wait_for(prober *p, uint64_t ms)
{
    uint64_t end = http_now(p->http) + ms;
    while (http_now(p->http) < end)
        http_wait(p->http, end - http_now(p->http));
}

static int exchange_once(prober *p, const char *path, rdv_str body, rdv_error *err)
{
    exchange *x = &p->exchange;
    exchange_release(x);
    *x = (exchange){.url = server_url(&p->server, path),
                    .headers = p->server.headers,
                    .body = body,
                    .direct = p->server.here,
                    .timeout_ms = p->options->timeout_ms,
                    .idle_ms = p->options->idle_ms};
    int rc = http_start(p->http, x, err);
    while (rc == RDV_OK && !http_next(p->http))
        http_wait(p->http, 1000);
    if (rc == RDV_OK && x->out_of_memory)
        rc = rdv_fail(err, RDV_E_NOMEM, "out of memory receiving a reply");
    return rc;
}

static bool is_passing(const exchange *x)
{
    return x->end != EXCHANGE_DONE || x->status == 429 || (x->status >= 502 && x->status <= 504);
}

/* Send, as often as it takes and is allowed. RDV_OK: a response came. */
static int send_body(prober *p, const char *path, rdv_str body, rdv_error *err)
{
    exchange *x = &p->exchange;
    for (uint32_t tries = 1;; tries++) {
        int rc = exchange_once(p, path, body, err);
        if (rc != RDV_OK)
            return rc;
        if (!is_passing(x) || tries > p->options->retries)
            break;
        wait_for(p, retry_delay_ms(&p->rng, tries, p->options->backoff_ms, x->retry_after_ms));
    }
    server_hide_key(&p->server, x->data, x->len);
    server_hide_key(&p->server, x->why, sizeof x->why);
    if (x->end != EXCHANGE_DONE)
        return rdv_fail(err, RDV_E_IO, "%.*s: %s", RDV_FMT(p->host.name), x->why);
    return RDV_OK;
}

static rdv_str body_of(const exchange *x)
{
    return (rdv_str){x->data ? x->data : "", x->len};
}

/* ---- one request ----------------------------------------------------------------------------- */

static void mark(prober *p, unsigned uses)
{
    for (able a = 0; a < N_ABLE; a++)
        if (uses & ABLE_BIT(a))
            able_set(&p->server.abilities, a, RDV_CAN);
}

/* What the server said no with. A wrong key ends the probing. */
static int refusal(prober *p, const wire *w, bool *again, rdv_error *err)
{
    const exchange *x = &p->exchange;
    wire_error said;
    wire_read_error(body_of(x), p->arena, &said);
    *again = false;
    const char *blame = server_blames_key(&p->server, x->status);
    if (blame)
        return rdv_fail(err, RDV_E_IO, "%.*s %s: HTTP %ld: %.*s", RDV_FMT(p->host.name), blame,
                        x->status, RDV_FMT(said.message));
    p->why = rdv_str_printf(p->arena, "HTTP %ld: %.*s", x->status, RDV_FMT(said.message));
    *again = wire_refused(w, (int)x->status, &said, &p->server.abilities);
    return p->why.p ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

/* Ask until the server takes it. RDV_OK: *reply; RDV_NONE: it does not. */
static int ask(prober *p, const rdv_request *request, wire *w, rdv_reply *reply, rdv_error *err)
{
    for (;;) {
        bool again = false;
        int rc = wire_write(request, p->server.model, &p->server.abilities, p->arena, w, err);
        if (rc == RDV_OK)
            rc = send_body(p, w->path, w->body, err);
        if (rc != RDV_OK)
            return rc;
        if (p->exchange.status >= 200 && p->exchange.status <= 299) {
            rc = wire_read(w, request, body_of(&p->exchange), p->arena, reply, err);
            if (rc == RDV_OK) {
                mark(p, w->uses);
                p->host.answers++;
            }
            if (rc == RDV_NONE)
                wire_lacks(w, &p->server.abilities);
            return rc == RDV_E_INPUT ? RDV_NONE : rc;
        }
        rc = refusal(p, w, &again, err);
        if (rc != RDV_OK || !again)
            return rc == RDV_OK ? RDV_NONE : rc;
    }
}

/* ---- what is asked --------------------------------------------------------------------------- */

#define UNSET                                                                                      \
    {                                                                                              \
        .temperature = NAN, .top_p = NAN, .max_tokens = 16                                         \
    }

static const rdv_message hello[] = {{RDV_USER, {"Say OK.", 7}}};

static int probe_models(prober *p, rdv_probe *out, rdv_error *err)
{
    int rc = send_body(p, "/models", (rdv_str){0}, err);
    if (rc != RDV_OK || p->exchange.status != 200)
        return rc;
    rc = wire_read_models(body_of(&p->exchange), p->arena, &out->models, &out->n_models, NULL);
    return rc == RDV_E_INPUT ? RDV_OK : rc;
}

static int probe_chat(prober *p, rdv_probe *out, rdv_error *err)
{
    rdv_request request = {.messages = hello, .n_messages = 1, .sampling = UNSET};
    rdv_reply reply;
    wire w;
    int rc = ask(p, &request, &w, &reply, err);
    if (rc == RDV_NONE)
        out->why = p->why;
    if (rc != RDV_OK || w.form != WIRE_CHAT)
        p->server.abilities.chat = RDV_CANNOT;
    return rc < 0 ? rc : RDV_OK;
}

/* Settings and shapes of a conversation: refused ones are noted by ask(). */
static int probe_shapes(prober *p, rdv_error *err)
{
    static const rdv_str stop = {"\x1e", 1};
    static const rdv_message with_system[] = {{RDV_SYSTEM, {"Be brief.", 9}},
                                              {RDV_USER, {"Say OK.", 7}}};
    static const rdv_message twice[] = {{RDV_USER, {"Hello.", 6}}, {RDV_USER, {"Say OK.", 7}}};
    const rdv_request requests[] = {
        {.messages = hello, .n_messages = 1, .sampling = {0.5, NAN, 16, NULL, 0, false, 0}},
        {.messages = hello, .n_messages = 1, .sampling = {NAN, 0.9, 16, NULL, 0, false, 0}},
        {.messages = hello, .n_messages = 1, .sampling = {NAN, NAN, 16, &stop, 1, false, 0}},
        {.messages = with_system, .n_messages = 2, .sampling = UNSET},
        {.messages = twice, .n_messages = 2, .sampling = UNSET}};
    int rc = RDV_OK;
    for (size_t i = 0; rc >= 0 && i < sizeof requests / sizeof *requests; i++) {
        rdv_reply reply;
        wire w;
        rc = ask(p, &requests[i], &w, &reply, err);
    }
    return rc < 0 ? rc : RDV_OK;
}

static int probe_logprobs(prober *p, rdv_error *err)
{
    rdv_request request = {.messages = hello, .n_messages = 1, .sampling = UNSET};
    rdv_reply reply;
    wire w;
    request.sampling.logprobs = true;
    int rc = ask(p, &request, &w, &reply, err);
    if (rc != RDV_OK || reply.n_tokens == 0)
        p->server.abilities.logprobs = RDV_CANNOT;
    return rc < 0 ? rc : RDV_OK;
}

static int probe_prefix(prober *p, rdv_error *err)
{
    static const rdv_message half[] = {{RDV_USER, {"What is the capital of France?", 30}},
                                       {RDV_ASSISTANT, {"The capital of France is Par", 28}}};
    rdv_request request = {
        .is = RDV_ASK_CONTINUE, .messages = half, .n_messages = 2, .sampling = UNSET};
    rdv_reply reply;
    wire w;
    int rc = ask(p, &request, &w, &reply, err);
    bool continued = rc == RDV_OK && (w.uses & ABLE_BIT(ABLE_PREFIX)) &&
                     !rdv_starts(rdv_trim(reply.text), RDV_STR("The capital"));
    p->server.abilities.prefix = continued ? RDV_CAN : RDV_CANNOT;
    return rc < 0 ? rc : RDV_OK;
}

static int probe_completions(prober *p, rdv_error *err)
{
    rdv_request request = {.is = RDV_ASK_CONTINUE, .text = RDV_STR("1 2 3 4"), .sampling = UNSET};
    rdv_reply reply;
    wire w;
    int rc = ask(p, &request, &w, &reply, err);
    if (rc != RDV_OK || w.form != WIRE_COMPLETIONS)
        p->server.abilities.completions = RDV_CANNOT;
    return rc < 0 ? rc : RDV_OK;
}

/* With the other way of scoring out of the question. */
static int probe_score(prober *p, able which, able other, rdv_error *err)
{
    rdv_request request = {.is = RDV_ASK_SCORE, .text = RDV_STR("1 2 3 4"), .sampling = UNSET};
    rdv_reply reply;
    wire w;
    rdv_can kept = able_get(&p->server.abilities, other);
    able_set(&p->server.abilities, other, RDV_CANNOT);
    int rc = ask(p, &request, &w, &reply, err);
    able_set(&p->server.abilities, other, kept);
    if (rc != RDV_OK)
        able_set(&p->server.abilities, which, RDV_CANNOT);
    return rc < 0 ? rc : RDV_OK;
}

static int probe_many(prober *p, rdv_error *err)
{
    rdv_request request = {.messages = hello, .n_messages = 1, .sampling = UNSET};
    wire w;
    int rc = wire_write(&request, p->server.model, &p->server.abilities, p->arena, &w, err);
    if (rc != RDV_OK)
        return rc < 0 ? rc : RDV_OK;
    rdv_str body =
        rdv_str_printf(p->arena, "{\"n\":2,%.*s", RDV_FMT(rdv_slice(w.body, 1, w.body.len)));
    if (!body.p)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    rc = send_body(p, w.path, body, err);
    if (rc == RDV_OK)
        p->server.abilities.many =
            wire_count_choices(body_of(&p->exchange)) == 2 ? RDV_CAN : RDV_CANNOT;
    return rc;
}

static int probe_all(prober *p, rdv_probe *out, rdv_error *err)
{
    int rc = probe_models(p, out, err);
    if (rc == RDV_OK)
        rc = probe_chat(p, out, err);
    bool chat = p->server.abilities.chat == RDV_CAN;
    if (rc == RDV_OK && chat)
        rc = probe_shapes(p, err);
    if (rc == RDV_OK && chat)
        rc = probe_logprobs(p, err);
    if (rc == RDV_OK && chat)
        rc = probe_prefix(p, err);
    if (rc == RDV_OK && chat)
        rc = probe_many(p, err);
    if (rc == RDV_OK)
        rc = probe_completions(p, err);
    if (rc == RDV_OK)
        rc = probe_score(p, ABLE_ECHO, ABLE_PROMPT_LOGPROBS, err);
    return rc == RDV_OK ? probe_score(p, ABLE_PROMPT_LOGPROBS, ABLE_ECHO, err) : rc;
}

int rdv_run_probe(const rdv_endpoint *endpoint, const rdv_run_options *options, rdv_arena *arena,
                  rdv_probe *out, rdv_error *err)
{
    *out = (rdv_probe){0};
    if (endpoint->builtin) {
        out->abilities = rdv_builtin_abilities(endpoint->builtin);
        return RDV_OK;
    }
    if (!endpoint->spec.url.p)
        return rdv_fail(err, RDV_E_ARGUMENT, "only a server can be probed");
    rdv_endpoint unknown = *endpoint;
    unknown.abilities = (rdv_abilities){0};
    prober p = {.options = options, .arena = arena, .host = {.name = endpoint->spec.host}};
    http_options of_http = {
        .connections = 1, .max_body = options->max_body, .connect_ms = options->connect_ms};
    rdv_rng_seed(&p.rng, options->seed);
    *out = (rdv_probe){0};
    int rc = http_new(&p.http, &of_http, err);
    if (rc == RDV_OK)
        rc = server_init(&p.server, &unknown, &p.host, err);
    if (rc == RDV_OK)
        rc = probe_all(&p, out, err);
    out->abilities = p.server.abilities;
    http_free(&p.http); /* first: it may still hold the server's headers */
    exchange_release(&p.exchange);
    server_deinit(&p.server);
    return rc;
}
