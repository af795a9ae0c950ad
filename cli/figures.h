/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How eval shows figures and curves: tables for people, one JSON object for programs. */
#include "report/report.h"
#include <rederive/eval.h>

#include "base/buf.h"

#define MAX_VOTE_FIGURES 2

struct run;
struct studies;

/* Everything there is to show. */
struct shown {
    rdv_figures chains;
    bool checks; /* they are of checks: there are verdicts to speak of */
    rdv_figure votes[MAX_VOTE_FIGURES];
    size_t n_votes;
    size_t n_results;           /* records that vote wrote, which those figures are of */
    const struct studies *fits; /* what settings were fitted for them; NULL: none were wanted */
};

/* RDV_OK or RDV_E_NOMEM; what cannot be written stops the run. */
int figures_write_tables(struct run *run, const struct shown *shown, rdv_error *err);
int figures_write_json(struct run *run, const struct shown *shown, rdv_error *err);

/* A table laid out and written; NULL stands for one that could not be made. */
int figures_write_table(struct run *run, const rdv_table *table, rdv_error *err);

/* Something that there are `n` of, and what became of it: "3 chains without an answer". */
struct left_out {
    size_t n;
    const char *what, *then;
};
/* A line each, where there is any. */
void figures_write_left_out(struct run *run, const struct left_out *left, size_t n);

/* `"name":x`, and the members of an estimate. */
void json_field(rdv_buf *b, const char *name, double x);
void json_estimate(rdv_buf *b, const rdv_estimate *x);
