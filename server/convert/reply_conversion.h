/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The reply of a model's server, converted to the client's protocol while it comes: whole, or event
 * by event. Text, reasoning, calls of tools, usage and stop reason are kept; what has text and is
 * not known is a fault. No sockets. */
#include "model/events.h"
#include "model/reply_choices.h"
#include "server/api_error.h"

typedef struct reply_conversion reply_conversion;

/* Whether replies and requests are converted between these two. */
bool conversion_exists(reply_protocol client, reply_protocol server);
/* The request's body, converted; in `arena`. Members `model` and `rederive` are left out. False: *e
 * says what cannot be. */
bool conversion_of_request(reply_protocol client, reply_protocol server, rdv_str body,
                           rdv_arena *arena, rdv_str *out, api_error *e);

/* A conversion of the reply to the request `body`. NULL: out of memory. */
reply_conversion *reply_conversion_new(reply_protocol client, reply_protocol server, rdv_str body);
/* NULL and *NULL are accepted. */
void reply_conversion_free(reply_conversion **c);
/* Convert a body. *out: borrowed. RDV_OK; RDV_E_INPUT: err says why not; RDV_E_NOMEM. */
int reply_conversion_whole(reply_conversion *c, rdv_str body, rdv_str *out, rdv_error *err);
/* Take an event of a stream. Same as above. */
int reply_conversion_event(reply_conversion *c, const stream_event *event, rdv_error *err);
/* No more events come. Same as above; the stream broke off: RDV_E_INPUT. */
int reply_conversion_end(reply_conversion *c, rdv_error *err);
/* The next event for the client, valid until the next call of any of these; in `arena` as
 * event_cut() says. RDV_OK; RDV_NONE: there is none yet; RDV_E_NOMEM. */
int reply_conversion_next(reply_conversion *c, rdv_arena *arena, stream_event *out);
