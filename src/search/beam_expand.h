/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The next step of a chain that is being written, zero-shot (prompts/general/step.md). It is
 * requested as a continuation of the assistant's turn, up to the end of the line. If a server
 * cannot continue a turn, the wire layer asks in a user's turn, and the first line of the reply is
 * the step. */
#include "plan/plan.h"
#include "prompt/prompt.h"

#include <rederive/answer.h>

typedef struct beam_expand {
    rdv_plan *plan;
    const rdv_chain *before; /* the chain so far */
    bool step_logprobs_wanted;
    node *node;      /* its state tells whether the step was read */
    rdv_str text;          /* one line, trimmed, without "Step 3:" */
    rdv_logprobs logprobs; /* of its tokens; n == 0: not available */
} beam_expand;

/* Adds the node that draws the step to `group`, ready. chain_index: the index of the new chain, for
 * the order of requests; path: names the draw. Everything borrowed must live as long as the
 * plan. */
int beam_expand_add(beam_expand **out, rdv_plan *plan, const rdv_chain *before, size_t chain_index,
                    rdv_str path, bool logprobs, node_group *group, rdv_error *err);
