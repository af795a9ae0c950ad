/* SPDX-License-Identifier: Apache-2.0 */
/* A request, from its headers to the last byte of its response. A connection is suspended while its
 * reply is written by the model; then only its end is watched for. */
#include "base/arena.h"
#include "base/str.h"
#include "server/door.h"
#include "server/inside.h"
#include "server/reply.h"

#include <stdlib.h>

#define BLOCK 4096      /* of a stream's bytes at a time */
#define DISCARD_TIMES 4 /* a body may be so many times too long until its connection is dropped */
#define LOGGED_PATH 64

struct visit {
    serve *s;
    struct MHD_Connection *connection;
    peer *peer;
    route route;
    const char *method; /* a static string */
    char path[LOGGED_PATH];
    const char *model; /* ROUTE_MODEL: in `arena` */
    char *body;
    size_t len, cap;
    bool too_long;
    fault fault;
    bool faulty; /* settled before the body was read */
    rdv_arena *arena;
    talk *talk;
    uv_poll_t *watch; /* for the connection's end, while it is suspended */
    bool suspended, answered, gone;
    unsigned status;
    uint64_t began;
    visit *before, *next;
};

/* ---- life ------------------------------------------------------------------------------------ */

static peer *peer_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static visit *new_visit(serve *s, struct MHD_Connection *connection, const char *path,
                        const char *method)
{
    visit *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    *v = (visit){.s = s,
                 .connection = connection,
                 .peer = peer_of(connection),
                 .method = door_method(method),
                 .arena = rdv_arena_new(0),
                 .began = uv_now(&s->loop)};
    v->route = door_route(path, &v->model);
    snprintf(v->path, sizeof v->path, "%s", path);
    if (v->model && v->arena)
        v->model = rdv_cstring(v->arena, rdv_str_of(v->model));
    if (!v->arena || (v->route == ROUTE_MODEL && !v->model)) {
        rdv_arena_free(&v->arena);
        free(v);
        return NULL;
    }
    v->next = s->visits;
    if (s->visits)
        s->visits->before = v;
    s->visits = v;
    return v;
}

static void free_watch(uv_handle_t *handle)
{
    free(handle);
}

static void tell_log(const visit *v)
{
    const serve_options *o = &v->s->options;
    if (!o->log)
        return;
    serve_line line = {.method = v->method,
                       .path = v->path,
                       .status = v->gone ? 0 : v->status,
                       .seconds = (double)(uv_now(&v->s->loop) - v->began) / 1000};
    if (v->talk) {
        talk_counts counts = talk_count(v->talk);
        line.replies = counts.replies;
        line.prompt_tokens = counts.prompt;
        line.completion_tokens = counts.completion;
    }
    o->log(o->payload, &line);
}

void visit_completed(void *server, struct MHD_Connection *connection, void **of,
                     enum MHD_RequestTerminationCode why)
{
    visit *v = *of;
    (void)server, (void)connection;
    if (!v)
        return;
    *of = NULL;
    v->gone |= why != MHD_REQUEST_TERMINATED_COMPLETED_OK;
    tell_log(v);
    if (v->peer) {
        v->peer->busy = false;
        v->peer->since = uv_now(&v->s->loop);
    }
    if (v->watch)
        uv_close((uv_handle_t *)v->watch, free_watch);
    if (v->before)
        v->before->next = v->next;
    else
        v->s->visits = v->next;
    if (v->next)
        v->next->before = v->before;
    talk_free(&v->talk);
    free(v->body);
    rdv_arena_free(&v->arena);
    free(v);
}

/* ---- waiting for the model ------------------------------------------------------------------- */

static void resume(visit *v)
{
    if (!v->suspended)
        return;
    v->suspended = false;
    if (v->watch)
        uv_poll_stop(v->watch);
    MHD_resume_connection(v->connection);
}

