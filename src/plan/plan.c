/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"

#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"
#include "prompt/prompt.h"

#include <math.h>

#define MAX_PLAN_BYTES ((size_t)1 << 30)

static const rdv_plan_options defaults = {.size = sizeof defaults,
                                          .generator = {"model", 5},
                                          .temperature = NAN,
                                          .chains = 10,
                                          .beam_width = 4,
                                          .expansions = 4,
                                          .stop = RDV_STOP_CERTAIN,
                                          .select = RDV_SELECT_WEIGHTED,
                                          .lookahead = 1,
                                          .prm_threshold = 0.5};

void rdv_plan_options_default(rdv_plan_options *options, size_t size)
{
    rdv_options_fill(options, size, &defaults, sizeof defaults);
}

static int take_options(rdv_plan *plan, const rdv_plan_options *given, rdv_error *err)
{
    plan->options = defaults;
    rdv_check_options_default(&plan->check, sizeof plan->check);
    int rc = rdv_options_take(&plan->options, sizeof plan->options, given, err);
    if (rc == RDV_OK)
        rc = rdv_options_take(&plan->check, sizeof plan->check, plan->options.check, err);
    plan->options.check = &plan->check;
    if (!plan->options.checker.p)
        plan->options.checker = plan->options.generator;
    return rc;
}

static int take_prompts(rdv_plan *plan, rdv_error *err)
{
    rdv_prompts *own = NULL;
    int rc = plan->options.prompts ? RDV_OK : prompts_new(NULL, 0, plan->arena, &own, err);
    plan->prompts = own ? own : plan->options.prompts;
    return rc;
}

int plan_new(const rdv_plan_options *options, rdv_plan **out, rdv_error *err)
{
    *out = NULL;
    rdv_arena *arena = rdv_arena_new(MAX_PLAN_BYTES);
    rdv_plan *plan = arena ? RDV_NEW(arena, rdv_plan) : NULL;
    if (!plan) {
        rdv_arena_free(&arena);
        return rdv_no_memory(err);
    }
    plan->arena = arena;
    graph_init(&plan->graph, arena);
    int rc = take_options(plan, options, err);
    plan->graph.keeps_exchanges = plan->options.keep_exchanges;
    if (rc == RDV_OK)
        rc = take_prompts(plan, err);
    if (rc != RDV_OK) {
        rdv_arena_free(&arena);
        return rc;
    }
    *out = plan;
    return RDV_OK;
}

void rdv_plan_free(rdv_plan **plan)
{
    if (!plan || !*plan)
        return;
    rdv_arena *arena = (*plan)->arena; /* it holds the plan itself */
    graph_free(&(*plan)->graph);
    rdv_arena_free(&arena);
    *plan = NULL;
}

int rdv_plan_next(rdv_plan *plan, rdv_request *request, rdv_error *err)
{
    const rdv_str model[2] = {plan->options.generator, plan->options.checker};
    return graph_next(&plan->graph, model, request, err);
}

int rdv_plan_reply(rdv_plan *plan, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    return graph_reply(&plan->graph, id, reply, err);
}

int rdv_plan_fail(rdv_plan *plan, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    return graph_fail(&plan->graph, id, failure, why, err);
}

int rdv_plan_cancelled(rdv_plan *plan, uint64_t *id)
{
    graph *g = &plan->graph;
    if (g->next_cancelled == g->n_cancelled)
        return RDV_NONE;
    *id = g->cancelled[g->next_cancelled++];
    return RDV_OK;
}

bool rdv_plan_done(const rdv_plan *plan)
{
    return graph_done(&plan->graph);
}

int rdv_plan_close(rdv_plan *plan, rdv_failure failure, rdv_error *err)
{
    if (!rdv_plan_done(plan))
        plan->partial = true;
    return graph_close(&plan->graph, failure, err);
}

const rdv_chain *rdv_plan_chains(const rdv_plan *plan, size_t *n)
{
    *n = plan->n_chains;
    return plan->chains;
}

const rdv_result *rdv_plan_result(const rdv_plan *plan)
{
    return plan->result;
}

void rdv_plan_tokens(const rdv_plan *plan, uint64_t *generated, uint64_t *checked)
{
    uint64_t by[2] = {0, 0};
    for (size_t id = 0; id < plan->graph.n_asked; id++) {
        const node *n = plan->graph.asked[id];
        if (n->request == id && n->needed)
            by[n->party == RDV_CHECKER] += n->completion_tokens;
    }
    *generated = by[0];
    *checked = by[1];
}

bool rdv_plan_partial(const rdv_plan *plan)
{
    return plan->partial;
}

/* All steps are right. */
static int dry_rewards(const rdv_request *request, rdv_arena *arena, rdv_reply *reply,
                       rdv_error *err)
{
    double *rewards = RDV_NEW_ARRAY(arena, double, request->n_steps);
    if (!rewards)
        return rdv_no_memory(err);
    for (size_t i = 0; i < request->n_steps; i++)
        rewards[i] = 1;
    reply->rewards = rewards;
    reply->n_rewards = request->n_steps;
    return RDV_OK;
}

int rdv_plan_dry_reply(const rdv_plan *plan, const rdv_request *request, rdv_arena *arena,
                       rdv_reply *reply, rdv_error *err)
{
    if (request->id >= plan->graph.n_asked)
        return rdv_fail(err, RDV_E_ARGUMENT, "no such request");
    const node *n = plan->graph.asked[request->id];
    bool again = plan->options.bound == RDV_BOUND_MOST && n->asked < n->tries && !n->same_again;
    *reply = (rdv_reply){.text = n->dry.p ? n->dry : RDV_STR(""), .finish = RDV_FINISH_STOP};
    reply->completion_tokens = reply->text.len / 4 + 1; /* four bytes per token, as usual */
    if (again)
        reply->text = RDV_STR("");
    reply->dry = !again;
    bool rewards = request->kind == RDV_REQUEST_REWARD && !again;
    return rewards ? dry_rewards(request, arena, reply, err) : RDV_OK;
}
