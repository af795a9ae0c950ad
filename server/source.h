/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where a reply comes from: the built-in model, or a server behind this one. */
#include "run/upstream.h"
#include "server/completion.h"

/* Zero-initialise, then set one of the two. */
typedef struct source {
    completion *completion; /* the built-in model's */
    upstream_call *call;
} source;

/* Cancels what is not complete. */
void source_free(source *s);
/* Whether the status is known. */
bool source_has_head(const source *s);
/* 0: there is no response; see source_fault(). */
unsigned source_status(const source *s);
/* Whether the response is a stream of events. */
bool source_streams(const source *s);
/* Whether nothing more comes: source_read() has given all. */
bool source_is_over(const source *s);
/* Give what has come to `take`, and count it as taken. False: `take` said so. */
bool source_read(source *s, bool (*take)(void *of, rdv_str bytes), void *of);
/* Why the response is not complete or cannot be passed on, once it is over or has its head. False:
 * *e is the error. */
bool source_check(const source *s, api_error *e);
/* Whether the model's server wrote no reply: it could not be reached, or answered with an error.
 * Once it has its head. */
bool source_refused(const source *s);
/* The headers that are passed on, each a line with its end, in `arena`; and the body's type. False:
 * out of memory. */
bool source_headers(const source *s, rdv_arena *arena, rdv_str *lines, rdv_str *type);
/* Star a key of this server in these bytes of its response. */
void source_hide_key(const source *s, char *bytes, size_t len);
