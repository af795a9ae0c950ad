/* SPDX-License-Identifier: Apache-2.0 */
#include "server/loop_threads.h"

#include <rederive/math.h>
#include <stdlib.h>

typedef struct job_queue {
    loop_job *first, *last;
} job_queue;

struct loop_threads {
    uv_async_t news;
    uv_mutex_t lock;
    job_queue ended; /* their threads are about to end; under the lock */
    job_queue waiting;
    size_t n, most; /* jobs that run */
};

static void push(job_queue *q, loop_job *job)
{
    job->next = NULL;
    *(q->last ? &q->last->next : &q->first) = job;
    q->last = job;
}

static loop_job *pop(job_queue *q)
{
    loop_job *job = q->first;
    if (!job)
        return NULL;
    q->first = job->next;
    if (!q->first)
        q->last = NULL;
    return job;
}

static void take_out(job_queue *q, loop_job *job)
{
    loop_job *before = NULL;
    for (loop_job *i = q->first; i != job; i = i->next)
        before = i;
    *(before ? &before->next : &q->first) = job->next;
    if (q->last == job)
        q->last = before;
}

static void run(void *of)
{
    loop_job *job = of;
    loop_threads *t = job->threads;
    job->run(job);
    rdv_math_thread_end();
    uv_mutex_lock(&t->lock);
    push(&t->ended, job);
    uv_async_send(&t->news); /* under the lock: t is freed only by who has taken the job */
    uv_mutex_unlock(&t->lock);
}

static bool begin(loop_threads *t, loop_job *job)
{
    job->running = uv_thread_create(&job->thread, run, job) == 0;
    t->n += job->running;
    return job->running;
}

/* One that cannot begin ends without a result. */
static void begin_waiting(loop_threads *t)
{
    loop_job *job;
    while (t->n < t->most && (job = pop(&t->waiting)))
        if (!begin(t, job))
            loop_job_ended(job);
}

static loop_job *take_ended(loop_threads *t)
{
    uv_mutex_lock(&t->lock);
    loop_job *job = pop(&t->ended);
    uv_mutex_unlock(&t->lock);
    if (!job)
        return NULL;
    uv_thread_join(&job->thread);
    job->running = false;
    t->n--;
    return job;
}

static void on_news(uv_async_t *news)
{
    loop_job *job;
    loop_threads *t = news->data;
    while ((job = take_ended(t)))
        loop_job_ended(job);
    begin_waiting(t);
}

loop_threads *loop_threads_new(uv_loop_t *loop, size_t most)
{
    loop_threads *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->most = most;
    t->news.data = t;
    if (uv_mutex_init(&t->lock) != 0) {
        free(t);
        return NULL;
    }
    if (uv_async_init(loop, &t->news, on_news) == 0)
        return t;
    uv_mutex_destroy(&t->lock);
    free(t);
    return NULL;
}

static void on_closed(uv_handle_t *handle)
{
    loop_threads *t = handle->data;
    uv_mutex_destroy(&t->lock);
    free(t);
}

void loop_threads_free(loop_threads **handle)
{
    loop_threads *t = handle ? *handle : NULL;
    if (!t)
        return;
    *handle = NULL;
    while (t->n) {
        loop_job *job = take_ended(t);
        if (job)
            loop_job_ended(job);
        else
            uv_sleep(1);
    }
    uv_close((uv_handle_t *)&t->news, on_closed);
}

static void give_up(loop_job *job)
{
    if (job->running) {
        job->abandoned = true;
        job->stop(job);
        return;
    }
    take_out(&job->threads->waiting, job);
    job->release(job);
}

bool loop_threads_start(loop_threads *t, loop_job *job, void (*done)(void *payload), void *payload)
{
    job->done = done;
    job->payload = payload;
    job->threads = t;
    job->give_up = give_up;
    job->ended = false;
    if (t->n < t->most) {
        job->started = begin(t, job);
    } else {
        push(&t->waiting, job);
        job->started = true;
    }
    return job->started;
}
