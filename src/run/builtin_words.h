/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What is asked of the built-in model as tokens, and its tokens as words. */
#include "run/builtin.h"

/* A copy of what is asked, all in `arena`. RDV_OK or RDV_E_NOMEM. */
int words_copy_ask(const builtin_ask *ask, rdv_arena *arena, builtin_ask *out);
/* *out: in `arena`, stop texts borrowed from what is asked. RDV_NONE: the model cannot do it.
 * Faults: those of the tokens; RDV_E_LIMIT: the prompt leaves no room. err says why. */
int words_of_ask(const rdv_lm *lm, const builtin_ask *ask, rdv_arena *arena, rdv_lm_job *out,
                 rdv_error *err);
/* What an event of the engine says, copied to *out, in `arena`. RDV_OK or RDV_E_NOMEM. */
int words_of_event(const rdv_lm *lm, const rdv_lm_event *news, rdv_arena *arena,
                   builtin_event *out);
