/* SPDX-License-Identifier: Apache-2.0 */
#include "search/generate.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/chain/chain_answer.h"
#include "method/prompt_request.h"
#include "search/step_logprobs.h"

#include <rederive/answer.h>
#include <rederive/text.h>

#include <math.h>

int rdv_generate_named(rdv_str name, rdv_generate_kind *out)
{
    static const char *const names[] = {"steps", "thoughts", "zero-shot"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (rdv_str_eq(name, rdv_str_of(names[i]))) {
            *out = (rdv_generate_kind)i;
            return RDV_OK;
        }
    return RDV_NONE;
}

static bool zero_shot(const generation *g)
{
    return g->plan->options.generate == RDV_GENERATE_ZERO_SHOT;
}

/* ---- in one reply ---------------------------------------------------------------------------- */

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const generation *g = n->data;
    const prompt_subject subject = {.question = g->question};
    request->party = RDV_GENERATOR;
    int r = prompt_request(&subject, zero_shot(g) ? RDV_STR("zero-shot") : RDV_STR("generate"),
                           g->plan, n, arena, request, err);
    request->sampling.logprobs = step_logprobs_wanted(&g->plan->options);
    return r;
}

/* Keeps the steps of a reply, complete or not. RDV_NONE: it has none. */
static int keep_steps(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const generation *g = n->data;
    rdv_chain *chain = &g->plan->chains[g->chain_index];
    const rdv_split_options how = {.size = sizeof how,
                                   .mode = zero_shot(g) ? RDV_SPLIT_LINES : RDV_SPLIT_STEPS};
    rdv_str text = rdv_str_copy(arena, reply->text);
    rdv_steps steps;
    if (!text.p)
        return rdv_no_memory(err);
    int r = rdv_split_steps(text, &how, arena, &steps, err);
    if (r < 0 && r != RDV_E_LIMIT)
        return r;
    if (r == RDV_E_LIMIT || steps.n == 0)
        return RDV_NONE;
    chain->steps = steps.text;
    chain->n_steps = steps.n;
    if (step_logprobs_wanted(&g->plan->options) &&
        step_logprobs(reply, text, steps.text, steps.n, arena, &chain->logprobs) < 0)
        return rdv_no_memory(err);
    return RDV_OK;
}

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const generation *g = n->data;
    rdv_chain *chain = &g->plan->chains[g->chain_index];
    const rdv_answer_form form = rdv_answer_form_of(g->question);
    rdv_answer answer;
    int r = keep_steps(n, reply, arena, err);
    if (r != RDV_OK)
        return r;
    r = chain_answer_read(chain, &form, arena, &answer, err);
    if (r == RDV_OK)
        chain->answer = answer.text;
    return r < 0 ? r : RDV_OK;
}

/* A solution that was cut off is shown without an answer: its last number may be incomplete. */
static const node_kind one_reply = {.ask = ask, .read = read, .keep_cut_off = keep_steps};

static const char dry_solution[] =
    "Step 1: The first group has 12 items, as the question says.\n\n"
    "Step 2: The second group has 12 + 18 = 30 items.\n\n"
    "Step 3: Together there are 12 + 30 = 42 items.\n\n"
    "Step 4: Each item costs $2, so the cost is 42 * 2 = 84 dollars.\n\n"
    "Step 5: So the answer is 84.";

/* Of 2,022 ProcessBench solutions that were measured, 99% have no more steps. */
#define DRY_MOST_STEPS 23

/* A solution of 1, 5 or DRY_MOST_STEPS steps. p == NULL: out of memory. */
static rdv_str dry_solution_for(const rdv_plan *plan)
{
    rdv_buf b;
    if (plan->options.bound == RDV_BOUND_NONE)
        return rdv_str_of(dry_solution);
    rdv_buf_init(&b, plan->arena, 0);
    for (int i = 1; plan->options.bound == RDV_BOUND_MOST && i < DRY_MOST_STEPS; i++)
        rdv_buf_printf(&b, "Step %d: The second group has 12 + 18 = 30 items.\n\n", i);
    rdv_buf_lit(&b, "So the answer is 84.");
    return rdv_buf_str(&b);
}

