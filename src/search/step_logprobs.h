/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The log-probabilities of what was generated, given to the steps that it was cut into. */
#include <rederive/plan.h>

/* Does a method of the plan look at log-probabilities? Only then are they asked for. */
bool step_logprobs_wanted(const rdv_plan_options *options);
/* Those of each of `n` steps, which are slices of `text`, the copy of the reply's text: a token
 * belongs to the step in which its first byte that is no blank stands; what stands between steps
 * belongs to none. *out is NULL where they are not to be had. RDV_OK or RDV_E_NOMEM. */
int step_logprobs(const rdv_reply *reply, rdv_str text, const rdv_str *steps, size_t n,
                  rdv_arena *arena, rdv_logprobs **out);
/* Those of a step that is one line, a slice of the reply's text: what a model thought before it,
 * repeated of a heading or wrote behind it does not count. Where the tokens do not make up the
 * text, all of them are the step's. RDV_OK or RDV_E_NOMEM. */
int step_logprobs_of_line(const rdv_reply *reply, rdv_str line, rdv_arena *arena,
                          rdv_logprobs *out);
