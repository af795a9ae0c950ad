/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a client has had of a stream with one choice, in any of the protocols, as far as it takes to
 * continue it in place of the model's server. No sockets. */
#include "base/buf.h"
#include "model/events.h"
#include "model/reply_choices.h"

/* Of Responses: the item and the part of it that are open, and what is complete. */
typedef struct sent_output {
    rdv_str response;     /* as it began; p == NULL: it has not */
    rdv_str item;         /* as it began; p == NULL: none is open */
    rdv_buf items, parts; /* complete ones, with commas between them */
    rdv_buf text;         /* of the open part */
    uint64_t part;
    uint64_t number; /* of the next event */
    bool numbered;
    bool no_memory; /* not all of it could be kept */
} sent_output;

/* sent_stream_init() first. */
typedef struct sent_stream {
    reply_protocol protocol;
    rdv_arena *arena;
    rdv_str id, created, model; /* of chat completions and completions: JSON; p == NULL: not said.
                                   Set by the caller, in the arena */
    bool role, calls;           /* said whose turn it is; began a call of a tool */
    bool open;      /* a text that goes on; always, of chat completions and completions */
    uint64_t block; /* the number of that block, or of the item with it */
    sent_output output;
} sent_stream;

/* How a reply that was continued ends. */
typedef struct sent_end {
    bool cut_off;     /* it has as many steps as it may */
    bool shows_usage; /* chat completions: a chunk with it was asked for */
    uint64_t tokens_in, tokens_out;
} sent_end;

/* `arena` outlives it. */
void sent_stream_init(sent_stream *s, reply_protocol protocol, rdv_arena *arena);
/* Take note of an event that was sent. RDV_OK or RDV_E_NOMEM. */
int sent_stream_note(sent_stream *s, const stream_event *event);
/* Whether the stream can be continued: a text is open, and no tool is called. */
bool sent_stream_can_continue(const sent_stream *s);
/* Append an event with more of the text, and take note of it. RDV_OK or RDV_E_NOMEM. */
int sent_stream_add_text(sent_stream *s, rdv_buf *out, rdv_str text);
/* Append the events that end the reply, up to the last one, which is *last; in the arena. RDV_OK or
 * RDV_E_NOMEM. */
int sent_stream_end(sent_stream *s, const sent_end *how, rdv_buf *out, stream_event *last);
