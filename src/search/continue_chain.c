/* SPDX-License-Identifier: Apache-2.0 */
#include "search/continue_chain.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/prompt_request.h"
#include "reply/step_line.h"
#include "search/chain_end.h"
#include "search/step_logprobs.h"

#include "score/combine.h"

#include <math.h>

static const char dry_thought[] = "In the first hour 12 * 3 = 36 pages are printed.";
static const char dry_last[] = "Together that makes 36 + 6 = 42 pages. So the answer is 42";
#define DRY_STEPS 5 /* an ordinary length */

/* ---- one step -------------------------------------------------------------------------------- */

/* The data of a step's node. */
typedef struct drawing {
    rdv_plan *plan;
    const continue_from *from;
    const rdv_str *steps; /* the steps before it */
    size_t n_steps;
    generated_step *into;
} drawing;

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const drawing *d = n->data;
    const prompt_subject subject = {.question = d->from->question,
                                    .steps = d->steps,
                                    .n_steps = d->n_steps,
                                    .asked = d->n_steps};
    int r = prompt_request(&subject, RDV_STR("mistakes/trace/"), d->plan, n, arena, request, err);
    if (r != RDV_OK)
        return r;
    request->party = RDV_GENERATOR;
    if (!isnan(d->from->temperature))
        request->sampling.temperature = d->from->temperature;
    request->sampling.logprobs = d->from->logprobs;
    uint32_t *most = &request->sampling.max_tokens;
    if (d->from->most_tokens && (!*most || d->from->most_tokens < *most))
        *most = d->from->most_tokens;
    return RDV_OK;
}

/* Does the step end the chain? Without an answer out->answer stays empty. */
static int read_end(const drawing *d, rdv_arena *arena, generated_step *out)
{
    rdv_str *steps = RDV_NEW_ARRAY(arena, rdv_str, d->n_steps + 1);
    if (!steps)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < d->n_steps; i++)
        steps[i] = d->steps[i];
    steps[d->n_steps] = out->text;
    (void)chain_end_answer(d->plan->options.profile, d->from->question, steps, d->n_steps + 1,
                           &out->answer);
    return RDV_OK;
}

static int keep_logprobs(const rdv_reply *reply, rdv_str line, rdv_arena *arena,
                         generated_step *out)
{
    rdv_logprobs of_line;
    if (step_logprobs_of_line(reply, line, arena, &of_line) < 0)
        return RDV_E_NOMEM;
    rdv_tokens tokens = rdv_tokens_of(&of_line);
    out->n_tokens = tokens.n;
    out->logprob = tokens.n ? tokens.logprob : NAN;
    out->mean_logprob = tokens.n ? tokens.logprob / (double)tokens.n : NAN;
    return RDV_OK;
}

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const drawing *d = n->data;
    generated_step *out = d->into;
    rdv_str line;
    int r = step_line(reply->text, RDV_HEADING_THOUGHT, arena, &line, err);
    if (r == RDV_NONE)
        n->why = RDV_STR("the reply was empty");
    if (r != RDV_OK)
        return r;
    out->text = rdv_str_copy(arena, line);
    if (!out->text.p || keep_logprobs(reply, line, arena, out) < 0 || read_end(d, arena, out) < 0)
        return rdv_no_memory(err);
    return RDV_OK;
}

static const node_kind step_node = {.ask = ask, .read = read};

static int add_node(const drawing *like_d, size_t sample, bool last, node_group *group,
                    rdv_error *err)
{
    rdv_plan *plan = like_d->plan;
    drawing *d = RDV_NEW(plan->arena, drawing);
    node like = {.kind = &step_node,
                 .data = d,
                 .stage = like_d->from->stage,
                 .dry = rdv_str_of(last ? dry_last : dry_thought),
                 .order = like_d->from->order + graph_order(0, like_d->n_steps, sample),
                 .tries = plan->options.profile == RDV_ROBUST ? 2 : 1};
    like.sample = rdv_str_printf(plan->arena, "%.*s, step %zu, sample %zu",
                                 RDV_FMT(like_d->from->sample), like_d->n_steps, sample);
    if (!d || !like.sample.p)
        return rdv_no_memory(err);
    *d = *like_d;
    node *n = graph_add(&plan->graph, &like, group);
    if (!n)
        return rdv_no_memory(err);
    *d->into = (generated_step){.logprob = NAN, .mean_logprob = NAN, .node = n};
    return graph_start(&plan->graph, n, err);
}

static void count_node(node *n, uint64_t *calls, uint64_t *asked, uint64_t *answered)
{
    node_need(n);
    *calls += n->asked;
    *asked += n->prompt_tokens;
    *answered += n->completion_tokens;
}

/* ---- a whole chain --------------------------------------------------------------------------- */

static int next_step(continuation *c, rdv_error *err);

/* True if a dry-run reply after so many steps announces the answer. */
static bool is_dry_end(const rdv_plan *plan, size_t n_steps)
{
    rdv_bound bound = plan->options.bound;
    return bound == RDV_BOUND_LEAST || (bound == RDV_BOUND_NONE && n_steps + 1 >= DRY_STEPS);
}

static int end_with(continuation *c, continuation_end end, rdv_error *err)
{
    c->end = end;
    return c->done(c, err);
}

