/* SPDX-License-Identifier: Apache-2.0 */
#include "server/exchange.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/http_response.h"
#include "server/own_job.h"
#include "server/relay_request.h"
#include "server/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>
#include <uv.h>

#define BLOCK 16384    /* most bytes of a stream sent at a time; also: a body sent with its head */
#define HEAD_ROOM 2048 /* a longer head is sent by itself */
#define LOGGED_PATH 64

struct exchange {
    exchange_ctx *ctx;
    http_request request;
    http_route route;
    char path[LOGGED_PATH];
    exchange_phase phase;
    void *owner;
    rdv_arena *arena;    /* holds `head` and `body`; with EXCHANGE_ANSWER */
    access_list *access; /* held; NULL: the head has not come */
    access_holder *holder;
    relay *relay;       /* NULL: no model is asked */
    own_job *job;       /* NULL: nothing is computed here */
    rdv_str head, body; /* what is left to send of them */
    char *block;        /* of a stream; NULL: the response is no stream */
    size_t from, to;    /* bytes of `block` to send */
    unsigned status, retry_after;
    bool begun, ended, keep_alive, broken;
    bool entered; /* it counts for its holder */
};

exchange *exchange_new(exchange_ctx *ctx, void *owner)
{
    exchange *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->ctx = ctx;
    x->owner = owner;
    x->path[0] = '?';
    http_request_init(&x->request, ctx->options->max_body);
    return x;
}

void exchange_free(exchange **handle)
{
    exchange *x = handle ? *handle : NULL;
    if (!x)
        return;
    *handle = NULL;
    relay_free(&x->relay);
    own_job_free(&x->job);
    if (x->entered)
        usage_leave(x->holder->usage);
    access_release(&x->access);
    http_request_free(&x->request);
    rdv_arena_free(&x->arena);
    free(x);
}

/* ---- responses ------------------------------------------------------------------------------- */

static void begin_response(exchange *x, unsigned status, const char *type, http_length length,
                           rdv_str body)
{
    relay *by = x->relay;
    rdv_buf b;
    bool head_only = strcmp(x->request.method, "HEAD") == 0;
    http_response r = {.status = status,
                       .type = type,
                       .length = length,
                       .bytes = body.len,
                       .more = by ? relay_headers(by) : (rdv_str){0},
                       .origin = http_guard_origin(&x->request, x->ctx->options),
                       .retry_after = x->retry_after,
                       .close = !x->keep_alive || x->ctx->stopping};
    if (by)
        relay_begun(by);
    if (status == 405)
        r.allow = http_guard_methods(x->route);
    if (status == 415 && !http_guard_reads_coding(&x->request))
        r.codings = "identity";
    rdv_buf_init(&b, x->arena, 0);
    http_response_write(&b, &r);
    if (head_only)
        body.len = 0;
    x->body = body;
    if (body.len <= BLOCK) { /* one packet is better than two */
        rdv_buf_add(&b, body);
        x->body.len = 0;
    }
    x->broken |= !rdv_buf_ok(&b);
    x->head = rdv_buf_str(&b);
    x->keep_alive = !r.close;
    x->status = status;
    x->begun = true;
    x->ended = length == HTTP_LENGTH_KNOWN;
}

static void send_json(exchange *x, unsigned status, rdv_str json)
{
    begin_response(x, status, "application/json", HTTP_LENGTH_KNOWN, json);
}

static void send_buffer(exchange *x, unsigned status, const rdv_buf *b)
{
    x->broken |= !rdv_buf_ok(b);
    if (!x->broken)
        send_json(x, status, rdv_buf_str(b));
}

static void send_error(exchange *x, const api_error *f)
{
    rdv_buf b;
    rdv_buf_init(&b, x->arena, 0);
    x->retry_after = f->retry_after;
    api_error_write_as(&b, http_guard_protocol(x->route), f, (rdv_str){0});
    send_buffer(x, f->status, &b);
}

static void add_chunk(exchange *x, rdv_str bytes)
{
    if (!x->request.old)
        x->to += http_response_frame(x->block + x->to, bytes);
    else if (bytes.len) {
        memcpy(x->block + x->to, bytes.p, bytes.len);
        x->to += bytes.len;
    }
}

