/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/job.h"
#include "base/arena.h"
#include "base/str.h"
#include "lm/model.h"

#include <math.h>
#include <string.h>

/* ---- what can be asked ----------------------------------------------------------------------- */

static int check_stops(const rdv_lm_job *a, rdv_error *err)
{
    if (a->n_stop > RDV_LM_MAX_STOPS)
        return rdv_fail(err, RDV_E_ARGUMENT, "more than %d stop strings", RDV_LM_MAX_STOPS);
    for (size_t i = 0; i < a->n_stop; i++)
        if (a->stop[i].len == 0 || a->stop[i].len > RDV_LM_MAX_STOP_BYTES)
            return rdv_fail(err, RDV_E_ARGUMENT, "a stop string is empty, or longer than %d bytes",
                            RDV_LM_MAX_STOP_BYTES);
    return RDV_OK;
}

static int check_steps(const rdv_lm *lm, const rdv_lm_job *a, rdv_error *err)
{
    if (a->n_step_ends && !lm->step_head)
        return rdv_fail(err, RDV_E_ARGUMENT, "the model has no step head");
    if (a->n_step_ends && (a->score || a->max_tokens))
        return rdv_fail(err, RDV_E_ARGUMENT, "a job for steps neither scores nor generates");
    for (size_t i = 0; i < a->n_step_ends; i++)
        if (a->step_ends[i] >= a->n_prompt || (i > 0 && a->step_ends[i] <= a->step_ends[i - 1]))
            return rdv_fail(err, RDV_E_ARGUMENT, "the ends of steps are not in order");
    return RDV_OK;
}

