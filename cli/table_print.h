/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Prints the tables of a study: for people, or as one JSON object (--json). */
#include <rederive/study.h>

struct run;

/* RDV_OK or RDV_E_NOMEM; a write error stops the run. */
int table_print(struct run *run, const rdv_study_tables *tables, rdv_error *err);
