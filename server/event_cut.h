/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One event of a stream whose text is a piece of a reply, cut into two. No sockets. */
#include "base/buf.h"
#include "model/events.h"
#include "model/reply_choices.h"

/* The text that the event gives, where it can be cut: it gives nothing else that would have to stay
 * with all of the text. In `arena`. RDV_OK; RDV_NONE: it cannot be cut; RDV_E_NOMEM. */
int event_cut_text(reply_protocol protocol, rdv_str data, rdv_arena *arena, rdv_str *text);
/* Cut such an event at byte `at` of its text, which is at the beginning of a character. The first
 * part has what begins a reply (`role`); the second what ends it (`finish_reason`, `logprobs`,
 * `usage`). In `arena`. RDV_OK; RDV_E_INPUT: it cannot be cut, since a name stands twice;
 * RDV_E_NOMEM.
 */
int event_cut_at(reply_protocol protocol, rdv_str data, rdv_str text, size_t at, rdv_arena *arena,
                 rdv_str *first, rdv_str *second);
/* The event of Responses with its `sequence_number` that much larger; one without stays as it is.
 * *out: in `arena`, or `data`. RDV_OK or RDV_E_NOMEM. */
int event_renumber(rdv_str data, uint64_t more, rdv_arena *arena, rdv_str *out);
