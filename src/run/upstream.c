/* SPDX-License-Identifier: Apache-2.0 */
#include "run/upstream.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/server.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <strings.h>

#define RECEIVE_BYTES ((size_t)16 * 1024) /* of a response at a time */
#define MOST_HELD ((size_t)64 * 1024) /* bytes of a response that nobody takes */

/* A server, and how many calls are out to it. */
typedef struct upstream_server {
    server *at;
    size_t n_out;
} upstream_server;

typedef struct upstream_model {
    upstream_server *servers;
    size_t n;
} upstream_model;

struct upstreams {
    upstream_options options;
    http *http;
    http_queue done;
    upstream_model *models;
    size_t n;
    upstream_call *first, *last; /* something has come of these */
};

struct upstream_call {
    http_exchange exchange; /* the first member */
    upstreams *of;
    upstream_request request;
    upstream_server *server;
    struct curl_slist *headers;
    uint64_t heard;
    size_t tries;
    bool ended, listed;
    upstream_call *before, *next; /* in the list of `of` */
};

/* ---- models ---------------------------------------------------------------------------------- */

int upstreams_new(upstreams **out, const upstream_options *options, rdv_error *err)
{
    const http_options of_http = {.connections = options->connections,
                                  .max_body = options->max_body,
                                  .connect_ms = options->connect_ms,
                                  .receive_bytes = RECEIVE_BYTES,
                                  .loop = options->loop};
    *out = NULL;
    upstreams *u = calloc(1, sizeof *u);
    if (!u)
        return rdv_no_memory(err);
    u->options = *options;
    int rc = http_new(&u->http, &of_http, err);
    if (rc == RDV_OK)
        *out = u;
    else
        free(u);
    return rc;
}

void upstreams_free(upstreams **handle)
{
    upstreams *u = handle ? *handle : NULL;
    if (!u)
        return;
    *handle = NULL;
    http_free(&u->http);
    for (size_t i = 0; i < u->n; i++) {
        for (size_t k = 0; k < u->models[i].n; k++) {
            server_deinit(u->models[i].servers[k].at);
            free(u->models[i].servers[k].at);
        }
        free(u->models[i].servers);
    }
    free(u->models);
    free(u);
}

static int add_server(upstream_model *m, const rdv_model_spec *spec, rdv_str key, rdv_error *err)
{
    const rdv_endpoint endpoint = {.spec = *spec, .api_key = key};
    server *s = calloc(1, sizeof *s);
    if (!s)
        return rdv_no_memory(err);
    m->servers[m->n++].at = s;
    return server_init(s, &endpoint, NULL, err);
}

int upstreams_add(upstreams *u, const rdv_model_spec *servers, size_t n, rdv_str key,
                  size_t *number, rdv_error *err)
{
    upstream_model *models = realloc(u->models, (u->n + 1) * sizeof *models);
    if (!models)
        return rdv_no_memory(err);
    u->models = models;
    upstream_model *m = &models[u->n];
    *m = (upstream_model){.servers = calloc(n, sizeof *m->servers)};
    if (!m->servers)
        return rdv_no_memory(err);
    *number = u->n++;
    int rc = RDV_OK;
    for (size_t i = 0; i < n && rc == RDV_OK; i++)
        rc = add_server(m, &servers[i], key, err);
    return rc;
}

/* The server with the fewest calls, the first of them; `not`: one that cannot be reached. */
static upstream_server *least_busy(const upstream_model *m, const upstream_server * not )
{
    upstream_server *best = NULL;
    for (size_t i = 0; i < m->n; i++) {
        upstream_server *s = &m->servers[i];
        if (s != not &&(!best || s->n_out < best->n_out))
            best = s;
    }
    return best;
}

rdv_str upstreams_name(const upstreams *u, size_t number)
{
    return least_busy(&u->models[number], NULL)->at->model;
}

/* ---- the list of calls of which something has come ------------------------------------------- */

static void unlist(upstream_call *c)
{
    upstreams *u = c->of;
    if (!c->listed)
        return;
    *(c->before ? &c->before->next : &u->first) = c->next;
    *(c->next ? &c->next->before : &u->last) = c->before;
    c->before = c->next = NULL;
    c->listed = false;
}

