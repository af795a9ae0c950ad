/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private side of a plan: a graph, and the chains and the result that grow with it. The nodes
 * of a check or a solution are built in method/. */
#include "plan/graph.h"

struct rdv_plan {
    rdv_arena *arena; /* holds everything of the plan */
    graph graph;
    rdv_plan_options options; /* complete; its `check` points to the member below */
    rdv_check_options check;
    const rdv_prompts *prompts;
    rdv_chain *chains; /* the plan's own; their checks are added as they complete */
    size_t n_chains;
    rdv_result *result;                  /* a solve plan's result; NULL: none */
    const struct rdv_repaired *repaired; /* a repair plan's result; NULL: none, or not yet */
    bool generates;                      /* the plan generates its chains */
    bool partial;
};

/* A new plan without nodes; released with rdv_plan_free(). The options are copied. RDV_E_ARGUMENT:
 * wrong size of the options; RDV_E_NOMEM. */
int plan_new(const rdv_plan_options *options, rdv_plan **out, rdv_error *err);
