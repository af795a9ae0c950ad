/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How a finished table is shown: for people, or as one JSON object (--json). */
#include <rederive/grid.h>

struct run;

/* RDV_OK or RDV_E_NOMEM; what cannot be written stops the run. */
int grid_write(struct run *run, const rdv_grid *grid, rdv_error *err);
/* The same of several: one after the other, or a JSON object with the member "tables". */
int grids_write(struct run *run, const rdv_grid *grids, size_t n, rdv_error *err);
