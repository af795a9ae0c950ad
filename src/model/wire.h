/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The wire format of OpenAI-compatible servers: converts requests to bytes, and bytes to replies.
 * No sockets.
 *
 * Abilities are determined on the way. A request is written for the known abilities; if the server
 * refuses or ignores a part of it, wire_refused() and wire_lacks() record that in the abilities,
 * and the request is written again:
 *
 *     wire_write(request, model, &abilities, arena, &wire, err);
 *     status, body = (send wire.body to wire.path)
 *     wire_is_whole(status):  wire_read(...)  RDV_NONE: wire_lacks(...) and write again
 *     else:                   wire_refused(...) true: write again
 *
 * Every difference from the request is stated in the reply's `adapted`. */
#include "model/abilities.h"
#include <rederive/plan.h>

typedef enum wire_form {
    WIRE_CHAT,
    WIRE_COMPLETIONS,
    WIRE_ECHO,         /* completions that return the prompt with its log-probabilities */
    WIRE_SCORE_CHAT,   /* vLLM's prompt_logprobs of a conversation */
    WIRE_SCORE_TEXT,   /* vLLM's prompt_logprobs of a text */
    WIRE_TOKENIZE,     /* llama.cpp's /tokenize: the response is for wire_write_grammar() */
    WIRE_GRAMMAR_CHAT, /* a reply that a grammar forces to consist of the given tokens */
    WIRE_GRAMMAR_TEXT, /* a continuation of a text, forced in the same way */
    WIRE_PAIRS,        /* a pair of numbers per step, from vLLM's /pooling */
    WIRE_VALUES        /* a value per token, from /embeddings */
} wire_form;

typedef struct wire {
    wire_form form;
    const char *path;   /* appended to the server's address: "/chat/completions" */
    rdv_str body;       /* JSON */
    unsigned uses;      /* the abilities it depends on: ABILITY_BIT()s */
    rdv_str adapted;    /* what was changed; p == NULL: nothing */
    rdv_str continues;  /* the text to be continued; p == NULL: none */
    rdv_can gives_back; /* does the reply begin with `continues`? RDV_CAN_UNKNOWN: the reply is
                           left unchanged, for the survey */
    bool streamed;      /* the reply is to be streamed */
    bool unlimited;     /* the reply may have any number of tokens; otherwise at most */
    uint64_t limit;     /* this number, all choices together */
    size_t n;           /* choices asked for; 0: one */
    bool counts_first;  /* of several choices, the usage has the tokens of the first alone */
} wire;

/* Write a request for the model `name`. *out: in `arena`, texts borrowed from the request too.
 * RDV_NONE: this server does not support such a request, err says why. Faults: RDV_E_NOMEM. */
int wire_write(const rdv_request *request, rdv_str name, const rdv_abilities *abilities,
               rdv_arena *arena, wire *out, rdv_error *err);

/* Write the request that scores the text of a request of RDV_REQUEST_SCORE, whose tokens are in
 * `tokenized`, the body of a 2xx response to WIRE_TOKENIZE. Otherwise as wire_write(); RDV_NONE
 * also if the server's tokens do not spell the text, and for a text of a single token, which has
 * nothing before it. */
int wire_write_grammar(const rdv_request *request, rdv_str name, const rdv_abilities *abilities,
                       rdv_str tokenized, rdv_arena *arena, wire *out, rdv_error *err);

/* Request streaming, so that the start of the server's work is visible. *w, written by
 * wire_write(), is unchanged if streaming does not suit it: streams of log-probabilities and of
 * continued texts differ between servers. The reply is the same. RDV_OK or RDV_E_NOMEM. */
int wire_ask_stream(wire *w, const rdv_request *request, const rdv_abilities *abilities,
                    rdv_arena *arena, rdv_error *err);

/* Ask for n >= 2 choices at once, each a draw of its own. *w: of WIRE_CHAT, not streamed. RDV_OK or
 * RDV_E_NOMEM. */
int wire_ask_many(wire *w, size_t n, rdv_arena *arena, rdv_error *err);

