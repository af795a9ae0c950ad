/* SPDX-License-Identifier: Apache-2.0 */
/* A connection is suspended while the reply to its request is written by the model; then only its
 * end is watched for. */
#include "server/connection.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/http_guard.h"
#include "server/reply.h"

#include <stdlib.h>
#include <sys/socket.h>

#define BLOCK 4096      /* of a stream's bytes at a time */
#define DISCARD_TIMES 4 /* a body may be so many times too long until its connection is dropped */
#define LOGGED_PATH 64

typedef struct connection {
    int socket;
    uint64_t since; /* when it was made, or its latest request was answered */
    bool busy;      /* a whole request is here */
    struct connection *before, *next;
} connection;

/* A request, from its headers to the last byte of its response. */
typedef struct connection_request {
    connections *all;
    struct MHD_Connection *mhd;
    connection *on; /* NULL: there was no memory for it */
    http_route route;
    const char *method; /* a static string */
    char path[LOGGED_PATH];
    const char *model; /* HTTP_ROUTE_MODEL: in `arena` */
    char *body;
    size_t len, cap;
    bool too_long;
    api_error error;
    bool faulty; /* settled before the body was read */
    rdv_arena *arena;
    completion *completion;
    uv_poll_t *watch; /* for the connection's end, while it is suspended */
    bool suspended, answered, gone;
    unsigned status;
    uint64_t began;
    struct connection_request *before, *next;
} request;

/* ---- connections ----------------------------------------------------------------------------- */

void connection_notify(void *of_server, struct MHD_Connection *mhd, void **of,
                       enum MHD_ConnectionNotificationCode what)
{
    connections *all = of_server;
    connection *c = *of;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
        c = info ? calloc(1, sizeof *c) : NULL;
        if (!c)
            return;
        *c =
            (connection){.socket = info->connect_fd, .since = uv_now(all->loop), .next = all->open};
        if (all->open)
            all->open->before = c;
        all->open = *of = c;
        return;
    }
    if (!c)
        return;
    if (c->before)
        c->before->next = c->next;
    else
        all->open = c->next;
    if (c->next)
        c->next->before = c->before;
    free(c);
    *of = NULL;
}

/* libmicrohttpd's own timeout begins anew with every byte. */
void connections_shut_slow(connections *all, bool every)
{
    uint64_t now = uv_now(all->loop);
    for (connection *c = all->open; c; c = c->next) {
        bool slow = all->stopping || now - c->since >= all->options->receive_ms;
        if (every || (!c->busy && slow))
            shutdown(c->socket, SHUT_RDWR);
    }
}

/* ---- a request's life ------------------------------------------------------------------------ */

static connection *connection_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static request *new_request(connections *all, struct MHD_Connection *mhd, const char *path,
                            const char *method)
{
    request *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    *v = (request){.all = all,
                   .mhd = mhd,
                   .on = connection_of(mhd),
                   .method = http_guard_method(method),
                   .arena = rdv_arena_new(0),
                   .began = uv_now(all->loop)};
    v->route = http_guard_route(path, &v->model);
    snprintf(v->path, sizeof v->path, "%s", path);
    if (v->model && v->arena)
        v->model = rdv_cstring(v->arena, rdv_str_of(v->model));
    if (!v->arena || (v->route == HTTP_ROUTE_MODEL && !v->model)) {
        rdv_arena_free(&v->arena);
        free(v);
        return NULL;
    }
    v->next = all->requests;
    if (all->requests)
        all->requests->before = v;
    all->requests = v;
    return v;
}

static void free_watch(uv_handle_t *handle)
{
    free(handle);
}

static void tell_log(const request *v)
{
    const serve_options *o = v->all->options;
    if (!o->log)
        return;
    serve_line line = {.method = v->method,
                       .path = v->path,
                       .status = v->gone ? 0 : v->status,
                       .seconds = (double)(uv_now(v->all->loop) - v->began) / 1000};
    if (v->completion) {
        completion_counts counts = completion_count(v->completion);
        line.replies = counts.replies;
        line.prompt_tokens = counts.prompt;
        line.completion_tokens = counts.completion;
    }
    o->log(o->payload, &line);
}

void connection_completed(void *all, struct MHD_Connection *mhd, void **of,
                          enum MHD_RequestTerminationCode why)
{
    request *v = *of;
    (void)all, (void)mhd;
    if (!v)
        return;
    *of = NULL;
    v->gone |= why != MHD_REQUEST_TERMINATED_COMPLETED_OK;
    tell_log(v);
    if (v->on) {
        v->on->busy = false;
        v->on->since = uv_now(v->all->loop);
    }
    if (v->watch)
        uv_close((uv_handle_t *)v->watch, free_watch);
    if (v->before)
        v->before->next = v->next;
    else
        v->all->requests = v->next;
    if (v->next)
        v->next->before = v->before;
    completion_free(&v->completion);
    free(v->body);
    rdv_arena_free(&v->arena);
    free(v);
}

