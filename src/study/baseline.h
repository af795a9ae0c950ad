/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The difference of a check's figures to those of a baseline, on the same traces (BIG-Bench
 * Mistake, Table 7: to a zero-shot prompt). */
#include "study/traces.h"

#define BASELINE_NONE ((size_t)-1)

/* The maker of the baseline of a maker of checks, or BASELINE_NONE. `name`: the method; NULL: the
 * zero-shot prompt of the same method, else the first of the zero-shot prompts that is there. Of
 * the checks by that method, that of the same checker and profile is taken, else the only one. */
size_t baseline_of(const traces *all, const study_sources *sources, const char *name, size_t maker);

/* The maker of repairs by the locator `name`, by the same generator and in the same profile as
 * those of `maker`; BASELINE_NONE: there is none, or it is `maker`. */
size_t baseline_repairs_of(const traces *all, const study_sources *sources, const char *name,
                           size_t maker);

/* The method, or the locator, of row->baseline; without one, absent. */
rdv_cell baseline_name(const trace_row *row);
rdv_cell baseline_locator(const trace_row *row);

typedef enum baseline_traces {
    BASELINE_ALL_TRACES,
    BASELINE_WITHOUT_MISTAKE,
    BASELINE_WITH_MISTAKE
} baseline_traces;

/* The paired difference to row->baseline, if there is one: of the location accuracy, of these
 * traces; or of the weighted F1 of predictions about answers (Table 5). RDV_OK or RDV_E_NOMEM. */
int baseline_location(const trace_row *row, baseline_traces which, rdv_cell *cell, rdv_error *err);
int baseline_answers(const trace_row *row, rdv_cell *cell, rdv_error *err);
/* The same of the accuracy after backtracking, of the traces that both locators repaired. */
int baseline_repairs(const trace_row *row, rdv_cell *cell, rdv_error *err);
