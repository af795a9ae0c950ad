/* SPDX-License-Identifier: Apache-2.0 */
#include "server/serve.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/backend_builtin.h"
#include "server/connection.h"
#include "server/listen.h"
#include "server/loop_threads.h"
#include "run/survey/survey_memory.h"
#include <rederive/plan.h>

#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SWEEP_MS 250
#define LAST_MS 500 /* time for a client to read that its reply was cut */
#define BACKLOG 4096
#define OTHER_FILES 64           /* open files that are no connections of clients */
#define FILES_OF_CHECK 16        /* for a check that asks a model */
#define UPSTREAM_CONNECTIONS 256 /* kept open to the servers of models */
#define UPSTREAM_BODY ((size_t)16 << 20)
#define UPSTREAM_CONNECT_MS (15 * 1000)

struct serve {
    serve_options options;
    rdv_arena *arena;
    rdv_str url;
    uv_loop_t loop;
    uv_tcp_t listening;
    uv_timer_t sweep;
    uv_async_t news, stop;
    uv_check_t ending;    /* looks for the end once it was asked for */
    backend *model;       /* NULL: the built-in model is not served */
    upstreams *upstreams; /* NULL: no other is */
    loop_threads *threads;
    rdv_prompts *prompts;
    survey_memory **surveys; /* of each of options.models */
    connections connections;
    uv_signal_t hangup;
    bool has_loop;
    uint64_t end_by; /* when open requests are cut; 0: not stopping */
};

