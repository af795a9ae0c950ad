/* SPDX-License-Identifier: Apache-2.0 */
#include "run/builtin_steps.h"
#include "base/arena.h"
#include "base/str.h"

#include <math.h>
#include <string.h>

/* The tokens of a chain, with the places where its steps end. */
typedef struct layout {
    rdv_arena *arena;
    uint32_t *tokens;
    size_t n, cap;
    size_t *ends;
    size_t n_ends;
} layout;

static int add_tokens(layout *l, const uint32_t *tokens, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!RDV_PUSH_ROOM(l->arena, l->tokens, l->n, l->cap))
            return RDV_E_NOMEM;
        l->tokens[l->n++] = tokens[i];
    }
    return RDV_OK;
}

/* The question as a user's turn, which an assistant's turn answers. */
static int add_question(layout *l, const rdv_lm *lm, rdv_str question, rdv_error *err)
{
    uint32_t *tokens;
    size_t n;
    const rdv_lm_turn turn = {RDV_STR("user"), question};
    int rc = rdv_lm_chat_tokens(lm, &turn, 1, false, l->arena, &tokens, &n, err);
    if (rc == RDV_OK && add_tokens(l, tokens, n) != RDV_OK)
        rc = rdv_no_memory(err);
    return rc;
}

/* The steps up to the context's end, each with a control token after it that no text contains. */
static int add_steps(layout *l, const rdv_lm *lm, const rdv_request *request, size_t context,
                     rdv_error *err)
{
    const uint32_t end = rdv_lm_control(lm, RDV_STR("<|end|>"));
    for (size_t i = 0; i < request->n_steps; i++) {
        uint32_t *tokens;
        size_t n;
        int rc = rdv_lm_tokens(lm, request->steps[i], false, l->arena, &tokens, &n, err);
        if (rc != RDV_OK)
            return rc;
        if (l->n + n + 1 > context)
            break;
        if (add_tokens(l, tokens, n) != RDV_OK || add_tokens(l, &end, 1) != RDV_OK)
            return rdv_no_memory(err);
        l->ends[l->n_ends++] = l->n - 1;
    }
    return RDV_OK;
}

int builtin_steps_job(const rdv_lm *lm, const rdv_request *request, rdv_arena *arena,
                      rdv_lm_job *out, rdv_error *err)
{
    rdv_lm_info info;
    layout l = {.arena = arena, .ends = RDV_NEW_ARRAY(arena, size_t, request->n_steps)};
    rdv_lm_about(lm, &info);
    *out = (rdv_lm_job){0};
    if (!info.step_head) {
        (void)rdv_fail(err, RDV_NONE, "this model has no step head");
        return RDV_NONE;
    }
    if (!l.ends)
        return rdv_no_memory(err);
    int rc = add_question(&l, lm, request->text, err);
    if (rc == RDV_OK)
        rc = add_steps(&l, lm, request, info.context, err);
    if (rc != RDV_OK)
        return rc;
    if (l.n_ends == 0)
        return rdv_fail(err, RDV_E_LIMIT,
                        "the question with its first step has more than the %u tokens that the "
                        "model takes",
                        info.context);
    *out = (rdv_lm_job){.prompt = l.tokens,
                        .n_prompt = l.ends[l.n_ends - 1] + 1,
                        .step_ends = l.ends,
                        .n_step_ends = l.n_ends};
    return RDV_OK;
}

int builtin_steps_reply(const rdv_request *request, const rdv_lm_event *from, rdv_arena *arena,
                        rdv_reply *out)
{
    double *rewards = RDV_NEW_ARRAY(arena, double, request->n_steps);
    if (!rewards)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < request->n_steps; i++)
        rewards[i] = i < from->n_step_logits ? 1 / (1 + exp(from->step_logits[i])) : NAN;
    out->rewards = rewards;
    out->n_rewards = request->n_steps;
    out->finish = RDV_FINISH_STOP;
    return RDV_OK;
}
