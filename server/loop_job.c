/* SPDX-License-Identifier: Apache-2.0 */
#include "server/loop_job.h"

#include <rederive/math.h>

/* The threads of the pool end without a word, so each job gives back what calculating keeps. */
static void run(uv_work_t *work)
{
    loop_job *job = (loop_job *)work;
    job->run(job);
    rdv_math_thread_end();
}

void loop_job_ended(loop_job *job)
{
    job->ended = true;
    if (job->abandoned)
        job->release(job);
    else
        job->done(job->payload);
}

static void on_ended(uv_work_t *work, int status)
{
    loop_job_ended((loop_job *)work);
}

bool loop_job_start(loop_job *job, uv_loop_t *loop, void (*done)(void *payload), void *payload)
{
    job->done = done;
    job->payload = payload;
    job->ended = false;
    job->started = uv_queue_work(loop, &job->work, run, on_ended) == 0;
    return job->started;
}

bool loop_job_is_idle(const loop_job *job)
{
    return !job->started || job->ended || (job->threads && !job->running);
}

void loop_job_free(loop_job *job)
{
    if (!job->started || job->ended)
        job->release(job);
    else if (job->give_up)
        job->give_up(job);
    else
        job->abandoned = true;
}
