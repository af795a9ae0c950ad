/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/stepwise.h"
#include "base/arena.h"
#include "base/str.h"
#include "judge/judgement.h"

void stepwise_init(stepwise *s, rdv_arena *arena)
{
    *s = (stepwise){.arena = arena};
}

static stepwise_choice *add_choice(stepwise *s)
{
    if (!RDV_PUSH_ROOM(s->arena, s->items, s->n, s->cap))
        return NULL;
    stepwise_choice *c = &s->items[s->n++];
    *c = (stepwise_choice){0};
    step_stream_init(&c->cut, JUDGE_MOST_STEPS, s->arena);
    return c;
}

int stepwise_read(stepwise *s, const reply_choices *reply, bool ended, bool *more, rdv_error *err)
{
    *more = false;
    for (size_t i = 0; i < reply->n; i++) {
        stepwise_choice *c = i < s->n ? &s->items[i] : add_choice(s);
        rdv_str text = rdv_buf_str(&reply->items[i].text);
        if (!c)
            return rdv_no_memory(err);
        int rc = step_stream_read(&c->cut, text.p ? text : RDV_STR(""), ended, err);
        if (rc != RDV_OK)
            return rc;
        *more |= c->cut.n > c->n_judged;
    }
    return RDV_OK;
}

int stepwise_replace(stepwise *s, stepwise_choice *c, size_t keep, rdv_str text, size_t end)
{
    step_stream *cut = &c->cut;
    stream_step step = {end, rdv_str_copy(s->arena, text)};
    while (cut->n && cut->steps[cut->n - 1].end > keep)
        cut->n--;
    if (!step.text.p || !RDV_PUSH_ROOM(s->arena, cut->steps, cut->n, cut->cap))
        return RDV_E_NOMEM;
    cut->steps[cut->n++] = step;
    cut->ended = true;
    return RDV_OK;
}

size_t stepwise_begin(const stepwise_choice *c, size_t step)
{
    size_t begin = 0;
    for (size_t i = 0, with_text = 0; i < c->cut.n; i++) {
        if (c->cut.steps[i].text.len && with_text++ == step)
            break;
        begin = c->cut.steps[i].end;
    }
    return begin;
}
