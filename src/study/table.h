/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Filling tables. A failure is kept and reported by table_close(). */
#include <rederive/study.h>

/* Columns: for people and programs, for one of them, or with a different head for people. */
#define COLUMN(name_, kind_)                                                                       \
    {                                                                                              \
        .name = (name_), .head = (name_), .kind = RDV_CELL_##kind_                                 \
    }
#define COLUMN_AS(name_, head_, kind_)                                                             \
    {                                                                                              \
        .name = (name_), .head = (head_), .kind = RDV_CELL_##kind_                                 \
    }
#define COLUMN_PROGRAM(name_, kind_) COLUMN_AS(name_, NULL, kind_)
#define COLUMN_PEOPLE(head_, kind_) COLUMN_AS(NULL, head_, kind_)
#define COLUMN_OPTIONAL(name_, head_, kind_)                                                       \
    {                                                                                              \
        .name = (name_), .head = (head_), .kind = RDV_CELL_##kind_, .optional = true               \
    }
#define COLUMNS_OF(array) (array), sizeof(array) / sizeof *(array)

/* An empty table for the list `member`; everything is borrowed. */
rdv_study_table table_new(rdv_arena *arena, const char *member, const rdv_column *columns,
                          size_t n_columns);
/* Adds a last row of absent cells to fill in; NULL when out of memory. Borrowed until the next row
 * is added. Texts are borrowed for the lifetime of the table. */
rdv_cell *table_row(rdv_study_table *table);
/* Adds a last row that begins with these `n` cells; the rest is absent. */
void table_add(rdv_study_table *table, const rdv_cell *cells, size_t n);
#define TABLE_ADD(table_, ...)                                                                     \
    table_add((table_), (const rdv_cell[]){__VA_ARGS__},                                           \
              sizeof((const rdv_cell[]){__VA_ARGS__}) / sizeof(rdv_cell))
/* Assigns the rows since the last call to the last row of table->series. */
void table_end_series(rdv_study_table *table);
/* Adds a line to the table's notes. */
void table_note(rdv_study_table *table, const char *fmt, ...) RDV_PRINTF(2, 3);
/* Adds a note if n > 0: "3 chains without an answer". */
void table_note_count(rdv_study_table *table, size_t n, const char *what, const char *then);
/* A note on one of several counts. */
typedef struct table_count_note {
    size_t count; /* index */
    const char *what, *then;
} table_count_note;
void table_note_counts(rdv_study_table *table, const size_t *counts, const table_count_note *notes,
                       size_t n);
/* RDV_OK if the table is complete, or RDV_E_NOMEM if anything could not be added. */
int table_close(rdv_study_table *table, rdv_error *err);

/* "s", or "" when n is 1. */
const char *table_plural(size_t n);

/* Cells. A cell with a NaN value, or a text cell without text, is absent; table_close() sets the
 * kinds of the cells. */
rdv_cell table_text(rdv_str text);
rdv_cell table_number(double x);
rdv_cell table_count(size_t n);
rdv_cell table_estimate(rdv_estimate is);
/* An absent cell with the reason. */
rdv_cell table_absent(const char *why);
