/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tokens that a model's server says a reply took, of a whole reply or of the events of a
 * stream, in any of the protocols. No sockets. */
#include "model/reply_choices.h"

typedef struct reported_tokens {
    uint64_t in, out; /* the most that was said; tokens of a cache are in `in` */
    bool said;        /* of both */
    bool said_in, said_out;
    uint64_t n_events, n_bytes; /* of events with data, and of all data */
} reported_tokens;

/* Read a whole body, or the data of an event; what cannot be read says nothing. */
void reported_tokens_read(reported_tokens *t, reply_protocol protocol, bool event, rdv_str data);
