/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The records of a file of any kind that is read, one after the other, as JSON: those of JSON files
 * as they are, those of tables, texts and zip files made into it. */
#include "data/file_kind.h"
#include "data/layout/events.h"
#include "data/layout/table.h"
#include "data/layout/text_file.h"
#include "data/layout/zip.h"

typedef struct rdv_record_stream {
    /* Set by the owner before the first record; they must live as long. */
    const char *path, *set;
    const rdv_read_options *options;
    const rdv_limits *limits;
    const struct rdv_mapping *mapping;
    /* private */
    rdv_bytes *bytes; /* owned; `json` has it where that is used */
    bool begun;
    rdv_file_look look;
    rdv_json_stream json;
    rdv_table table;
    rdv_text_file *text; /* in `arena` */
    rdv_event_file *events; /* likewise */
    rdv_arena *arena;    /* owned: the directory of a zip file */
    rdv_arena *part;     /* owned: its current member */
    rdv_zip zip;
    size_t next;      /* member of it */
    uint64_t taken;   /* packed bytes of the members before */
    rdv_buf finite;   /* that member, where NaN or Infinity was replaced in it */
    size_t nonfinite; /* of those */
    rdv_arena *trace; /* owned: `copies`; NULL: nobody asks for places */
    rdv_copies copies; /* by which the current record was made of the bytes of the file */
    uint64_t mark;     /* bytes of the byte order mark that was passed */
} rdv_record_stream;

/* Take over `bytes` (on failure too). Nothing is read before the first record is asked for. Always
 * leaves *s fit for rdv_record_stream_free(). RDV_OK or RDV_E_NOMEM. */
int rdv_record_stream_init(rdv_record_stream *s, rdv_bytes *bytes, rdv_error *err);
void rdv_record_stream_free(rdv_record_stream *s);
/* How many NaN and Infinity were read as null so far. */
size_t rdv_record_stream_nonfinite(const rdv_record_stream *s);
/* Whether the current record is a text of several lines without a question. */
bool rdv_record_stream_unasked(const rdv_record_stream *s);
/* Bytes of the file that were taken so far (packed ones of a packed file): of a zip file, those of
 * the members handed out. */
uint64_t rdv_record_stream_taken(const rdv_record_stream *s);
/* The next record; as rdv_json_stream_next(), and RDV_E_FORMAT, which is final: the file is of no
 * kind that is read. */
int rdv_record_stream_next(rdv_record_stream *s, rdv_json_span *span, rdv_error *err);
