/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The difference of a check's location accuracy to that of a baseline, on the same traces
 * (BIG-Bench Mistake, Table 7: to a zero-shot prompt). */
#include "study/traces.h"

#define BASELINE_NONE ((size_t)-1)

/* The maker of the baseline of a maker of checks, or BASELINE_NONE. `name`: the method; NULL: the
 * zero-shot prompt of the same method, else the first of the zero-shot prompts that is there. Of
 * the checks by that method, that of the same checker and profile is taken, else the only one. */
size_t baseline_of(const traces *all, const study_sources *sources, const char *name, size_t maker);

/* Adds the method of row->baseline, and the paired difference to it, as two cells. RDV_OK or
 * RDV_E_NOMEM. */
int baseline_compare(const trace_row *row, rdv_cell *cells, rdv_error *err);
