/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What asking models costs, in words: while it goes on, and at the end. */
#include <rederive/run.h>

#include <stdio.h>

/* Enough for any line of progress. */
#define SPENDING_LINE 256

/* One line without its end: plans done (of `expected`, 0: not known how many), calls, rate, cost if
 * `priced`, and the time left once it can be told. */
void spending_progress(char line[SPENDING_LINE], const rdv_run_totals *totals, uint64_t expected,
                       bool priced);
/* A line of the summary: calls, those that the journal answered, those that failed and why. */
void spending_summary(FILE *out, const rdv_run_totals *totals, bool priced);
/* The same as members of a JSON object, each with a comma before it. */
void spending_json(FILE *out, const rdv_run_totals *totals, bool priced);