void serve_options_default(serve_options *options)
{
    *options = (serve_options){.listen = "127.0.0.1:8080",
                               .max_body = (size_t)1 << 20,
                               .connections = 12 * 1024,
                               .requests = 256,
                               .replies = 512,
                               .checks = 16,
                               .head_ms = 10 * 1000,
                               .body_ms = 60 * 1000,
                               .idle_ms = 15 * 1000,
                               .stall_ms = 30 * 1000,
                               .request_ms = 600 * 1000,
                               .idle_reply_ms = 60 * 1000,
                               .beat_ms = 10 * 1000,
                               .grace_ms = 5 * 1000};
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void end_if_idle(serve *s)
{
    if (s->end_by && connections_are_idle(&s->connections))
        uv_stop(&s->loop);
}

/* From other threads. */
static void on_news(uv_async_t *async)
{
    serve *s = async->data;
    connections_note(&s->connections);
}

static void on_check(uv_check_t *check)
{
    end_if_idle(check->data);
}

static void on_connection(uv_stream_t *listening, int status)
{
    serve *s = listening->data;
    if (status == 0)
        connections_accept(&s->connections, listening);
}

static void on_sweep(uv_timer_t *timer)
{
    serve *s = timer->data;
    uint64_t now = uv_now(&s->loop);
    connections_sweep(&s->connections);
    if (s->end_by && now >= s->end_by)
        connections_cut(&s->connections);
    if (s->end_by && now >= s->end_by + LAST_MS)
        connections_close(&s->connections);
}

/* Requests that have begun keep the rules that they began with. Servers are surveyed again: they
 * may have been replaced. */
static void on_hangup(uv_signal_t *signal, int number)
{
    serve *s = signal->data;
    access_list *now = s->options.reload(s->options.payload);
    (void)number;
    if (!now)
        return;
    access_adopt(now, s->connections.exchanges.access);
    access_release(&s->connections.exchanges.access);
    s->connections.exchanges.access = now;
    for (size_t i = 0; i < s->options.n_models; i++)
        survey_memory_forget(s->surveys[i]);
}

static void on_stop(uv_async_t *async)
{
    serve *s = async->data;
    if (s->end_by)
        return;
    uv_update_time(&s->loop); /* what the loop did before this may have taken seconds */
    s->end_by = uv_now(&s->loop) + s->options.grace_ms;
    uv_close((uv_handle_t *)&s->listening, NULL);
    connections_stop(&s->connections);
    uv_check_start(&s->ending, on_check);
}

void serve_stop(serve *s)
{
    uv_async_send(&s->stop);
}

void serve_run(serve *s)
{
    uv_run(&s->loop, UV_RUN_DEFAULT);
}

rdv_str serve_url(const serve *s)
{
    return s->url;
}

/* ---- start and end --------------------------------------------------------------------------- */

static int init_loop(serve *s, rdv_error *err)
{
    uv_loop_t *loop = &s->loop;
    if (uv_loop_init(loop) != 0)
        return rdv_fail(err, RDV_E_IO, "the event loop cannot be started");
    s->has_loop = true;
    s->sweep.data = s->news.data = s->stop.data = s->ending.data = s->listening.data = s;
    if (uv_timer_init(loop, &s->sweep) != 0 || uv_async_init(loop, &s->news, on_news) != 0 ||
        uv_async_init(loop, &s->stop, on_stop) != 0 || uv_check_init(loop, &s->ending) != 0)
        return rdv_fail(err, RDV_E_IO, "the event loop cannot be started");
    s->hangup.data = s;
    if (s->options.reload && (uv_signal_init(loop, &s->hangup) != 0 ||
                              uv_signal_start(&s->hangup, on_hangup, SIGHUP) != 0))
        return rdv_fail(err, RDV_E_IO, "the event loop cannot be started");
    uv_timer_start(&s->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
    return RDV_OK;
}

/* The loop takes over the socket. */
static int start_listening(serve *s, int listening, rdv_error *err)
{
    int code = uv_tcp_init(&s->loop, &s->listening);
    if (code == 0)
        code = uv_tcp_open(&s->listening, listening);
    if (code != 0)
        close(listening);
    else
        code = uv_listen((uv_stream_t *)&s->listening, BACKLOG, on_connection);
    if (code != 0)
        return rdv_fail(err, RDV_E_IO, "%s cannot be listened at: %s", s->options.listen,
                        uv_strerror(code));
    return RDV_OK;
}

/* Each request that is passed on has a connection to its model's server, and some are kept. */
static size_t other_files(const serve_options *o)
{
    bool servers = false;
    for (size_t i = 0; i < o->n_models; i++)
        servers |= o->models[i].n > 0;
    return OTHER_FILES +
           (servers ? o->requests + UPSTREAM_CONNECTIONS + o->checks * FILES_OF_CHECK : 0);
}

/* Raise the limit on open files as far as allowed; returns how many connections it leaves. */
static size_t allow_files(const serve_options *o)
{
    struct rlimit files;
    size_t wanted = o->connections, others = other_files(o);
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return wanted;
    rlim_t needed = wanted + others, before = files.rlim_cur;
    if (files.rlim_cur < needed) {
        files.rlim_cur = files.rlim_max < needed ? files.rlim_max : needed;
        if (setrlimit(RLIMIT_NOFILE, &files) != 0)
            files.rlim_cur = before;
    }
    if (files.rlim_cur >= needed)
        return wanted;
    return files.rlim_cur > 2 * others ? files.rlim_cur - others : files.rlim_cur / 2;
}

static void wake(void *of)
{
    uv_async_send(&((serve *)of)->news);
}

static void on_upstream(void *of)
{
    connections_note(&((serve *)of)->connections);
}

/* *numbers: of options->models, in the serve's arena. */
static int add_upstreams(serve *s, const size_t **numbers, rdv_error *err)
{
    const serve_options *o = &s->options;
    const upstream_options of_servers = {.loop = &s->loop,
                                         .connections = UPSTREAM_CONNECTIONS,
                                         .max_body = UPSTREAM_BODY,
                                         .timeout_ms = o->request_ms,
                                         .idle_ms = o->idle_reply_ms,
                                         .connect_ms = UPSTREAM_CONNECT_MS,
                                         .wake = on_upstream,
                                         .payload = s};
    size_t *all = RDV_NEW_ARRAY(s->arena, size_t, o->n_models + 1);
    int rc = all ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < o->n_models && rc == RDV_OK; i++) {
        const serve_model *m = &o->models[i];
        if (m->n && !s->upstreams)
            rc = upstreams_new(&s->upstreams, &of_servers, err);
        if (m->n && rc == RDV_OK)
            rc = upstreams_add(s->upstreams, m->servers, m->n, m->key, &all[i], err);
    }
    *numbers = all;
    return rc;
}

static int add_surveys(serve *s, rdv_error *err)
{
    bool ok = (s->surveys = RDV_NEW_ARRAY(s->arena, survey_memory *, s->options.n_models + 1));
    for (size_t i = 0; i < s->options.n_models && ok; i++)
        ok = (s->surveys[i] = survey_memory_new());
    return ok ? RDV_OK : rdv_no_memory(err);
}

static void free_surveys(serve *s)
{
    for (size_t i = 0; i < s->options.n_models && s->surveys; i++)
        survey_memory_free(&s->surveys[i]);
}

static int start_models(serve *s, rdv_error *err)
{
    const serve_options *o = &s->options;
    backend_builtin_options of_model = {.lm = o->lm, .wake = wake, .payload = s};
    int64_t now = (int64_t)time(NULL);
    uint64_t random[2] = {(uint64_t)now, (uint64_t)getpid()};
    ssize_t got = getrandom(random, sizeof random, GRND_NONBLOCK);
    (void)got; /* if it fails, seeds and ids start from the time */
    const size_t *numbers = NULL;
    int rc = o->lm ? backend_builtin_new(&s->model, &of_model, err) : RDV_OK;
    if (rc == RDV_OK)
        rc = add_upstreams(s, &numbers, err);
    if (rc == RDV_OK)
        rc = add_surveys(s, err);
    if (rc == RDV_OK)
        rc = rdv_prompts_new(NULL, 0, &s->prompts, err);
    if (rc == RDV_OK && !(s->threads = loop_threads_new(&s->loop, o->checks)))
        rc = rdv_fail(err, RDV_E_IO, "the event loop cannot be started");
    relay_ctx relays = {.options = o,
                        .completions = {.backend = s->model,
                                        .names = o->names,
                                        .n_names = o->n_names,
                                        .warning = o->warning,
                                        .most = o->replies,
                                        .seed = random[0],
                                        .prefix = random[1]},
                        .upstreams = s->upstreams,
                        .numbers = numbers,
                        .loop = &s->loop,
                        .threads = s->threads,
                        .prompts = s->prompts,
                        .surveys = s->surveys,
                        .wake = connection_wake};
    s->connections = (connections){
        .loop = &s->loop,
        .most = allow_files(o),
        .exchanges = {
            .options = o, .relays = relays, .access = access_hold(o->access), .now.began = now}};
    if (rc == RDV_OK && !connections_init(&s->connections))
        rc = rdv_fail(err, RDV_E_IO, "the event loop cannot be started");
    return rc;
}

static int start(serve *s, rdv_error *err)
{
    int listening;
    int rc = init_loop(s, err);
    if (rc == RDV_OK)
        rc = start_models(s, err);
    if (rc == RDV_OK)
        rc = listen_at(s->options.listen, &listening, s->arena, &s->url, err);
    if (rc == RDV_OK)
        rc = start_listening(s, listening, err);
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

/* Connections are freed by the loop, and cancel their completions at the model. */
void serve_free(serve **handle)
{
    serve *s = handle ? *handle : NULL;
    if (!s)
        return;
    *handle = NULL;
    if (s->has_loop) {
        connections_close(&s->connections);
        if (s->listening.type == UV_TCP && !uv_is_closing((uv_handle_t *)&s->listening))
            uv_close((uv_handle_t *)&s->listening, NULL);
        uv_run(&s->loop, UV_RUN_NOWAIT); /* frees their calls */
        loop_threads_free(&s->threads);
        upstreams_free(&s->upstreams);
        uv_walk(&s->loop, close_handle, NULL);
        uv_run(&s->loop, UV_RUN_DEFAULT);
    }
    access_release(&s->connections.exchanges.access);
    rdv_prompts_free(&s->prompts);
    free_surveys(s);
    backend_free(&s->model);
    if (s->has_loop)
        uv_loop_close(&s->loop);
    rdv_arena_free(&s->arena);
    free(s);
}
