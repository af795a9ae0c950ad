/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Joins a stream of server-sent events, each with a piece of a reply, into the whole reply
 * (https://platform.openai.com/docs/api-reference/chat-streaming). */
#include "model/parse.h"

/* Whether the body of a response is a stream of events. A server without streaming sends the whole
 * reply instead. */
bool stream_is(rdv_str body);

/* Join the pieces of the choice of index 0. *out: the reply as a response without streaming; owned
 * by the caller, released with json_decref(); NULL on failure. `arena` is used for temporary data.
 * Faults: RDV_E_INPUT: an event is not JSON, or the stream ended in the middle of the reply, err
 * says which; RDV_E_NOMEM. */
int stream_join(rdv_str body, rdv_arena *arena, json_t **out, rdv_error *err);
