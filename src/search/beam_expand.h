/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One more step of a chain that is being written, zero-shot (prompts/general/step.md): asked for as
 * more of the assistant's turn, up to the end of the line. Where a server cannot go on with a turn,
 * the wire layer asks in a user's turn, and the first line of what comes is the step. */
#include "plan/plan.h"
#include "prompt/prompt.h"

#include <rederive/answer.h>

typedef struct beam_expand {
    rdv_plan *plan;
    const rdv_chain *before; /* the chain as far as it goes */
    bool step_logprobs_wanted;
    const node *node;      /* its state tells whether the step came */
    rdv_str text;          /* one line, trimmed, without "Step 3:" */
    rdv_logprobs logprobs; /* of its tokens; n == 0: not to be had */
} beam_expand;

/* Add the node that draws the step, in `group`, ready. chain_index: of the chain to be, for the
 * order of asking; path: names the draw. Everything borrowed must live as long as the plan. */
int beam_expand_add(beam_expand **out, rdv_plan *plan, const rdv_chain *before, size_t chain_index,
                    rdv_str path, bool logprobs, node_group *group, rdv_error *err);
/* Does the step announce the final answer: a box, "####", "the answer is"? */
bool beam_expand_ends(const beam_expand *step, const rdv_answer_form *form);
