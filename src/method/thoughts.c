/* SPDX-License-Identifier: Apache-2.0 */
#include "method/thoughts.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/answers.h"
#include "task/task.h"

#include <math.h>

#define N_VALUES 4

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory writing a prompt");
}

/* A list whose items have their number, from 1, and their text. */
static bool list_value(const char *name, const rdv_str *texts, size_t n, rdv_arena *arena,
                       prompt_value *out)
{
    prompt_item *items = RDV_NEW_ARRAY(arena, prompt_item, n);
    prompt_value *values = RDV_NEW_ARRAY(arena, prompt_value, 2 * n);
    if (!items || !values)
        return false;
    for (size_t i = 0; i < n; i++) {
        prompt_value *v = &values[2 * i];
        v[0] =
            (prompt_value){.name = RDV_STR("number"), .text = rdv_str_printf(arena, "%zu", i + 1)};
        v[1] = (prompt_value){.name = RDV_STR("text"), .text = texts[i]};
        items[i] = (prompt_item){v, 2};
        if (!v[0].text.p)
            return false;
    }
    *out = (prompt_value){.name = rdv_str_of(name), .items = items, .n_items = n, .list = true};
    return true;
}

/* The prompt of the question's task in that folder, or the one for others. */
static const prompt *find_prompt(const rdv_prompts *set, const char *folder,
                                 const rdv_question *question, rdv_arena *arena, rdv_str *id)
{
    const rdv_task *task = rdv_task_of(question);
    *id = rdv_str_printf(arena, "mistakes/%s/%s", folder, task ? task->name : "other");
    const prompt *p = id->p ? prompt_named(set, *id) : NULL;
    if (p || !id->p)
        return p;
    *id = rdv_str_printf(arena, "mistakes/%s/other", folder);
    return id->p ? prompt_named(set, *id) : NULL;
}

static int fill_in(const prompt *p, const thoughts *what, size_t next, rdv_arena *arena,
                   rdv_request *request, rdv_error *err)
{
    const rdv_question *q = what->question;
    prompt_value values[N_VALUES] = {
        {.name = RDV_STR("question"), .text = q->text.p ? q->text : RDV_STR("")},
        {.name = RDV_STR("next"), .text = rdv_str_printf(arena, "%zu", next)}};
    rdv_message *messages;
    size_t n_messages;
    if (!values[1].text.p || !list_value("options", q->options, q->n_options, arena, &values[2]) ||
        !list_value("steps", what->steps, what->n, arena, &values[3]))
        return out_of_memory(err);
    int r = prompt_render(p, values, N_VALUES, arena, &messages, &n_messages, err);
    if (r == RDV_OK) {
        request->messages = messages;
        request->n_messages = n_messages;
    }
    return r;
}

int thoughts_ask(const thoughts *what, const char *folder, size_t next, const rdv_plan *plan,
                 node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    rdv_str id;
    const prompt *p = find_prompt(plan->prompts, folder, what->question, arena, &id);
    if (!p)
        return id.p ? rdv_fail(err, RDV_E_INTERNAL, "there is no prompt %.*s", RDV_FMT(id))
                    : out_of_memory(err);
    int r = fill_in(p, what, next, arena, request, err);
    if (r == RDV_E_LIMIT) {
        n->why = RDV_STR("the prompt would be too large");
        return RDV_NONE;
    }
    request->prompt = id;
    request->sampling = *prompt_sampling(p);
    if (!isnan(plan->options.temperature))
        request->sampling.temperature = plan->options.temperature;
    if (r == RDV_OK && answers_ask(p, plan, what->n, arena, request) < 0)
        return out_of_memory(err);
    return r;
}
