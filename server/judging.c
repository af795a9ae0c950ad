/* SPDX-License-Identifier: Apache-2.0 */
#include "server/judging.h"
#include "base/arena.h"
#include "base/str.h"

#include <rederive/math.h>

#include <stdlib.h>
#include <uv.h>

struct judging {
    uv_work_t work; /* the first member */
    rdv_arena *arena;
    reply_choices reply;
    rdv_str question;
    judge_rule rule;
    judgement result;
    rdv_str json; /* p == NULL: out of memory */
    void (*done)(void *payload);
    void *payload;
    bool started, ended, abandoned;
};

judging *judging_new(reply_protocol protocol, rdv_str question, const judge_rule *rule,
                     reply_choices **reply)
{
    judging *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
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

static void release(judging *j)
{
    rdv_arena_free(&j->arena);
    free(j);
}

void judging_free(judging **handle)
{
    judging *j = handle ? *handle : NULL;
    if (!j)
        return;
    *handle = NULL;
    if (j->started && !j->ended)
        j->abandoned = true; /* on_ended() releases it */
    else
        release(j);
}

static void judge(judging *j)
{
    rdv_buf b;
    rdv_error err;
    if (judgement_of(&j->reply, j->question, &j->rule, j->arena, &j->result, &err) != RDV_OK)
        return;
    rdv_buf_init(&b, j->arena, 0);
    judgement_write(&b, &j->result, j->result.admitted || !j->rule.refuses);
    j->json = rdv_buf_str(&b);
}

/* On a thread of libuv's pool, which ends without a word. */
static void run(uv_work_t *work)
{
    judge((judging *)work);
    rdv_math_thread_end();
}

static void on_ended(uv_work_t *work, int status)
{
    judging *j = (judging *)work;
    j->ended = true;
    if (j->abandoned)
        release(j);
    else
        j->done(j->payload);
}

bool judging_start(judging *j, struct uv_loop_s *loop, void (*done)(void *payload), void *payload)
{
    j->done = done;
    j->payload = payload;
    j->started = uv_queue_work(loop, &j->work, run, on_ended) == 0;
    return j->started;
}

bool judging_is_done(const judging *j)
{
    return j->ended;
}

const judgement *judging_result(const judging *j)
{
    return j->json.p ? &j->result : NULL;
}

rdv_str judging_json(const judging *j)
{
    return j->json;
}
