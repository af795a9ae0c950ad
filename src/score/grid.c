/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/grid.h>

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"

#include <stdarg.h>
#include <stdio.h>

#define NOTE_MAX 1024

rdv_grid rdv_grid_new(rdv_arena *arena, const char *name, const char *about,
                      const rdv_grid_column *columns, size_t n_columns)
{
    return (rdv_grid){
        .arena = arena, .name = name, .about = about, .columns = columns, .n_columns = n_columns};
}

rdv_grid_cell *rdv_grid_row(rdv_grid *grid)
{
    size_t n = grid->n_rows * grid->n_columns;
    for (size_t c = 0; c < grid->n_columns; c++) {
        if (!RDV_PUSH_ROOM(grid->arena, grid->cells, n + c, grid->cap)) {
            grid->failed = true;
            return NULL;
        }
        grid->cells[n + c] = (rdv_grid_cell){{0}, NAN, rdv_estimate_none(0)};
    }
    grid->n_rows++;
    return grid->cells + n;
}

void rdv_grid_note(rdv_grid *grid, const char *fmt, ...)
{
    char text[NOTE_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    rdv_str copy = rdv_str_copy(grid->arena, rdv_str_of(text));
    if (!copy.p || !RDV_PUSH_ROOM(grid->arena, grid->notes, grid->n_notes, grid->cap_notes)) {
        grid->failed = true;
        return;
    }
    grid->notes[grid->n_notes++] = copy;
}

int rdv_grid_ok(const rdv_grid *grid, rdv_error *err)
{
    return grid->failed ? rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table") : RDV_OK;
}
