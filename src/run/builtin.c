/* SPDX-License-Identifier: Apache-2.0 */
#include "run/builtin.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/builtin_words.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

typedef enum job_state {
    JOB_NEW,      /* in the inbox */
    JOB_OUT,      /* the engine has it */
    JOB_ENDED,    /* its last event is in the outbox, or was */
    JOB_CANCELLED /* nobody waits for it: the thread frees it */
} job_state;

/* Changed under the mutex, but for what only the thread looks at. */
struct builtin_job {
    job_state state;
    void *owner;
    rdv_arena *arena; /* of what is asked */
    builtin_ask ask;
    builtin_event *failure; /* made beforehand, so that it can be told when memory is short */
    uint64_t id, engine;    /* which job of which engine; the thread's alone */
    builtin_job *before, *next;
};

typedef struct job_list {
    builtin_job *first, *last;
} job_list;

struct builtin {
    const rdv_lm *lm;
    rdv_lm_engine *engine; /* the thread's; NULL: there is no memory for one */
    uint64_t ended;        /* engines before this one */
    void (*wake)(void *);
    void *payload;
    uv_thread_t thread;
    uv_mutex_t mutex; /* of all that follows */
    uv_cond_t work;
    job_list fresh;     /* JOB_NEW */
    job_list out;       /* JOB_OUT, and ended until that was taken */
    job_list cancelled; /* JOB_CANCELLED */
    builtin_event *first, *last;
    bool ending;
};

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

static void free_job(builtin_job *job)
{
    builtin_event_free(&job->failure);
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

static builtin_event *new_event(builtin_job *job, builtin_is is)
{
    builtin_event *event = calloc(1, sizeof *event);
    if (!event)
        return NULL;
    event->arena = rdv_arena_new(0);
    if (!event->arena) {
        free(event);
        return NULL;
    }
    event->is = is;
    event->owner = job->owner;
    event->job = job;
    return event;
}

void builtin_event_free(builtin_event **event)
{
    if (!event || !*event)
        return;
    rdv_arena_free(&(*event)->arena);
    free(*event);
    *event = NULL;
}

/* From the thread: hand it over, unless nobody waits for it any more. */
static void post(builtin *b, builtin_event *event)
{
    builtin_job *job = event->job;
    uv_mutex_lock(&b->mutex);
    bool wanted = job->state == JOB_OUT;
    if (wanted && event->is != BUILTIN_PIECE)
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
        b->wake(b->payload);
    else
        builtin_event_free(&event);
}

/* What a request that the engine did not take, or could not finish, fails as. */
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
    event->fault = fault;
    event->failure = failure_of(fault);
    snprintf(event->why, sizeof event->why, "%.*s", (int)sizeof event->why - 1, why);
    post(b, event);
}

static void post_news(builtin *b, const rdv_lm_event *news)
{
    builtin_job *job = news->user;
    bool done = news->is == RDV_LM_DONE;
    builtin_event *event = new_event(job, done ? BUILTIN_REPLY : BUILTIN_PIECE);
    if (event && words_of_event(b->lm, news, event->arena, event) == RDV_OK) {
        post(b, event);
        return;
    }
    builtin_event_free(&event);
    if (done)
        post_failure(b, job, RDV_E_NOMEM, "out of memory keeping a reply");
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void submit(builtin *b, builtin_job *job)
{
    rdv_error err = {0};
    rdv_lm_job what;
    int rc = words_of_ask(b->lm, &job->ask, job->arena, &what, &err);
    what.user = job;
    job->engine = b->ended;
    if (rc == RDV_OK)
        rc = rdv_lm_submit(b->engine, &what, &job->id, &err);
    if (rc != RDV_OK)
        post_failure(b, job, rc, err.msg);
}

/* The next job that is new, now out; NULL: none is. */
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
    rdv_lm_options options = {.sequences = BUILTIN_SEQUENCES, .cache_bytes = BUILTIN_CACHE_BYTES};
    return rdv_lm_engine_new(&b->engine, b->lm, &options, err);
}

/* After a fault an engine is of no use: what it had fails, and the next job makes a new one. */
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

/* Wait until there is something to do; false: the end. */
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

/* ---- from outside ---------------------------------------------------------------------------- */

/* Signals are for the thread that runs the event loop: none comes to those that are made here. */
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

int builtin_new(builtin **out, const rdv_lm *lm, void (*wake)(void *), void *payload,
                rdv_error *err)
{
    *out = NULL;
    builtin *b = calloc(1, sizeof *b);
    if (!b)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    b->lm = lm;
    b->wake = wake;
    b->payload = payload;
    if (uv_mutex_init(&b->mutex) != 0) {
        free(b);
        return rdv_fail(err, RDV_E_IO, "the built-in model cannot be started");
    }
    int rc = uv_cond_init(&b->work) == 0
                 ? RDV_OK
                 : rdv_fail(err, RDV_E_IO, "the built-in model cannot be started");
    if (rc == RDV_OK) {
        rc = start_threads(b, err);
        if (rc != RDV_OK)
            uv_cond_destroy(&b->work);
    }
    if (rc == RDV_OK) {
        *out = b;
        return RDV_OK;
    }
    uv_mutex_destroy(&b->mutex);
    free(b);
    return rc;
}

void builtin_free(builtin **handle)
{
    builtin *b = handle ? *handle : NULL;
    if (!b)
        return;
    *handle = NULL;
    uv_mutex_lock(&b->mutex);
    b->ending = true;
    uv_cond_signal(&b->work);
    uv_mutex_unlock(&b->mutex);
    uv_thread_join(&b->thread);
    rdv_lm_engine_free(&b->engine);
    for (builtin_event *event; (event = b->first);) {
        b->first = event->next;
        builtin_event_free(&event);
    }
    free_jobs(&b->fresh);
    free_jobs(&b->out);
    free_jobs(&b->cancelled);
    uv_cond_destroy(&b->work);
    uv_mutex_destroy(&b->mutex);
    free(b);
}

int builtin_start(builtin *b, const builtin_ask *ask, void *owner, builtin_job **out,
                  rdv_error *err)
{
    builtin_job *job = calloc(1, sizeof *job);
    *out = NULL;
    if (!job)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    job->owner = owner;
    job->arena = rdv_arena_new(0);
    job->failure = new_event(job, BUILTIN_FAILED);
    if (!job->arena || !job->failure || words_copy_ask(ask, job->arena, &job->ask) != RDV_OK) {
        free_job(job);
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    }
    uv_mutex_lock(&b->mutex);
    push(&b->fresh, job);
    uv_cond_signal(&b->work);
    uv_mutex_unlock(&b->mutex);
    *out = job;
    return RDV_OK;
}

builtin_event *builtin_next(builtin *b)
{
    uv_mutex_lock(&b->mutex);
    builtin_event *event = b->first;
    if (event) {
        b->first = event->next;
        if (!b->first)
            b->last = NULL;
        event->next = NULL;
        if (event->is != BUILTIN_PIECE) {
            take_out(&b->out, event->job);
            free_job(event->job);
            event->job = NULL;
        }
    }
    uv_mutex_unlock(&b->mutex);
    return event;
}

/* Those of a job that nobody waits for. */
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
        builtin_event_free(&event);
    }
    b->last = kept;
}

void builtin_cancel(builtin *b, builtin_job *job)
{
    uv_mutex_lock(&b->mutex);
    if (job->state == JOB_NEW) {
        take_out(&b->fresh, job);
        free_job(job);
    } else {
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
    uv_mutex_unlock(&b->mutex);
}