/* Add what has come of the reply to the block, and its end: each packet costs time. */
static void add_reply(exchange *x)
{
    rdv_str bytes = relay_bytes(x->relay);
    bytes.len = bytes.len < BLOCK ? bytes.len : BLOCK;
    if (bytes.len)
        add_chunk(x, bytes);
    relay_sent(x->relay, bytes.len);
    x->ended = relay_is_over(x->relay) && relay_bytes(x->relay).len == 0;
    if (x->ended)
        add_chunk(x, (rdv_str){0});
}

static void send_stream(exchange *x)
{
    x->block = rdv_alloc(x->arena, HEAD_ROOM + BLOCK + 2 * HTTP_FRAME);
    x->broken |= !x->block;
    begin_response(x, 200, relay_type(x->relay),
                   x->request.old ? HTTP_LENGTH_TO_THE_END : HTTP_LENGTH_CHUNKED, (rdv_str){0});
    if (x->broken || x->head.len > HEAD_ROOM)
        return;
    memcpy(x->block, x->head.p, x->head.len);
    x->to = x->head.len;
    x->head.len = 0;
    add_reply(x);
}

static void send_reply(exchange *x)
{
    if (relay_streams(x->relay))
        send_stream(x);
    else
        begin_response(x, relay_status(x->relay), relay_type(x->relay), HTTP_LENGTH_KNOWN,
                       relay_bytes(x->relay));
}

/* ---- complete requests ----------------------------------------------------------------------- */

static bool enter(exchange *x, api_error *e)
{
    const relay_ctx *ctx = &x->ctx->relays;
    usage_time now = usage_time_of(ctx->loop ? uv_now(ctx->loop) : 0, (int64_t)time(NULL));
    return usage_enter(x->holder->usage, &x->holder->rule.limits, now, e);
}

static void start_reply(exchange *x)
{
    api_error f;
    http_text *body = &x->request.body;
    rdv_str json = {body->p ? body->p : "", body->len};
    relay_ctx *ctx = &x->ctx->relays;
    x->entered = enter(x, &f);
    if (!x->entered || !relay_new(ctx, x->holder, http_guard_protocol(x->route), json, &x->request,
                                  x->owner, &x->relay, &f))
        send_error(x, &f);
    free(body->p);
    *body = (http_text){0};
}

static void wake(void *of)
{
    exchange *x = of;
    x->ctx->relays.wake(x->owner);
}

static void start_job(exchange *x)
{
    api_error f;
    http_text *body = &x->request.body;
    relay_ctx *ctx = &x->ctx->relays;
    x->entered = enter(x, &f);
    if (x->entered)
        x->job = own_job_new(x->route, &x->request, x->holder, ctx, wake, x, &f);
    if (!x->job)
        send_error(x, &f);
    free(body->p);
    *body = (http_text){0};
}

static void send_computed(exchange *x)
{
    api_error f;
    own_result result;
    if (own_job_result(x->job, &result, &f))
        begin_response(x, result.status, result.type, HTTP_LENGTH_KNOWN, result.body);
    else
        send_error(x, &f);
}

static void show_model(exchange *x, const char *name)
{
    rdv_buf b;
    api_error f;
    bool checked;
    const serve_options *o = x->ctx->options;
    size_t i = relay_request_model(o, rdv_str_of(name), &checked);
    rdv_buf_init(&b, x->arena, 0);
    if (i == SIZE_MAX) {
        api_error_set(&f, 404, "model", "There is no such model here.");
        f.code = "model_not_found";
        send_error(x, &f);
        return;
    }
    reply_model(&b, rdv_str_of(name), x->ctx->now.began, o->models[i].n ? 0 : o->context);
    send_buffer(x, 200, &b);
}

