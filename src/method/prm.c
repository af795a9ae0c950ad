/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that ask a process reward model, and what they make of its scores: a step whose score is
 * below the threshold contradicts, the others support. */
#include "method/prm.h"

#include "base/arena.h"
#include "base/str.h"

#include <math.h>

#define BEFORE_FIRST "before the first mistake"
#define AFTER_FIRST "after the first mistake, which is all that is asked for"

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static const node *node_of(const prm *p, size_t step)
{
    return p->nodes[p->n_nodes == 1 ? 0 : step];
}

static rdv_str shown(const prm *p, double score)
{
    return rdv_str_printf(p->run.plan->arena, "reward %.3g", score);
}

static void conclude_scored(const prm *p, size_t step, rdv_verdict *v)
{
    double score = p->score[step];
    const node *n = node_of(p, step);
    if (n->state != NODE_ANSWERED || !(score >= 0 && score <= 1)) {
        v->is = RDV_UNKNOWN;
        v->score = NAN;
        v->why =
            n->state != NODE_ANSWERED ? n->why : RDV_STR("the model gave no number from 0 to 1");
        return;
    }
    v->is = score < p->run.plan->options.prm_threshold ? RDV_CONTRADICT : RDV_SUPPORT;
    v->score = score;
    v->why = shown(p, score);
}

/* What stands after the first mistake was not judged. The critique stands with the first step that
 * it is about. */
static int conclude_located(const prm *p, size_t step, rdv_verdict *v, rdv_error *err)
{
    rdv_arena *arena = p->run.plan->arena;
    bool read_it = p->located, before = read_it && (p->whole_right || step < p->first);
    bool at = read_it && !p->whole_right && step == p->first;
    bool decisive = at || (step == 0 && (!read_it || p->whole_right));
    v->is = before ? RDV_SUPPORT : at ? RDV_CONTRADICT : RDV_UNKNOWN;
    v->score = before ? 1 : at ? 0 : NAN;
    if (!read_it)
        v->why = node_of(p, step)->why;
    else if (v->is == RDV_UNKNOWN)
        v->why = RDV_STR(AFTER_FIRST);
    else if (before && !p->whole_right)
        v->why = RDV_STR(BEFORE_FIRST);
    if (!decisive)
        return RDV_OK;
    v->evidence = rdv_note_map(arena, NULL, (rdv_str){0});
    bool ok = v->evidence && (!p->reply.p || rdv_note_text(arena, v->evidence, RDV_STR("response"),
                                                           p->reply) != NULL);
    return ok ? RDV_OK : out_of_memory(err);
}

static void count_calls(prm *p)
{
    rdv_check *check = &p->run.check;
    for (size_t i = 0; i < p->n_nodes; i++) {
        check->calls += p->nodes[i]->asked;
        check->prompt_tokens += p->nodes[i]->prompt_tokens;
        check->completion_tokens += p->nodes[i]->completion_tokens;
    }
}

