/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tables of --tables DIR: table.txt, table.csv, table.json, table.html, and the figures. Each
 * file appears when it is complete; none appears if one of them cannot be written. */
#include <rederive/study.h>

struct run;

/* Make the folder of --tables, if it is given and missing. A fault stops the run. */
void table_files_begin(struct run *run);
/* Write all files, and remove those of an earlier run that this one does not have. Does nothing
 * without --tables. RDV_E_IO or RDV_E_NOMEM. */
int table_files_write(struct run *run, const rdv_study_info *info, const rdv_study_tables *tables,
                      rdv_error *err);
