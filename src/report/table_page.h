/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tables of a study as files: as CSV, and as a page with the figures. */
#include "report/figure.h"

#include <rederive/study.h>

/* Append a table as CSV (RFC 4180, with a header): the columns for programs, with the names that
 * JSON has. A figure "tpr" is five columns: tpr.value, tpr.stderr, tpr.ci_low, tpr.ci_high, tpr.n.
 * Where rows form series, the columns of their series come first, named "series.x" if the rows have
 * a column x too. A missing value is an empty cell. Failure is kept by the buffer. */
void rdv_table_csv(const rdv_study_table *table, rdv_buf *out);
/* Whether a table has a column for programs. */
bool rdv_table_has_csv(const rdv_study_table *table);

/* What a page says about its tables. Borrowed. */
typedef struct rdv_table_page {
    const rdv_study_info *info;
    rdv_str title;   /* such as the names of the input files */
    rdv_str command; /* as it was typed; p == NULL: not known */
    uint64_t n_failed;
    const rdv_figure_grid *figures;
    size_t n_figures;
} rdv_table_page;

/* Append the page: one HTML file without a script, which loads nothing. All texts are escaped.
 * Failure is kept by the buffer. */
void rdv_table_html(const rdv_table_page *page, const rdv_study_tables *tables, rdv_buf *out);
