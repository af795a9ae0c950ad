/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How the tables of a study are shown: for people, or as one JSON object (--json). */
#include <rederive/study.h>

struct run;

/* RDV_OK or RDV_E_NOMEM; what cannot be written stops the run. */
int table_print(struct run *run, const rdv_study_tables *tables, rdv_error *err);
