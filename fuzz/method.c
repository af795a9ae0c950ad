/* SPDX-License-Identifier: Apache-2.0 */
/* Method files from --method-dir. A table that is taken must keep what the engine relies on; one
 * that is not gives a line and a reason. A table whose prompts are there must run to its end with
 * the plausible replies that it gives itself, and with replies that are the input. */
#include "method/table.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"

#include <rederive/method.h>
#include <rederive/plan.h>

#include <stdlib.h>

#define MEMORY ((size_t)1 << 28)

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_stage(const method_table *t, size_t i)
{
    const stage *s = &t->stages[i], *last = &t->stages[t->n_stages - 1];
    must(s->name.len > 0 && s->label.len > 0 && s->as.len > 0 && s->prompt.len > 0);
    must(s->samples <= TABLE_MAX_SAMPLES && s->n_choices <= TABLE_MAX_CHOICES);
    must(s->samples == 1 || s == last);
    must(s->read != READER_CHOICE || s->n_choices > 0);
    must(s->read != READER_NUMBER || s->low < s->high);
    must(s->request != REQUEST_TURNS || s->per != PER_CHAIN);
    must(s->per == PER_CHAIN || last->per != PER_CHAIN);
    for (size_t k = 0; k < s->n_after; k++) {
        stage_per other = t->stages[s->after[k]].per;
        must(s->after[k] < i);
        must(s->per != PER_CHAIN || other == PER_CHAIN);
        must(s->per == PER_LATER_STEP || other != PER_LATER_STEP);
    }
}

static void take_table(rdv_str text, rdv_arena *arena)
{
    method_table t;
    rdv_error err = {0};
    int rc = method_table_read(&t, text, arena, &err);
    if (rc == RDV_E_NOMEM)
        return;
    if (rc != RDV_OK) {
        must(err.code == rc && rdv_is_digit(err.msg[0]));
        return;
    }
    must(t.name.len > 0 && t.n_stages > 0 && t.n_stages <= TABLE_MAX_STAGES);
    for (size_t i = 0; i < t.n_stages; i++)
        check_stage(&t, i);
}

/* Every request is answered: with its dry reply where `say` is absent. */
static void run(const rdv_method *method, rdv_str say, rdv_arena *arena)
{
    static rdv_str steps[] = {{"2 + 3 = 5", 9}, {"So it is 5.", 11}};
    const rdv_chain chain = {.question = {.id = {"q", 1}, .text = {"What is 2 + 3?", 14}},
                             .steps = steps,
                             .n_steps = 2,
                             .correct = -1};
    rdv_plan_options o;
    rdv_plan *plan;
    rdv_request request;
    rdv_plan_options_default(&o, sizeof o);
    o.methods = &method;
    o.n_methods = 1;
    if (rdv_plan_check(&chain, 1, &o, &plan, NULL) != RDV_OK)
        return;
    while (!rdv_plan_done(plan) && rdv_plan_next(plan, &request, NULL) == RDV_OK) {
        rdv_reply reply = {.text = say};
        if (!say.p && rdv_plan_dry_reply(plan, &request, arena, &reply, NULL) != RDV_OK)
            break;
        if (rdv_plan_reply(plan, request.id, &reply, NULL) != RDV_OK)
            break;
    }
    must(rdv_plan_done(plan));
    rdv_plan_free(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rdv_prompts *prompts;
    rdv_str text = {(const char *)data, size};
    rdv_arena *arena = rdv_arena_new(MEMORY);
    const rdv_method *method;
    if (!prompts)
        must(rdv_prompts_new(NULL, 0, &prompts, NULL) == RDV_OK);
    if (!arena)
        return 0;
    take_table(text, arena);
    if (rdv_method_read(text, prompts, arena, &method, NULL) == RDV_OK) {
        run(method, (rdv_str){0}, arena);
        if (rdv_utf8_valid(text) == text.len)
            run(method, text, arena);
    }
    rdv_arena_free(&arena);
    return 0;
}
