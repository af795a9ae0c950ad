/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The wire format of OpenAI-compatible servers: requests into bytes, bytes into replies. No
 * sockets.
 *
 * What a server can do is found out on the way. A request is written by what is known; when the
 * server refuses something in it, or leaves something out, wire_refused() and wire_lacks() note
 * that in the abilities, and it is written anew:
 *
 *     wire_write(request, model, &abilities, arena, &wire, err);
 *     status, body = (send wire.body to wire.path)
 *     status is 2xx:  wire_read(...)  RDV_NONE: wire_lacks(...) and write again
 *     else:           wire_refused(...) true: write again
 *
 * Every difference from what was asked is stated in the reply's `adapted`. */
#include "model/abilities.h"
#include <rederive/plan.h>

typedef enum wire_form {
    WIRE_CHAT,
    WIRE_COMPLETIONS,
    WIRE_ECHO,       /* completions that give the prompt back with its log-probabilities */
    WIRE_SCORE_CHAT, /* vLLM's prompt_logprobs of a conversation */
    WIRE_SCORE_TEXT, /* and of a text */
    WIRE_PAIRS,      /* a pair of numbers a step, of vLLM's /pooling */
    WIRE_VALUES      /* a value a token, of /embeddings */
} wire_form;

typedef struct wire {
    wire_form form;
    const char *path;  /* after the server's address: "/chat/completions" */
    rdv_str body;      /* JSON */
    unsigned uses;     /* the abilities it rests on: ABLE_BIT()s */
    rdv_str adapted;   /* what was changed; p == NULL: nothing */
    rdv_str continues; /* the text that was put into a user turn; p == NULL: none */
} wire;

/* Write a request for the model `name`. *out: in `arena`, texts borrowed from the request too.
 * RDV_NONE: this server cannot do such a request, err says why. Faults: RDV_E_NOMEM. */
int wire_write(const rdv_request *request, rdv_str name, const rdv_abilities *abilities,
               rdv_arena *arena, wire *out, rdv_error *err);

/* Read the body of a 2xx response to `w`. *out: in `arena`, nothing borrowed from `body`.
 * RDV_NONE: the log-probabilities that a score needs are not in it. Faults: RDV_E_INPUT: it is not
 * a reply, err says why; RDV_E_NOMEM. */
int wire_read(const wire *w, const rdv_request *request, rdv_str body, rdv_arena *arena,
              rdv_reply *out, rdv_error *err);

/* What a server says about an error. Texts in the arena it was read into. */
typedef struct wire_error {
    rdv_str message; /* one line of UTF-8, at most 300 bytes; empty: none */
    rdv_str param;   /* the parameter it is about; empty: not said */
    rdv_str code;    /* "model_not_found"; empty: not said */
} wire_error;

/* Read the body of a response that is not 2xx: OpenAI's form, FastAPI's, or any text.
 * Always leaves *out usable. */
void wire_read_error(rdv_str body, rdv_arena *arena, wire_error *out);

/* Is there something about `w` that the server refuses with this error, and that can be asked in
 * another way? Then true, and the abilities know. */
bool wire_refused(const wire *w, int status, const wire_error *error, rdv_abilities *abilities);
/* wire_read() gave RDV_NONE: the server ignored what it was asked. */
void wire_lacks(const wire *w, rdv_abilities *abilities);

/* Read the body of GET /models. *names: in `arena`. Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int wire_read_models(rdv_str body, rdv_arena *arena, rdv_str **names, size_t *n, rdv_error *err);
/* How many choices a response has; 0 when it is none. For probing. */
size_t wire_count_choices(rdv_str body);
