/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Work on a thread of libuv's pool, not on the loop's, that may be given up while it runs. What
 * waits for others has threads of its own (loop_threads.h). */
#include <stdbool.h>
#include <uv.h>

struct loop_threads;

/* The first member of what a kind of work needs; all zero but for the functions. */
typedef struct loop_job {
    uv_work_t work;
    void (*run)(struct loop_job *job);     /* on the thread; it may calculate */
    void (*release)(struct loop_job *job); /* on the loop's */
    void (*stop)(struct loop_job *job);    /* on the loop's: it is to end soon. For loop_threads */
    void (*done)(void *payload);
    void *payload;
    bool started, ended, abandoned;
    /* private to loop_threads.c */
    void (*give_up)(struct loop_job *job); /* in place of `abandoned`; NULL: it is in the pool */
    struct loop_threads *threads;
    struct loop_job *next;
    uv_thread_t thread;
    bool running;
} loop_job;

/* Start, also again once it has ended; `done` is called on the loop's thread, unless
 * loop_job_free() was called before. False: it cannot be started. */
bool loop_job_start(loop_job *job, struct uv_loop_s *loop, void (*done)(void *payload),
                    void *payload);
/* For loop_threads.c: it has ended. */
void loop_job_ended(loop_job *job);
/* True if nobody works on it: it was not started, waits for a thread, or has ended. So what it
 * counted can be read, and does not grow. */
bool loop_job_is_idle(const loop_job *job);
/* Release it now, or once it has ended. */
void loop_job_free(loop_job *job);
