/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The guard of a gateway: LiteLLM's generic guardrail API (docs.litellm.ai, "Generic Guardrail
 * API"). The gateway asks with the texts of a reply, whole or as far as they have come, and gets
 * whether they may be sent. No sockets, and any thread. */
#include "judge/rule.h"

#define GUARDRAIL_MOST_TEXTS 32

/* Answer the request `body` by the rule of who asks, which its member
 * additional_provider_specific_params.rederive can make stricter. Append the answer, JSON, to *out:
 * - BLOCKED: a text is not admitted; by JUDGE_STRICT, a step of it is not that has ended for sure.
 * - By JUDGE_STRICT, GUARDRAIL_INTERVENED: a last step, which may still go on, is not admitted;
 *   `texts` are without it.
 * - NONE: the texts are admitted; by JUDGE_STRICT, stream_holdback_chars says how many characters
 *   at the end of each belong to a step that may still go on. Also for what is no reply.
 * Faults: RDV_E_INPUT: it is no such request, or would loosen the rule, err says why; RDV_E_NOMEM.
 */
int guardrail_answer(rdv_str body, const judge_rule *rule, rdv_arena *arena, rdv_buf *out,
                     rdv_error *err);
