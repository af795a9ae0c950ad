/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Conversion of requests to tokens of the built-in model, and of its tokens to text. */
#include "lm/lm.h"
#include "run/backend.h"

/* The metadata of a model file that list the prompts it was trained on. */
#define RDV_BUILTIN_PROMPTS "rederive.prompts"

/* A copy of the parts of a request that the built-in model uses, all in `arena`. RDV_OK or
 * RDV_E_NOMEM. */
int builtin_text_copy(const rdv_request *request, rdv_arena *arena, rdv_request *out);
/* The engine's job for a request. *out: in `arena`, stop texts borrowed from the request. RDV_NONE:
 * the model does not support it. Faults: those of the tokens; RDV_E_LIMIT: the prompt leaves no
 * room for a reply. err says why. */
int builtin_text_job(const rdv_lm *lm, const rdv_request *request, unsigned extras,
                     rdv_arena *arena, rdv_lm_job *out, rdv_error *err);
/* The engine's event as an event of that request, all in `arena`. RDV_OK or RDV_E_NOMEM. */
int builtin_text_event(const rdv_lm *lm, const rdv_request *request, const rdv_lm_event *from,
                       rdv_arena *arena, backend_event *out);
