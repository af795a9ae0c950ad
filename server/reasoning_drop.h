/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A reply without the model's reasoning, in any of the protocols. All other bytes stay as they are,
 * but for the numbers of the blocks, items and events behind what was dropped, which count on, and
 * the log-probabilities and tokens of a choice of chat completions from which some was dropped.
 * JSON is well-formed. No sockets. */
#include "model/reply_choices.h"

/* Of a stream. Zero-initialise. */
typedef struct reasoning_drop {
    uint64_t n_blocks, n_events; /* that were dropped */
    uint64_t last;               /* the number of the last such block or item */
} reasoning_drop;

/* The data of an event without reasoning. *out: in `arena`, or `data` itself. RDV_OK; RDV_NONE:
 * nothing of the event is left; RDV_E_INPUT: a name stands twice; RDV_E_NOMEM.
 */
int reasoning_drop_event(reasoning_drop *d, reply_protocol protocol, rdv_str data, rdv_arena *arena,
                         rdv_str *out, rdv_error *err);
/* The same of a whole body, of which something is always left. */
int reasoning_drop_body(reply_protocol protocol, rdv_str body, rdv_arena *arena, rdv_str *out,
                        rdv_error *err);
