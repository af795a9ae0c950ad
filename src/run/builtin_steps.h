/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Rewards of steps by the built-in model's step head: a question and steps as tokens, and the
 * head's logits as rewards. docs/model-engine.md describes the layout. */
#include "lm/lm.h"
#include <rederive/plan.h>

/* The engine's job for a reward request, in `arena`. Steps beyond the context are left out.
 * RDV_NONE: the model has no step head. Faults: those of the tokens; RDV_E_LIMIT: not even the
 * first step has room. */
int builtin_steps_job(const rdv_lm *lm, const rdv_request *request, rdv_arena *arena,
                      rdv_lm_job *out, rdv_error *err);
/* P(right) of each step; NaN for those left out. RDV_OK or RDV_E_NOMEM. */
int builtin_steps_reply(const rdv_request *request, const rdv_lm_event *from, rdv_arena *arena,
                        rdv_reply *out);
