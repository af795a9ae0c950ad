/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Prints the tables of a study: for people, or as one JSON object (--json). */
#include "run.h"

#include "base/buf.h"

#include <rederive/study.h>

/* Appends the tables for people; curves: also what is shown only on request. RDV_E_NOMEM. */
int table_put_text(const rdv_study_tables *tables, const rdv_view_options *view, bool curves,
                   rdv_buf *out, rdv_error *err);
/* Appends the members of an estimate, "value" to "n". */
void table_put_estimate(rdv_buf *b, const rdv_estimate *x);
/* Appends all tables as one JSON object. n_failed: records that could not be read or processed.
 * RDV_E_NOMEM. */
int table_put_json(const rdv_study_tables *tables, uint64_t n_failed, rdv_buf *out, rdv_error *err);
/* Writes the tables to the output, in the form that the settings ask for. RDV_OK or RDV_E_NOMEM; a
 * write error stops the run. */
int table_print(struct run *run, const rdv_study_tables *tables, rdv_error *err);
