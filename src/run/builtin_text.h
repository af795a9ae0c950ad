/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What is asked of the built-in model as tokens, and its tokens as text. */
#include "lm/lm.h"
#include "run/backend.h"

/* A copy of what the built-in model is told of a request, all in `arena`. RDV_OK or RDV_E_NOMEM. */
int builtin_text_copy(const rdv_request *request, rdv_arena *arena, rdv_request *out);
/* The engine's job for a request. *out: in `arena`, stop texts borrowed from the request. RDV_NONE:
 * the model cannot do it. Faults: those of the tokens; RDV_E_LIMIT: the prompt leaves no room. err
 * says why. */
int builtin_text_job(const rdv_lm *lm, const rdv_request *request, unsigned extras,
                     rdv_arena *arena, rdv_lm_job *out, rdv_error *err);
/* What an event of the engine says, as an event of that request, all in `arena`. RDV_OK or
 * RDV_E_NOMEM. */
int builtin_text_event(const rdv_lm *lm, const rdv_request *request, const rdv_lm_event *from,
                       rdv_arena *arena, backend_event *out);
