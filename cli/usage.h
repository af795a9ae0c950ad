/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The usage of requests to models, in words: as progress, and in the summary. */
#include <rederive/run.h>

#include <stdio.h>

/* Enough for any line of progress. */
#define USAGE_LINE 256

/* One line without a newline: plans done (of `expected`; 0: number not known), calls, rate, cost if
 * `priced`, and the remaining time once it can be estimated. */
void usage_progress(char line[USAGE_LINE], const rdv_run_totals *totals, uint64_t expected,
                    bool priced);
/* A line of the summary: calls, replies from the journal, failures and their reasons. */
void usage_summary(FILE *out, const rdv_run_totals *totals, bool priced);
/* The same as members of a JSON object, each with a comma before it. */
void usage_json(FILE *out, const rdv_run_totals *totals, bool priced);