/* The client closed its side: nobody will read what is written for it. */
static void on_end_of_connection(uv_poll_t *watch, int status, int events)
{
    visit *v = watch->data;
    fault f;
    (void)status, (void)events;
    v->gone = true;
    fault_set(&f, 499, NULL, "The client went away.");
    talk_cut(v->talk, &f);
    resume(v);
    serve_wake(v->s);
}

static bool make_watch(visit *v)
{
    uv_poll_t *watch = v->watch ? NULL : calloc(1, sizeof *watch);
    if (v->watch)
        return true;
    if (!watch)
        return false;
    if (!v->peer || uv_poll_init_socket(&v->s->loop, watch, v->peer->socket) != 0) {
        free(watch);
        return false;
    }
    watch->data = v;
    v->watch = watch;
    return true;
}

/* Without a watch the end is noticed when there is something to send. */
static void suspend(visit *v)
{
    MHD_suspend_connection(v->connection);
    v->suspended = true;
    if (make_watch(v))
        uv_poll_start(v->watch, UV_DISCONNECT, on_end_of_connection);
}

void visit_advance(visit *v)
{
    if (v->answered ? talk_bytes(v->talk).len || talk_is_over(v->talk) : talk_is_ready(v->talk))
        resume(v);
}

visit *visit_of(const serve *s, const talk *t)
{
    visit *v = s->visits;
    while (v && v->talk != t)
        v = v->next;
    return v;
}

void visit_cut_late(serve *s, bool all)
{
    uint64_t now = uv_now(&s->loop);
    for (visit *v = s->visits; v; v = v->next) {
        fault f;
        bool late = now - v->began >= s->options.request_ms;
        if (!v->talk || !(all || late))
            continue;
        fault_set(&f, 503, NULL, late ? "The reply took too long." : "The server is ending.");
        talk_cut(v->talk, &f);
        visit_advance(v);
    }
}

/* ---- responses ------------------------------------------------------------------------------- */

static void add_header(struct MHD_Response *r, const char *name, const char *value)
{
    MHD_add_response_header(r, name, value);
}