/* Called when a chain has its steps: decides whether it ends. */
static int go_on(continuation *c, const rdv_answer *answer, rdv_error *err)
{
    if (answer && answer->text.p) {
        c->answer = answer->text;
        return end_with(c, CONTINUE_ANSWERED, err);
    }
    return c->n_steps >= c->from.most_steps ? end_with(c, CONTINUE_CAPPED, err) : next_step(c, err);
}

static int push_step(continuation *c, rdv_str step, rdv_error *err)
{
    if (!RDV_PUSH_ROOM(c->plan->arena, c->steps, c->n_steps, c->cap_steps))
        return rdv_no_memory(err);
    c->steps[c->n_steps++] = step;
    return RDV_OK;
}

static int stepped(graph *g, node_group *group, rdv_error *err)
{
    continuation *c = group->data;
    if (c->dropped)
        return RDV_OK;
    const generated_step *s = c->generated[c->n_generated - 1];
    count_node(s->node, &c->calls, &c->prompt_tokens, &c->completion_tokens);
    if (s->node->state != NODE_ANSWERED) {
        c->why = s->node->why;
        return end_with(c, CONTINUE_BROKEN, err);
    }
    int r = push_step(c, s->text, err);
    return r == RDV_OK ? go_on(c, &s->answer, err) : r;
}

static int next_step(continuation *c, rdv_error *err)
{
    rdv_arena *arena = c->plan->arena;
    node_group *group = graph_group(&c->plan->graph, stepped, c);
    generated_step *step = RDV_NEW(arena, generated_step);
    /* The array moves as it grows; a pending request keeps the steps that it showed. */
    if (!group || !step || !RDV_PUSH_ROOM(arena, c->generated, c->n_generated, c->cap_generated))
        return rdv_no_memory(err);
    c->generated[c->n_generated++] = step;
    drawing d = {
        .plan = c->plan, .from = &c->from, .steps = c->steps, .n_steps = c->n_steps, .into = step};
    bool last = is_dry_end(c->plan, c->n_steps);
    int r = add_node(&d, 0, last, group, err);
    return r == RDV_OK ? graph_seal(&c->plan->graph, group, err) : r;
}

int continue_chain(continuation **out, rdv_plan *plan, const continue_from *from,
                   int (*done)(continuation *, rdv_error *), void *data, rdv_error *err)
{
    continuation *c = RDV_NEW(plan->arena, continuation);
    if (!c)
        return rdv_no_memory(err);
    *c = (continuation){.plan = plan, .from = *from, .done = done, .data = data};
    if (!c->from.most_steps)
        c->from.most_steps = CONTINUE_MOST_STEPS;
    *out = c;
    rdv_answer answer = {0};
    int r = RDV_OK;
    for (size_t i = 0; i < from->n_kept && r == RDV_OK; i++)
        r = push_step(c, from->kept[i], err);
    if (r == RDV_OK && from->n_kept &&
        chain_end_answer(plan->options.profile, from->question, from->kept, from->n_kept,
                         &answer) != RDV_OK)
        answer = (rdv_answer){0};
    return r == RDV_OK ? go_on(c, &answer, err) : r;
}

int continue_drop(continuation *c, rdv_error *err)
{
    c->dropped = true;
    if (!c->n_generated)
        return RDV_OK;
    return graph_drop(&c->plan->graph, (node *)c->generated[c->n_generated - 1]->node, err);
}

/* ---- one step, several times ----------------------------------------------------------------- */

static int sampled(graph *g, node_group *group, rdv_error *err)
{
    step_samples *s = group->data;
    if (s->dropped)
        return RDV_OK;
    for (size_t i = 0; i < s->n; i++)
        count_node(s->samples[i].node, &s->calls, &s->prompt_tokens, &s->completion_tokens);
    return s->done(s, err);
}

int continue_sample_step(step_samples **out, rdv_plan *plan, const continue_from *from, size_t n,
                         int (*done)(step_samples *, rdv_error *), void *data, rdv_error *err)
{
    step_samples *s = RDV_NEW(plan->arena, step_samples);
    generated_step *samples = RDV_NEW_ARRAY(plan->arena, generated_step, n);
    if (!s || !samples)
        return rdv_no_memory(err);
    *s = (step_samples){
        .plan = plan, .from = *from, .samples = samples, .n = n, .done = done, .data = data};
    *out = s;
    node_group *group = graph_group(&plan->graph, sampled, s);
    int r = group ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; i < n && r == RDV_OK; i++) {
        drawing d = {.plan = plan,
                     .from = &s->from,
                     .steps = from->kept,
                     .n_steps = from->n_kept,
                     .into = &samples[i]};
        r = add_node(&d, i, is_dry_end(plan, from->n_kept), group, err);
    }
    return r == RDV_OK ? graph_seal(&plan->graph, group, err) : r;
}

int continue_sample_drop(step_samples *s, rdv_error *err)
{
    int r = RDV_OK;
    s->dropped = true;
    for (size_t i = 0; i < s->n && r == RDV_OK; i++)
        r = graph_drop(&s->plan->graph, (node *)s->samples[i].node, err);
    return r;
}