/* ---- waiting for the model ------------------------------------------------------------------- */

static void resume(request *v)
{
    if (!v->suspended)
        return;
    v->suspended = false;
    if (v->watch)
        uv_poll_stop(v->watch);
    MHD_resume_connection(v->mhd);
}

/* The client closed its side: nobody will read what is written for it. */
static void on_end_of_connection(uv_poll_t *watch, int status, int events)
{
    request *v = watch->data;
    api_error f;
    (void)status, (void)events;
    v->gone = true;
    api_error_set(&f, 499, NULL, "The client went away.");
    completion_cut(v->completion, &f);
    resume(v);
    uv_async_send(v->all->news);
}

static bool make_watch(request *v)
{
    uv_poll_t *watch = v->watch ? NULL : calloc(1, sizeof *watch);
    if (v->watch)
        return true;
    if (!watch)
        return false;
    if (!v->on || uv_poll_init_socket(v->all->loop, watch, v->on->socket) != 0) {
        free(watch);
        return false;
    }
    watch->data = v;
    v->watch = watch;
    return true;
}

/* Without a watch the end is noticed when there is something to send. */
static void suspend(request *v)
{
    MHD_suspend_connection(v->mhd);
    v->suspended = true;
    if (make_watch(v))
        uv_poll_start(v->watch, UV_DISCONNECT, on_end_of_connection);
}

static void advance(request *v)
{
    const completion *c = v->completion;
    if (v->answered ? completion_bytes(c).len || completion_is_over(c) : completion_is_ready(c))
        resume(v);
}

void connections_take_events(connections *all)
{
    backend *b = all->completions.backend;
    backend_event event;
    while (b->ops->next(b, NULL, &event, NULL) == RDV_OK) {
        const completion *c = completion_take(&event);
        request *v = all->requests;
        while (v && v->completion != c)
            v = v->next;
        if (v)
            advance(v);
    }
}

void connections_cut_late(connections *all, bool every)
{
    uint64_t now = uv_now(all->loop);
    for (request *v = all->requests; v; v = v->next) {
        api_error f;
        bool late = now - v->began >= all->options->request_ms;
        if (!v->completion || !(every || late))
            continue;
        api_error_set(&f, 503, NULL, late ? "The reply took too long." : "The server is ending.");
        completion_cut(v->completion, &f);
        advance(v);
    }
}

/* ---- responses ------------------------------------------------------------------------------- */

static void add_header(struct MHD_Response *r, const char *name, const char *value)
{
    MHD_add_response_header(r, name, value);
}

