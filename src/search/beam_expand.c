/* SPDX-License-Identifier: Apache-2.0 */
#include "search/beam_expand.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/prompt_request.h"
#include "reply/step_line.h"
#include "search/step_logprobs.h"

#define DRY_STEPS 4 /* an ordinary length */

/* ---- asking ---------------------------------------------------------------------------------- */

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const beam_expand *s = n->data;
    const prompt_subject subject = {.question = &s->before->question,
                                    .steps = s->before->steps,
                                    .n_steps = s->before->n_steps,
                                    .asked = s->before->n_steps};
    int r = prompt_request(&subject, RDV_STR("general/step"), s->plan, n, arena, request, err);
    request->party = RDV_GENERATOR;
    request->sampling.logprobs = s->step_logprobs_wanted;
    return r;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    beam_expand *s = n->data;
    rdv_str line;
    int r = step_line(reply->text, RDV_HEADING_STEP, arena, &line, err);
    if (r == RDV_NONE)
        n->why = RDV_STR("the reply was empty");
    if (r != RDV_OK)
        return r;
    s->text = rdv_str_copy(arena, line);
    return s->text.p && step_logprobs_of_line(reply, line, arena, &s->logprobs) == RDV_OK
               ? RDV_OK
               : rdv_no_memory(err);
}

static const node_kind step_node = {.ask = ask, .read = read};

/* ---- adding ---------------------------------------------------------------------------------- */

int beam_expand_add(beam_expand **out, rdv_plan *plan, const rdv_chain *before, size_t chain_index,
                    rdv_str path, bool logprobs, node_group *group, rdv_error *err)
{
    rdv_arena *arena = plan->arena;
    beam_expand *s = RDV_NEW(arena, beam_expand);
    if (!s)
        return rdv_no_memory(err);
    *s = (beam_expand){.plan = plan, .before = before, .step_logprobs_wanted = logprobs};
    rdv_bound bound = plan->options.bound;
    bool goes_on =
        bound == RDV_BOUND_MOST || (bound == RDV_BOUND_NONE && before->n_steps + 1 < DRY_STEPS);
    node like = {
        .kind = &step_node,
        .data = s,
        .stage = RDV_STR("solve/step"),
        .dry = goes_on ? RDV_STR("The second group has 12 + 18 = 30 items.")
                       : RDV_STR("Together there are 12 + 30 = 42 items. So the answer is 42."),
        .order = graph_order(chain_index, 0, 0),
        .tries = plan->options.profile == RDV_ROBUST ? 2 : 1};
    like.sample = plan->options.seed
                      ? rdv_str_printf(arena, "seed %llu, draw %.*s",
                                       (unsigned long long)plan->options.seed, RDV_FMT(path))
                      : rdv_str_printf(arena, "draw %.*s", RDV_FMT(path));
    node *n = like.sample.p ? graph_add(&plan->graph, &like, group) : NULL;
    if (!n)
        return rdv_no_memory(err);
    s->node = n;
    *out = s;
    return graph_start(&plan->graph, n, err);
}
