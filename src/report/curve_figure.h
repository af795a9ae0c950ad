/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The figures of an evaluation's curves. */
#include "report/figure.h"

#include <rederive/study.h>

#define CURVE_GRID "evaluation" /* the name of their picture */
#define CURVE_FIGURES 3 /* accuracy by number of chains, the ROC curve, rates by threshold */

/* Make those figures that the tables have curves for, in `arena`. *n of them. RDV_OK or
 * RDV_E_NOMEM. */
int curve_figures(const rdv_study_tables *tables, rdv_arena *arena, rdv_figure out[CURVE_FIGURES],
                  size_t *n);
/* The same as one picture. RDV_NONE: there are no curves. */
int curve_figure_grid(const rdv_study_tables *tables, rdv_arena *arena, rdv_figure_grid *out);
