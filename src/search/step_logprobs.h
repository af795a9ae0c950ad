/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Assigns the log-probabilities of a generated text to its steps. */
#include <rederive/plan.h>

/* True if a method of the plan uses log-probabilities; they are requested only then. */
bool step_logprobs_wanted(const rdv_plan_options *options);
/* The log-probabilities of each of `n` steps, which are slices of `text`, the copy of the reply's
 * text. A token belongs to the step that contains its first non-blank byte; tokens between steps
 * belong to none. *out is NULL if they are not available. RDV_OK or RDV_E_NOMEM. */
int step_logprobs(const rdv_reply *reply, rdv_str text, const rdv_str *steps, size_t n,
                  rdv_arena *arena, rdv_logprobs **out);
/* The log-probabilities of a step that is one line, a slice of the reply's text. Text outside the
 * line does not count: the model's thinking before it, a repeated heading, or anything after it. If
 * the tokens do not make up the text, all of them belong to the step. RDV_OK or RDV_E_NOMEM. */
int step_logprobs_of_line(const rdv_reply *reply, rdv_str line, rdv_arena *arena,
                          rdv_logprobs *out);
