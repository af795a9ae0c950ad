/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A completion: one client request, from its body to the bytes of its response: the requests to the
 * model, their replies, and the bytes to send. No sockets. */
#include "run/backend.h"
#include "server/completion_request.h"

typedef struct completion completion;

/* State that all completions of a server share. */
typedef struct completion_ctx {
    backend *backend;
    const rdv_str *names; /* names of the model; the first is reported to clients */
    size_t n_names;
    rdv_str warning;      /* of each reply; p == NULL: none */
    size_t most;          /* most replies in progress, over all completions */
    size_t asked;         /* replies in progress */
    uint64_t seed;        /* for requests without a seed; changes with each */
    uint64_t completions; /* number so far */
    uint64_t prefix;      /* prefix of their ids */
} completion_ctx;

/* Read the body and start its requests. *out: released with completion_free(). False: see *f. */
bool completion_new(completion_ctx *ctx, completion_form form, rdv_str body, completion **out,
                    api_error *f);
/* Cancels open requests. NULL and *NULL are accepted. */
void completion_free(completion **self);

/* Process a backend event, which must belong to a completion that is not freed; the completion
 * takes over its arena. Returns the completion. */
completion *completion_take(backend_event *event);
/* End the completion: cancel open requests and report `f` to the client, as far as possible. */
void completion_cut(completion *self, const api_error *f);

/* Whether the response can begin; its status and form are then fixed. */
bool completion_is_ready(const completion *self);
/* 200, or the status of the error. */
unsigned completion_status(const completion *self);
/* Whether the response is a stream of events. If not, completion_is_ready() means it is
 * complete. */
bool completion_streams(const completion *self);
/* Bytes ready to send; report those sent with completion_sent(). */
rdv_str completion_bytes(const completion *self);
void completion_sent(completion *self, size_t n);
/* Whether nothing follows the current completion_bytes(). */
bool completion_is_over(const completion *self);

/* For the log. */
typedef struct completion_counts {
    size_t replies;
    uint64_t prompt, completion; /* tokens */
} completion_counts;
completion_counts completion_count(const completion *self);
