/* SPDX-License-Identifier: Apache-2.0 */
#include "server/judging.h"
#include "base/arena.h"
#include "base/str.h"
#include "decide/claim.h"

#include <stdlib.h>

struct judging {
    loop_job job; /* the first member */
    rdv_arena *arena;
    rdv_arena *scratch; /* of the last result */
    reply_choices reply;
    stepwise steps; /* by JUDGE_STRICT */
    rdv_str question;
    judge_rule rule;
    model_check *check;    /* by a method that asks a model; NULL: none is asked, */
    rdv_str why_not;       /* for this reason */
    loop_threads *threads; /* where it is asked */
    bool ended;        /* the reply is all there */
    uint64_t spent_ns; /* processor time on steps before the end */
    judged_repairs repairs; /* n == 0 and no `why`: none */
    judged_repair rounds[JUDGE_MOST_REPAIRS];
    judgement result;
    rdv_str json; /* p == NULL: out of memory */
};

static void release(loop_job *job)
{
    judging *j = (judging *)job;
    model_check_free(&j->check);
    rdv_arena_free(&j->arena);
    rdv_arena_free(&j->scratch);
    free(j);
}

static int judge(judging *j, rdv_error *err)
{
    const judge_asker asker = {j->check ? model_check_chain : NULL, j->check, j->why_not};
    if (j->check)
        model_check_again(j->check);
    if (j->rule.mode == JUDGE_STRICT)
        return judgement_of_steps(&j->reply, &j->steps, j->ended, j->question, &j->rule, &asker,
                                  j->scratch, &j->result, err);
    return judgement_by_asking(&j->reply, j->question, &j->rule, &asker, j->scratch, &j->result,
                               err);
}

static void stop(loop_job *job)
{
    model_run_stop(model_check_run(((judging *)job)->check));
}

static bool is_repaired(const judging *j)
{
    return j->repairs.n || j->repairs.why.p;
}

/* What was drawn last is judged now. */
static void note_repair(judging *j)
{
    judged_repair *last = j->repairs.n ? &j->rounds[j->repairs.n - 1] : NULL;
    if (!last)
        return;
    bool passed = judging_passed(j, 0) >= j->reply.items[0].text.len;
    if (last->kind == JUDGED_REPAIR_DRAWN)
        last->kind = passed ? JUDGED_REPAIR_DONE : JUDGED_REPAIR_REJECTED;
    else
        j->repairs.n_rest += passed;
}

static bool write_object(judging *j, bool quotes)
{
    rdv_buf b;
    rdv_buf_init(&b, j->scratch, 0);
    j->result.repairs = is_repaired(j) ? &j->repairs : NULL;
    judgement_write(&b, &j->result, quotes);
    j->json = rdv_buf_str(&b);
    return rdv_buf_ok(&b);
}

static void run(loop_job *job)
{
    judging *j = (judging *)job;
    uint64_t from = calculator_thread_ns();
    rdv_error err;
    int rc = judge(j, &err);
    if (rc == RDV_OK) {
        note_repair(j);
        j->json = RDV_STR("");
    }
    if (rc == RDV_OK && (j->ended || !j->result.admitted))
        (void)write_object(j, j->result.admitted || !j->rule.refuses);
    j->spent_ns += calculator_thread_ns() - from;
}

judging *judging_new(reply_protocol protocol, rdv_str question, const judge_rule *rule,
                     reply_choices **reply)
{
    judging *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->job = (loop_job){.run = run, .release = release, .stop = stop};
    j->why_not = RDV_STR("no model is asked");
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

bool judging_ask(judging *j, const model_run_options *model, loop_threads *threads)
{
    j->check = model_check_new(model);
    j->threads = threads;
    return j->check;
}

void judging_ask_none(judging *j, const char *why)
{
    j->why_not = rdv_str_of(why);
}

bool judging_tokens(const judging *j, uint64_t *in, uint64_t *out)
{
    *in = *out = 0;
    if (!j->check || !j->job.started)
        return true;
    if (!loop_job_is_idle(&j->job))
        return false;
    model_run_used used = model_run_count(model_check_run(j->check));
    *in = used.tokens_in;
    *out = used.tokens_out;
    return true;
}

int judging_read_steps(judging *j, bool ended, bool *more, rdv_error *err)
{
    return stepwise_read(&j->steps, &j->reply, ended, more, err);
}

size_t judging_passed(const judging *j, size_t i)
{
    return i < j->steps.n ? j->steps.items[i].passed : 0;
}

stepwise *judging_steps(judging *j)
{
    return &j->steps;
}

bool judging_repaired(judging *j, const judged_repairs *repairs)
{
    if (repairs->n > JUDGE_MOST_REPAIRS)
        return false;
    j->repairs = *repairs;
    if (repairs->n)
        memcpy(j->rounds, repairs->rounds, repairs->n * sizeof *j->rounds);
    j->repairs.rounds = j->rounds;
    return true;
}

bool judging_say_again(judging *j, const judged_repairs *repairs)
{
    return judging_repaired(j, repairs) && write_object(j, false);
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
    return j->check ? loop_threads_start(j->threads, &j->job, done, payload)
                    : loop_job_start(&j->job, loop, done, payload);
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
