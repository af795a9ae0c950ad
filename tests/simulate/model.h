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
    uint32_t gaps;   /* of several choices, those of 100 that are no reply */
    bool first;      /* and it tells the tokens of the first alone, as llama.cpp */
} model_manner;

/* A request, and the plan whose it is; NULL: it is of a survey. */
typedef struct model_asked {
    const rdv_request *request;
    rdv_plan *plan;
} model_asked;

/* Whether the choice for that request is no reply, if it is one of several. */
bool model_leaves_gap(const model_manner *manner, const rdv_request *request);

/* The body of a whole response, with a choice for each of n requests that differ in their samples
 * and were sent to `path` with `sent`, the JSON of the wire. The counts are zero if the body does
 * not say them. */
rdv_str model_body(const model_manner *manner, const model_asked *asked, size_t n, rdv_str path,
                   rdv_str sent, rdv_arena *arena, uint64_t *prompt_tokens,
                   uint64_t *completion_tokens);
