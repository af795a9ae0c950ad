/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/paint.h"

#include <stdarg.h>
#include <stdio.h>

#define GAP 2 /* columns of text between table columns */

struct rdv_table {
    rdv_arena *arena;
    const char *const *heads;
    size_t n_columns;
    rdv_str *cells; /* row after row */
    size_t n_cells, cap;
    bool failed;
};

rdv_table *rdv_table_new(rdv_arena *arena, const char *const *heads, size_t n_columns)
{
    rdv_table *table = RDV_NEW(arena, rdv_table);
    if (!table)
        return NULL;
    *table = (rdv_table){.arena = arena, .heads = heads, .n_columns = n_columns};
    return table;
}

void rdv_table_cell(rdv_table *table, rdv_str text)
{
    rdv_str copy = rdv_str_copy(table->arena, text);
    if (!copy.p || !RDV_PUSH_ROOM(table->arena, table->cells, table->n_cells, table->cap)) {
        table->failed = true;
        return;
    }
    table->cells[table->n_cells++] = copy;
}

void rdv_table_cellf(rdv_table *table, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    rdv_table_cell(table, n > 0 ? rdv_str_of(text) : RDV_STR(""));
}

/* ---- laying out ------------------------------------------------------------------------------ */

static bool is_right(const rdv_table *table, size_t column)
{
    return table->heads[column][0] == '>';
}

static rdv_str head_of(const rdv_table *table, size_t column)
{
    return rdv_str_of(table->heads[column] + is_right(table, column));
}

static rdv_str cell_at(const rdv_table *table, size_t row, size_t column)
{
    size_t i = row * table->n_columns + column;
    return i < table->n_cells ? table->cells[i] : RDV_STR("");
}

/* The start of each column, and of a further one after the last. */
static size_t *column_starts(const rdv_table *table, size_t n_rows)
{
    size_t *starts = RDV_NEW_ARRAY(table->arena, size_t, table->n_columns + 1);
    for (size_t c = 0; starts && c < table->n_columns; c++) {
        size_t width = rdv_columns(head_of(table, c));
        for (size_t r = 0; r < n_rows; r++) {
            size_t n = rdv_columns(cell_at(table, r, c));
            width = n > width ? n : width;
        }
        starts[c + 1] = starts[c] + width + GAP;
    }
    return starts;
}

/* Writes an untrusted cell on one line, with hostile bytes escaped. */
static void put_cell(rdv_paint *p, const rdv_table *table, const size_t *starts, size_t c,
                     rdv_str text, rdv_style style)
{
    if (text.len == 0) /* padding is written only before text, never at the end of a line */
        return;
    rdv_paint_to(p, is_right(table, c) ? starts[c + 1] - GAP - rdv_columns(text) : starts[c]);
    size_t len;
    for (size_t i = 0; i < text.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown);
        rdv_paint_put(p, (rdv_str){shown, n}, style);
    }
}

static void put_heads(rdv_paint *p, const rdv_table *table, const size_t *starts)
{
    for (size_t c = 0; c < table->n_columns; c++)
        put_cell(p, table, starts, c, head_of(table, c), RDV_BOLD);
    rdv_paint_end_line(p);
    for (size_t c = 0; c < table->n_columns; c++) {
        rdv_paint_to(p, starts[c]);
        while (p->column < starts[c + 1] - GAP)
            rdv_paint_put(p, p->ascii ? RDV_STR("-") : RDV_STR("\xe2\x94\x80"), RDV_DIM);
    }
    rdv_paint_end_line(p);
}

int rdv_table_print(const rdv_table *table, const rdv_view_options *options, rdv_str *out,
                    rdv_error *err)
{
    size_t n_rows = (table->n_cells + table->n_columns - 1) / table->n_columns;
    size_t *starts = column_starts(table, n_rows);
    if (!starts || table->failed)
        return rdv_no_memory(err);
    rdv_paint p;
    rdv_paint_begin(&p, options, table->arena);
    put_heads(&p, table, starts);
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t c = 0; c < table->n_columns; c++)
            put_cell(&p, table, starts, c, cell_at(table, r, c), RDV_PLAIN);
        rdv_paint_end_line(&p);
    }
    rdv_str text = rdv_buf_str(&p.out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
