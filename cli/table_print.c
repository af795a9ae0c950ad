/* SPDX-License-Identifier: Apache-2.0 */
#include "table_print.h"

#include "study/cell.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "report/paint.h"

#include <inttypes.h>
#include <math.h>

static const rdv_cell *row_at(const rdv_study_table *t, size_t row)
{
    return t->cells + row * t->n_columns;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* Fill four columns: value, standard error, interval, n. */
static void figure_cells(rdv_table *text, const rdv_estimate *x)
{
    const double numbers[] = {x->value, x->se};
    for (size_t i = 0; i < 2; i++) {
        if (isnan(numbers[i]))
            rdv_table_cell(text, RDV_STR("-"));
        else
            rdv_table_cellf(text, "%.4f", numbers[i]);
    }
    if (isnan(x->low) || isnan(x->high))
        rdv_table_cell(text, RDV_STR("-"));
    else
        rdv_table_cellf(text, "%.4f to %.4f", x->low, x->high);
    rdv_table_cellf(text, "%zu", x->n);
}

static void text_cell(rdv_table *text, const rdv_study_table *t, const rdv_cell *cell, bool ascii)
{
    char shown[RDV_CELL_BYTES];
    rdv_cell_show(t, cell, ascii ? "+-" : "±", shown);
    rdv_table_cell(text, cell->kind == RDV_CELL_TEXT ? cell->text : rdv_str_of(shown));
}

/* The column heads of a table; `first`, if not NULL, replaces the first one; *n: number of heads.
 * NULL when out of memory. */
static const char **heads_of(rdv_arena *arena, const rdv_study_table *t, const char *first,
                             size_t *n)
{
    static const char *const figure[] = {">value", ">stderr", ">95 % interval", ">n"};
    const char **heads = RDV_NEW_ARRAY(arena, const char *, 4 * t->n_columns);
    *n = 0;
    for (size_t c = 0; heads && c < t->n_columns; c++) {
        const rdv_column *column = &t->columns[c];
        if (column->head && column->kind == RDV_CELL_FIGURE) {
            for (size_t i = 0; i < 4; i++)
                heads[(*n)++] = figure[i];
        } else if (column->head) {
            rdv_str head = rdv_str_printf(arena, "%s%s%s", column->kind == RDV_CELL_TEXT ? "" : ">",
                                          c == 0 && first ? first : column->head,
                                          rdv_cell_in_percent(column->kind) ? " %" : "");
            if (!head.p)
                return NULL;
            heads[(*n)++] = head.p;
        }
    }
    return heads;
}

/* Append the rows from `begin` up to, not including, `end`. */
static int put_rows(rdv_buf *b, const rdv_study_table *t, const rdv_view_options *view,
                    const char *first, size_t begin, size_t end, rdv_error *err)
{
    size_t n;
    const char **heads = heads_of(b->arena, t, first, &n);
    rdv_table *text = heads ? rdv_table_new(b->arena, heads, n) : NULL;
    rdv_str lines;
    if (!text)
        return rdv_no_memory(err);
    for (size_t r = begin; r < end; r++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            if (t->columns[c].head && t->columns[c].kind == RDV_CELL_FIGURE)
                figure_cells(text, &row_at(t, r)[c].is);
            else if (t->columns[c].head)
                text_cell(text, t, &row_at(t, r)[c], view->ascii);
        }
    }
    int code = rdv_table_print(text, view, &lines, err);
    if (code == RDV_OK)
        rdv_buf_add(b, lines);
    return code;
}

/* Append a line that may have names of data sets, models and checks, hostile bytes escaped. */
static void put_line(rdv_buf *b, rdv_str text)
{
    size_t len;
    for (size_t i = 0; i < text.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown);
        rdv_buf_add(b, (rdv_str){shown, n});
    }
    rdv_buf_add_char(b, '\n');
}

/* Append one table per series. A row of t->series holds the table's name, the head of its first
 * column, and the meaning of n. */
static int put_apart(rdv_buf *b, const rdv_study_table *t, const rdv_view_options *view,
                     rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0, begin = 0; code == RDV_OK && i < t->series->n_rows; begin = t->ends[i++]) {
        const rdv_cell *is = row_at(t->series, i);
        const char *first = rdv_cstring(b->arena, is[1].text);
        rdv_buf_printf(b, "\n%.*s (n: %.*s)\n", RDV_FMT(is[0].text), RDV_FMT(is[2].text));
        code = first ? put_rows(b, t, view, first, begin, t->ends[i], err) : rdv_no_memory(err);
    }
    return code;
}

static bool for_people(const rdv_study_table *t)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].head)
            return true;
    return false;
}

static int put_text(rdv_buf *b, const rdv_study_table *t, const rdv_view_options *view, bool curves,
                    bool first, rdv_error *err)
{
    size_t n_rows = curves ? t->n_rows : t->n_rows - t->n_hidden;
    if (!for_people(t) || (t->details && !curves) || (t->n_hidden && !n_rows))
        return RDV_OK;
    if (t->series && t->series->form == RDV_FORM_MAP)
        return put_apart(b, t, view, err);
    if (t->name)
        rdv_buf_printf(b, "%s%s: %s\n\n", first ? "" : "\n", t->name, t->summary);
    else if (t->title.p) {
        if (b->len)
            rdv_buf_add_char(b, '\n');
        put_line(b, t->title);
    }
    int code = n_rows || !t->title.p ? put_rows(b, t, view, NULL, 0, n_rows, err) : RDV_OK;
    if (t->n_notes && t->notes_are_members)
        rdv_buf_lit(b, "\n");
    for (size_t i = 0; i < t->n_notes; i++)
        put_line(b, t->notes[i]);
    return code;
}

