/* SPDX-License-Identifier: Apache-2.0 */
#include "server/serve.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/inside.h"
#include "server/listen.h"

#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SWEEP_MS 250
#define LAST_MS 500 /* for a client to read that its reply was cut */
#define HEADER_BYTES                                                                               \
    ((size_t)32 * 1024) /* of a connection: its headers, and pieces of its body                    \
                         */

void serve_options_default(serve_options *options)
{
    *options = (serve_options){.listen = "127.0.0.1:8080",
                               .max_body = (size_t)1 << 20,
                               .connections = 256,
                               .replies = 512,
                               .receive_ms = 60 * 1000,
                               .request_ms = 600 * 1000,
                               .grace_ms = 5 * 1000};
}

/* ---- connections ----------------------------------------------------------------------------- */

static void on_connection(void *server, struct MHD_Connection *connection, void **of,
                          enum MHD_ConnectionNotificationCode what)
{
    serve *s = server;
    peer *p = *of;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        p = info ? calloc(1, sizeof *p) : NULL;
        if (!p)
            return;
        *p = (peer){.socket = info->connect_fd, .since = uv_now(&s->loop), .next = s->peers};
        if (s->peers)
            s->peers->before = p;
        s->peers = *of = p;
        return;
    }
    if (!p)
        return;
    if (p->before)
        p->before->next = p->next;
    else
        s->peers = p->next;
    if (p->next)
        p->next->before = p->before;
    free(p);
    *of = NULL;
}

/* Those that bring no request; libmicrohttpd's own timeout begins anew with every byte. At the end
 * also those that do not read what they are told. */