static enum MHD_Result send_json(request *v, unsigned status, rdv_str json)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(json.len, (void *)(uintptr_t)json.p, MHD_RESPMEM_MUST_COPY);
    if (!r)
        return MHD_NO;
    add_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    if (status == 401)
        add_header(r, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    if (status == 405)
        add_header(r, MHD_HTTP_HEADER_ALLOW,
                   http_guard_takes_post(v->route) ? "POST" : "GET, HEAD");
    if (status == 429 || status == 503)
        add_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    if (v->all->stopping)
        add_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    v->status = status;
    v->answered = true;
    enum MHD_Result result = MHD_queue_response(v->mhd, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_error(request *v, const api_error *f)
{
    rdv_buf b;
    rdv_buf_init(&b, v->arena, 0);
    api_error_write(&b, f);
    return rdv_buf_ok(&b) ? send_json(v, f->status, rdv_buf_str(&b)) : MHD_NO;
}

static ssize_t read_stream(void *of, uint64_t position, char *buffer, size_t room)
{
    request *v = of;
    rdv_str bytes = completion_bytes(v->completion);
    (void)position;
    if (v->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (bytes.len == 0 && completion_is_over(v->completion))
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (bytes.len == 0) {
        suspend(v);
        return 0;
    }
    size_t n = bytes.len < room ? bytes.len : room;
    memcpy(buffer, bytes.p, n);
    completion_sent(v->completion, n);
    return (ssize_t)n;
}

static enum MHD_Result send_stream(request *v)
{
    struct MHD_Response *r =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, v, NULL);
    if (!r)
        return MHD_NO;
    add_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    add_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    v->status = 200;
    v->answered = true;
    enum MHD_Result result = MHD_queue_response(v->mhd, 200, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_completion(request *v)
{
    if (v->gone)
        return MHD_NO;
    if (completion_streams(v->completion))
        return send_stream(v);
    return send_json(v, completion_status(v->completion), completion_bytes(v->completion));
}

/* ---- a whole request ------------------------------------------------------------------------- */

static enum MHD_Result begin_completion(request *v)
{
    api_error f;
    rdv_str body = {v->body ? v->body : "", v->len};
    completion_form form = v->route == HTTP_ROUTE_CHAT ? COMPLETION_CHAT : COMPLETION_TEXT;
    if (v->too_long) {
        http_guard_set_too_long(v->all->options, &f);
        return send_error(v, &f);
    }
    if (!completion_new(&v->all->completions, form, body, &v->completion, &f))
        return send_error(v, &f);
    free(v->body);
    v->body = NULL;
    v->len = v->cap = 0;
    suspend(v);
    uv_async_send(v->all->news);
    return MHD_YES;
}

static bool is_name(const serve_options *o, const char *name)
{
    for (size_t i = 0; i < o->n_names; i++)
        if (rdv_str_eq(o->names[i], rdv_str_of(name)))
            return true;
    return false;
}

static enum MHD_Result show_model(request *v)
{
    rdv_buf b;
    api_error f;
    const serve_options *o = v->all->options;
    rdv_buf_init(&b, v->arena, 0);
    if (!is_name(o, v->model)) {
        api_error_set(&f, 404, "model", "There is no such model here.");
        f.code = "model_not_found";
        return send_error(v, &f);
    }
    reply_model(&b, rdv_str_of(v->model), v->all->began, o->context);
    return rdv_buf_ok(&b) ? send_json(v, 200, rdv_buf_str(&b)) : MHD_NO;
}

static enum MHD_Result show_models(request *v)
{
    rdv_buf b;
    const serve_options *o = v->all->options;
    rdv_buf_init(&b, v->arena, 0);
    reply_models(&b, o->names, o->n_names, v->all->began, o->context);
    return rdv_buf_ok(&b) ? send_json(v, 200, rdv_buf_str(&b)) : MHD_NO;
}

static enum MHD_Result dispatch(request *v)
{
    if (v->on)
        v->on->busy = true;
    if (v->faulty)
        return send_error(v, &v->error);
    switch (v->route) {
    case HTTP_ROUTE_CHAT:
    case HTTP_ROUTE_TEXT:
        return begin_completion(v);
    case HTTP_ROUTE_MODELS:
        return show_models(v);
    case HTTP_ROUTE_MODEL:
        return show_model(v);
    case HTTP_ROUTE_HEALTH:
        return send_json(v, 200, RDV_STR("{\"status\":\"ok\"}"));
    case HTTP_ROUTE_NONE:
        break;
    }
    return MHD_NO;
}

/* ---- its pieces ------------------------------------------------------------------------------ */

/* False: the connection is to be dropped. */
static bool keep_piece(request *v, const char *piece, size_t n)
{
    size_t most = v->all->options->max_body;
    if (v->faulty || v->too_long || n > most - v->len) {
        v->too_long |= !v->faulty;
        v->len += n; /* only counted */
        return v->len <= DISCARD_TIMES * most;
    }
    if (v->cap - v->len < n) {
        size_t cap = v->cap ? v->cap : BLOCK;
        while (cap < v->len + n)
            cap *= 2;
        char *body = realloc(v->body, cap);
        if (!body)
            return false;
        v->body = body;
        v->cap = cap;
    }
    memcpy(v->body + v->len, piece, n);
    v->len += n;
    return true;
}

/* The headers are here. A body that is much too long by its own words is not waited for; one that
 * is a little too long is passed over, so that the client comes to read why. */
static enum MHD_Result begin(request *v)
{
    api_error *f = &v->error;
    const serve_options *o = v->all->options;
    size_t length = http_guard_length(v->mhd);
    if (length > o->max_body)
        http_guard_set_too_long(o, f);
    if (length / DISCARD_TIMES > o->max_body)
        return send_error(v, f);
    v->faulty = length > o->max_body || !http_guard_check(v->mhd, o, v->route, v->method, f);
    if (v->all->stopping)
        v->faulty = !api_error_set(f, 503, NULL, "The server is ending.");
    return MHD_YES;
}

enum MHD_Result connection_handle(void *all, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **of)
{
    request *v = *of;
    (void)version;
    if (!v) {
        *of = v = new_request(all, mhd, url, method);
        return v ? begin(v) : MHD_NO;
    }
    if (*upload_size) {
        bool kept = keep_piece(v, upload, *upload_size);
        *upload_size = 0;
        return kept ? MHD_YES : MHD_NO;
    }
    if (v->answered)
        return MHD_YES;
    return v->completion ? send_completion(v) : dispatch(v);
}
