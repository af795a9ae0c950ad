/* SPDX-License-Identifier: Apache-2.0 */
#include "study/table.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"

#include <stdarg.h>
#include <stdio.h>

#define NOTE_MAX 1024

rdv_study_table table_new(rdv_arena *arena, const char *member, const rdv_column *columns,
                          size_t n_columns)
{
    return (rdv_study_table){.arena = arena,
                             .member = member,
                             .columns = columns,
                             .n_columns = n_columns,
                             .decimals = 1,
                             .digits = 4};
}

rdv_cell *table_row(rdv_study_table *t)
{
    size_t n = t->n_rows * t->n_columns;
    for (size_t c = 0; c < t->n_columns; c++) {
        if (!RDV_PUSH_ROOM(t->arena, t->cells, n + c, t->cap)) {
            t->failed = true;
            return NULL;
        }
        t->cells[n + c] = table_absent(NULL);
    }
    t->n_rows++;
    return t->cells + n;
}

void table_add(rdv_study_table *t, const rdv_cell *cells, size_t n)
{
    rdv_cell *row = table_row(t);
    if (row)
        memcpy(row, cells, n * sizeof *row);
}

void table_end_series(rdv_study_table *t)
{
    size_t n = t->series->n_rows;
    if (n == 0 || !RDV_PUSH_ROOM(t->arena, t->ends, n - 1, t->cap_ends))
        t->failed = true;
    else
        t->ends[n - 1] = t->n_rows;
}

void table_note(rdv_study_table *t, const char *fmt, ...)
{
    char text[NOTE_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    rdv_str copy = rdv_str_copy(t->arena, rdv_str_of(text)), *notes = (rdv_str *)t->notes;
    if (!copy.p || !RDV_PUSH_ROOM(t->arena, notes, t->n_notes, t->cap_notes)) {
        t->failed = true;
        return;
    }
    notes[t->n_notes++] = copy;
    t->notes = notes;
}

void table_note_count(rdv_study_table *t, size_t n, const char *what, const char *then)
{
    if (n)
        table_note(t, "%zu %s%s %s", n, what, table_plural(n), then);
}

void table_note_counts(rdv_study_table *t, const size_t *counts, const table_count_note *notes,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        table_note_count(t, counts[notes[i].count], notes[i].what, notes[i].then);
}

/* The kind of a cell: that of its column, unless the cell is absent. */
static rdv_cell_kind kind_of(const rdv_cell *cell, rdv_cell_kind column)
{
    bool there = column == RDV_CELL_TEXT ? cell->text.p != NULL : !isnan(cell->is.value);
    return there ? column : RDV_CELL_ABSENT;
}

int table_close(rdv_study_table *t, rdv_error *err)
{
    if (t->failed)
        return rdv_no_memory(err);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        t->cells[i].kind = kind_of(&t->cells[i], t->columns[i % t->n_columns].kind);
    return t->series ? table_close(t->series, err) : RDV_OK;
}

const char *table_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

rdv_cell table_text(rdv_str text)
{
    return (rdv_cell){.text = text, .is = rdv_estimate_none(0)};
}

rdv_cell table_number(double x)
{
    rdv_estimate is = rdv_estimate_none(0);
    is.value = x;
    return table_estimate(is);
}

rdv_cell table_count(size_t n)
{
    return table_number((double)n);
}

rdv_cell table_estimate(rdv_estimate is)
{
    return (rdv_cell){.is = is};
}

rdv_cell table_absent(const char *why)
{
    return table_text(rdv_str_of(why));
}
