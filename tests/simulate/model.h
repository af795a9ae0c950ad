/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model that answers from the key of what is asked: the same request has the same reply in every
 * world. */
#include "base/buf.h"
#include <rederive/plan.h>

/* What the server does beside answering. */
typedef struct model_manner {
    uint32_t untold; /* responses of 100 that do not say their usage */
    uint32_t dense;  /* tokens of 16 bytes of a prompt */
    bool schema;     /* holds replies to a JSON schema */
    bool choice;     /* holds replies to one of a few texts */
    bool turn;       /* goes on with the assistant's turn */
    bool back;       /* gives that turn back, and goes on with it */
} model_manner;

/* The body of a whole response to a request that was sent to `path` with `sent`, the JSON of
 * the wire. `plan`: whose request it is; NULL: the request is of a survey. The counts are zero if
 * the body does not say them. */
rdv_str model_body(const model_manner *manner, rdv_plan *plan, const rdv_request *request,
                   rdv_str path, rdv_str sent, rdv_arena *arena, uint64_t *prompt_tokens,
                   uint64_t *completion_tokens);
