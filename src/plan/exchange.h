/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a plan asked and what was replied, kept for people to look at. */
#include <rederive/plan.h>

typedef struct rdv_exchange {
    rdv_str stage;                             /* "selfcheck/target" */
    size_t chain;                              /* of the plan */
    size_t step;                               /* RDV_WHOLE_CHAIN: the whole chain */
    rdv_str asked;                             /* the last message or the text of the request */
    rdv_str reply;                             /* p == NULL: there was none */
    rdv_str why;                               /* why it was not read; p == NULL: it was */
    uint64_t prompt_tokens, completion_tokens; /* of the reply */
} rdv_exchange;