static int check(const rdv_lm *lm, const rdv_lm_job *a, rdv_error *err)
{
    if (a->n_prompt == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "the prompt has no token");
    if (a->n_prompt > lm->size.context)
        return rdv_fail(err, RDV_E_LIMIT, "the prompt has %zu tokens; the model takes %u",
                        a->n_prompt, lm->size.context);
    for (size_t i = 0; i < a->n_prompt; i++)
        if (a->prompt[i] >= lm->vocab.n)
            return rdv_fail(err, RDV_E_ARGUMENT, "there is no token %u", a->prompt[i]);
    if (!(a->temperature >= 0) || !isfinite(a->temperature))
        return rdv_fail(err, RDV_E_ARGUMENT, "the temperature is not a number from 0 on");
    if (!(a->top_p >= 0 && a->top_p <= 1))
        return rdv_fail(err, RDV_E_ARGUMENT, "top_p is not a number from 0 to 1");
    if (a->top_logprobs > RDV_LM_MAX_TOP)
        return rdv_fail(err, RDV_E_ARGUMENT, "more than %d alternatives", RDV_LM_MAX_TOP);
    int rc = check_steps(lm, a, err);
    return rc == RDV_OK ? check_stops(a, err) : rc;
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool copy_in(job *j, const rdv_lm *lm, const rdv_lm_job *a)
{
    size_t left = lm->size.context - a->n_prompt;
    j->user = a->user;
    j->sampling = (lm_sampling){a->temperature, a->top_p > 0 ? a->top_p : 1, a->seed};
    j->top = a->top_logprobs < lm->vocab.n ? a->top_logprobs : (uint32_t)lm->vocab.n;
    j->stream = a->stream;
    j->score = a->score && a->score_from < a->n_prompt;
    j->score_from = a->score_from;
    j->finish = RDV_LM_LENGTH;
    j->n_prompt = j->n_tokens = j->cap_tokens = a->n_prompt;
    j->most_tokens = a->n_prompt + (a->max_tokens < left ? a->max_tokens : left);
    j->need = j->n_prompt - 1;
    if (j->score)
        j->need = j->score_from > 0 ? j->score_from - 1 : 0;
    j->tokens = rdv_alloc(j->arena, a->n_prompt * sizeof *j->tokens);
    if (!j->tokens || !reply_init(&j->text, j->arena, a->stop, a->n_stop))
        return false;
    memcpy(j->tokens, a->prompt, a->n_prompt * sizeof *j->tokens);
    return true;
}

/* The first token of a prompt is given: it has no log-probability. */
static bool make_scored(job *j)
{
    size_t n = j->score ? j->n_prompt - j->score_from : 0;
    j->scored = RDV_NEW_ARRAY(j->arena, rdv_lm_token, n);
    if (!j->scored)
        return false;
    if (n > 0 && j->score_from == 0)
        j->scored[j->n_scored++] = (rdv_lm_token){.token = j->tokens[0], .logprob = NAN};
    return true;
}

static bool make_steps(job *j, const rdv_lm_job *a)
{
    if (!a->n_step_ends)
        return true;
    j->is_step_end = rdv_calloc(j->arena, a->n_prompt, sizeof *j->is_step_end);
    j->step_logits = RDV_NEW_ARRAY(j->arena, double, a->n_step_ends);
    if (!j->is_step_end || !j->step_logits)
        return false;
    for (size_t i = 0; i < a->n_step_ends; i++)
        j->is_step_end[a->step_ends[i]] = true;
    j->need = a->step_ends[0];
    j->last_step_end = a->step_ends[a->n_step_ends - 1];
    return true;
}

job *job_new(const rdv_lm *lm, const rdv_lm_job *asked, rdv_error *err)
{
    if (check(lm, asked, err) != RDV_OK)
        return NULL;
    rdv_arena *arena = rdv_arena_new(0);
    job *j = arena ? RDV_NEW(arena, job) : NULL;
    if (j) {
        j->arena = arena;
        if (copy_in(j, lm, asked) && make_scored(j) && make_steps(j, asked)) {
            if (job_goal(j) == 0)
                j->state = JOB_ENDED;
            return j;
        }
    }
    rdv_arena_free(&arena);
    rdv_no_memory(err);
    return NULL;
}

void job_free(job *j)
{
    rdv_arena *arena = j->arena;
    rdv_arena_free(&arena);
}

/* ---- going on -------------------------------------------------------------------------------- */

size_t job_goal(const job *j)
{
    if (j->is_step_end)
        return j->last_step_end + 1;
    if (j->n_tokens < j->most_tokens)
        return j->n_tokens;
    return j->score ? j->n_prompt - 1 : 0;
}

rdv_lm_token *job_result(job *j, size_t at)
{
    rdv_lm_token *t;
    if (at + 1 < j->n_prompt) {
        t = &j->scored[at + 1 - j->score_from];
        *t = (rdv_lm_token){.token = j->tokens[at + 1]};
    } else {
        if (!RDV_PUSH_ROOM(j->arena, j->made, j->n_made, j->cap_made) ||
            !RDV_PUSH_ROOM(j->arena, j->ends, j->n_made, j->cap_ends) ||
            !RDV_PUSH_ROOM(j->arena, j->tokens, j->n_tokens, j->cap_tokens))
            return NULL;
        t = &j->made[j->n_made];
        *t = (rdv_lm_token){.token = RDV_LM_NO_TOKEN};
    }
    t->top = rdv_alloc(j->arena, j->top * sizeof *t->top);
    return t->top ? t : NULL;
}

static void end(job *j, rdv_lm_finish finish)
{
    j->finish = finish;
    j->state = JOB_ENDED;
}

void job_accept_step(job *j, size_t at, double logit)
{
    j->need = at + 1;
    j->step_logits[j->n_step_logits++] = logit;
    if (at == j->last_step_end)
        end(j, RDV_LM_LENGTH);
}

/* A stop string may have begun in an earlier token: those wholly after its beginning go. */
static void drop_stopped(job *j)
{
    while (j->n_made > 0 && (j->n_made > 1 ? j->ends[j->n_made - 2] : 0) >= j->text.raw.len)
        j->n_made--;
}

bool job_accept(job *j, const rdv_lm *lm, size_t at)
{
    j->need = at + 1;
    if (at + 1 < j->n_prompt) {
        j->n_scored++;
        if (job_goal(j) == at + 1)
            end(j, RDV_LM_LENGTH);
        return true;
    }
    const vocab_token *token = &lm->vocab.tokens[j->made[j->n_made].token];
    j->tokens[j->n_tokens++] = j->made[j->n_made].token;
    if (token->control || j->tokens[j->n_tokens - 1] == lm->vocab.end) {
        end(j, RDV_LM_STOP);
    } else {
        reply_add(&j->text, token->piece);
        j->ends[j->n_made++] = j->text.raw.len;
        if (j->text.stopped_by.p) {
            drop_stopped(j);
            end(j, RDV_LM_STOP);
        } else if (j->n_tokens == j->most_tokens) {
            end(j, RDV_LM_LENGTH);
        }
    }
    reply_settle(&j->text, j->state == JOB_ENDED);
    return reply_ok(&j->text);
}
