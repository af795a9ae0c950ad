/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What kind of file it is, from its first bytes and, where they leave it open, its name. */
#include "data/source.h"

typedef enum rdv_file_kind {
    RDV_FILE_JSON,   /* JSON Lines or JSON */
    RDV_FILE_TABLE,  /* CSV or TSV with a header */
    RDV_FILE_TEXT,   /* plain text, Markdown or LaTeX */
    RDV_FILE_EVENTS, /* replies saved as server-sent events */
    RDV_FILE_ZIP,
    RDV_FILE_OTHER /* not read: `what` says what it is */
} rdv_file_kind;

typedef struct rdv_file_look {
    rdv_file_kind kind;
    char separator;     /* of a table: between its cells */
    const char *what;   /* "a Parquet file"; static */
    const char *advice; /* what the user can do, or NULL; static; "%s" in it stands for the path */
} rdv_file_look;

/* Look at the beginning of `bytes`, which were not read yet, as far as is needed to decide.
 * Faults: those of rdv_bytes_peek(). */
int rdv_file_look_at(rdv_bytes *bytes, const char *path, rdv_file_look *look, rdv_error *err);
