/* SPDX-License-Identifier: Apache-2.0 */
#include "server/records_job.h"
#include "base/arena.h"
#include "base/str.h"
#include "judge/records.h"
#include "server/loop_job.h"

#include <stdlib.h>

#define MOST_RESULT ((size_t)64 << 20) /* bytes */

struct records_job {
    loop_job job; /* the first member */
    rdv_arena *arena;
    rdv_str text;
    rdv_buf out;
    rdv_error err;
    int code;
};

static void release(loop_job *job)
{
    records_job *j = (records_job *)job;
    rdv_arena_free(&j->arena);
    free(j);
}

static void run(loop_job *job)
{
    records_job *j = (records_job *)job;
    j->code = judge_records(j->text, j->arena, &j->out, &j->err);
}

records_job *records_job_new(rdv_str text, struct uv_loop_s *loop, void (*done)(void *payload),
                             void *payload)
{
    records_job *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    *j = (records_job){.job = {.run = run, .release = release}, .arena = rdv_arena_new(0)};
    if (j->arena) {
        rdv_buf_init(&j->out, j->arena, MOST_RESULT);
        rdv_buf_lit(&j->out, "");
        j->text = rdv_str_copy(j->arena, text);
    }
    if (j->text.p && rdv_buf_ok(&j->out) && loop_job_start(&j->job, loop, done, payload))
        return j;
    release(&j->job);
    return NULL;
}

bool records_job_is_done(const records_job *j)
{
    return j->job.ended;
}

rdv_str records_job_result(const records_job *j, api_error *e)
{
    if (j->code == RDV_OK)
        return rdv_buf_str(&j->out);
    if (j->code == RDV_E_NOMEM)
        api_error_set(e, 500, NULL, "Out of memory.");
    else
        api_error_set(e, 400, NULL, "The body could not be used: %s.", j->err.msg);
    return (rdv_str){0};
}

void records_job_free(records_job **handle)
{
    records_job *j = handle ? *handle : NULL;
    if (!j)
        return;
    *handle = NULL;
    loop_job_free(&j->job);
}
