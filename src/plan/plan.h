/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A plan from inside: a graph, and the chains and the result that grow with it. What is planned, a
 * check or a solution, is built in method/. */
#include "plan/graph.h"

struct rdv_plan {
    rdv_arena *arena; /* everything of the plan */
    graph graph;
    rdv_plan_options options; /* whole; its `check` is the one below */
    rdv_check_options check;
    const rdv_prompts *prompts;
    rdv_chain *chains; /* the plan's own, growing their checks */
    size_t n_chains;
    rdv_result *result;                  /* a solve plan's; NULL: none */
    const struct rdv_repaired *repaired; /* a repair plan's; NULL: none, or not yet */
    bool generates;                      /* its chains */
    bool partial;
};

/* A new plan without nodes; released with rdv_plan_free(). The options are copied. RDV_E_ARGUMENT:
 * their size; RDV_E_NOMEM. */
int plan_new(const rdv_plan_options *options, rdv_plan **out, rdv_error *err);
