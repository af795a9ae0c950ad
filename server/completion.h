/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One request for replies, from its body to the bytes of its response: what is asked of the model
 * for it, what has come, what can be sent. No sockets. */
#include "run/backend.h"
#include "server/completion_request.h"

typedef struct completion completion;

/* What all completions of a server share. */
typedef struct completion_ctx {
    backend *backend;
    const rdv_str *names; /* of the model; the first is the one that is told */
    size_t n_names;
    size_t most;          /* replies that may be asked for at a time, by all together */
    size_t asked;         /* that are */
    uint64_t seed;        /* of those that give none; changes with each */
    uint64_t completions; /* so far */
    uint64_t prefix;      /* of their ids */
} completion_ctx;

/* Read the body and ask. *out: released with completion_free(). False: *f says why. */
bool completion_new(completion_ctx *ctx, completion_form form, rdv_str body, completion **out,
                    api_error *f);
/* Cancels what is still asked. NULL and *NULL are accepted. */
void completion_free(completion **self);

/* Take in an event of the backend, which must be one of a completion that is not freed; its arena
 * is the completion's from now on. The completion. */
completion *completion_take(backend_event *event);
/* End it: what is still asked is cancelled; the client is told `f`, as far as it can be. */
void completion_cut(completion *self, const api_error *f);

/* Can a response be begun? Then its status and form are settled. */
bool completion_is_ready(const completion *self);
/* 200, or an error's. */
unsigned completion_status(const completion *self);
/* Is the response a stream of events? Else completion_is_ready() means that all of it is there. */
bool completion_streams(const completion *self);
/* What can be sent now; completion_sent() what was. */
rdv_str completion_bytes(const completion *self);
void completion_sent(completion *self, size_t n);
/* Nothing will follow what completion_bytes() has. */
bool completion_is_over(const completion *self);

/* For the log. */
typedef struct completion_counts {
    size_t replies;
    uint64_t prompt, completion; /* tokens */
} completion_counts;
completion_counts completion_count(const completion *self);
