/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The response to a client, as JSON in OpenAI's form. */
#include "base/buf.h"
#include "run/backend.h"
#include "server/completion_request.h"

/* The members that begin every part of a response. */
typedef struct reply_head {
    const completion_request *request;
    rdv_str id;      /* "chatcmpl-..." */
    rdv_str model;   /* the name that the client used */
    int64_t created; /* seconds since 1970 */
    rdv_str warning; /* in a whole response and at a stream's beginning; p == NULL: none */
} reply_head;

/* One of the replies. */
typedef struct reply_choice {
    size_t index;
    rdv_str prompt;               /* COMPLETION_TEXT */
    const backend_event *event;   /* the whole reply */
    const backend_tokens *scored; /* the prompt's tokens; NULL: not asked for */
} reply_choice;

typedef struct reply_usage {
    uint64_t prompt, cached, completion; /* tokens */
} reply_usage;

/* Write a complete response. */
void reply_whole(rdv_buf *b, const reply_head *head, const reply_choice *choices, size_t n,
                 const reply_usage *usage);

/* ---- as server-sent events: each function adds one ------------------------------------------- */

/* Begin choice `index`: nothing for a text completion, unless there is a warning. */
void reply_stream_begin(rdv_buf *b, const reply_head *head, size_t index);
/* `offset`: characters of the choice already sent; returns their number including this piece. */
size_t reply_stream_piece(rdv_buf *b, const reply_head *head, size_t index,
                          const backend_event *piece, size_t offset);
void reply_stream_end(rdv_buf *b, const reply_head *head, size_t index, const backend_event *reply);
/* Added only if the client asked for it. */
void reply_stream_usage(rdv_buf *b, const reply_head *head, const reply_usage *usage);
void reply_stream_error(rdv_buf *b, const api_error *f);
void reply_stream_done(rdv_buf *b);

/* ---- model lists ----------------------------------------------------------------------------- */

/* One model; context 0: it is not known. */
void reply_model(rdv_buf *b, rdv_str name, int64_t created, uint32_t context);
