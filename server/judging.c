/* SPDX-License-Identifier: Apache-2.0 */
#include "server/judging.h"
#include "base/arena.h"
#include "base/str.h"
#include "decide/claim.h"
#include "server/loop_job.h"

#include <stdlib.h>

struct judging {
    loop_job job; /* the first member */
    rdv_arena *arena;
    rdv_arena *scratch; /* of the last result */
    reply_choices reply;
    stepwise steps; /* by JUDGE_STRICT */
    rdv_str question;
    judge_rule rule;
    bool ended;        /* the reply is all there */
    uint64_t spent_ns; /* processor time on steps before the end */
    judgement result;
    rdv_str json; /* p == NULL: out of memory */
};

static void release(loop_job *job)
{
    judging *j = (judging *)job;
    rdv_arena_free(&j->arena);
    rdv_arena_free(&j->scratch);
    free(j);
}

static int judge(judging *j, rdv_error *err)
{
    if (j->rule.mode == JUDGE_STRICT)
        return judgement_of_steps(&j->reply, &j->steps, j->ended, j->question, &j->rule, j->scratch,
                                  &j->result, err);
    return judgement_of(&j->reply, j->question, &j->rule, j->scratch, &j->result, err);
}

static void run(loop_job *job)
{
    judging *j = (judging *)job;
    uint64_t from = calculator_thread_ns();
    rdv_buf b;
    rdv_error err;
    int rc = judge(j, &err);
    rdv_buf_init(&b, j->scratch, 0);
    if (rc == RDV_OK && (j->ended || !j->result.admitted))
        judgement_write(&b, &j->result, j->result.admitted || !j->rule.refuses);
    if (rc == RDV_OK && rdv_buf_ok(&b))
        j->json = b.len ? rdv_buf_str(&b) : RDV_STR("");
    j->spent_ns += calculator_thread_ns() - from;
}

judging *judging_new(reply_protocol protocol, rdv_str question, const judge_rule *rule,
                     reply_choices **reply)
{
    judging *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->job = (loop_job){.run = run, .release = release};
    j->arena = rdv_arena_new(0);
    j->scratch = rdv_arena_new(0);
    j->rule = *rule;
    j->question = question.p && j->arena ? rdv_str_copy(j->arena, question) : (rdv_str){0};
    if (!j->arena || !j->scratch || (question.p && !j->question.p)) {
        judging_free(&j);
        return NULL;
    }
    reply_choices_init(&j->reply, protocol, j->arena);
    stepwise_init(&j->steps, j->arena);
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

int judging_read_steps(judging *j, bool ended, bool *more, rdv_error *err)
{
    return stepwise_read(&j->steps, &j->reply, ended, more, err);
}

size_t judging_passed(const judging *j, size_t i)
{
    return i < j->steps.n ? j->steps.items[i].passed : 0;
}

bool judging_is_spent(const judging *j)
{
    return j->spent_ns > (uint64_t)JUDGE_REPLY_MS * 1000000;
}

bool judging_start(judging *j, bool ended, struct uv_loop_s *loop, void (*done)(void *payload),
                   void *payload)
{
    rdv_arena_reset(j->scratch);
    j->ended = ended;
    j->json = (rdv_str){0};
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
