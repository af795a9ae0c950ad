/* SPDX-License-Identifier: Apache-2.0 */
#include "server/judging.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/loop_job.h"

#include <stdlib.h>

struct judging {
    loop_job job; /* the first member */
    rdv_arena *arena;
    reply_choices reply;
    rdv_str question;
    judge_rule rule;
    judgement result;
    rdv_str json; /* p == NULL: out of memory */
};

static void release(loop_job *job)
{
    judging *j = (judging *)job;
    rdv_arena_free(&j->arena);
    free(j);
}

static void run(loop_job *job)
{
    judging *j = (judging *)job;
    rdv_buf b;
    rdv_error err;
    if (judgement_of(&j->reply, j->question, &j->rule, j->arena, &j->result, &err) != RDV_OK)
        return;
    rdv_buf_init(&b, j->arena, 0);
    judgement_write(&b, &j->result, j->result.admitted || !j->rule.refuses);
    j->json = rdv_buf_str(&b);
}

judging *judging_new(reply_protocol protocol, rdv_str question, const judge_rule *rule,
                     reply_choices **reply)
{
    judging *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->job = (loop_job){.run = run, .release = release};
    j->arena = rdv_arena_new(0);
    j->rule = *rule;
    j->question = question.p && j->arena ? rdv_str_copy(j->arena, question) : (rdv_str){0};
    if (!j->arena || (question.p && !j->question.p)) {
        judging_free(&j);
        return NULL;
    }
    reply_choices_init(&j->reply, protocol, j->arena);
    *reply = &j->reply;
    return j;
}

void judging_free(judging **handle)
{
    judging *j = handle ? *handle : NULL;
    if (!j)
        return;
    *handle = NULL;
    loop_job_free(&j->job);
}

bool judging_start(judging *j, struct uv_loop_s *loop, void (*done)(void *payload), void *payload)
{
    return loop_job_start(&j->job, loop, done, payload);
}

bool judging_is_done(const judging *j)
{
    return j->job.ended;
}

const judgement *judging_result(const judging *j)
{
    return j->json.p ? &j->result : NULL;
}

rdv_str judging_json(const judging *j)
{
    return j->json;
}
