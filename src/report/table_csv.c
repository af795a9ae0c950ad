/* SPDX-License-Identifier: Apache-2.0 */
#include "report/table_page.h"

#include "base/json.h"
#include "base/str.h"
#include "data/csv.h"

#include <math.h>
#include <string.h>

static const char *const parts[] = {"value", "stderr", "ci_low", "ci_high", "n"};
#define N_PARTS (sizeof parts / sizeof *parts)

static bool is_estimate(const rdv_column *column)
{
    return column->kind >= RDV_CELL_SHARE;
}

static void begin_cell(rdv_buf *b, bool *first)
{
    if (!*first)
        rdv_buf_add_char(b, ',');
    *first = false;
}

static void put_number(rdv_buf *b, double x)
{
    if (isfinite(x))
        rdv_json_number(b, x);
}

/* ---- the header ------------------------------------------------------------------------------ */

static bool has_column(const rdv_study_table *t, const char *name)
{
    for (size_t c = 0; t && c < t->n_columns; c++)
        if (t->columns[c].name && strcmp(t->columns[c].name, name) == 0)
            return true;
    return false;
}

/* rows: the table whose series these columns describe; NULL: they are its own. */
static void heads(rdv_buf *b, const rdv_study_table *t, const rdv_study_table *rows, bool *first)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        const rdv_column *column = &t->columns[c];
        if (!column->name)
            continue;
        for (size_t i = 0; i < (is_estimate(column) ? N_PARTS : 1); i++) {
            begin_cell(b, first);
            if (has_column(rows, column->name))
                rdv_buf_lit(b, "series.");
            if (column->kind != RDV_CELL_FIGURE)
                rdv_csv_cell(b, rdv_str_of(column->name));
            if (is_estimate(column))
                rdv_buf_printf(b, "%s%s", column->kind == RDV_CELL_FIGURE ? "" : ".", parts[i]);
        }
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_cell(rdv_buf *b, const rdv_column *column, const rdv_cell *cell, bool *first)
{
    const rdv_estimate *is = &cell->is;
    const double numbers[N_PARTS] = {is->value, is->se, is->low, is->high, (double)is->n};
    for (size_t i = 0; i < (is_estimate(column) ? N_PARTS : 1); i++) {
        begin_cell(b, first);
        if (column->kind == RDV_CELL_TEXT)
            rdv_csv_cell(b, cell->text.p ? cell->text : RDV_STR(""));
        else if (column->kind == RDV_CELL_FLAG)
            rdv_buf_add(b, is->value > 0 ? RDV_STR("true") : RDV_STR("false"));
        else
            put_number(b, numbers[i]);
    }
}

static void cells(rdv_buf *b, const rdv_study_table *t, size_t row, bool *first)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].name)
            put_cell(b, &t->columns[c], &t->cells[row * t->n_columns + c], first);
}

bool rdv_table_has_csv(const rdv_study_table *t)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->columns[c].name)
            return true;
    return false;
}

void rdv_table_csv(const rdv_study_table *t, rdv_buf *out)
{
    bool first = true;
    if (t->series)
        heads(out, t->series, t, &first);
    heads(out, t, NULL, &first);
    rdv_buf_lit(out, "\r\n");
    for (size_t r = 0, series = 0; r < t->n_rows; r++) {
        first = true;
        while (t->series && series + 1 < t->series->n_rows && r >= t->ends[series])
            series++;
        if (t->series)
            cells(out, t->series, series, &first);
        cells(out, t, r, &first);
        rdv_buf_lit(out, "\r\n");
    }
}
