/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The cells of a study's table as people read them, on a terminal and in a report. */
#include <rederive/study.h>

#define RDV_CELL_BYTES 64 /* enough for every cell that is no text */

/* Are values of this kind shown in per cent? */
bool rdv_cell_in_percent(rdv_cell_kind kind);
/* Write a cell that is neither a text nor a figure to `shown`: "yes", "0.42", "49.3 ± 2.9"; "-" if
 * it is absent or not a number. plus_minus: the sign before the standard error. */
void rdv_cell_show(const rdv_study_table *table, const rdv_cell *cell, const char *plus_minus,
                   char shown[RDV_CELL_BYTES]);