static void on_news(http_exchange *x)
{
    upstream_call *c = (upstream_call *)x;
    upstreams *u = c->of;
    if (c->listed)
        return;
    c->before = u->last;
    *(u->last ? &u->last->next : &u->first) = c;
    u->last = c;
    c->listed = true;
    u->options.wake(u->options.payload);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool add_line(upstream_call *c, const char *line)
{
    struct curl_slist *more = line ? curl_slist_append(c->headers, line) : NULL;
    if (more)
        c->headers = more;
    return more;
}

/* Anthropic's servers take the key in a header of their own. */
static bool add_key(upstream_call *c)
{
    char *line = NULL;
    bool messages = strcmp(c->request.path, "/messages") == 0;
    const char *key = c->server->at->key;
    if (!key)
        return true;
    if (asprintf(&line, messages ? "x-api-key: %s" : "Authorization: Bearer %s", key) < 0)
        return false;
    bool ok = add_line(c, line);
    explicit_bzero(line, strlen(line));
    free(line);
    return ok;
}

/* "Expect:" without a value: otherwise curl waits for a 100-continue before a long body. */
static bool add_headers(upstream_call *c)
{
    bool ok = add_line(c, "Content-Type: application/json") && add_line(c, "Expect:") && add_key(c);
    for (size_t i = 0; i < c->request.n_lines && ok; i++) {
        char *line = strndup(c->request.lines[i].p, c->request.lines[i].len);
        ok = add_line(c, line);
        free(line);
    }
    return ok;
}

static int start(upstream_call *c, rdv_error *err)
{
    upstreams *u = c->of;
    const server *s = c->server->at;
    c->heard = 0;
    c->exchange = (http_exchange){.url = server_url(s, c->request.path),
                                  .headers = c->headers,
                                  .body = c->request.body,
                                  .direct = s->here,
                                  .timeout_ms = u->options.timeout_ms,
                                  .idle_ms = u->options.idle_ms,
                                  .streamed = true,
                                  .heard = &c->heard,
                                  .done = &u->done,
                                  .news = on_news,
                                  .most_held = MOST_HELD,
                                  .keeps_head = true,
                                  .sends_once = true};
    int rc = http_start(u->http, &c->exchange, err);
    if (rc == RDV_OK)
        c->server->n_out++;
    c->tries++;
    return rc;
}

int upstream_start(upstreams *u, const upstream_request *request, upstream_call **out,
                   rdv_error *err)
{
    *out = NULL;
    upstream_call *c = calloc(1, sizeof *c);
    if (!c)
        return rdv_no_memory(err);
    *c = (upstream_call){
        .of = u, .request = *request, .server = least_busy(&u->models[request->model], NULL)};
    int rc = add_headers(c) ? start(c, err) : rdv_no_memory(err);
    c->request.lines = NULL;
    if (rc == RDV_OK) {
        *out = c;
    } else {
        curl_slist_free_all(c->headers);
        free(c);
    }
    return rc;
}

static void leave(upstream_call *c)
{
    c->ended = true;
    c->server->n_out--;
}

void upstream_free(upstream_call **handle)
{
    upstream_call *c = handle ? *handle : NULL;
    if (!c)
        return;
    *handle = NULL;
    if (!c->ended) {
        http_abort(c->of->http, &c->exchange);
        leave(c);
    }
    unlist(c);
    http_exchange_release(&c->exchange);
    curl_slist_free_all(c->headers);
    free(c);
}

/* Ask the next server of the model, where this one cannot be reached. */
static bool try_next(upstream_call *c)
{
    const upstream_model *m = &c->of->models[c->request.model];
    rdv_error err;
    if (c->exchange.end != HTTP_UNREACHABLE || c->tries >= m->n)
        return false;
    upstream_server *other = least_busy(m, c->server);
    http_exchange_release(&c->exchange);
    c->server = other;
    c->ended = false;
    if (start(c, &err) == RDV_OK)
        return true;
    c->ended = true;
    c->exchange.end = HTTP_UNREACHABLE;
    return false;
}

static void take_finished(upstreams *u)
{
    http_exchange *x;
    while ((x = http_next(u->http, &u->done))) {
        upstream_call *c = (upstream_call *)x;
        leave(c);
        if (try_next(c))
            unlist(c);
    }
}

void *upstream_next(upstreams *u)
{
    take_finished(u);
    upstream_call *c = u->first;
    if (c)
        unlist(c);
    return c ? c->request.owner : NULL;
}

/* ---- the response ---------------------------------------------------------------------------- */

bool upstream_has_head(const upstream_call *call)
{
    return call->ended || call->exchange.first_piece;
}

unsigned upstream_status(const upstream_call *call)
{
    return call->exchange.status > 0 ? (unsigned)call->exchange.status : 0;
}

bool upstream_header_line(const upstream_call *call, size_t *at, rdv_str *name, rdv_str *value)
{
    rdv_str head = {call->exchange.head, call->exchange.head_len};
    while (*at < head.len) {
        size_t end = rdv_find_char(head, '\n', *at);
        rdv_str line = rdv_slice(head, *at, end);
        size_t colon = rdv_find_char(line, ':', 0);
        *at = end == RDV_NOT_FOUND ? head.len : end + 1;
        if (colon == RDV_NOT_FOUND || colon == 0)
            continue;
        *name = rdv_slice(line, 0, colon);
        *value = rdv_trim(rdv_slice(line, colon + 1, line.len));
        bool plain = true;
        for (size_t i = 0; i < value->len; i++)
            plain &= value->p[i] >= ' ' && value->p[i] != 0x7f;
        if (plain)
            return true;
    }
    return false;
}

rdv_str upstream_header(const upstream_call *call, const char *name)
{
    rdv_str is, value;
    size_t n = strlen(name);
    for (size_t at = 0; upstream_header_line(call, &at, &is, &value);)
        if (is.len == n && strncasecmp(is.p, name, n) == 0)
            return value;
    return (rdv_str){0};
}

rdv_str upstream_bytes(upstream_call *call)
{
    http_exchange *x = &call->exchange;
    return (rdv_str){x->data ? x->data : "", x->len};
}

void upstream_hide_key(const upstream_call *call, char *bytes, size_t len)
{
    server_hide_secret(call->server->at->key, bytes, len);
}

void upstream_took(upstream_call *call)
{
    call->exchange.len = 0;
    http_took(&call->exchange);
}

bool upstream_is_over(const upstream_call *call)
{
    return call->ended;
}

http_end upstream_end(const upstream_call *call)
{
    return call->exchange.out_of_memory ? HTTP_BROKEN : call->exchange.end;
}

const char *upstream_why(const upstream_call *call)
{
    return call->exchange.why;
}
