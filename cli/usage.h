/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What requests to models cost, in words: while it goes on, and at the end. */
#include <rederive/run.h>

#include <stdio.h>

/* Enough for any line of progress. */
#define USAGE_LINE 256

/* One line without its end: plans done (of `expected`, 0: not known how many), calls, rate, cost if
 * `priced`, and the time left once it can be told. */
void usage_progress(char line[USAGE_LINE], const rdv_run_totals *totals, uint64_t expected,
                    bool priced);
/* A line of the summary: calls, those that the journal answered, those that failed and why. */
void usage_summary(FILE *out, const rdv_run_totals *totals, bool priced);
/* The same as members of a JSON object, each with a comma before it. */
void usage_json(FILE *out, const rdv_run_totals *totals, bool priced);
