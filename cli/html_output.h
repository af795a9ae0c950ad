/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The report of --html. It takes what a command writes, and appears when the run has ended. All
 * functions do nothing without --html; a fault stops the run. */
#include "model_session.h"
#include "report/html.h"
#include "score/vote_weight.h"

struct html_output {
    struct output output;
    FILE *spill;
    rdv_html *html;
    rdv_arena *scratch;                  /* for one chain */
    const struct model_session *session; /* NULL: no model was asked */
};

/* Begin after run_begin(). The fields stay unchanged until html_end(). weight (that of the
 * settings) and grading: of the figures; NULL: the defaults. */
void html_begin(struct run *run, struct html_output *to, const struct model_session *session,
                const vote_weight *weight, const rdv_grading *grading);
void html_add_chain(struct run *run, const rdv_html_chain *chain);
/* Add the chain as the result of a plan, with its requests: those about chain `i` of the plan, or
 * about all, with SIZE_MAX. */
void html_add_planned(struct run *run, rdv_html_chain *chain, rdv_plan *plan, size_t i);
void html_add_result(struct run *run, const rdv_result *result);
void html_add_failure(struct run *run, const char *what, bool unread);
void html_add_tables(struct run *run, const rdv_study_tables *tables);
/* The data set of a chain: its member "dataset", or the name of the input. */
rdv_str html_dataset(const struct run *run, const rdv_chain *chain, rdv_arena *arena);
/* The names of the input files in words; the command as it was typed, for a shell. */
rdv_str html_title(const struct run *run, rdv_arena *arena);
rdv_str html_command(const struct run *run, rdv_arena *arena);
/* Write the report and release everything. `run` has not ended yet. */
void html_end(struct run *run);