static void drop_slow(serve *s)
{
    uint64_t now = uv_now(&s->loop);
    bool over = s->end_by && now >= s->end_by + LAST_MS;
    for (peer *p = s->peers; p; p = p->next) {
        bool slow = s->stopping || now - p->since >= s->options.receive_ms;
        if (over || (!p->busy && slow))
            shutdown(p->socket, SHUT_RDWR);
    }
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void on_due(uv_timer_t *timer);

/* Let libmicrohttpd act, and come back when it wants to. */
static void act(serve *s)
{
    MHD_UNSIGNED_LONG_LONG ms;
    MHD_run(s->daemon);
    if (MHD_get_timeout(s->daemon, &ms) == MHD_YES)
        uv_timer_start(&s->due, on_due, ms, 0);
    else
        uv_timer_stop(&s->due);
}

static void take_news(serve *s)
{
    builtin_event *event;
    while ((event = s->house.responder.next(s->house.responder.self))) {
        visit *v = visit_of(s, talk_take(event));
        if (v)
            visit_advance(v);
    }
}

static void end_if_idle(serve *s)
{
    if (s->stopping && !s->visits)
        uv_stop(&s->loop);
}

static void turn(serve *s)
{
    take_news(s);
    act(s);
    end_if_idle(s);
}

static void on_due(uv_timer_t *timer)
{
    turn(timer->data);
}

static void on_sockets(uv_poll_t *poll, int status, int events)
{
    (void)status, (void)events;
    turn(poll->data);
}

static void on_news(uv_async_t *async)
{
    turn(async->data);
}

static void on_sweep(uv_timer_t *timer)
{
    serve *s = timer->data;
    drop_slow(s);
    visit_cut_late(s, s->end_by && uv_now(&s->loop) >= s->end_by);
    turn(s);
}

static void on_stop(uv_async_t *async)
{
    serve *s = async->data;
    if (s->stopping)
        return;
    s->stopping = true;
    s->end_by = uv_now(&s->loop) + s->options.grace_ms;
    int listening = MHD_quiesce_daemon(s->daemon);
    if (listening >= 0)
        close(listening);
    drop_slow(s);
    turn(s);
}

void serve_wake(serve *s)
{
    uv_async_send(&s->news);
}

void serve_stop(serve *s)
{
    uv_async_send(&s->stop);
}

int serve_run(serve *s, rdv_error *err)
{
    (void)err;
    turn(s);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    return RDV_OK;
}

rdv_str serve_url(const serve *s)
{
    return s->url;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void no_log(void *of, const char *format, va_list arguments)
{
    (void)of, (void)format, (void)arguments;
}

static int init_loop(serve *s, rdv_error *err)
{
    uv_loop_t *loop = &s->loop;
    if (uv_loop_init(loop) != 0)
        return rdv_fail(err, RDV_E_IO, "the event loop cannot be started");
    s->has_loop = true;
    s->due.data = s->sweep.data = s->news.data = s->stop.data = s->sockets.data = s;
    if (uv_timer_init(loop, &s->due) != 0 || uv_timer_init(loop, &s->sweep) != 0 ||
        uv_async_init(loop, &s->news, on_news) != 0 || uv_async_init(loop, &s->stop, on_stop) != 0)
        return rdv_fail(err, RDV_E_IO, "the event loop cannot be started");
    uv_timer_start(&s->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
    return RDV_OK;
}

static int start_daemon(serve *s, int listening, rdv_error *err)
{
    const serve_options *o = &s->options;
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, visit_request,
        s, MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL, MHD_OPTION_LISTEN_SOCKET, listening,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)o->connections, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)(o->receive_ms / 1000 + 1), MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEADER_BYTES,
        MHD_OPTION_NOTIFY_COMPLETED, visit_completed, s, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, s, MHD_OPTION_END);
    if (!s->daemon) {
        close(listening);
        return rdv_fail(err, RDV_E_IO, "the server cannot be started");
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (!info || uv_poll_init(&s->loop, &s->sockets, info->epoll_fd) != 0 ||
        uv_poll_start(&s->sockets, UV_READABLE, on_sockets) != 0)
        return rdv_fail(err, RDV_E_IO, "the server cannot be started");
    return RDV_OK;
}

/* ---- the model ------------------------------------------------------------------------------- */

static int start_builtin(void *self, const builtin_ask *what, void *owner, builtin_job **job,
                         rdv_error *err)
{
    return builtin_start(self, what, owner, job, err);
}

static builtin_event *next_of_builtin(void *self)
{
    return builtin_next(self);
}

static void cancel_builtin(void *self, builtin_job *job)
{
    builtin_cancel(self, job);
}

static void wake(void *server)
{
    serve_wake(server);
}

static int start_model(serve *s, rdv_error *err)
{
    const serve_options *o = &s->options;
    s->house = (talk_house){.names = o->names, .n_names = o->n_names, .most = o->replies};
    uint64_t random[2] = {(uint64_t)s->began, (uint64_t)getpid()};
    ssize_t got = getrandom(random, sizeof random, GRND_NONBLOCK);
    (void)got; /* without it, seeds and ids begin at the time */
    s->house.seed = random[0];
    s->house.prefix = random[1];
    if (o->responder) {
        s->house.responder = *o->responder;
        return RDV_OK;
    }
    int rc = builtin_new(&s->builtin, o->lm, wake, s, err);
    s->house.responder = (responder){start_builtin, next_of_builtin, cancel_builtin, s->builtin};
    return rc;
}

static int start(serve *s, rdv_error *err)
{
    int listening;
    int rc = init_loop(s, err);
    if (rc == RDV_OK)
        rc = start_model(s, err);
    if (rc == RDV_OK)
        rc = listen_at(s->options.listen, &listening, s->arena, &s->url, err);
    if (rc == RDV_OK)
        rc = start_daemon(s, listening, err);
    if (rc != RDV_OK)
        return rc;
    s->url = rdv_str_printf(s->arena, "%.*s/v1", RDV_FMT(s->url));
    return s->url.p ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

int serve_new(serve **out, const serve_options *options, rdv_error *err)
{
    *out = NULL;
    serve *s = calloc(1, sizeof *s);
    if (!s)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    s->options = *options;
    s->began = (int64_t)time(NULL);
    s->arena = rdv_arena_new(0);
    int rc = s->arena ? start(s, err) : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (rc == RDV_OK)
        *out = s;
    else
        serve_free(&s);
    return rc;
}

static void close_handle(uv_handle_t *handle, void *unused)
{
    (void)unused;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* Connections end before the loop does: they have handles on it. */
void serve_free(serve **handle)
{
    serve *s = handle ? *handle : NULL;
    if (!s)
        return;
    *handle = NULL;
    if (s->daemon) {
        visit_cut_late(s, true);
        MHD_run(s->daemon);
        if (s->sockets.loop)
            uv_poll_stop(&s->sockets);
        MHD_stop_daemon(s->daemon);
    }
    builtin_free(&s->builtin);
    if (s->has_loop) {
        uv_walk(&s->loop, close_handle, NULL);
        uv_run(&s->loop, UV_RUN_DEFAULT);
        uv_loop_close(&s->loop);
    }
    rdv_arena_free(&s->arena);
    free(s);
}