/* Each model by its name, and by the name under which it is checked. */
static void show_models(exchange *x)
{
    rdv_buf b;
    const serve_options *o = x->ctx->options;
    rdv_buf_init(&b, x->arena, 0);
    rdv_buf_lit(&b, "{\"object\":\"list\",\"data\":[");
    for (size_t i = 0; i < o->n_models; i++) {
        uint32_t context = o->models[i].n ? 0 : o->context;
        rdv_str name = o->models[i].name;
        rdv_str checked = rdv_str_printf(x->arena, RELAY_CHECK "%.*s", RDV_FMT(name));
        x->broken |= !checked.p;
        rdv_json_item(&b);
        reply_model(&b, name, x->ctx->now.began, context);
        rdv_json_item(&b);
        reply_model(&b, checked, x->ctx->now.began, context);
    }
    rdv_buf_lit(&b, "]}");
    send_buffer(x, 200, &b);
}

static void show_metrics(exchange *x)
{
    rdv_buf b;
    rdv_buf_init(&b, x->arena, 0);
    metrics_write(&b, &x->ctx->metrics, &x->ctx->now, x->access);
    x->broken |= !rdv_buf_ok(&b);
    if (!x->broken)
        begin_response(x, 200, "text/plain; version=0.0.4; charset=utf-8", HTTP_LENGTH_KNOWN,
                       rdv_buf_str(&b));
}

static void answer(exchange *x)
{
    const char *model;
    if (http_guard_is_preflight(&x->request, x->ctx->options)) {
        begin_response(x, 204, "", HTTP_LENGTH_KNOWN, (rdv_str){0});
        return;
    }
    switch (http_guard_route(&x->request, &model)) {
    case HTTP_ROUTE_CHAT:
    case HTTP_ROUTE_TEXT:
    case HTTP_ROUTE_RESPONSES:
    case HTTP_ROUTE_MESSAGES:
    case HTTP_ROUTE_CHECK:
    case HTTP_ROUTE_GRADE:
    case HTTP_ROUTE_VOTE:
    case HTTP_ROUTE_MCP:
    case HTTP_ROUTE_GUARDRAIL:
        x->phase = EXCHANGE_DUE;
        break;
    case HTTP_ROUTE_MODELS:
        show_models(x);
        break;
    case HTTP_ROUTE_MODEL:
        show_model(x, model);
        break;
    case HTTP_ROUTE_HEALTH:
        send_json(x, 200, RDV_STR("{\"status\":\"ok\"}"));
        break;
    case HTTP_ROUTE_METRICS:
        show_metrics(x);
        break;
    case HTTP_ROUTE_NONE:
    case HTTP_ROUTE_SERVER:
    case HTTP_ROUTES:
        break; /* refused by the guard */
    }
}

void exchange_begin(exchange *x)
{
    http_route r = x->route;
    x->phase = EXCHANGE_ANSWER;
    if (r == HTTP_ROUTE_CHECK || r == HTTP_ROUTE_GRADE || r == HTTP_ROUTE_VOTE ||
        r == HTTP_ROUTE_MCP || r == HTTP_ROUTE_GUARDRAIL)
        start_job(x);
    else
        start_reply(x);
}

/* ---- incoming data --------------------------------------------------------------------------- */

static void begin_answer(exchange *x)
{
    x->phase = EXCHANGE_ANSWER;
    x->head.len = 0;
    if (!x->arena)
        x->arena = rdv_arena_new(0);
    x->broken |= !x->arena;
}

static void refuse(exchange *x, const api_error *f, bool keep_alive)
{
    x->keep_alive = keep_alive;
    begin_answer(x);
    if (!x->broken)
        send_error(x, f);
}

void exchange_refuse(exchange *x, const api_error *f)
{
    if (x->relay)
        relay_cut(x->relay, f);
    else if (!x->begun) {
        own_job_free(&x->job);
        refuse(x, f, false);
    }
}

/* Ask for a body that its sender holds back until its headers are accepted. */
static bool check_expectation(exchange *x, api_error *f)
{
    const char *expected = http_request_field(&x->request, HTTP_EXPECT);
    if (!expected || x->request.old)
        return true;
    if (strcasecmp(expected, "100-continue") != 0)
        return api_error_set(f, 417, NULL, "The only expectation that is met is 100-continue.");
    x->head = RDV_STR("HTTP/1.1 100 Continue\r\n\r\n");
    return true;
}

