/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A reply that is written in a client's protocol while it is read in that of the model's server.
 * Readers give it part by part; texts are JSON, borrowed during the call. */
#include "model/reply_choices.h"
#include "server/convert/conversation.h"

#define REPLY_MOST_BYTES ((size_t)16 << 20) /* of all parts together */
#define REPLY_MOST_PARTS 4096

/* How a reply ended, in the words of all protocols. */
typedef enum reply_end {
    END_NOT_SAID,
    END_STOP,
    END_SEQUENCE, /* at one of the request's texts */
    END_LENGTH,
    END_CALLS,
    END_FILTER, /* refused or filtered */
    END_OTHER   /* the server's own word */
} reply_end;

typedef struct reply_part {
    part_kind kind;
    rdv_buf text; /* between its quotes; of a call its arguments */
    rdv_str id, name, signature;
    size_t number;
    bool late; /* its server named it behind parts that follow it */
    struct reply_part *next;
} reply_part;

/* Tokens. The input has all: what was read from a cache and written to it is part of it. */
typedef struct reply_usage {
    bool said;
    uint64_t input, cached, cache_written, output, reasoning;
} reply_usage;

struct reply_writer;

/* What each protocol does at these points. */
typedef struct reply_form {
    void (*begin)(struct reply_writer *w);
    void (*open)(struct reply_writer *w, const reply_part *p);
    void (*add)(struct reply_writer *w, const reply_part *p, rdv_str text);
    void (*close)(struct reply_writer *w, const reply_part *p);
    void (*end)(struct reply_writer *w);
    int (*whole)(struct reply_writer *w, rdv_error *err);
} reply_form;
extern const reply_form reply_form_chat, reply_form_messages, reply_form_responses;

typedef struct reply_writer {
    reply_protocol protocol;
    const reply_form *form; /* of that protocol */
    bool streams;           /* events are written; else a body, at the end */
    bool wants_usage;       /* a chunk of its own */
    rdv_arena *arena;
    rdv_buf out;
    rdv_str id, model;
    rdv_str parallel, choice, tools; /* of the request, which Responses say once more */
    uint64_t created, n_events;
    reply_part *first, *last;
    reply_part *open; /* the last one, which goes on */
    reply_usage usage;
    reply_end end;
    rdv_str word;     /* of END_OTHER */
    rdv_str sequence; /* of END_SEQUENCE; p == NULL: not said */
    size_t n_calls, n_bytes;
    bool begun, ended;
} reply_writer;

/* All give RDV_OK, or a fault: RDV_E_INPUT, what the reply says cannot be said in the client's
 * protocol; RDV_E_NOMEM. */

/* Begin, unless it was begun. */
int reply_writer_begin(reply_writer *w, rdv_str id, rdv_str model, rdv_error *err);
/* End the open part, and begin another. */
int reply_writer_open(reply_writer *w, part_kind kind, rdv_str id, rdv_str name, rdv_error *err);
/* Go on with the open part. */
int reply_writer_add(reply_writer *w, rdv_str text, rdv_error *err);
/* Go on with the open part if it is of that kind, else with a new one. Nothing for no text. */
int reply_writer_text(reply_writer *w, part_kind kind, rdv_str text, rdv_error *err);
/* What vouches for the reasoning of the open part. */
int reply_writer_sign(reply_writer *w, rdv_str signature, rdv_error *err);
int reply_writer_close(reply_writer *w, rdv_error *err);
/* The server's word for the end, in its protocol; p == NULL: none. */
int reply_writer_keep_end(reply_writer *w, reply_protocol from, rdv_str word, rdv_error *err);
/* All was read. A reply that says not how it ended, or has not begun, is a fault. */
int reply_writer_end(reply_writer *w, rdv_error *err);
/* The word for the end in the client's protocol. */
rdv_str reply_writer_word(const reply_writer *w);

/* Readers of what a model's server gives; `json` is one well-formed object. `open_call`: the number
 * of the call that is open, kept for the reader. */
typedef struct reply_reader {
    reply_writer *w;
    size_t block, open_call; /* SIZE_MAX: none */
    bool stopped;            /* the server said that the stream is over */
    /* of Responses: */
    reply_part *settled; /* up to it, what was said was said once more */
    rdv_str item_id;     /* of the reasoning that is open */
    bool fresh;          /* the item that is open has no part yet */
} reply_reader;
int reply_read_chat_event(reply_reader *r, rdv_str json, rdv_error *err);
int reply_read_chat_whole(reply_reader *r, rdv_str json, rdv_error *err);
int reply_read_responses_event(reply_reader *r, rdv_str json, rdv_error *err);
int reply_read_responses_whole(reply_reader *r, rdv_str json, rdv_error *err);
int reply_read_messages_event(reply_reader *r, rdv_str json, rdv_error *err);
int reply_read_messages_whole(reply_reader *r, rdv_str json, rdv_error *err);
