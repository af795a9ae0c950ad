/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The usage of requests to models, in words: as progress, and in the summary. */
#include "progress.h"

#include <rederive/run.h>

#include <stdio.h>

/* One line without a newline: plans done, of `expected` (0: number not known) and in per cent, the
 * time left once `rate` allows it, the cost if `priced`, tokens, calls, and what is wrong. Each
 * call notes the plans done in `rate`. */
void usage_progress(struct progress_line *line, const rdv_run_totals *totals, uint64_t expected,
                    bool priced, struct progress *rate);
/* A line of the summary: calls, replies from the journal, failures and their reasons. */
void usage_summary(FILE *out, const rdv_run_totals *totals, bool priced);
/* The same as members of a JSON object, each with a comma before it. */
void usage_json(FILE *out, const rdv_run_totals *totals, bool priced);
