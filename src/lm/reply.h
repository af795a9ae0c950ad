/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The text of a growing reply: where it stops, and how much of it may be shown. */
#include <rederive/base.h>

#include "base/buf.h"

/* A stop string and how much of it the end of the text spells. */
typedef struct stop_state {
    rdv_str text;
    uint32_t *back; /* [len]: the longest proper beginning of text[0..i] that also ends it */
    uint32_t matched;
} stop_state;

typedef struct reply_text {
    rdv_buf raw;  /* the bytes of the tokens */
    rdv_buf text; /* the same, made valid UTF-8: what may be shown */
    size_t done;  /* bytes of raw that are in text */
    stop_state *stops;
    size_t n_stops;
    rdv_str stopped_by; /* p == NULL: not stopped */
} reply_text;

/* A reply that ends before any of these (copied, none empty). False: out of memory. */
bool reply_init(reply_text *r, rdv_arena *arena, const rdv_str *stops, size_t n_stops);
/* Add the bytes of one token. Once a stop string is complete (if several are at one byte, the one
 * that began first), raw ends before it, and nothing more is to be added. */
void reply_add(reply_text *r, rdv_str bytes);
/* Move into text the bytes that no stop string can remove; all of it at the `end` or a stop. Bytes
 * that are no UTF-8 become U+FFFD each. */
void reply_settle(reply_text *r, bool end);
bool reply_ok(const reply_text *r);
