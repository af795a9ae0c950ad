/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The requests of a plan and their replies, kept for people to look at. */
#include <rederive/plan.h>

typedef struct rdv_exchange {
    rdv_str stage; /* "selfcheck/target" */
    size_t chain;  /* of the plan */
    size_t step;   /* RDV_WHOLE_CHAIN: the whole chain */
    rdv_str asked; /* the messages of the request, each below its role, or its text */
    rdv_str reply; /* p == NULL: there was none */
    rdv_str why;   /* why it was not read; p == NULL: it was */
    uint64_t prompt_tokens, completion_tokens; /* of the reply */
} rdv_exchange;

/* Put the exchanges of a plan that keeps them (rdv_plan_options) in order: by chain, by step, and
 * then as they were asked. Call it when the plan is done; once is enough. RDV_OK or RDV_E_NOMEM. */
int plan_sort_exchanges(rdv_plan *plan);
/* Those of all chains, or of one, of a sorted plan; NULL, and *n 0: none. Borrowed from the plan.
 */
const rdv_exchange *plan_exchanges(const rdv_plan *plan, size_t *n);
const rdv_exchange *plan_exchanges_of(const rdv_plan *plan, size_t chain, size_t *n);
