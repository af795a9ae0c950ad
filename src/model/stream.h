/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A reply that came as a stream of server-sent events, one piece in each, as the whole reply that
 * it stands for (https://platform.openai.com/docs/api-reference/chat-streaming). */
#include "model/parse.h"

/* Is the body of a response a stream of events? A server that knows nothing of streams sends the
 * whole reply instead. */
bool stream_is(rdv_str body);

/* Join the pieces of the choice of index 0. *out: what the server would have sent at once; the
 * caller's, released with json_decref(); NULL on failure. A stream that ends before its reply has
 * no finish_reason. `arena` is for work. Faults: RDV_E_INPUT: an event is not JSON, err says where;
 * RDV_E_NOMEM. */
int stream_join(rdv_str body, rdv_arena *arena, json_t **out, rdv_error *err);
