/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Plain text and Markdown as records: the file is one solution, or several with a line between
 * them. Each becomes a JSON object with a "solution". */
#include "base/buf.h"
#include "data/json_stream.h"
#include "data/layout/lines.h"

typedef struct rdv_text_file {
    rdv_lines lines;
    rdv_arena *arena; /* owned: the current solution and its record */
    const rdv_limits *limits;
    const char *question;  /* the question of all solutions, or NULL */
    const char *separator; /* the line between two solutions, or NULL: there is one solution */
    const char *name;      /* of the set: stands for the question where there is none */
    bool asks;             /* a text is a question, not a solution */
    bool unasked;          /* the current solution has several lines, and none is its question */
    rdv_copies *copies; /* set after rdv_text_file_init(): notes where the bytes of the record stand
                           in `raw`; NULL: nobody asks */
    rdv_buf raw;        /* then, the bytes of the current solution as the file has them */
} rdv_text_file;

/* Begin to read `bytes`, which must live as long as *t, as all texts must, and stand behind a byte
 * order mark. Always leaves *t fit for rdv_text_file_free(). RDV_OK or RDV_E_NOMEM. */
int rdv_text_file_init(rdv_text_file *t, rdv_bytes *bytes, const rdv_read_options *options,
                       const char *name, const rdv_limits *limits, rdv_error *err);
void rdv_text_file_free(rdv_text_file *t);
/* The next solution that is not blank, as a record; as rdv_json_stream_next(). */
int rdv_text_file_next(rdv_text_file *t, rdv_json_span *span, rdv_error *err);
