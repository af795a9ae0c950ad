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
 *     wire_is_whole(status):  wire_read(...)  RDV_NONE: wire_lacks(...) and write again
 *     else:                   wire_refused(...) true: write again
 *
 * Every difference from what was asked is stated in the reply's `adapted`. */
#include "model/abilities.h"
#include <rederive/plan.h>

typedef enum wire_form {
    WIRE_CHAT,
    WIRE_COMPLETIONS,
    WIRE_ECHO,         /* completions that give the prompt back with its log-probabilities */
    WIRE_SCORE_CHAT,   /* vLLM's prompt_logprobs of a conversation */
    WIRE_SCORE_TEXT,   /* and of a text */
    WIRE_TOKENIZE,     /* llama.cpp's /tokenize: what comes is for wire_write_grammar() */
    WIRE_GRAMMAR_CHAT, /* a reply that a grammar forces to be the given tokens */
    WIRE_GRAMMAR_TEXT, /* and more of a text, forced in the same way */
    WIRE_PAIRS,        /* a pair of numbers a step, of vLLM's /pooling */
    WIRE_VALUES        /* a value a token, of /embeddings */
} wire_form;

typedef struct wire {
    wire_form form;
    const char *path;   /* after the server's address: "/chat/completions" */
    rdv_str body;       /* JSON */
    unsigned uses;      /* the abilities it rests on: ABILITY_BIT()s */
    rdv_str adapted;    /* what was changed; p == NULL: nothing */
    rdv_str continues;  /* the text that is to be continued; p == NULL: none */
    rdv_can gives_back; /* does the reply begin with `continues`? RDV_CAN_UNKNOWN: it is left as it
                           came, for whoever finds that out */
    bool streamed;      /* the reply is to come piece by piece */
} wire;

/* Write a request for the model `name`. *out: in `arena`, texts borrowed from the request too.
 * RDV_NONE: this server cannot do such a request, err says why. Faults: RDV_E_NOMEM. */
int wire_write(const rdv_request *request, rdv_str name, const rdv_abilities *abilities,
               rdv_arena *arena, wire *out, rdv_error *err);

/* Write what scores the text of a request of RDV_REQUEST_SCORE, whose tokens are in `tokenized`,
 * the body of a 2xx response to WIRE_TOKENIZE. Otherwise as wire_write(); RDV_NONE also where the
 * server's tokens do not spell the text, and for a text of a single token, which has nothing before
 * it. */
int wire_write_grammar(const rdv_request *request, rdv_str name, const rdv_abilities *abilities,
                       rdv_str tokenized, rdv_arena *arena, wire *out, rdv_error *err);

/* Ask for the reply piece by piece, so that it is seen when the server begins it. *w, which
 * wire_write() wrote, stays as it is where that would not do: log-probabilities and what continues
 * a text differ in streams from server to server. The reply is the same. RDV_OK or RDV_E_NOMEM. */
int wire_ask_stream(wire *w, const rdv_request *request, const rdv_abilities *abilities,
                    rdv_arena *arena, rdv_error *err);

/* Is a response of that status a whole one? 200, 201 and 203 are; 202 (later), 204 and 205
 * (nothing), 206 (a part) and the others are not, whatever their body says. */
bool wire_is_whole(long status);

/* Read the body of a whole response to `w`. *out: in `arena`, nothing borrowed from `body`.
 * out->finish says whether the server calls the reply whole; only such a one is to be read.
 * RDV_NONE: the log-probabilities that a score needs are not in it. Faults: RDV_E_INPUT: it is not
 * a reply, err says why; RDV_E_NOMEM. What the server says that it used stands in out->usage,
 * prompt_tokens and completion_tokens in each case, and counts; the rest only with RDV_OK. */
int wire_read(const wire *w, const rdv_request *request, rdv_str body, rdv_arena *arena,
              rdv_reply *out, rdv_error *err);

/* What the server says that it used, of any body: the usage of *out, which is empty otherwise. */
void wire_read_usage(rdv_str body, rdv_reply *out);

/* What a server says about an error. Texts in the arena it was read into. */
typedef struct wire_error {
    rdv_str message; /* one line of UTF-8, at most 300 bytes; empty: none */
    rdv_str param;   /* the parameter it is about; empty: not said */
    rdv_str code;    /* "model_not_found"; empty: not said */
} wire_error;

/* Read the body of a response that is not 2xx: OpenAI's form, FastAPI's, or any text.
 * Always leaves *out usable. */
void wire_read_error(rdv_str body, rdv_arena *arena, wire_error *out);
struct json_t;
/* The same of an object that has a member "error". */
void wire_read_error_of(const struct json_t *object, rdv_arena *arena, wire_error *out);

/* Is there something about `w` that the server refuses with this error, and that can be asked in
 * another way? Then true, and the abilities know. */
bool wire_refused(const wire *w, int status, const wire_error *error, rdv_abilities *abilities);
/* wire_read() gave RDV_NONE: the server ignored what it was asked. */
void wire_lacks(const wire *w, rdv_abilities *abilities);

/* What a server says of itself. Texts in the arena it was read into. */
typedef struct wire_about {
    rdv_str *models; /* what it serves, other names of the same model included */
    size_t n_models;
    rdv_software software;
} wire_about;

/* Read the body of GET /models. Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int wire_read_models(rdv_str body, rdv_arena *arena, wire_about *out, rdv_error *err);

/* What llama.cpp says of itself. */
typedef struct wire_props {
    size_t slots;     /* replies that it works on at a time; 0: not said */
    bool no_template; /* the model has no chat template: it is a base model */
} wire_props;

/* Read the body of GET /props. Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int wire_read_props(rdv_str body, wire_props *out, rdv_error *err);
/* How many choices a response has; 0 when it is none. For probing. */
size_t wire_count_choices(rdv_str body);