/* A refused request without a body leaves its connection open for the next. */
static void take_head(exchange *x, bool whole)
{
    api_error f;
    const char *model;
    const exchange_ctx *ctx = x->ctx;
    x->access = access_hold(ctx->access);
    x->route = http_guard_route(&x->request, &model);
    bool ok = ctx->stopping ? api_error_set(&f, 503, NULL, "The server is ending.")
                            : http_guard_check(&x->request, ctx->options, x->access, x->route,
                                               &x->holder, &f) &&
                                  check_expectation(x, &f);
    x->phase = EXCHANGE_BODY;
    x->keep_alive = x->request.keep_alive;
    if (!ok)
        refuse(x, &f, whole && x->keep_alive);
}

size_t exchange_take(exchange *x, const char *bytes, size_t n)
{
    size_t used;
    http_step step = http_request_read(&x->request, bytes, n, &used);
    if (x->phase == EXCHANGE_HEAD && x->request.path.p)
        snprintf(x->path, sizeof x->path, "%s", x->request.path.p);
    if (step == HTTP_READ_REFUSED) {
        exchange_refuse(x, &x->request.error);
        return used;
    }
    if (step != HTTP_READ_MORE && x->phase == EXCHANGE_HEAD)
        take_head(x, step == HTTP_READ_WHOLE);
    if (step == HTTP_READ_WHOLE && x->phase == EXCHANGE_BODY) {
        begin_answer(x);
        if (!x->broken)
            answer(x);
    }
    return used;
}

/* ---- outgoing data --------------------------------------------------------------------------- */

/* Fill the block with what has come of the reply. */
static void fill_block(exchange *x)
{
    x->from = x->to = 0;
    add_reply(x);
}

rdv_str exchange_output(exchange *x)
{
    if (x->broken)
        return (rdv_str){0};
    if (!x->begun && x->job && own_job_is_done(x->job))
        send_computed(x);
    if (x->relay && !(x->begun && x->ended))
        relay_work(x->relay);
    if (!x->begun && x->relay && relay_is_ready(x->relay))
        send_reply(x);
    if (x->broken || x->head.len)
        return x->broken ? (rdv_str){0} : x->head;
    if (!x->block)
        return x->body;
    if (x->from == x->to && !x->ended)
        fill_block(x);
    return (rdv_str){x->block + x->from, x->to - x->from};
}

void exchange_sent(exchange *x, size_t n)
{
    rdv_str *from = x->head.len ? &x->head : &x->body;
    if (x->block && !x->head.len) {
        x->from += n;
        return;
    }
    from->p += n;
    from->len -= n;
}

bool exchange_is_over(const exchange *x)
{
    return x->begun && x->ended && !x->head.len && !x->body.len && x->from == x->to;
}

/* ---- state ----------------------------------------------------------------------------------- */

exchange_phase exchange_phase_of(const exchange *x)
{
    return x->phase;
}

bool exchange_keeps_alive(const exchange *x)
{
    return x->keep_alive && !x->ctx->stopping;
}

bool exchange_is_broken(const exchange *x)
{
    return x->broken;
}

bool exchange_is_relayed(const exchange *x)
{
    return x->relay || x->job;
}

const completion *exchange_completion(const exchange *x)
{
    return x->relay ? relay_completion(x->relay) : NULL;
}

http_route exchange_route(const exchange *x)
{
    return x->route;
}

serve_line exchange_line(const exchange *x, bool gone)
{
    serve_line line = {.method = x->request.method,
                       .path = x->path,
                       .status = gone ? 0 : x->status,
                       .key = x->holder ? x->holder->name : (rdv_str){0},
                       .admitted = -1,
                       .estimated = -1};
    if (x->relay) {
        line.model = relay_model(x->relay);
        line.admitted = relay_admitted(x->relay);
        bool estimated;
        relay_tokens(x->relay, &line.prompt_tokens, &line.completion_tokens, &estimated);
        line.estimated = estimated;
    }
    if (exchange_completion(x))
        line.replies = completion_count(exchange_completion(x)).replies;
    return line;
}