static int settled(graph *g, node_group *group, rdv_error *err)
{
    prm *p = group->data;
    const rdv_plan_options *o = &p->run.plan->options;
    if (p->run.dropped)
        return RDV_OK;
    rdv_verdict *verdicts = RDV_NEW_ARRAY(g->arena, rdv_verdict, p->n_steps);
    if (!verdicts)
        return out_of_memory(err);
    int r = RDV_OK;
    for (size_t i = 0; i < p->n_steps && r == RDV_OK; i++) {
        verdicts[i] = (rdv_verdict){.step = i};
        if (p->run.method == &method_prm_critic)
            r = conclude_located(p, i, &verdicts[i], err);
        else
            conclude_scored(p, i, &verdicts[i]);
    }
    if (r == RDV_OK)
        r = method_integrate(&p->run.method->method, &o->check, verdicts, p->n_steps, &p->run.check,
                             err);
    count_calls(p);
    return r == RDV_OK ? p->run.finished(&p->run, err) : r;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static int drop(check_run *run, rdv_error *err)
{
    prm *p = (prm *)run;
    int r = RDV_OK;
    for (size_t i = 0; i < p->n_nodes && r == RDV_OK; i++)
        r = graph_drop(&run->plan->graph, p->nodes[i], err);
    return r;
}

static int add_node(prm *p, const node_kind *kind, size_t i, const char *dry, rdv_error *err)
{
    rdv_plan *plan = p->run.plan;
    prm_place *at = RDV_NEW(plan->arena, prm_place);
    node like = {.kind = kind,
                 .data = at,
                 .stage = rdv_str_of(p->run.method->method.name),
                 .dry = dry,
                 .order = (uint64_t)p->run.place << 40 | (uint64_t)i << 8,
                 .tries = plan->options.profile == RDV_ROBUST ? 2 : 1};
    size_t step = p->n_nodes == 1 ? RDV_WHOLE_CHAIN : i;
    if (!at || check_name_sample(&p->run, step, 0, plan->arena, &like.sample) != RDV_OK)
        return out_of_memory(err);
    *at = (prm_place){p, i};
    p->nodes[i] = graph_add(&plan->graph, &like, p->run.group);
    return p->nodes[i] ? RDV_OK : out_of_memory(err);
}

static int start(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,
                 int (*finished)(check_run *, rdv_error *), void *data, const node_kind *kind,
                 const char *dry, rdv_error *err)
{
    const rdv_chain *chain = check_part(plan, place);
    prm *p = RDV_NEW(plan->arena, prm);
    if (!chain || !p)
        return out_of_memory(err);
    *p = (prm){.run = {.plan = plan,
                       .method = method,
                       .chain = chain,
                       .place = place,
                       .group = graph_group(&plan->graph, settled, p),
                       .finished = finished,
                       .data = data,
                       .drop = drop},
               .n_steps = chain->n_steps};
    *out = &p->run;
    p->nodes = RDV_NEW_ARRAY(plan->arena, node *, chain->n_steps);
    p->score = RDV_NEW_ARRAY(plan->arena, double, chain->n_steps);
    if (!p->run.group || !p->nodes || !p->score)
        return out_of_memory(err);
    for (size_t i = 0; i < chain->n_steps; i++)
        p->score[i] = NAN;
    size_t n = kind == &prm_plus_minus || !chain->n_steps ? chain->n_steps : 1;
    int r = kind == &prm_plus_minus ? prm_write_turns(p, err) : RDV_OK;
    p->n_nodes = n; /* names of samples go by it */
    for (size_t i = 0; i < n && r == RDV_OK; i++)
        r = add_node(p, kind, i, dry, err);
    for (size_t i = 0; i < n && r == RDV_OK; i++)
        r = graph_start(&plan->graph, p->nodes[i], err);
    return r == RDV_OK ? graph_seal(&plan->graph, p->run.group, err) : r;
}

#define DEFINE_START(name, kind, dry)                                                              \
    static int name(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,     \
                    int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err)         \
    {                                                                                              \
        return start(out, plan, place, method, finished, data, &(kind), (dry), err);               \
    }

DEFINE_START(start_rewards, prm_rewards, "")
DEFINE_START(start_plus_minus, prm_plus_minus, "+")
DEFINE_START(start_critic, prm_critic,
             "Each paragraph follows from the ones before it, and the calculations are right. No "
             "error was found.\n\\boxed{-1}")

#define PRM(name_, summary_, start_)                                                               \
    {                                                                                              \
        .method = {.name = "prm:" name_,                                                           \
                   .summary = summary_,                                                            \
                   .l1 = 1,                                                                        \
                   .l0 = 0.3,                                                                      \
                   .asks_model = true},                                                            \
        .start = start_                                                                            \
    }

const method_entry method_prm_pairs =
    PRM("pooling-pairs", "a process reward model behind /pooling: a pair of numbers a step",
        start_rewards);
const method_entry method_prm_values =
    PRM("embeddings-token-values",
        "a process reward model behind /embeddings: a value at each token", start_rewards);
const method_entry method_prm_plus_minus = PRM(
    "chat-plus-minus", "a process reward model that says + or - after each step", start_plus_minus);
const method_entry method_prm_critic =
    PRM("generative-critic", "ask once for the index of the first wrong step (ProcessBench)",
        start_critic);
