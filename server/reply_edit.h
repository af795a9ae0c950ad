/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The member `rederive` in a server's reply: that of the server is taken out, where a client could
 * take it for ours, and ours is put in. All other bytes stay as they are. No sockets. */
#include "model/events.h"
#include "model/reply_choices.h"

/* A whole body, or the data of an event, without members `rederive` at its top or in its response,
 * message, delta and usage. *out: in `arena`, or `json` itself. Faults: RDV_E_INPUT (no JSON
 * object; one that can hold no such member is not looked at), RDV_E_NOMEM. */
int reply_edit_clean(rdv_str json, rdv_arena *arena, rdv_str *out, rdv_error *err);
/* Put `value` in as the member `rederive`: at the top, or of the response in an event of Responses.
 * Faults as above. */
int reply_edit_put(reply_protocol protocol, bool event, rdv_str json, rdv_str value,
                   rdv_arena *arena, rdv_str *out, rdv_error *err);
/* Append an event whose data is replaced; its other fields stay. */
void reply_edit_event(rdv_buf *b, const stream_event *event, rdv_str data);
