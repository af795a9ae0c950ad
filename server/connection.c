/* SPDX-License-Identifier: Apache-2.0 */
/* A connection is suspended while the model writes the reply to its request; meanwhile it is only
 * watched for its end. */
#include "server/connection.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/http_guard.h"
#include "server/reply.h"

#include <stdlib.h>
#include <sys/socket.h>

#define BLOCK 4096      /* most bytes of a stream sent at a time */
#define DISCARD_TIMES 4 /* a body longer than this multiple of max_body drops its connection */
#define LOGGED_PATH 64

typedef struct connection {
    int socket;
    uint64_t since; /* when it was opened, or answered its latest request */
    bool busy;      /* a complete request has arrived */
    struct connection *before, *next;
} connection;

/* A request, from its headers to the last byte of its response. */
typedef struct connection_request {
    connections *all;
    struct MHD_Connection *mhd;
    connection *on; /* NULL: out of memory when it was opened */
    http_route route;
    const char *method; /* a static string */
    char path[LOGGED_PATH];
    const char *model; /* HTTP_ROUTE_MODEL: in `arena` */
    char *body;
    size_t len, cap;
    bool too_long;
    api_error error;
    bool faulty; /* refused before its body was read */
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

/* Needed because libmicrohttpd's own timeout restarts with every byte. */
void connections_shut_slow(connections *all, bool every)
{
    uint64_t now = uv_now(all->loop);
    for (connection *c = all->open; c; c = c->next) {
        bool slow = all->stopping || now - c->since >= all->options->receive_ms;
        if (every || (!c->busy && slow))
            shutdown(c->socket, SHUT_RDWR);
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

static connection *connection_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static request *new_request(connections *all, struct MHD_Connection *mhd, const char *path,
                            const char *method)
{
    request *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    *self = (request){.all = all,
                      .mhd = mhd,
                      .on = connection_of(mhd),
                      .method = http_guard_method(method),
                      .arena = rdv_arena_new(0),
                      .began = uv_now(all->loop)};
    self->route = http_guard_route(path, &self->model);
    snprintf(self->path, sizeof self->path, "%s", path);
    if (self->model && self->arena)
        self->model = rdv_cstring(self->arena, rdv_str_of(self->model));
    if (!self->arena || (self->route == HTTP_ROUTE_MODEL && !self->model)) {
        rdv_arena_free(&self->arena);
        free(self);
        return NULL;
    }
    self->next = all->requests;
    if (all->requests)
        all->requests->before = self;
    all->requests = self;
    return self;
}

static void free_watch(uv_handle_t *handle)
{
    free(handle);
}

static void tell_log(const request *self)
{
    const serve_options *o = self->all->options;
    if (!o->log)
        return;
    serve_line line = {.method = self->method,
                       .path = self->path,
                       .status = self->gone ? 0 : self->status,
                       .seconds = (double)(uv_now(self->all->loop) - self->began) / 1000};
    if (self->completion) {
        completion_counts counts = completion_count(self->completion);
        line.replies = counts.replies;
        line.prompt_tokens = counts.prompt;
        line.completion_tokens = counts.completion;
    }
    o->log(o->payload, &line);
}

void connection_completed(void *all, struct MHD_Connection *mhd, void **of,
                          enum MHD_RequestTerminationCode why)
{
    request *self = *of;
    (void)all, (void)mhd;
    if (!self)
        return;
    *of = NULL;
    self->gone |= why != MHD_REQUEST_TERMINATED_COMPLETED_OK;
    tell_log(self);
    if (self->on) {
        self->on->busy = false;
        self->on->since = uv_now(self->all->loop);
    }
    if (self->watch)
        uv_close((uv_handle_t *)self->watch, free_watch);
    if (self->before)
        self->before->next = self->next;
    else
        self->all->requests = self->next;
    if (self->next)
        self->next->before = self->before;
    completion_free(&self->completion);
    free(self->body);
    rdv_arena_free(&self->arena);
    free(self);
}

/* ---- waiting for the model ------------------------------------------------------------------- */

static void resume(request *self)
{
    if (!self->suspended)
        return;
    self->suspended = false;
    if (self->watch)
        uv_poll_stop(self->watch);
    MHD_resume_connection(self->mhd);
}

/* The client closed its side, so nobody will read the reply. */
static void on_end_of_connection(uv_poll_t *watch, int status, int events)
{
    request *self = watch->data;
    api_error f;
    (void)status, (void)events;
    self->gone = true;
    api_error_set(&f, 499, NULL, "The client went away.");
    completion_cut(self->completion, &f);
    resume(self);
    uv_async_send(self->all->news);
}

static bool make_watch(request *self)
{
    uv_poll_t *watch = self->watch ? NULL : calloc(1, sizeof *watch);
    if (self->watch)
        return true;
    if (!watch)
        return false;
    if (!self->on || uv_poll_init_socket(self->all->loop, watch, self->on->socket) != 0) {
        free(watch);
        return false;
    }
    watch->data = self;
    self->watch = watch;
    return true;
}

/* Without a watch, the end is noticed only when there is something to send. */
static void suspend(request *self)
{
    MHD_suspend_connection(self->mhd);
    self->suspended = true;
    if (make_watch(self))
        uv_poll_start(self->watch, UV_DISCONNECT, on_end_of_connection);
}

static void advance(request *self)
{
    const completion *c = self->completion;
    if (self->answered ? completion_bytes(c).len || completion_is_over(c) : completion_is_ready(c))
        resume(self);
}

void connections_take_events(connections *all)
{
    backend *b = all->completions.backend;
    backend_event event;
    while (b->ops->next(b, NULL, &event, NULL) == RDV_OK) {
        const completion *c = completion_take(&event);
        request *self = all->requests;
        while (self && self->completion != c)
            self = self->next;
        if (self)
            advance(self);
    }
}

void connections_cut_late(connections *all, bool every)
{
    uint64_t now = uv_now(all->loop);
    for (request *self = all->requests; self; self = self->next) {
        api_error f;
        bool late = now - self->began >= all->options->request_ms;
        if (!self->completion || !(every || late))
            continue;
        api_error_set(&f, 503, NULL, late ? "The reply took too long." : "The server is ending.");
        completion_cut(self->completion, &f);
        advance(self);
    }
}

/* ---- responses ------------------------------------------------------------------------------- */

static void add_header(struct MHD_Response *r, const char *name, const char *value)
{
    MHD_add_response_header(r, name, value);
}

static enum MHD_Result send_json(request *self, unsigned status, rdv_str json)
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
                   http_guard_takes_post(self->route) ? "POST" : "GET, HEAD");
    if (status == 429 || status == 503)
        add_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    if (self->all->stopping)
        add_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    self->status = status;
    self->answered = true;
    enum MHD_Result result = MHD_queue_response(self->mhd, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_error(request *self, const api_error *f)
{
    rdv_buf b;
    rdv_buf_init(&b, self->arena, 0);
    api_error_write(&b, f);
    return rdv_buf_ok(&b) ? send_json(self, f->status, rdv_buf_str(&b)) : MHD_NO;
}

static ssize_t read_stream(void *of, uint64_t position, char *buffer, size_t room)
{
    request *self = of;
    rdv_str bytes = completion_bytes(self->completion);
    (void)position;
    if (self->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (bytes.len == 0 && completion_is_over(self->completion))
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (bytes.len == 0) {
        suspend(self);
        return 0;
    }
    size_t n = bytes.len < room ? bytes.len : room;
    memcpy(buffer, bytes.p, n);
    completion_sent(self->completion, n);
    return (ssize_t)n;
}

static enum MHD_Result send_stream(request *self)
{
    struct MHD_Response *r =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, self, NULL);
    if (!r)
        return MHD_NO;
    add_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    add_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    self->status = 200;
    self->answered = true;
    enum MHD_Result result = MHD_queue_response(self->mhd, 200, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_completion(request *self)
{
    if (self->gone)
        return MHD_NO;
    if (completion_streams(self->completion))
        return send_stream(self);
    return send_json(self, completion_status(self->completion), completion_bytes(self->completion));
}

/* ---- complete requests ----------------------------------------------------------------------- */

static enum MHD_Result begin_completion(request *self)
{
    api_error f;
    rdv_str body = {self->body ? self->body : "", self->len};
    completion_form form = self->route == HTTP_ROUTE_CHAT ? COMPLETION_CHAT : COMPLETION_TEXT;
    if (self->too_long) {
        http_guard_set_too_long(self->all->options, &f);
        return send_error(self, &f);
    }
    if (!completion_new(&self->all->completions, form, body, &self->completion, &f))
        return send_error(self, &f);
    free(self->body);
    self->body = NULL;
    self->len = self->cap = 0;
    suspend(self);
    uv_async_send(self->all->news);
    return MHD_YES;
}

static bool is_name(const serve_options *o, const char *name)
{
    for (size_t i = 0; i < o->n_names; i++)
        if (rdv_str_eq(o->names[i], rdv_str_of(name)))
            return true;
    return false;
}

static enum MHD_Result show_model(request *self)
{
    rdv_buf b;
    api_error f;
    const serve_options *o = self->all->options;
    rdv_buf_init(&b, self->arena, 0);
    if (!is_name(o, self->model)) {
        api_error_set(&f, 404, "model", "There is no such model here.");
        f.code = "model_not_found";
        return send_error(self, &f);
    }
    reply_model(&b, rdv_str_of(self->model), self->all->began, o->context);
    return rdv_buf_ok(&b) ? send_json(self, 200, rdv_buf_str(&b)) : MHD_NO;
}

static enum MHD_Result show_models(request *self)
{
    rdv_buf b;
    const serve_options *o = self->all->options;
    rdv_buf_init(&b, self->arena, 0);
    reply_models(&b, o->names, o->n_names, self->all->began, o->context);
    return rdv_buf_ok(&b) ? send_json(self, 200, rdv_buf_str(&b)) : MHD_NO;
}

static enum MHD_Result dispatch(request *self)
{
    if (self->on)
        self->on->busy = true;
    if (self->faulty)
        return send_error(self, &self->error);
    switch (self->route) {
    case HTTP_ROUTE_CHAT:
    case HTTP_ROUTE_TEXT:
        return begin_completion(self);
    case HTTP_ROUTE_MODELS:
        return show_models(self);
    case HTTP_ROUTE_MODEL:
        return show_model(self);
    case HTTP_ROUTE_HEALTH:
        return send_json(self, 200, RDV_STR("{\"status\":\"ok\"}"));
    case HTTP_ROUTE_NONE:
        break;
    }
    return MHD_NO;
}

/* ---- incoming data --------------------------------------------------------------------------- */

/* Append a piece of the body. False: the connection must be dropped. */
static bool keep_piece(request *self, const char *piece, size_t n)
{
    size_t most = self->all->options->max_body;
    if (self->faulty || self->too_long || n > most - self->len) {
        self->too_long |= !self->faulty;
        self->len += n; /* only counted */
        return self->len <= DISCARD_TIMES * most;
    }
    if (self->cap - self->len < n) {
        size_t cap = self->cap ? self->cap : BLOCK;
        while (cap < self->len + n)
            cap *= 2;
        char *body = realloc(self->body, cap);
        if (!body)
            return false;
        self->body = body;
        self->cap = cap;
    }
    memcpy(self->body + self->len, piece, n);
    self->len += n;
    return true;
}

/* Handle the headers. A body whose stated length is much too long is not waited for; one that is
 * slightly too long is read and discarded, so that the client reads the error. */
static enum MHD_Result begin(request *self)
{
    api_error *f = &self->error;
    const serve_options *o = self->all->options;
    size_t length = http_guard_length(self->mhd);
    if (length > o->max_body)
        http_guard_set_too_long(o, f);
    if (length / DISCARD_TIMES > o->max_body)
        return send_error(self, f);
    self->faulty =
        length > o->max_body || !http_guard_check(self->mhd, o, self->route, self->method, f);
    if (self->all->stopping)
        self->faulty = !api_error_set(f, 503, NULL, "The server is ending.");
    return MHD_YES;
}

enum MHD_Result connection_handle(void *all, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **of)
{
    request *self = *of;
    (void)version;
    if (!self) {
        *of = self = new_request(all, mhd, url, method);
        return self ? begin(self) : MHD_NO;
    }
    if (*upload_size) {
        bool kept = keep_piece(self, upload, *upload_size);
        *upload_size = 0;
        return kept ? MHD_YES : MHD_NO;
    }
    if (self->answered)
        return MHD_YES;
    return self->completion ? send_completion(self) : dispatch(self);
}
