/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Server-sent events (WHATWG HTML, section 9.2), cut from the bytes of a stream. No sockets. */
#include <rederive/base.h>

/* The next line from byte *at on, without its end, which is CR LF, LF or CR; *at becomes the byte
 * after it. What follows the last line's end is a line too. false: nothing is left. */
bool events_line(rdv_str bytes, size_t *at, rdv_str *line);
/* The value of the field of that name ("data"), without one space before it; p == NULL: the line
 * has another field. */
rdv_str events_field(rdv_str line, const char *name);

/* Cuts the events of a stream whose bytes come in pieces. Zero-initialise. */
typedef struct event_cutter {
    size_t looked; /* bytes of the present event that were looked at, and do not end it */
} event_cutter;

typedef struct stream_event {
    rdv_str bytes; /* all, with the empty line that ends it; borrowed */
    rdv_str name;  /* of the field `event`; p == NULL: none; borrowed */
    rdv_str data;  /* the lines of data, with a newline between them; p == NULL: none, as in a
                      comment; borrowed, or in `arena` where there are several */
} stream_event;

/* The event that `bytes` begins with; the caller passes it again with more bytes behind it, and
 * after RDV_OK without the event's own. `ended`: no more bytes follow, so that the rest is an event
 * too. RDV_OK; RDV_NONE: it is not complete yet, or nothing is left; RDV_E_NOMEM. */
int event_cut(event_cutter *c, rdv_str bytes, bool ended, rdv_arena *arena, stream_event *out);
