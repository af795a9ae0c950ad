/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Tables with commas (RFC 4180), row by row: cells may be quoted, and then hold commas, line ends
 * and doubled quotes. */
#include "base/buf.h"
#include "data/source.h"

typedef struct rdv_csv {
    rdv_source source; /* bytes come from here */
    size_t max_bytes;  /* of one row; longer ones are skipped */
    size_t max_cells;
    char separator; /* between cells; a comma unless it is set after rdv_csv_init() */
    char block[4096];
    size_t begin, end; /* what of the block is not used yet */
    bool ended;
    size_t line;     /* of the next byte, from 1 */
    uint64_t offset; /* of it, from 0 */
    bool keeps;      /* keep the row as it stands in the source: `raw` and `begins`; set after
                        rdv_csv_init() */
    rdv_buf raw;     /* of the latest row, in its arena */
    size_t *begins;  /* where each cell begins in it */
} rdv_csv;

void rdv_csv_init(rdv_csv *csv, rdv_source source, size_t max_bytes, size_t max_cells);
/* The next row that is not empty: its cells (*n of them) in `arena`, *line where it begins. RDV_OK;
 * RDV_NONE at the end; RDV_E_LIMIT or RDV_E_INPUT (a quote that is not closed, text after one):
 * the row was skipped; RDV_E_IO; RDV_E_NOMEM. Messages do not name the file or the line. */
int rdv_csv_next(rdv_csv *csv, rdv_arena *arena, rdv_str **cells, size_t *n, size_t *line,
                 rdv_error *err);
/* A cell, quoted where it must be; one that a spreadsheet would take for a formula (it begins with
 * = + - @, a tab or a carriage return) has an apostrophe put before it. */
void rdv_csv_cell(rdv_buf *b, rdv_str text);
/* Without that apostrophe. */
rdv_str rdv_csv_text(rdv_str cell);
