/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Threads for jobs that wait for others, for seconds and more: a thread for each, up to a number;
 * further jobs wait. Everything is called on the loop's thread. */
#include "server/loop_job.h"

typedef struct loop_threads loop_threads;

/* NULL: out of memory, or the loop has no room. */
loop_threads *loop_threads_new(struct uv_loop_s *loop, size_t most);
/* Waits for the jobs that run, all of which must have been given to loop_job_free(). The loop must
 * run once more. NULL and *NULL are accepted. */
void loop_threads_free(loop_threads **t);

/* As loop_job_start(). The job's `stop` is called where it is freed before it has ended, if it
 * runs. */
bool loop_threads_start(loop_threads *t, loop_job *job, void (*done)(void *payload), void *payload);
