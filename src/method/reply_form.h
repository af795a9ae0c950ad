/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The form of replies whose conclusion is one of a few: how a second question reminds of it, and
 * what a server is told that holds replies to it. */
#include "plan/plan.h"
#include "prompt/prompt.h"

/* The sentence that reminds of `answers`, in `arena`: as the whole of the reply, or (`reasoned`) at
 * its end. Answers of steps are those of a chain of so many; 0: they stand as they are. RDV_OK or
 * RDV_E_NOMEM. */
int reply_form_remind(const rdv_str *answers, size_t n, bool reasoned, size_t n_steps,
                      rdv_arena *arena, rdv_str *out);
/* Put what the prompt says of its reply into the request, for a chain of so many steps: a reminder,
 * and with the plan's `structured` the answers, with room for them in what may be written. In
 * `arena`. RDV_OK or RDV_E_NOMEM. */
int reply_form_ask(const prompt *p, const rdv_plan *plan, size_t n_steps, rdv_arena *arena,
                   rdv_request *request);
