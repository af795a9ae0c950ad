/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The events of a stream that wait until the text in them was judged, in their order. */
#include "base/buf.h"
#include "model/events.h"
#include "model/reply_choices.h"

#define HELD_EVENTS_MOST ((size_t)16 << 20) /* bytes that are held */
#define HELD_NO_CHOICE SIZE_MAX             /* of all choices, or of none */

/* What an event needs before it may be sent. */
typedef struct held_event {
    char *bytes; /* of the event, with the line that ends it */
    size_t len;
    size_t choice;     /* its index in the reply, or HELD_NO_CHOICE */
    size_t text_begin; /* bytes of the choice's text before and with the event's own */
    size_t text_end;
    size_t needs; /* bytes of that text that must be passed */
} held_event;

/* Zero-initialise; held_events_free() releases it. */
typedef struct held_events {
    held_event *items;
    size_t first, n, cap; /* of items from `first` on, n */
    size_t n_bytes;
    uint64_t n_more; /* events that were made by cutting one: the numbers behind grow by that */
} held_events;

void held_events_free(held_events *h);
/* Add one; the bytes are copied, and e->bytes is not read. RDV_OK; RDV_E_LIMIT: more than
 * HELD_EVENTS_MOST would be held; RDV_E_NOMEM. */
int held_events_add(held_events *h, rdv_str bytes, const held_event *e);
/* Drop of a reply with one choice what comes with or behind the text from byte `from` on. False: an
 * event with text before it, which cannot be cut, goes too. */
bool held_events_drop(held_events *h, size_t from);
/* Append what may be sent to *out: of each choice its events up to the first whose text is not all
 * passed, of which the passed part is sent where it can be cut. passed[i]: bytes of the text of
 * choice i, of n; `all`: everything may be sent. Temporary data are allocated in `arena`. *sent:
 * something was. Faults: RDV_E_NOMEM. */
int held_events_release(held_events *h, reply_protocol protocol, const size_t *passed, size_t n,
                        bool all, rdv_arena *arena, rdv_buf *out, bool *sent);
