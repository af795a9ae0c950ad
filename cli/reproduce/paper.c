/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures beside those of table.json. */
#include "paper_tables.h"
#include "reproduce.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "data/report_rows.h"
#include "report/report.h"

#include <math.h>

struct our_table {
    report_row *rows;
    size_t n;
};

static const struct paper_table *find(const char *name)
{
    for (const struct paper_table *t = paper_tables; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* ---- our rows -------------------------------------------------------------------------------- */

/* p == NULL: the row has no such text. */
static rdv_str text_of(const report_row *row, const char *name)
{
    const report_value *value = report_row_get(row, name);
    return value ? value->text : (rdv_str){0};
}

/* Whether a text of the row is `key`, or begins with it and a colon ("reward:FILE"). */
static bool row_has(const report_row *row, const char *key)
{
    rdv_str wanted = rdv_str_of(key);
    for (size_t i = 0; i < row->n; i++) {
        rdv_str text = row->values[i].text;
        if (text.p && rdv_istarts(text, wanted) &&
            (text.len == wanted.len || text.p[wanted.len] == ':'))
            return true;
    }
    return false;
}

/* Whether the row combines more verifiers than any other. */
static bool has_all_verifiers(const struct our_table *ours, const report_row *row)
{
    rdv_str own = text_of(row, "verifiers");
    for (size_t i = 0; own.p && i < ours->n; i++)
        if (text_of(&ours->rows[i], "verifiers").len > own.len)
            return false;
    return own.p != NULL;
}

/* Whether the row is the one that the cell names. */
static bool is_of_key(const struct our_table *ours, const report_row *row, const char *key)
{
    if (!key || row_has(row, key))
        return true;
    return strcmp(key, "all") == 0 && has_all_verifiers(ours, row);
}

/* Rows with a task are of that task. Other rows are of their data set, if the paper has it. */
static bool is_of_data(const struct our_table *ours, const report_row *row, const char *data)
{
    if (report_row_get(row, "task")) {
        rdv_str task = text_of(row, "task");
        return data ? rdv_str_eq(task, rdv_str_of(data)) : !task.p;
    }
    if (!data || row_has(row, data))
        return true;
    for (size_t i = 0; i < ours->n; i++)
        if (row_has(&ours->rows[i], data))
            return false;
    return true;
}

/* What tells the row apart from others with the same figure. */
static void add_label(rdv_buf *b, const report_row *row)
{
    static const char *const names[] = {"dataset", "group", "generator", "checker"};
    const char *before = " (";
    const report_value *subsampled = report_row_get(row, "subsampled");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rdv_str text = text_of(row, names[i]), generator = text_of(row, "generator");
        bool repeated = strcmp(names[i], "checker") == 0 && rdv_str_eq(generator, text);
        if (!text.p || repeated || rdv_str_eq(text, RDV_STR("-")))
            continue;
        rdv_buf_printf(b, "%s%.*s", before, RDV_FMT(text));
        before = ", ";
    }
    if (subsampled && subsampled->flag == 1) {
        rdv_buf_printf(b, "%ssubsampled", before);
        before = ", ";
    }
    if (*before == ',')
        rdv_buf_add_char(b, ')');
}

/* Our values of one cell, separated by semicolons. */
static rdv_str ours_of(const struct our_table *ours, const struct paper_cell *cell,
                       const char *data, bool percent, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < ours->n; i++) {
        const report_row *row = &ours->rows[i];
        const report_value *value = report_row_get(row, cell->column);
        double scale = percent ? 100 : 1;
        if (!value || isnan(value->number) || !is_of_key(ours, row, cell->key) ||
            !is_of_data(ours, row, data))
            continue;
        rdv_buf_printf(&b, "%s%.1f", b.len ? "; " : "", scale * value->number);
        if (!isnan(value->stderr_))
            rdv_buf_printf(&b, " ± %.1f", scale * value->stderr_);
        add_label(&b, row);
    }
    return b.len || !rdv_buf_ok(&b) ? rdv_buf_str(&b) : RDV_STR("-");
}

/* ---- the comparison -------------------------------------------------------------------------- */

static void add_figure(rdv_table *table, const struct paper_table *paper,
                       const struct paper_row *row, size_t cell, const struct our_table *ours,
                       rdv_arena *arena)
{
    const struct paper_cell *c = &paper->cells[cell];
    const char *unit = c->unit ? c->unit : paper->unit;
    if (isnan(row->value[cell]))
        return;
    rdv_table_cell(table, rdv_str_of(row->data ? row->data : "mean"));
    rdv_table_cell(table, rdv_str_of(row->model));
    rdv_table_cell(table, rdv_str_of(c->key ? c->key : "-"));
    rdv_table_cell(table, rdv_str_of(c->column));
    rdv_table_cell(table, rdv_str_of(unit ? unit : "%"));
    rdv_table_cellf(table, "%.10g", row->value[cell]);
    if (ours)
        rdv_table_cell(table, ours_of(ours, c, row->data, !unit && !c->unit, arena));
}

static int print_figures(const struct paper_table *paper, const struct our_table *ours,
                         rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    static const char *const heads[] = {"data", "model", "row", "column", "unit", ">paper", "here"};
    const rdv_view_options plain = {0};
    rdv_table *table = rdv_table_new(arena, heads, ours ? 7 : 6);
    if (!table)
        return rdv_no_memory(err);
    for (const struct paper_row *row = paper->rows; row->model; row++)
        for (size_t cell = 0; cell < PAPER_CELLS && paper->cells[cell].column; cell++)
            add_figure(table, paper, row, cell, ours, arena);
    return rdv_table_print(table, &plain, out, err);
}

int paper_figures(const char *name, rdv_str text, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    const struct paper_table *paper = find(name);
    struct our_table ours = {0};
    rdv_str figures = RDV_STR("");
    *out = RDV_STR("The paper prints no figures of it.\n");
    if (!paper)
        return RDV_OK;
    int code = text.p ? report_rows_read(text, "rows", arena, &ours.rows, &ours.n, err) : RDV_OK;
    if (code == RDV_E_INPUT)
        rdv_wrap(err, code, "table.json");
    if (code == RDV_OK && paper->rows)
        code = print_figures(paper, text.p ? &ours : NULL, arena, &figures, err);
    if (code != RDV_OK)
        return code;
    *out = rdv_str_printf(arena, "The paper's figures:\n%.*s%s%s", RDV_FMT(figures),
                          paper->note ? paper->note : "", paper->note ? "\n" : "");
    return out->p ? RDV_OK : rdv_no_memory(err);
}
