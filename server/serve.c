/* SPDX-License-Identifier: Apache-2.0 */
#include "server/serve.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/backend_builtin.h"
#include "server/connection.h"
#include "server/listen.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define SWEEP_MS 250
#define LAST_MS 500 /* time for a client to read that its reply was cut */
#define HEADER_BYTES                                                                               \
    ((size_t)32 * 1024) /* of a connection: its headers, and pieces of its body                    \
                         */

struct serve {
    serve_options options;
    rdv_arena *arena;
    rdv_str url;
    uv_loop_t loop;
    uv_poll_t sockets;
    uv_timer_t due, sweep;
    uv_async_t news, stop;
    struct MHD_Daemon *daemon;
    backend *model;
    connections connections;
    bool has_loop;
    uint64_t end_by; /* when open requests are cut; 0: not stopping */
};

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

/* ---- the loop -------------------------------------------------------------------------------- */

static void on_due(uv_timer_t *timer);

/* Run libmicrohttpd, and set the timer for its next run. */
static void act(serve *s)
{
    MHD_UNSIGNED_LONG_LONG ms;
    MHD_run(s->daemon);
    if (MHD_get_timeout(s->daemon, &ms) == MHD_YES)
        uv_timer_start(&s->due, on_due, ms, 0);
    else
        uv_timer_stop(&s->due);
}

static void turn(serve *s)
{
    connections_take_events(&s->connections);
    act(s);
    if (s->connections.stopping && !s->connections.requests)
        uv_stop(&s->loop);
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
    uint64_t now = uv_now(&s->loop);
    connections_shut_slow(&s->connections, s->end_by && now >= s->end_by + LAST_MS);
    connections_cut_late(&s->connections, s->end_by && now >= s->end_by);
    turn(s);
}

static void on_stop(uv_async_t *async)
{
    serve *s = async->data;
    if (s->connections.stopping)
        return;
    s->connections.stopping = true;
    s->end_by = uv_now(&s->loop) + s->options.grace_ms;
    int listening = MHD_quiesce_daemon(s->daemon);
    if (listening >= 0)
        close(listening);
    connections_shut_slow(&s->connections, false);
    turn(s);
}

void serve_stop(serve *s)
{
    uv_async_send(&s->stop);
}

void serve_run(serve *s)
{
    turn(s);
    uv_run(&s->loop, UV_RUN_DEFAULT);
}

rdv_str serve_url(const serve *s)
{
    return s->url;
}

/* ---- start and end --------------------------------------------------------------------------- */

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
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        connection_handle, &s->connections, MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT, (unsigned)o->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(o->receive_ms / 1000 + 1),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEADER_BYTES, MHD_OPTION_NOTIFY_COMPLETED,
        connection_completed, &s->connections, MHD_OPTION_NOTIFY_CONNECTION, connection_notify,
        &s->connections, MHD_OPTION_END);
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

static void wake(void *of)
{
    uv_async_send(&((serve *)of)->news);
}

static int start_model(serve *s, rdv_error *err)
{
    const serve_options *o = &s->options;
    backend_builtin_options of_model = {.lm = o->lm, .wake = wake, .payload = s};
    int64_t now = (int64_t)time(NULL);
    uint64_t random[2] = {(uint64_t)now, (uint64_t)getpid()};
    ssize_t got = getrandom(random, sizeof random, GRND_NONBLOCK);
    (void)got; /* if it fails, seeds and ids start from the time */
    int rc = backend_builtin_new(&s->model, &of_model, err);
    s->connections = (connections){.options = o,
                                   .loop = &s->loop,
                                   .news = &s->news,
                                   .completions = {.backend = s->model,
                                                   .names = o->names,
                                                   .n_names = o->n_names,
                                                   .most = o->replies,
                                                   .seed = random[0],
                                                   .prefix = random[1]},
                                   .began = now};
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
    return s->url.p ? RDV_OK : rdv_no_memory(err);
}

int serve_new(serve **out, const serve_options *options, rdv_error *err)
{
    *out = NULL;
    serve *s = calloc(1, sizeof *s);
    if (!s)
        return rdv_no_memory(err);
    s->options = *options;
    s->arena = rdv_arena_new(0);
    int rc = s->arena ? start(s, err) : rdv_no_memory(err);
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

/* Connections must end before the loop, because they have handles on it. */
void serve_free(serve **handle)
{
    serve *s = handle ? *handle : NULL;
    if (!s)
        return;
    *handle = NULL;
    if (s->daemon) {
        connections_cut_late(&s->connections, true);
        MHD_run(s->daemon);
        if (s->sockets.loop)
            uv_poll_stop(&s->sockets);
        MHD_stop_daemon(s->daemon);
    }
    backend_free(&s->model);
    if (s->has_loop) {
        uv_walk(&s->loop, close_handle, NULL);
        uv_run(&s->loop, UV_RUN_DEFAULT);
        uv_loop_close(&s->loop);
    }
    rdv_arena_free(&s->arena);
    free(s);
}