static int replied(graph *in, node_group *group, rdv_error *err)
{
    generation *g = group->data;
    if (g->node->state == NODE_DROPPED)
        return RDV_OK;
    g->absent = g->node->state == NODE_UNKNOWN && in->closed;
    g->unanswered = g->node->failed;
    if (g->node->state == NODE_UNKNOWN)
        g->plan->chains[g->chain_index].unfinished = g->node->why;
    node_need(g->node);
    g->calls = g->node->asked;
    return g->done(g, err);
}

static int start_one_reply(generation *g, rdv_str sample, rdv_error *err)
{
    graph *in = &g->plan->graph;
    const node like = {.kind = &one_reply,
                       .data = g,
                       .stage = RDV_STR("solve/generate"),
                       .sample = sample,
                       .dry = dry_solution_for(g->plan),
                       .order = graph_order(g->chain_index, 0, 0),
                       .tries = g->plan->options.profile == RDV_ROBUST ? 2 : 1};
    node_group *group = graph_group(in, replied, g);
    g->node = group ? graph_add(in, &like, group) : NULL;
    if (!g->node || !like.dry.p)
        return rdv_no_memory(err);
    int r = graph_start(in, g->node, err);
    return r == RDV_OK ? graph_seal(in, group, err) : r;
}

/* ---- stepwise generation --------------------------------------------------------------------- */

/* A text answer counts as it was announced; for other kinds the answer form's own reading takes
 * precedence. */
static rdv_str answer_of(const generation *g, const continuation *c)
{
    const rdv_answer_form form = rdv_answer_form_of(g->question);
    rdv_answer answer;
    if (form.kind == RDV_KIND_TEXT || g->plan->options.profile == RDV_PAPER)
        return c->answer;
    if (rdv_answer_read_steps(c->steps, c->n_steps, &form, &answer) == RDV_OK)
        return answer.text;
    return c->answer;
}

static int thought(continuation *c, rdv_error *err)
{
    generation *g = c->data;
    rdv_chain *chain = &g->plan->chains[g->chain_index];
    chain->steps = c->steps;
    chain->n_steps = c->n_steps;
    if (c->end == CONTINUE_BROKEN)
        chain->unfinished = c->why;
    else
        chain->answer = answer_of(g, c);
    g->calls = c->calls;
    g->absent = c->end == CONTINUE_BROKEN && g->plan->graph.closed;
    g->unanswered = c->end == CONTINUE_BROKEN && c->generated[c->n_generated - 1]->node->failed;
    return g->done(g, err);
}

static int start_thoughts(generation *g, rdv_str sample, rdv_error *err)
{
    const continue_from from = {.question = g->question,
                                .temperature = NAN,
                                .most_steps = g->plan->options.max_steps,
                                .stage = RDV_STR("solve/thought"),
                                .sample = sample,
                                .order = graph_order(g->chain_index, 0, 0)};
    return continue_chain(&g->thoughts, g->plan, &from, thought, g, err);
}

/* ---- both kinds ------------------------------------------------------------------------------ */

int generation_start(generation **out, rdv_plan *plan, const rdv_question *question,
                     size_t chain_index, int (*done)(generation *, rdv_error *), void *data,
                     rdv_error *err)
{
    rdv_arena *arena = plan->arena;
    generation *g = RDV_NEW(arena, generation);
    unsigned long long seed = plan->options.seed;
    rdv_str sample = seed ? rdv_str_printf(arena, "seed %llu, chain %zu", seed, chain_index)
                          : rdv_str_printf(arena, "chain %zu", chain_index);
    rdv_chain *chain = &plan->chains[chain_index];
    *chain = (rdv_chain){.question = *question, .correct = -1};
    chain->id = rdv_str_printf(arena, "%.*s/%zu", RDV_FMT(question->id), chain_index);
    if (!g || !sample.p || !chain->id.p)
        return rdv_no_memory(err);
    *g = (generation){
        .plan = plan, .question = question, .chain_index = chain_index, .done = done, .data = data};
    *out = g;
    return plan->options.generate == RDV_GENERATE_THOUGHTS ? start_thoughts(g, sample, err)
                                                           : start_one_reply(g, sample, err);
}

int generation_drop(generation *g, rdv_error *err)
{
    return g->thoughts ? continue_drop(g->thoughts, err)
                       : graph_drop(&g->plan->graph, g->node, err);
}
