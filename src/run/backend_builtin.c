/* SPDX-License-Identifier: Apache-2.0 */
#include "run/backend_builtin.h"
#include "base/arena.h"
#include "run/builtin_text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#define MARKS 16     /* bytes that stand for the marks of a turn in a budget */
#define SWEEP_MS 100 /* interval of the check for calls that take too long */

typedef enum job_state {
    JOB_NEW,      /* in the inbox */
    JOB_OUT,      /* the engine has it */
    JOB_ENDED,    /* its last event is or was in the outbox */
    JOB_CANCELLED /* no caller waits for it: the thread frees it */
} job_state;

typedef struct builtin_job builtin_job;

/* An event of a job, on its way from the thread. */
typedef struct builtin_event {
    backend_event told;
    builtin_job *job;
    struct builtin_event *next;
} builtin_event;

/* Protected by the mutex, except members that only the thread uses. */
struct builtin_job {
    job_state state;
    backend_call *call;
    uint64_t started; /* with a run: time of its clock */
    rdv_arena *arena; /* holds the request */
    rdv_request request;
    unsigned extras;
    builtin_event *failure; /* allocated in advance, so that it can be reported when memory runs
                               out */
    uint64_t id, engine;    /* number of the job, and of its engine; used by the thread only */
    bool lost_piece;        /* for want of memory; used by the thread only */
    builtin_job *before, *next;
};

typedef struct job_list {
    builtin_job *first, *last;
} job_list;

typedef struct builtin {
    backend base;
    backend_builtin_options options;
    uint64_t swept_ms;
    rdv_lm_engine *engine; /* used by the thread only; NULL: out of memory */
    uint64_t ended;        /* number of engines before this one */
    uv_thread_t thread;
    uv_mutex_t mutex; /* protects everything below */
    uv_cond_t work;
    job_list fresh;     /* JOB_NEW */
    job_list out;       /* JOB_OUT, and ended jobs until their event was taken */
    job_list cancelled; /* JOB_CANCELLED */
    builtin_event *first, *last;
    bool ending;
} builtin;

/* ---- lists ----------------------------------------------------------------------------------- */

static void push(job_list *list, builtin_job *job)
{
    job->next = NULL;
    job->before = list->last;
    if (list->last)
        list->last->next = job;
    else
        list->first = job;
    list->last = job;
}

static void take_out(job_list *list, builtin_job *job)
{
    if (job->before)
        job->before->next = job->next;
    else
        list->first = job->next;
    if (job->next)
        job->next->before = job->before;
    else
        list->last = job->before;
    job->before = job->next = NULL;
}

static void free_event(builtin_event *event)
{
    if (event)
        rdv_arena_free(&event->told.arena);
    free(event);
}

static void free_job(builtin_job *job)
{
    free_event(job->failure);
    rdv_arena_free(&job->arena);
    free(job);
}

static void free_jobs(job_list *list)
{
    for (builtin_job *job; (job = list->first);) {
        take_out(list, job);
        free_job(job);
    }
}

/* ---- events ---------------------------------------------------------------------------------- */

static builtin_event *new_event(builtin_job *job, backend_event_kind kind)
{
    builtin_event *event = calloc(1, sizeof *event);
    if (!event)
        return NULL;
    event->told = (backend_event){.kind = kind, .call = job->call, .arena = rdv_arena_new(0)};
    event->job = job;
    if (event->told.arena)
        return event;
    free(event);
    return NULL;
}

/* On the thread: hand the event over, unless no caller waits for it. */
static void post(builtin *b, builtin_event *event)
{
    builtin_job *job = event->job;
    uv_mutex_lock(&b->mutex);
    bool wanted = job->state == JOB_OUT;
    if (wanted && event->told.kind != BACKEND_PIECE)
        job->state = JOB_ENDED;
    if (wanted) {
        if (b->last)
            b->last->next = event;
        else
            b->first = event;
        b->last = event;
    }
    uv_mutex_unlock(&b->mutex);
    if (wanted)
        b->options.wake(b->options.payload);
    else
        free_event(event);
}