int table_put_text(const rdv_study_tables *tables, const rdv_view_options *view, bool curves,
                   rdv_buf *out, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; code == RDV_OK && i < tables->n; i++)
        code = put_text(out, &tables->tables[i], view, curves, i == 0, err);
    return code == RDV_OK && !rdv_buf_ok(out) ? rdv_no_memory(err) : code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void table_put_estimate(rdv_buf *b, const rdv_estimate *x)
{
    rdv_json_put_number(b, "value", x->value);
    rdv_json_put_number(b, "stderr", x->se);
    rdv_json_put_number(b, "ci_low", x->low);
    rdv_json_put_number(b, "ci_high", x->high);
    rdv_json_put_number(b, "n", (double)x->n);
}

static void json_cell(rdv_buf *b, const rdv_column *column, const rdv_cell *cell)
{
    if (column->kind == RDV_CELL_FIGURE) {
        table_put_estimate(b, &cell->is);
        return;
    }
    rdv_json_name(b, rdv_str_of(column->name));
    if (column->kind == RDV_CELL_TEXT) {
        rdv_json_text(b, cell->text);
    } else if (column->kind == RDV_CELL_FLAG) {
        rdv_json_flag(b, cell->is.value > 0);
    } else if (column->kind >= RDV_CELL_SHARE) {
        rdv_buf_add_char(b, '{');
        table_put_estimate(b, &cell->is);
        rdv_buf_add_char(b, '}');
    } else {
        rdv_json_number(b, cell->is.value);
    }
}

/* Write the cells of a row from column `from` on, as members. */
static void json_members(rdv_buf *b, const rdv_study_table *t, size_t row, size_t from)
{
    for (size_t c = from; c < t->n_columns; c++) {
        const rdv_cell *cell = &row_at(t, row)[c];
        if (t->columns[c].name && !(t->columns[c].optional && cell->kind == RDV_CELL_ABSENT))
            json_cell(b, &t->columns[c], cell);
    }
}

static void json_list(rdv_buf *b, const rdv_study_table *t, const char *name, size_t begin,
                      size_t end)
{
    rdv_json_open(b, name, '[');
    for (size_t r = begin; r < end; r++) {
        rdv_buf_add(b, rdv_str_of(r == begin ? "{" : t->notes_are_members ? ",\n{" : ",{"));
        json_members(b, t, r, 0);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
}

/* Write the table as members of the open object. */
static void json_table(rdv_buf *b, const rdv_study_table *t)
{
    const rdv_study_table *outer = t->series ? t->series : t;
    bool map = outer->form == RDV_FORM_MAP;
    if (outer->form == RDV_FORM_MEMBERS) {
        json_members(b, t, 0, 0);
    } else if (outer->form == RDV_FORM_OBJECT) {
        rdv_json_open(b, t->member, '{');
        json_members(b, t, 0, 0);
        rdv_buf_add_char(b, '}');
    } else if (!t->series && !map) {
        json_list(b, t, t->member, 0, t->n_rows);
    } else {
        rdv_json_name(b, rdv_str_of(outer->member));
        rdv_buf_add_char(b, map ? '{' : '[');
        for (size_t r = 0; r < outer->n_rows; r++) {
            if (map)
                rdv_json_name(b, row_at(outer, r)->text);
            else
                rdv_json_item(b);
            rdv_buf_add_char(b, '{');
            json_members(b, outer, r, map);
            if (t->series)
                json_list(b, t, t->row_member, r ? t->ends[r - 1] : 0, t->ends[r]);
            rdv_buf_add_char(b, '}');
        }
        rdv_buf_add_char(b, map ? '}' : ']');
    }
    if (t->notes_are_members) {
        rdv_buf_lit(b, ",\"notes\":");
        rdv_json_texts(b, t->notes, t->n_notes);
    }
}

/* Write several named tables as a list of objects. */
static void json_several(rdv_buf *b, const rdv_study_tables *tables)
{
    rdv_buf_lit(b, "\"tables\":[");
    for (size_t i = 0; i < tables->n; i++) {
        rdv_buf_add(b, i ? RDV_STR(",\n{") : RDV_STR("{"));
        rdv_json_put_text(b, "recipe", rdv_str_of(tables->tables[i].name));
        json_table(b, &tables->tables[i]);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
}

int table_put_json(const rdv_study_tables *tables, uint64_t n_failed, rdv_buf *out, rdv_error *err)
{
    const rdv_study_table *first = &tables->tables[0];
    bool several = tables->n > 1 && tables->tables[1].name;
    bool failed_last = first->notes_are_members;
    rdv_buf_add_char(out, '{');
    if (several)
        json_several(out, tables);
    else if (first->name)
        rdv_json_put_text(out, "recipe", rdv_str_of(first->name));
    if (first->name && !failed_last)
        rdv_json_put_number(out, "n_failed", (double)n_failed);
    for (size_t i = 0; !several && i < tables->n; i++) {
        json_table(out, &tables->tables[i]);
        if (i == 0 && !first->name)
            rdv_json_put_number(out, "n_failed", (double)n_failed);
    }
    if (failed_last)
        rdv_json_put_number(out, "n_failed", (double)n_failed);
    rdv_buf_lit(out, "}\n");
    return rdv_buf_ok(out) ? RDV_OK : rdv_no_memory(err);
}

int table_print(struct run *run, const rdv_study_tables *tables, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, run->arena, 0);
    int code = run->settings->json
                   ? table_put_json(tables, run->failed, &b, err)
                   : table_put_text(tables, &run->terminal.view, run->settings->curves, &b, err);
    if (code == RDV_OK)
        run_write(run, rdv_buf_str(&b));
    return code;
}