static enum MHD_Result send_json(visit *v, unsigned status, rdv_str json)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(json.len, (void *)(uintptr_t)json.p, MHD_RESPMEM_MUST_COPY);
    if (!r)
        return MHD_NO;
    add_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    if (status == 401)
        add_header(r, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    if (status == 405)
        add_header(r, MHD_HTTP_HEADER_ALLOW, door_takes_post(v->route) ? "POST" : "GET, HEAD");
    if (status == 429 || status == 503)
        add_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    if (v->s->stopping)
        add_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    v->status = status;
    v->answered = true;
    enum MHD_Result result = MHD_queue_response(v->connection, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_fault(visit *v, const fault *f)
{
    rdv_buf b;
    rdv_buf_init(&b, v->arena, 0);
    reply_fault(&b, f);
    return rdv_buf_ok(&b) ? send_json(v, f->status, rdv_buf_str(&b)) : MHD_NO;
}

static ssize_t read_stream(void *of, uint64_t position, char *buffer, size_t room)
{
    visit *v = of;
    rdv_str bytes = talk_bytes(v->talk);
    (void)position;
    if (v->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (bytes.len == 0 && talk_is_over(v->talk))
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (bytes.len == 0) {
        suspend(v);
        return 0;
    }
    size_t n = bytes.len < room ? bytes.len : room;
    memcpy(buffer, bytes.p, n);
    talk_sent(v->talk, n);
    return (ssize_t)n;
}

static enum MHD_Result send_stream(visit *v)
{
    struct MHD_Response *r =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, v, NULL);
    if (!r)
        return MHD_NO;
    add_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    add_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    v->status = 200;
    v->answered = true;
    enum MHD_Result result = MHD_queue_response(v->connection, 200, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_talk(visit *v)
{
    if (v->gone)
        return MHD_NO;
    if (talk_streams(v->talk))
        return send_stream(v);
    return send_json(v, talk_status(v->talk), talk_bytes(v->talk));
}

/* ---- a whole request ------------------------------------------------------------------------- */

static enum MHD_Result begin_talk(visit *v)
{
    fault f;
    rdv_str body = {v->body ? v->body : "", v->len};
    ask_form form = v->route == ROUTE_CHAT ? ASK_CHAT : ASK_TEXT;
    if (v->too_long) {
        door_say_too_long(&v->s->options, &f);
        return send_fault(v, &f);
    }
    if (!talk_new(&v->s->house, form, body, &v->talk, &f))
        return send_fault(v, &f);
    free(v->body);
    v->body = NULL;
    v->len = v->cap = 0;
    suspend(v);
    serve_wake(v->s);
    return MHD_YES;
}

static bool is_name(const serve_options *o, const char *name)
{
    for (size_t i = 0; i < o->n_names; i++)
        if (rdv_str_eq(o->names[i], rdv_str_of(name)))
            return true;
    return false;
}

static enum MHD_Result show_model(visit *v)
{
    rdv_buf b;
    fault f;
    const serve_options *o = &v->s->options;
    rdv_buf_init(&b, v->arena, 0);
    if (!is_name(o, v->model)) {
        fault_set(&f, 404, "model", "There is no such model here.");
        f.code = "model_not_found";
        return send_fault(v, &f);
    }
    reply_model(&b, rdv_str_of(v->model), v->s->began, o->context);
    return rdv_buf_ok(&b) ? send_json(v, 200, rdv_buf_str(&b)) : MHD_NO;
}

static enum MHD_Result show_models(visit *v)
{
    rdv_buf b;
    const serve_options *o = &v->s->options;
    rdv_buf_init(&b, v->arena, 0);
    reply_models(&b, o->names, o->n_names, v->s->began, o->context);
    return rdv_buf_ok(&b) ? send_json(v, 200, rdv_buf_str(&b)) : MHD_NO;
}

static enum MHD_Result dispatch(visit *v)
{
    if (v->peer)
        v->peer->busy = true;
    if (v->faulty)
        return send_fault(v, &v->fault);
    switch (v->route) {
    case ROUTE_CHAT:
    case ROUTE_TEXT:
        return begin_talk(v);
    case ROUTE_MODELS:
        return show_models(v);
    case ROUTE_MODEL:
        return show_model(v);
    case ROUTE_HEALTH:
        return send_json(v, 200, RDV_STR("{\"status\":\"ok\"}"));
    case ROUTE_NONE:
        break;
    }
    return MHD_NO;
}

/* ---- its pieces ------------------------------------------------------------------------------ */

/* False: the connection is to be dropped. */
static bool keep_piece(visit *v, const char *piece, size_t n)
{
    size_t most = v->s->options.max_body;
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
static enum MHD_Result begin(visit *v)
{
    fault *f = &v->fault;
    const serve_options *o = &v->s->options;
    size_t length = door_length(v->connection);
    if (length > o->max_body)
        door_say_too_long(o, f);
    if (length / DISCARD_TIMES > o->max_body)
        return send_fault(v, f);
    v->faulty = length > o->max_body || !door_check(v->connection, o, v->route, v->method, f);
    if (v->s->stopping)
        v->faulty = !fault_set(f, 503, NULL, "The server is ending.");
    return MHD_YES;
}

enum MHD_Result visit_request(void *server, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **of)
{
    visit *v = *of;
    (void)version;
    if (!v) {
        *of = v = new_visit(server, connection, url, method);
        return v ? begin(v) : MHD_NO;
    }
    if (*upload_size) {
        bool kept = keep_piece(v, upload, *upload_size);
        *upload_size = 0;
        return kept ? MHD_YES : MHD_NO;
    }
    if (v->answered)
        return MHD_YES;
    return v->talk ? send_talk(v) : dispatch(v);
}
