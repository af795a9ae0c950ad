/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The rows of a report: what 'eval --json' and 'train --json' write (docs/recipes.md, JSON). */
#include <rederive/base.h>

#define RDV_REPORT_ROWS_MAX 1000000

/* One member of a row: a text, a number, a flag, or a figure with its error and interval. */
typedef struct report_value {
    rdv_str name;
    rdv_str text;           /* p == NULL: no text */
    double number, stderr_, low, high; /* NaN: none */
    int flag;               /* -1: none */
} report_value;

typedef struct report_row {
    report_value *values; /* those of the row, then those of its series */
    size_t n;
} report_row;

/* The rows of the list `name` ("rows") of the JSON object `text`; without such a list, those of all
 * its "series". All in `arena`. Faults: RDV_E_INPUT: no JSON object; RDV_E_LIMIT: more rows than
 * RDV_REPORT_ROWS_MAX; RDV_E_NOMEM. */
int report_rows_read(rdv_str text, const char *name, rdv_arena *arena, report_row **rows, size_t *n,
                     rdv_error *err);
/* The value of that name, or NULL. */
const report_value *report_row_get(const report_row *row, const char *name);
