/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A table with a header (CSV, TSV) as records: each row becomes a JSON object whose members are
 * called as the columns. Empty cells give no member. */
#include "data/csv.h"
#include "data/json_stream.h"

typedef struct rdv_table {
    rdv_csv csv;
    rdv_arena *row;  /* owned: the current row */
    rdv_arena *kept; /* owned: the header */
    rdv_str *columns;
    size_t n_columns;
    uint64_t offset;    /* of the first byte in the file */
    rdv_copies *copies; /* as of rdv_text_file; `offset` and it are set after rdv_table_init() */
} rdv_table;

/* Begin to read `bytes`, which must live as long as *t and stand behind a byte order mark.
 * Always leaves *t fit for rdv_table_free(). RDV_OK or RDV_E_NOMEM. */
int rdv_table_init(rdv_table *t, rdv_bytes *bytes, char separator, const rdv_limits *limits,
                   rdv_error *err);
void rdv_table_free(rdv_table *t);
/* The next row as a record; as rdv_json_stream_next(). RDV_E_FORMAT: the header cannot be used. */
int rdv_table_next(rdv_table *t, rdv_json_span *span, rdv_error *err);
