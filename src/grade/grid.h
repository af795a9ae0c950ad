/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Matrices as they are written: the cells of every environment of LaTeX, and their sums, products
 * and transposes. */
#include "grade/value.h"

/* Cells row by row, in the reader's arena or borrowed from the text. */
typedef struct grid {
    rdv_str *at;
    size_t rows, columns, cap, n;
} grid;

/* Does an environment begin somewhere in `s`? */
bool grid_is_in(rdv_str s);

/* The block that `s` begins with: its environment, what is in it, and where it ends. False: it
 * begins with none. */
bool grid_block(rdv_str s, rdv_str *name, rdv_str *body, size_t *end);

/* The cells that the whole of the cleaned `s` comes to, "2 \begin{pmatrix} ... + ...". RDV_NONE:
 * it is no matrix, its sizes do not fit, or it is over the limits of what is computed. Faults:
 * RDV_E_NOMEM. */
int grid_read(value_reader *r, rdv_str s, grid *g);
