/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a study. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/html_text.h"
#include "study/cell.h"

#include <math.h>

#define MAX_FOLDED 1000 /* rows, so that a page of many questions opens quickly */

static const rdv_cell *cell_at(const rdv_study_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->n_columns + column];
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The interval of an estimate, below its value. */
static void interval(rdv_buf *b, const rdv_study_table *t, const rdv_cell *cell)
{
    const rdv_estimate *is = &cell->is;
    bool percent = rdv_cell_in_percent(cell->kind);
    int digits = percent ? t->decimals : 3;
    double times = percent ? 100 : 1;
    if (!isnan(is->value) && !isnan(is->low) && !isnan(is->high))
        rdv_buf_printf(b, " <span class=\"fine\">%.*f to %.*f</span>", digits, times * is->low,
                       digits, times * is->high);
}

/* Everything known about a figure: its value, its interval and its n, as three cells. */
static void figure_cells(rdv_buf *b, const rdv_cell *cell)
{
    const rdv_estimate *is = &cell->is;
    rdv_buf_lit(b, "<td class=\"num\">");
    rdv_buf_printf(b, cell->kind == RDV_CELL_ABSENT || isnan(is->value) ? "-" : "%.4f", is->value);
    rdv_buf_lit(b, "</td><td class=\"num fine\">");
    rdv_buf_printf(b, isnan(is->low) || isnan(is->high) ? "-" : "%.4f to %.4f", is->low, is->high);
    rdv_buf_printf(b, "</td><td class=\"num fine\">%zu</td>", is->n);
}

static void cell_text(rdv_buf *b, const rdv_study_table *t, const rdv_cell *cell)
{
    char shown[RDV_CELL_BYTES];
    if (cell->kind == RDV_CELL_TEXT) {
        html_prose(b, cell->text);
        return;
    }
    rdv_cell_show(t, cell, "±", shown);
    rdv_buf_add(b, rdv_str_of(shown));
    if (cell->kind == RDV_CELL_ABSENT && cell->text.p) {
        rdv_buf_lit(b, " <span class=\"fine\">");
        html_prose(b, cell->text);
        rdv_buf_lit(b, "</span>");
    }
    if (cell->kind == RDV_CELL_SHARE || cell->kind == RDV_CELL_GAIN || cell->kind == RDV_CELL_VALUE)
        interval(b, t, cell);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool is_for_people(const rdv_study_table *t)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].head)
            return true;
    return false;
}

/* Write the rows from `begin` up to, not including, `end`; first: the head of the first column, or
 * absent. */
static void rows(rdv_buf *b, const rdv_study_table *t, rdv_str first, size_t begin, size_t end)
{
    rdv_buf_lit(b, "<div class=\"wide\"><table><thead><tr>");
    for (size_t c = 0; c < t->n_columns; c++) {
        const rdv_column *column = &t->columns[c];
        if (!column->head)
            continue;
        if (column->kind == RDV_CELL_FIGURE) {
            rdv_buf_lit(b, "<th class=\"num\">value</th><th class=\"num\">95 % interval</th>"
                           "<th class=\"num\">n</th>");
            continue;
        }
        rdv_buf_add(b, column->kind == RDV_CELL_TEXT ? RDV_STR("<th>")
                                                     : RDV_STR("<th class=\"num\">"));
        html_text(b, c == 0 && first.p ? first : rdv_str_of(column->head));
        rdv_buf_add(b, rdv_cell_in_percent(column->kind) ? RDV_STR(" %</th>") : RDV_STR("</th>"));
    }
    rdv_buf_lit(b, "</tr></thead><tbody>");
    for (size_t r = begin; r < end; r++) {
        rdv_buf_lit(b, "<tr>");
        for (size_t c = 0; c < t->n_columns; c++) {
            if (!t->columns[c].head)
                continue;
            if (t->columns[c].kind == RDV_CELL_FIGURE) {
                figure_cells(b, cell_at(t, r, c));
                continue;
            }
            rdv_buf_add(b, t->columns[c].kind == RDV_CELL_TEXT ? RDV_STR("<td>")
                                                               : RDV_STR("<td class=\"num\">"));
            cell_text(b, t, cell_at(t, r, c));
            rdv_buf_lit(b, "</td>");
        }
        rdv_buf_lit(b, "</tr>");
    }
    rdv_buf_lit(b, "</tbody></table></div>");
}

