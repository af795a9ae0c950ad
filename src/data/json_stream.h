/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Divides a file into records, for each layout that a file can have. One record is held at a time;
 * records that are too long or broken are skipped without being held, and of those on one line the
 * first is told. NaN and Infinity are read as null and counted. */
#include "base/buf.h"
#include "data/members.h"
#include "data/places.h"
#include "data/source.h"

typedef enum rdv_json_layout {
    RDV_LAYOUT_UNKNOWN = 0, /* nothing was read yet */
    RDV_LAYOUT_LINES,       /* one record per line */
    RDV_LAYOUT_VALUES,      /* records one after the other, each over several lines */
    RDV_LAYOUT_LIST,        /* [record, record, ...] */
    RDV_LAYOUT_OBJECT,      /* {"name": record or list of records, ...} */
    RDV_LAYOUT_CHATS        /* [message, message, ...], one list a chat, one after the other */
} rdv_json_layout;

typedef struct rdv_json_stream {
    rdv_bytes *bytes; /* owned */
    rdv_arena *arena; /* owned; holds `p` */
    const rdv_limits *limits;
    const struct rdv_mapping *mapping; /* set after rdv_json_stream_init(); NULL: none */
    char *p;                           /* the bytes that were read; begin..end are not used yet */
    size_t begin, end, cap;
    bool ended; /* there is nothing after `end` */
    rdv_json_layout shape;
    rdv_place here;      /* of byte `begin` */
    char open[2];        /* the containers around the next record: '{', '[' */
    size_t n_open;
    bool named;       /* within an object, its member's name has been passed */
    const char *only; /* of an object of records: the one member that holds them; NULL: all */
    bool other;       /* the member whose name was passed is not that one */
    size_t taken;     /* length of the record handed out last, still at `begin` */
    size_t fault_line; /* of the latest fault: a line tells of one; 0: none yet */
    rdv_buf chat;      /* that record, where a list was made one */
    rdv_buf finite;   /* that record, where NaN or Infinity was replaced in it */
    size_t nonfinite; /* how many were replaced so far */
    rdv_copies *copies; /* set after rdv_json_stream_init(): notes what replacing copied; NULL:
                           nobody asks */
} rdv_json_stream;

typedef struct rdv_json_span {
    rdv_str text;        /* the record, borrowed until the next call */
    size_t line, column; /* where it begins, from 1; columns are characters; column 0: not known,
                            since the record was made from something that is not JSON */
    rdv_str part;        /* which file of a zip file it is; p == NULL: it is in none */
    rdv_origin origin;   /* the bytes of the file that hold it */
} rdv_json_span;

/* Take over `bytes` (on failure too). `limits` must live as long. RDV_OK or RDV_E_NOMEM. */
int rdv_json_stream_init(rdv_json_stream *f, rdv_bytes *bytes, const rdv_limits *limits,
                         rdv_error *err);
/* *span moved on by `n` bytes of its text, to say where in a record something is. */
void rdv_json_span_advance(rdv_json_span *span, size_t n);
void rdv_json_stream_free(rdv_json_stream *f);
/* The next record. RDV_OK; RDV_NONE at the end; RDV_E_INPUT, RDV_E_LIMIT: a record was skipped,
 * span->line and column say where it went wrong and the next call continues after it; RDV_E_IO,
 * RDV_E_NOMEM: final. Messages do not name the file or the line. */
int rdv_json_stream_next(rdv_json_stream *f, rdv_json_span *span, rdv_error *err);