/* The failure of a request that the engine refused or could not complete. */
static rdv_failure failure_of(int fault)
{
    if (fault == RDV_NONE)
        return RDV_FAIL_UNAVAILABLE;
    return fault == RDV_E_NOMEM ? RDV_FAIL_UNREADABLE : RDV_FAIL_REFUSED;
}

static void post_failure(builtin *b, builtin_job *job, int fault, const char *why)
{
    builtin_event *event = job->failure;
    job->failure = NULL;
    event->told.fault = fault;
    event->told.failure = failure_of(fault);
    snprintf(event->told.why, sizeof event->told.why, "%s", why);
    post(b, event);
}

static void post_news(builtin *b, const rdv_lm_event *news)
{
    builtin_job *job = news->user;
    bool done = news->kind == RDV_LM_DONE;
    builtin_event *event =
        job->lost_piece ? NULL : new_event(job, done ? BACKEND_REPLY : BACKEND_PIECE);
    if (event && builtin_text_event(b->options.lm, &job->request, news, event->told.arena,
                                    &event->told) == RDV_OK) {
        post(b, event);
        return;
    }
    free_event(event);
    job->lost_piece = !done;
    if (done)
        post_failure(b, job, RDV_E_NOMEM, "out of memory keeping a reply");
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void submit(builtin *b, builtin_job *job)
{
    rdv_error err = {0};
    rdv_lm_job what;
    int rc = builtin_text_job(b->options.lm, &job->request, job->extras, job->arena, &what, &err);
    what.user = job;
    job->engine = b->ended;
    if (rc == RDV_OK)
        rc = rdv_lm_submit(b->engine, &what, &job->id, &err);
    if (rc != RDV_OK)
        post_failure(b, job, rc, err.msg);
}

/* Take the next new job, which becomes JOB_OUT; NULL: there is none. */
static builtin_job *next_fresh(builtin *b)
{
    uv_mutex_lock(&b->mutex);
    builtin_job *job = b->fresh.first;
    if (job) {
        take_out(&b->fresh, job);
        job->state = JOB_OUT;
        push(&b->out, job);
    }
    uv_mutex_unlock(&b->mutex);
    return job;
}

static void drop_cancelled(builtin *b)
{
    uv_mutex_lock(&b->mutex);
    job_list dropped = b->cancelled;
    b->cancelled = (job_list){0};
    uv_mutex_unlock(&b->mutex);
    for (builtin_job *job = dropped.first; job; job = job->next)
        if (job->id && job->engine == b->ended)
            rdv_lm_cancel(b->engine, job->id);
    free_jobs(&dropped);
}

static int new_engine(builtin *b, rdv_error *err)
{
    rdv_lm_options options = {.sequences = BACKEND_BUILTIN_SEQUENCES,
                              .cache_bytes = BACKEND_BUILTIN_CACHE_BYTES};
    return rdv_lm_engine_new(&b->engine, b->options.lm, &options, err);
}

/* An engine is unusable after a fault: its jobs fail, and the next job makes a new engine. */
static void end_engine(builtin *b, const char *why)
{
    rdv_lm_engine_free(&b->engine);
    b->ended++;
    for (;;) {
        uv_mutex_lock(&b->mutex);
        builtin_job *job = b->out.first;
        while (job && job->state != JOB_OUT)
            job = job->next;
        uv_mutex_unlock(&b->mutex);
        if (!job)
            break;
        post_failure(b, job, RDV_E_NOMEM, why);
    }
}

/* Wait until there is work; false: the thread is to end. */
static bool wait_for_work(builtin *b, bool idle)
{
    uv_mutex_lock(&b->mutex);
    while (idle && !b->ending && !b->fresh.first && !b->cancelled.first)
        uv_cond_wait(&b->work, &b->mutex);
    bool goes_on = !b->ending;
    uv_mutex_unlock(&b->mutex);
    return goes_on;
}

static void submit_fresh(builtin *b)
{
    for (builtin_job *job; (job = next_fresh(b));) {
        if (b->engine || new_engine(b, NULL) == RDV_OK)
            submit(b, job);
        else
            post_failure(b, job, RDV_E_NOMEM, "no memory for the built-in model");
    }
}

static void work(void *of)
{
    builtin *b = of;
    for (bool idle = false; wait_for_work(b, idle);) {
        rdv_error err = {0};
        rdv_lm_event news;
        drop_cancelled(b);
        submit_fresh(b);
        if (!b->engine) {
            idle = true;
            continue;
        }
        int rc = rdv_lm_step(b->engine, &err);
        while (rdv_lm_poll(b->engine, &news) == RDV_OK)
            post_news(b, &news);
        if (rc < 0)
            end_engine(b, err.msg);
        idle = rc == RDV_NONE;
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static builtin_job *new_job(backend_call *c)
{
    builtin_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->call = c;
    job->extras = c->extras;
    job->arena = rdv_arena_new(0);
    job->failure = new_event(job, BACKEND_FAILED);
    if (job->arena && job->failure &&
        builtin_text_copy(c->request, job->arena, &job->request) == RDV_OK)
        return job;
    free_job(job);
    return NULL;
}

static size_t bytes_of(const rdv_request *request)
{
    size_t bytes = request->text.len;
    for (size_t i = 0; i < request->n_steps; i++)
        bytes += request->steps[i].len;
    for (size_t i = 0; i < request->n_messages; i++)
        bytes += request->messages[i].text.len;
    return bytes;
}

/* The bytes of the texts, and of the marks of a turn or a step, which are a few tokens. */
static size_t most_bytes(const rdv_request *request)
{
    return bytes_of(request) + MARKS * (1 + request->n_messages + request->n_steps);
}

static bool reserve(const builtin *b, backend_call *c, uint32_t context)
{
    const rdv_request *r = c->request;
    bool writes = r->kind == RDV_REQUEST_CHAT || r->kind == RDV_REQUEST_CONTINUE;
    uint32_t most = r->sampling.max_tokens;
    c->bytes = bytes_of(r);
    c->limit = !writes ? 0 : most && most < context ? most : context;
    int rc = run_reserve(b->options.run, &b->base.seen, most_bytes(r), c->limit, &c->held);
    c->too_dear = rc == RDV_NONE;
    return rc == RDV_OK;
}

static int start(backend *of, backend_call *c, rdv_error *err)
{
    builtin *b = (builtin *)of;
    run_context *run = b->options.run;
    if (run && !run_may_spend(run))
        return RDV_LATER;
    rdv_lm_info about;
    rdv_lm_about(b->options.lm, &about);
    if (c->request->kind == RDV_REQUEST_REWARD && !about.step_head) {
        (void)rdv_fail(err, RDV_NONE,
                       "this built-in model has no step head, so it gives no rewards");
        return RDV_NONE;
    }
    if (run && !reserve(b, c, about.context))
        return RDV_LATER;
    builtin_job *job = new_job(c);
    if (!job) {
        if (run)
            run_release(run, &c->held);
        return rdv_no_memory(err);
    }
    job->started = run ? run_now(run) : 0;
    uv_mutex_lock(&b->mutex);
    push(&b->fresh, job);
    uv_cond_signal(&b->work);
    uv_mutex_unlock(&b->mutex);
    c->state = job;
    if (run)
        account_charge_call(&run->account);
    of->totals.calls++;
    return RDV_OK;
}

/* Drop the events of a job that no caller waits for. */
static void drop_events(builtin *b, const builtin_job *job)
{
    builtin_event *kept = NULL, **at = &b->first;
    while (*at) {
        builtin_event *event = *at;
        if (event->job != job) {
            kept = event;
            at = &event->next;
            continue;
        }
        *at = event->next;
        free_event(event);
    }
    b->last = kept;
}

/* Under the mutex: drop the job; no further event of it is reported. */
static void drop_job(builtin *b, builtin_job *job)
{
    if (job->state == JOB_NEW) {
        take_out(&b->fresh, job);
        free_job(job);
        return;
    }
    drop_events(b, job);
    take_out(&b->out, job);
    if (job->state == JOB_ENDED) {
        free_job(job);
    } else {
        job->state = JOB_CANCELLED;
        push(&b->cancelled, job);
        uv_cond_signal(&b->work);
    }
}

static void cancel(backend *of, backend_call *c)
{
    builtin *b = (builtin *)of;
    uv_mutex_lock(&b->mutex);
    if (c->state)
        drop_job(b, c->state);
    uv_mutex_unlock(&b->mutex);
    c->state = NULL;
}

static bool take_event(builtin *b, backend_event *out)
{
    builtin_event *event = b->first;
    if (!event)
        return false;
    b->first = event->next;
    if (!b->first)
        b->last = NULL;
    *out = event->told;
    if (out->kind != BACKEND_PIECE) {
        take_out(&b->out, event->job);
        free_job(event->job);
        out->call->state = NULL;
    }
    free(event);
    return true;
}

static builtin_job *find_late(const job_list *list, const run_context *run)
{
    uint64_t now = run_now(run);
    builtin_job *job = list->first;
    while (job && now - job->started < run->options.timeout_ms)
        job = job->next;
    return job;
}

/* Cancel a call that has taken too long. */
static bool take_late(builtin *b, backend_event *out)
{
    const run_context *run = b->options.run;
    if (!run || !run->options.timeout_ms || run_now(run) - b->swept_ms < SWEEP_MS)
        return false;
    builtin_job *job = find_late(&b->out, run);
    if (!job)
        job = find_late(&b->fresh, run);
    if (!job) {
        b->swept_ms = run_now(run);
        return false;
    }
    *out = (backend_event){.kind = BACKEND_FAILED, .call = job->call, .failure = RDV_FAIL_TIMEOUT};
    snprintf(out->why, sizeof out->why, "no reply within %g s", run->options.timeout_ms / 1000.0);
    drop_job(b, job);
    out->call->state = NULL;
    return true;
}

static int next(backend *of, rdv_arena *arena, backend_event *out, rdv_error *err)
{
    builtin *b = (builtin *)of;
    uv_mutex_lock(&b->mutex);
    bool any = take_event(b, out) || take_late(b, out);
    uv_mutex_unlock(&b->mutex);
    return any ? RDV_OK : RDV_NONE;
}

/* ---- creation and release -------------------------------------------------------------------- */

/* Signals are for the thread that runs the event loop: they are blocked in the threads made
 * here. */
static int start_threads(builtin *b, rdv_error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = new_engine(b, err);
    if (rc == RDV_OK && uv_thread_create(&b->thread, work, b) != 0) {
        rdv_lm_engine_free(&b->engine);
        rc = rdv_fail(err, RDV_E_IO, "a thread for the built-in model cannot be started");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

static int init(builtin *b, rdv_error *err)
{
    if (uv_mutex_init(&b->mutex) != 0)
        return rdv_fail(err, RDV_E_IO, "the built-in model cannot be started");
    if (uv_cond_init(&b->work) != 0) {
        uv_mutex_destroy(&b->mutex);
        return rdv_fail(err, RDV_E_IO, "the built-in model cannot be started");
    }
    int rc = start_threads(b, err);
    if (rc != RDV_OK) {
        uv_cond_destroy(&b->work);
        uv_mutex_destroy(&b->mutex);
    }
    return rc;
}

static void free_builtin(backend *of)
{
    builtin *b = (builtin *)of;
    uv_mutex_lock(&b->mutex);
    b->ending = true;
    uv_cond_signal(&b->work);
    uv_mutex_unlock(&b->mutex);
    uv_thread_join(&b->thread);
    rdv_lm_engine_free(&b->engine);
    for (builtin_event *event; (event = b->first);) {
        b->first = event->next;
        free_event(event);
    }
    free_jobs(&b->fresh);
    free_jobs(&b->out);
    free_jobs(&b->cancelled);
    uv_cond_destroy(&b->work);
    uv_mutex_destroy(&b->mutex);
    free(b);
}

int backend_builtin_new(backend **out, const backend_builtin_options *options, rdv_error *err)
{
    static const backend_ops ops = {start, cancel, next, free_builtin, NULL, NULL};
    builtin *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return rdv_no_memory(err);
    *b = (builtin){.base = {.ops = &ops, .due = UINT64_MAX}, .options = *options};
    int rc = init(b, err);
    if (rc == RDV_OK)
        *out = &b->base;
    else
        free(b);
    return rc;
}
