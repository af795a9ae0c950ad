/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Traces as rdv_mistakes keeps them: numbers, grouped by task, check and locator. */
#include <rederive/mistakes.h>

#include "base/arena.h"
#include "base/map.h"

#define MAX_GROUPS 4096

/* Names, numbered in the order in which they came. */
typedef struct trace_names {
    rdv_map by_name;
    rdv_str *names;
    size_t n, cap;
} trace_names;

/* What one check said of one trace. */
typedef struct trace_check {
    size_t check;
    rdv_found found;
    rdv_scored *steps; /* scores of the steps up to the first mistake; `question` is the trace's */
    size_t n_steps;
} trace_check;

typedef struct trace {
    size_t task, question, steps, steps_before;
    int right, right_before;
    size_t locator; /* RDV_MAP_MISSING: it was not repaired */
    double calls;
    rdv_label label;
    uint64_t hash; /* of its id, for drawing */
    bool drawn;
    trace_check *checks;
    size_t n_checks;
    rdv_label *marks; /* of each annotator, the first wrong step */
    size_t n_marks;
    const int8_t **judged; /* of each annotator, per step as in rdv_step_labels */
} trace;

struct rdv_mistakes {
    rdv_arena *arena;
    uint64_t seed;
    trace_names tasks, checks, locators, questions;
    trace *traces;
    size_t n, cap;
};

/* Traces of one row: those of a task, and where `drawn` only those that were. */
typedef struct trace_group {
    size_t task;
    bool drawn;
} trace_group;

static inline bool trace_in(const trace *t, trace_group g)
{
    return t->task == g.task && (!g.drawn || t->drawn);
}

/* Decide which traces are drawn. *drawn_down[task]: some of the task were not. */
int traces_draw(rdv_mistakes *m, bool **drawn_down, rdv_error *err);

/* The cells of one row into `cells`: of a check, a locator, or neither (`of`). RDV_NONE: no trace
 * of the group has what is wanted. *traces and *left_out as in rdv_mistakes_row. */
typedef struct row_of {
    rdv_mistakes *m;
    size_t of;
    trace_group group;
    rdv_cell *cells;
    size_t traces, left_out;
} row_of;

int row_counts(row_of *row, rdv_error *err);    /* Table 2 */
int row_agreement(row_of *row, rdv_error *err); /* Table 3 */
int row_location(row_of *row, rdv_error *err);  /* Table 4 */
int row_answers(row_of *row, rdv_error *err);   /* Table 5 */
int row_repairs(row_of *row, rdv_error *err);   /* Table 6 */
int row_simulated(row_of *row, rdv_error *err); /* Fig. 2 */
int row_rewards(row_of *row, rdv_error *err);   /* Table 7 */
int row_split(row_of *row, rdv_error *err);     /* Table 9, Fig. 1 */

/* The accuracy in "simulated:0.65" or "simulated:65%"; NaN: it is another locator. RDV_OK or
 * RDV_E_NOMEM. */
int simulated_accuracy(rdv_str locator, rdv_arena *arena, double *out);