/* A table whose rows form series: one folded table for each. */
static void apart(rdv_buf *b, const rdv_study_table *t)
{
    for (size_t i = 0, begin = 0; i < t->series->n_rows; begin = t->ends[i++]) {
        rdv_buf_lit(b, "<details><summary>");
        html_text(b, cell_at(t->series, i, 0)->text);
        if (t->series->n_columns > 2) {
            rdv_buf_lit(b, " <span class=\"fine\">(n counts ");
            html_text(b, cell_at(t->series, i, 2)->text);
            rdv_buf_lit(b, ")</span>");
        }
        rdv_buf_lit(b, "</summary>");
        rows(b, t, t->series->n_columns > 1 ? cell_at(t->series, i, 1)->text : (rdv_str){0}, begin,
             t->ends[i]);
        rdv_buf_lit(b, "</details>");
    }
}

static void notes(rdv_buf *b, const rdv_study_table *t)
{
    bool open = false;
    for (size_t i = 0; i < t->n_notes; i++) {
        if (t->notes[i].len == 0)
            continue;
        if (!open)
            rdv_buf_lit(b, "<ul class=\"notes\">");
        open = true;
        rdv_buf_lit(b, "<li>");
        html_prose(b, t->notes[i]);
        rdv_buf_lit(b, "</li>");
    }
    if (open)
        rdv_buf_lit(b, "</ul>");
}

/* A title without the option that shows all rows on a terminal: here they are one click away. */
static rdv_str title_of(const rdv_study_table *t)
{
    size_t end = t->n_hidden ? rdv_find(t->title, RDV_STR(" (--"), 0) : RDV_NOT_FOUND;
    return end == RDV_NOT_FOUND ? t->title : rdv_slice(t->title, 0, end);
}

/* All rows, those that a terminal does not show folded. */
static void all_rows(rdv_buf *b, const rdv_study_table *t)
{
    size_t shown = t->n_rows - t->n_hidden, end = t->n_rows;
    if (end - shown > MAX_FOLDED)
        end = shown + MAX_FOLDED;
    if (shown || !t->n_hidden)
        rows(b, t, (rdv_str){0}, 0, shown);
    else
        rdv_buf_lit(b, "<p>none</p>");
    if (!t->n_hidden)
        return;
    rdv_buf_printf(b, "<details><summary>%zu more</summary>", t->n_hidden);
    rows(b, t, (rdv_str){0}, shown, end);
    if (end < t->n_rows)
        rdv_buf_printf(b, "<p class=\"fine\">and %zu that only --json writes</p>", t->n_rows - end);
    rdv_buf_lit(b, "</details>");
}

static void one_table(rdv_buf *b, const rdv_study_table *t)
{
    rdv_buf_lit(b, "<section class=\"table\">");
    if (t->name || t->title.p) {
        rdv_buf_lit(b, "<h3>");
        html_text(b, t->name ? rdv_str_of(t->name) : title_of(t));
        if (t->name && t->summary) {
            rdv_buf_lit(b, ": ");
            html_text(b, rdv_str_of(t->summary));
        }
        rdv_buf_lit(b, "</h3>");
    } else if (t->series && t->series->form == RDV_FORM_MAP) {
        rdv_buf_lit(b, "<h3>Curves: a table of the points of each</h3>");
    }
    if (t->series && t->series->form == RDV_FORM_MAP)
        apart(b, t);
    else
        all_rows(b, t);
    notes(b, t);
    rdv_buf_lit(b, "</section>");
}

void html_tables(rdv_buf *b, const rdv_study_tables *tables)
{
    for (size_t i = 0; i < tables->n; i++)
        if (is_for_people(&tables->tables[i]))
            one_table(b, &tables->tables[i]);
}
