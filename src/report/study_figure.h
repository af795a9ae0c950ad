/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The figures that belong to a study's tables. What they draw is data: for each recipe the columns
 * of its table that are x and y. Rows that differ in a column of text, such as the check, the model
 * or the data set, are series or panels of their own. */
#include "report/figure.h"

#include <rederive/study.h>

/* Make the figures of the tables, in `arena`; they borrow the tables. *n is 0 if there are none.
 * RDV_OK or RDV_E_NOMEM. */
int rdv_study_figures(const rdv_study_tables *tables, rdv_arena *arena, rdv_figure_grid **out,
                      size_t *n);
