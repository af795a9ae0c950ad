/* SPDX-License-Identifier: Apache-2.0 */
#include "grid.h"
#include "figures.h"
#include "run.h"

#include "base/json.h"
#include "base/str.h"

#include <inttypes.h>
#include <math.h>

#define MAX_COLUMNS 32

/* ---- a table --------------------------------------------------------------------------------- */

static void estimate_cell(rdv_table *table, const rdv_estimate *x, rdv_grid_is is, bool ascii)
{
    double times = is == RDV_GRID_VALUE ? 1 : 100;
    int digits = is == RDV_GRID_VALUE ? 3 : 1;
    const char *sign = is == RDV_GRID_GAIN ? "+" : "";
    if (isnan(x->value))
        rdv_table_cell(table, RDV_STR("-"));
    else if (isnan(x->se))
        rdv_table_cellf(table, *sign ? "%+.*f" : "%.*f", digits, times * x->value);
    else
        rdv_table_cellf(table, *sign ? "%+.*f %s %.*f" : "%.*f %s %.*f", digits, times * x->value,
                        ascii ? "+-" : "±", digits, times * x->se);
}

static void cell(rdv_table *table, const rdv_grid_cell *cell, rdv_grid_is is, bool ascii)
{
    if (is == RDV_GRID_TEXT)
        rdv_table_cell(table, cell->text.p ? cell->text : RDV_STR("-"));
    else if (is >= RDV_GRID_SHARE)
        estimate_cell(table, &cell->is, is, ascii);
    else if (isnan(cell->x))
        rdv_table_cell(table, RDV_STR("-"));
    else if (is == RDV_GRID_PERCENT)
        rdv_table_cellf(table, "%.1f", 100 * cell->x);
    else
        rdv_table_cellf(table, is == RDV_GRID_CHANCE ? "%.2g" : "%.4g", cell->x);
}

static bool in_percent(rdv_grid_is is)
{
    return is == RDV_GRID_SHARE || is == RDV_GRID_GAIN || is == RDV_GRID_PERCENT;
}

static int write_rows(struct run *run, const rdv_grid *grid, rdv_error *err)
{
    const char *heads[MAX_COLUMNS];
    size_t n = grid->n_columns < MAX_COLUMNS ? grid->n_columns : MAX_COLUMNS;
    for (size_t c = 0; c < n; c++) {
        const rdv_grid_column *column = &grid->columns[c];
        rdv_str head = rdv_str_printf(run->arena, "%s%s%s", column->is == RDV_GRID_TEXT ? "" : ">",
                                      column->name, in_percent(column->is) ? " %" : "");
        if (!head.p)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table");
        heads[c] = head.p;
    }
    rdv_table *table = rdv_table_new(run->arena, heads, n);
    for (size_t r = 0; table && r < grid->n_rows; r++)
        for (size_t c = 0; c < n; c++)
            cell(table, &grid->cells[r * grid->n_columns + c], grid->columns[c].is,
                 run->terminal.view.ascii);
    return figures_write_table(run, table, err);
}

static int write_table(struct run *run, const rdv_grid *grid, rdv_error *err)
{
    run_write(run, rdv_str_printf(run->arena, "%s: %s\n\n", grid->name, grid->about));
    int code = write_rows(run, grid, err);
    if (grid->n_notes)
        run_write(run, RDV_STR("\n"));
    for (size_t i = 0; i < grid->n_notes; i++)
        run_write(run, rdv_str_printf(run->arena, "%.*s\n", RDV_FMT(grid->notes[i])));
    return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_cell(rdv_buf *b, const rdv_grid_cell *cell, const rdv_grid_column *column)
{
    rdv_json_name(b, rdv_str_of(column->name));
    if (column->is == RDV_GRID_TEXT) {
        rdv_json_text(b, cell->text);
    } else if (column->is >= RDV_GRID_SHARE) {
        rdv_buf_lit(b, "{");
        json_estimate(b, &cell->is);
        rdv_buf_lit(b, "}");
    } else {
        rdv_json_number(b, cell->x);
    }
}

static void json_rows(rdv_buf *b, const rdv_grid *grid)
{
    rdv_buf_lit(b, ",\"rows\":[");
    for (size_t r = 0; r < grid->n_rows; r++) {
        rdv_buf_add(b, r ? RDV_STR(",\n{") : RDV_STR("{"));
        for (size_t c = 0; c < grid->n_columns; c++)
            json_cell(b, &grid->cells[r * grid->n_columns + c], &grid->columns[c]);
        rdv_buf_lit(b, "}");
    }
    rdv_buf_lit(b, "],\"notes\":[");
    for (size_t i = 0; i < grid->n_notes; i++) {
        rdv_buf_add(b, i ? RDV_STR(",") : RDV_STR(""));
        rdv_json_text(b, grid->notes[i]);
    }
    rdv_buf_lit(b, "]");
}

static int write_json(struct run *run, const rdv_grid *grids, size_t n, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, run->arena, 0);
    rdv_buf_lit(&b, "{");
    if (n > 1)
        rdv_buf_lit(&b, "\"tables\":[");
    for (size_t i = 0; i < n; i++) {
        if (n > 1)
            rdv_buf_add(&b, i ? RDV_STR(",\n{") : RDV_STR("{"));
        rdv_json_name(&b, RDV_STR("recipe"));
        rdv_json_text(&b, rdv_str_of(grids[i].name));
        json_rows(&b, &grids[i]);
        if (n > 1)
            rdv_buf_lit(&b, "}");
    }
    rdv_buf_printf(&b, "%s,\"n_failed\":%" PRIu64 "}\n", n > 1 ? "]" : "", run->failed);
    if (!rdv_buf_ok(&b))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while writing JSON");
    run_write(run, rdv_buf_str(&b));
    return RDV_OK;
}

int grids_write(struct run *run, const rdv_grid *grids, size_t n, rdv_error *err)
{
    int code = RDV_OK;
    if (run->settings->json)
        return write_json(run, grids, n, err);
    for (size_t i = 0; code == RDV_OK && i < n; i++) {
        if (i)
            run_write(run, RDV_STR("\n"));
        code = write_table(run, &grids[i], err);
    }
    return code;
}

int grid_write(struct run *run, const rdv_grid *grid, rdv_error *err)
{
    return grids_write(run, grid, 1, err);
}
