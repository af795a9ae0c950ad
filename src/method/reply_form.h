/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The form of replies that give one of a few conclusions: the reminder in a second question, and
 * the structured output that a server is asked for. */
#include "plan/plan.h"
#include "prompt/prompt.h"

/* The sentence that reminds of `answers`, in `arena`: as the whole reply, or (`reasoned`) at its
 * end. Answers that name steps are listed for a chain of n_steps; 0: they are used as written.
 * RDV_OK or RDV_E_NOMEM. */
int reply_form_remind(const rdv_str *answers, size_t n, bool reasoned, size_t n_steps,
                      rdv_arena *arena, rdv_str *out);
/* Sets the request's reminder as the prompt states, for a chain of n_steps, and its answers: with
 * the plan's `structured` as a part of what is asked, with room for them in the token limit, else
 * as an offer, if the profile is robust and the prompt compiled in. In `arena`. RDV_OK or
 * RDV_E_NOMEM. */
int reply_form_ask(const prompt *p, const rdv_plan *plan, size_t n_steps, rdv_arena *arena,
                   rdv_request *request);
