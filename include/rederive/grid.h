/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/grid.h - a finished table: named columns, rows of cells, and what has to be said with
 * it. What recipes and reports compute comes out as one, and is shown as text or as JSON. */
#include <rederive/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the cells of a column hold, and how they are shown. */
typedef enum rdv_grid_is {
    RDV_GRID_TEXT = 0, /* `text` */
    RDV_GRID_NUMBER,   /* `x`, shown shortly */
    RDV_GRID_PERCENT,  /* `x` in [0,1], shown in per cent, without an error */
    RDV_GRID_CHANCE,   /* `x`, a p: shown with two digits, however small */
    RDV_GRID_SHARE,    /* `is`, in [0,1]: shown in per cent, with its standard error */
    RDV_GRID_GAIN,     /* `is`, a difference of shares: the same, with its sign */
    RDV_GRID_VALUE     /* `is`, as it stands (a correlation), with its standard error */
} rdv_grid_is;

typedef struct rdv_grid_column {
    const char *name; /* static */
    rdv_grid_is is;
} rdv_grid_column;

typedef struct rdv_grid_cell {
    rdv_str text;    /* p == NULL: nothing to say */
    double x;        /* NaN: cannot be had */
    rdv_estimate is; /* its value NaN: cannot be had */
} rdv_grid_cell;

/* In an arena; failure sticks and is told by rdv_grid_ok(). */
typedef struct rdv_grid {
    rdv_arena *arena;
    const char *name, *about; /* static */
    const rdv_grid_column *columns;
    size_t n_columns;
    rdv_grid_cell *cells; /* row after row */
    size_t n_rows, cap;
    rdv_str *notes; /* sentences, without a full stop */
    size_t n_notes, cap_notes;
    bool failed;
} rdv_grid;

/* An empty grid. columns: borrowed; in `arena`, which must outlive it. */
RDV_API rdv_grid rdv_grid_new(rdv_arena *arena, const char *name, const char *about,
                              const rdv_grid_column *columns, size_t n_columns);
/* A new last row, its n_columns cells holding nothing, to be filled in; NULL when out of memory.
 * Borrowed until the next row. Texts are borrowed as long as the grid. */
RDV_API rdv_grid_cell *rdv_grid_row(rdv_grid *grid);
/* A sentence to be said with it. */
RDV_API void rdv_grid_note(rdv_grid *grid, const char *fmt, ...) RDV_PRINTF(2, 3);
/* RDV_OK, or RDV_E_NOMEM when anything could not be added. */
RDV_API int rdv_grid_ok(const rdv_grid *grid, rdv_error *err);

#ifdef __cplusplus
}
#endif