/* Whether a response of that status is complete. 200, 201 and 203 are; 202 (later), 204 and 205 (no
 * content), 206 (partial) and the others are not, whatever their body. */
bool wire_is_whole(long status);

/* Read the body of a complete response to `w`. *out: in `arena`, nothing borrowed from `body`.
 * out->finish says whether the server reports a complete reply; only such a reply may be read.
 * RDV_NONE: the log-probabilities for a score are missing. Faults: RDV_E_INPUT: not a reply, err
 * says why; RDV_E_NOMEM. The reported usage is in out->usage, prompt_tokens and completion_tokens
 * in each case, and counts; the other members are valid only with RDV_OK. */
int wire_read(const wire *w, const rdv_request *request, rdv_str body, rdv_arena *arena,
              rdv_reply *out, rdv_error *err);

/* The same for a request for w->n choices. *choices: *n of them, as many as came and at most w->n,
 * in their order; NULL in the place of one that is no reply. The reported usage of all together is
 * in *sum, which has no text; each choice has its share of it: of the prompt's tokens the same as
 * the others, of its own in proportion to its text. Where w->counts_first, the sum is estimated in
 * the same proportion. RDV_E_INPUT: none is a reply. */
int wire_read_many(const wire *w, const rdv_request *request, rdv_str body, rdv_arena *arena,
                   rdv_reply *sum, rdv_reply ***choices, size_t *n, rdv_error *err);

struct json_t;
/* The same for a body that is parsed; one that was not streamed. */
int wire_read_parsed(const wire *w, const rdv_request *request, const struct json_t *body,
                     rdv_arena *arena, rdv_reply *out, rdv_error *err);

/* Read the reported usage from any body, also a stream, into the usage members of *out; the other
 * members are empty. `arena` is used for temporary data. */
void wire_read_usage(rdv_str body, rdv_arena *arena, rdv_reply *out);

/* An error reported by a server. Texts are in the arena it was read into. */
typedef struct wire_error {
    rdv_str message; /* one line of UTF-8, at most 300 bytes; empty: none */
    rdv_str param;   /* the parameter that it concerns; empty: not given */
    rdv_str code;    /* "model_not_found"; empty: not given */
} wire_error;

#define WIRE_PAGE "the reply is a web page, not JSON; is this the address of the API?"
/* Whether a body is an HTML page: then the address is not that of an API. */
bool wire_is_page(rdv_str body);

/* Read the body of a response that is not 2xx: OpenAI's form, FastAPI's, or any text. The message
 * of an HTML page is "a web page". RDV_E_NOMEM, where nothing is known of the error. */
int wire_read_error(rdv_str body, rdv_arena *arena, wire_error *out, rdv_error *err);
/* The same for an object that has a member "error". */
int wire_read_error_of(const struct json_t *object, rdv_arena *arena, wire_error *out,
                       rdv_error *err);

/* Whether the server refuses a part of `w` with this error that can be requested in another form.
 * If so, the abilities are updated. */
bool wire_refused(const wire *w, int status, const wire_error *error, rdv_abilities *abilities);
/* Record that the server ignored a part of the request: wire_read() returned RDV_NONE. */
void wire_lacks(const wire *w, rdv_abilities *abilities);

/* A server's description of itself. Texts are in the arena it was read into. */
typedef struct wire_about {
    rdv_str *models; /* the models it serves, including aliases */
    size_t n_models;
    rdv_software software;
} wire_about;

/* Read the body of GET /models. Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int wire_read_models(rdv_str body, rdv_arena *arena, wire_about *out, rdv_error *err);

/* llama.cpp's description of itself. */
typedef struct wire_props {
    size_t slots;     /* replies computed at a time; 0: not reported */
    bool no_template; /* the model has no chat template: it is a base model */
} wire_props;

/* Read the body of GET /props. Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int wire_read_props(rdv_str body, wire_props *out, rdv_error *err);
/* The number of choices in a response; 0 if it has none. For probing. */
size_t wire_count_choices(rdv_str body);
