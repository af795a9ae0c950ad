/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model that answers from the key of what is asked: the same request has the same reply in every
 * world. */
#include "base/buf.h"
#include <rederive/plan.h>

/* The body of a whole response to a request that was sent to `path` with `sent`, the JSON of
 * the wire. `plan`: whose request it is; NULL: the request is of a survey. */
rdv_str model_body(rdv_plan *plan, const rdv_request *request, rdv_str path, rdv_str sent,
                   rdv_arena *arena, uint64_t *prompt_tokens, uint64_t *completion_tokens);
