/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The input of recipes that take reports: what 'rederive train --json' printed. */
#include "run.h"

#include <rederive/study.h>

/* Give each line of the input to the study. What cannot be read counts as a failed record, as in
 * run_next(); the run ends where memory does, or with a task that was read before. */
void report_files_read(struct run *run, rdv_study *study);
