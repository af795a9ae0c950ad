/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One request to a model that is served, from its body to the bytes of its response: the reply of
 * the model's server or of the built-in model is passed on, and judged where the request or the
 * operator's rule wants it. No sockets of clients. Everything runs on the loop's thread, except the
 * judging itself. */
#include "run/upstream.h"
#include "server/completion.h"
#include "server/http_request.h"
#include "server/model_run.h"
#include "server/serve_options.h"

typedef struct relay relay;

/* State that all relays of a server share. */
typedef struct relay_ctx {
    const serve_options *options;
    completion_ctx completions;
    upstreams *upstreams;  /* NULL: no model has servers */
    const size_t *numbers; /* for each of options->models its number there; unused where it has no
                              servers */
    struct uv_loop_s *loop;
    struct loop_threads *threads;      /* for checks that ask a model, */
    const struct rdv_prompts *prompts; /* what they ask it, */
    struct survey_memory *const *surveys; /* and what is known of the servers of each of
                                             options->models; NULL: each check surveys them */
    void (*wake)(void *owner); /* something has come for the relay of that owner */
} relay_ctx;

/* What may be asked of one of the models that are served, about one reply, by a rule. */
model_run_options relay_asking(const relay_ctx *ctx, size_t model, const judge_asking *asking);

/* Read the body and start its requests, for a holder by whose rule the reply is judged, and who
 * outlives the relay. *out: released with relay_free(). False: see *e. */
bool relay_new(relay_ctx *ctx, access_holder *holder, reply_protocol protocol, rdv_str body,
               const http_request *request, void *owner, relay **out, api_error *e);
/* Cancels what is not complete. NULL and *NULL are accepted. */
void relay_free(relay **self);
/* End it: report `e` to the client, as far as possible. */
void relay_cut(relay *self, const api_error *e);
/* Process what has come, and what time makes due; called before the functions below. */
void relay_work(relay *self);

/* Whether the response can begin; its status and form are then fixed. */
bool relay_is_ready(const relay *self);
unsigned relay_status(const relay *self);
/* Whether the response is a stream of events. If not, relay_is_ready() means it is complete. */
bool relay_streams(const relay *self);
/* The body's type, and further headers as in http_response.more; in the relay. */
const char *relay_type(const relay *self);
rdv_str relay_headers(const relay *self);
/* The response has begun: its status and form are fixed. */
void relay_begun(relay *self);
/* Bytes ready to send; report those sent with relay_sent(). */
rdv_str relay_bytes(const relay *self);
void relay_sent(relay *self, size_t n);
/* Whether nothing follows the current relay_bytes(). */
bool relay_is_over(const relay *self);
/* That of the built-in model; NULL: another model is asked. */
const completion *relay_completion(const relay *self);
/* For the log: the model as the client named it, p == NULL: not given; whether its reply was
 * judged, and admitted: 1, 0, or -1, not judged (yet). */
rdv_str relay_model(const relay *self);
int relay_admitted(const relay *self);
/* The tokens that count for the holder, so far; *estimated: not as the model's server counted. */
void relay_tokens(const relay *self, uint64_t *in, uint64_t *out, bool *estimated);
