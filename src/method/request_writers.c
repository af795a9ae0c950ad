/* SPDX-License-Identifier: Apache-2.0 */
/* The request forms of stages (docs/methods.md, "request"). */
#include "method/check.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <math.h>

#define ALTERNATIVES 10 /* tokens in which + and - are searched */

/* ---- chat ------------------------------------------------------------------------------------ */

/* The result, by its name, of a stage that this one waits for. */
static int found_before(const void *data, rdv_str name, rdv_arena *arena, rdv_str *out)
{
    const step_result *r = data;
    for (size_t k = 0; k < r->stage->n_after; k++) {
        const stage *other = &r->run->method->table->stages[r->stage->after[k]];
        const step_result *found = check_result(r->run, other, r->step);
        if (!rdv_str_eq(other->as, name))
            continue;
        *out = !result_is_read(found)       ? RDV_STR("")
               : readers[other->read].value ? readers[other->read].value(found, r->step, arena)
                                            : found->text;
        return out->p ? RDV_OK : RDV_E_NOMEM;
    }
    return RDV_NONE;
}

/* The items cited by a stage that this one waits for; NULL: no stage cites items. */
static const prompt_citations *cited_before(const step_result *r)
{
    const prompt_citations *cited = NULL;
    for (size_t k = 0; k < r->stage->n_after && !cited; k++) {
        const stage *other = &r->run->method->table->stages[r->stage->after[k]];
        const step_result *found = check_result(r->run, other, r->step);
        if (other->read == READER_ITEMS && result_is_read(found))
            cited = reader_citations(found);
    }
    return cited;
}

static int write_chat(const step_result *r, node *n, rdv_arena *arena, rdv_request *request,
                      rdv_error *err)
{
    const rdv_chain *chain = r->run->chain;
    bool whole = r->step == RDV_WHOLE_CHAIN;
    const prompt_subject of_question = {
        .question = &chain->question, .other = found_before, .data = r};
    prompt_subject subject = {.question = &chain->question,
                              .steps = chain->steps,
                              .n_steps = whole ? chain->n_steps : r->step + 1,
                              .answer = chain->answer,
                              .cited = cited_before(r),
                              .other = found_before,
                              .data = r};
    subject.asked = subject.n_steps - 1;
    if (r->stage->of_question)
        subject = of_question;
    int code = prompt_request(&subject, r->stage->prompt, r->run->plan, n, arena, request, err);
    if (code != RDV_OK || request->reminder.p)
        return code;
    request->reminder = reader_reminder(r->stage, arena, &code);
    return code == RDV_OK ? RDV_OK : rdv_no_memory(err);
}

/* ---- the likelihood of the steps ------------------------------------------------------------- */

static rdv_str lines_of(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_lines(&b, chain->steps, chain->n_steps);
    return rdv_buf_str(&b);
}

/* Writes the steps, one on each line, after the prompt that requests a solution. */
static int write_score(const step_result *r, node *n, rdv_arena *arena, rdv_request *request,
                       rdv_error *err)
{
    const rdv_plan *plan = r->run->plan;
    bool zero_shot = plan->options.generate == RDV_GENERATE_ZERO_SHOT;
    const prompt_subject subject = {.question = &r->run->chain->question};
    int code = prompt_request(&subject, zero_shot ? RDV_STR("zero-shot") : RDV_STR("generate"),
                              plan, n, arena, request, err);
    if (code != RDV_OK)
        return code;
    request->kind = RDV_REQUEST_SCORE;
    request->party = RDV_GENERATOR;
    request->text = lines_of(r->run->chain, arena);
    request->sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN, .logprobs = true};
    return request->text.p ? RDV_OK : rdv_no_memory(err);
}

/* ---- rewards --------------------------------------------------------------------------------- */

static int write_rewards(const step_result *r, rdv_prm_form form, rdv_request *request)
{
    const rdv_chain *chain = r->run->chain;
    *request = (rdv_request){.kind = RDV_REQUEST_REWARD,
                             .party = RDV_CHECKER,
                             .text = chain->question.text,
                             .steps = chain->steps,
                             .n_steps = chain->n_steps,
                             .prm = form};
    request->sampling.temperature = request->sampling.top_p = NAN;
    return RDV_OK;
}

static int write_reward_pairs(const step_result *r, node *n, rdv_arena *arena, rdv_request *request,
                              rdv_error *err)
{
    return write_rewards(r, r->run->plan->options.prm_pairs, request);
}

static int write_reward_values(const step_result *r, node *n, rdv_arena *arena,
                               rdv_request *request, rdv_error *err)
{
    return write_rewards(r, RDV_PRM_TOKEN_VALUES, request);
}

/* ---- steps as turns -------------------------------------------------------------------------- */

/* The whole conversation; step i sends its first 2 i + 1 turns. */
static rdv_message *turns_of(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_message *turns = RDV_NEW_ARRAY(arena, rdv_message, 2 * chain->n_steps);
    if (!turns)
        return NULL;
    for (size_t i = 0; i < chain->n_steps; i++) {
        turns[2 * i] = (rdv_message){RDV_USER, chain->steps[i]};
        turns[2 * i + 1] = (rdv_message){RDV_ASSISTANT, RDV_STR("+")};
    }
    turns[0].text = rdv_str_printf(arena, "%.*s\n\n%.*s", RDV_FMT(chain->question.text),
                                   RDV_FMT(chain->steps[0]));
    return turns[0].text.p ? turns : NULL;
}

static int write_turns(const step_result *r, node *n, rdv_arena *arena, rdv_request *request,
                       rdv_error *err)
{
    static const rdv_str signs[] = {{"+", 1}, {"-", 1}};
    check_run *run = r->run;
    if (!run->turns)
        run->turns = turns_of(run->chain, run->plan->arena);
    if (!run->turns)
        return rdv_no_memory(err);
    *request = (rdv_request){.kind = RDV_REQUEST_CHAT,
                             .party = RDV_CHECKER,
                             .messages = run->turns,
                             .n_messages = 2 * r->step + 1};
    request->sampling = (rdv_sampling){.temperature = 0,
                                       .top_p = NAN,
                                       .max_tokens = 1,
                                       .logprobs = true,
                                       .top_logprobs = ALTERNATIVES};
    if (run->plan->options.structured) {
        request->answers = signs;
        request->n_answers = sizeof signs / sizeof *signs;
        request->bare = true;
    }
    return RDV_OK;
}

const request_writer request_writers[N_REQUEST_FORMS] = {
    [REQUEST_CHAT] = {.write = write_chat},
    [REQUEST_SCORE] = {.write = write_score, .once = true},
    [REQUEST_REWARD_PAIRS] = {.write = write_reward_pairs},
    [REQUEST_REWARD_VALUES] = {.write = write_reward_values},
    [REQUEST_TURNS] = {.write = write_turns},
};
