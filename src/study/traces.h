/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The traces of the tables of "LLMs cannot find reasoning errors, but can correct them": numbers,
 * grouped by task, check and locator, and by their sources.
 *
 * Tasks of the same name in several groups (data sets) are several tasks. The rows of a check have
 * the traces of one generator, checked by one checker in one profile; those of a locator, the
 * traces that one generator repaired.
 *
 * Dyck languages with more than a fifth of right answers are also subsampled, as the paper does:
 * all traces with a wrong answer are drawn, and as many of the others as make 15 %, rounded down,
 * namely those with the smallest seeded hashes of their ids. Tables 4 to 7 and 9 use the drawn
 * traces and show the whole task beside them. A mean over tasks is unweighted, and its error is
 * that of independent tasks. */
#include "score/interner.h"
#include "study/study.h"
#include "score/eval.h"

#define TRACES_GROUPS_MAX 4096

/* What rows are of: the checks, or the repairs, of one source. */
typedef struct trace_maker {
    size_t name;   /* number of the method or of the locator; RDV_MAP_MISSING: of neither */
    size_t source; /* without the group, which is the task's */
    size_t origin; /* the source of the traces: who generated them */
} trace_maker;

typedef struct trace_makers {
    trace_maker *of;
    size_t n, cap;
    rdv_map by_key;
} trace_makers;

typedef struct trace_task {
    rdv_str name, group; /* group p == NULL: none */
} trace_task;

/* The results of one check of one trace. */
typedef struct trace_check {
    size_t maker; /* of the study's `checkers` */
    rdv_label found;
    rdv_scored *steps; /* scores of the steps up to the first mistake; `question` is the trace's */
    size_t n_steps;
} trace_check;

/* What decided between the old and the new trace of a repair. */
typedef enum trace_accept {
    TRACE_ACCEPT_UNKNOWN = 0, /* not repaired, or not stated */
    TRACE_ACCEPT_NEW,
    TRACE_ACCEPT_BETTER
} trace_accept;

typedef struct trace {
    size_t task, origin, question, steps, steps_before; /* steps_before: before the repair */
    int right, right_before; /* whether its answer is right, and was right before the repair: 1, 0,
                                -1 not known */
    size_t repairer;         /* of the study's `repairers`; RDV_MAP_MISSING: not repaired */
    trace_accept accept;     /* of the repair */
    double calls;            /* calls that the repair needed; NaN: not known */
    rdv_label label;
    uint64_t hash; /* hash of its id, for drawing */
    bool drawn;
    trace_check *checks;
    size_t n_checks;
    rdv_label *marks; /* for each annotator, the first wrong step */
    size_t n_marks;
    const int8_t **judged; /* for each annotator, judgements per step as in rdv_step_labels */
} trace;

typedef struct traces {
    rdv_arena *arena;
    uint64_t seed;
    interner checks, locators, questions;
    trace_task *tasks; /* by their name and group */
    size_t n_tasks, cap_tasks;
    rdv_map task_numbers;
    trace_makers origins, checkers, repairers;
    trace *of;
    size_t n, cap;
} traces;

/* The parts of the family: study->of is a `traces`. */
int traces_begin(rdv_study *study, rdv_error *err);
int traces_add(rdv_study *study, const study_chain *one, rdv_error *err);

/* The rule of a repair record's "accept". */
trace_accept trace_accept_named(rdv_str name);
/* Adds a note for each locator: by which rule its repairs took the new traces.
 * RDV_OK or RDV_E_NOMEM. */
int traces_note_accept(const traces *all, rdv_study_table *table, rdv_error *err);

/* Decides which traces are drawn: for each task, origin and repairer. */
int traces_draw(traces *all, rdv_error *err);

/* One row, of a maker. */
typedef struct trace_row {
    const traces *all;
    size_t maker;     /* of the makers by which the table has rows */
    size_t baseline;  /* the maker that it is compared with; BASELINE_NONE: none */
    const trace **in; /* the traces of its task and origin; for a locator, those that it repaired */
    size_t n;
    rdv_cell *cells; /* cells of its data */
    size_t traces;   /* traces used */
    size_t left_out; /* traces without this check, a label, or a known answer */
} trace_row;

/* The trace's check by that maker, or NULL. */
const trace_check *trace_check_by(const trace *t, size_t maker);

/* Fills in the row. RDV_NONE: no trace has the required data. */
typedef int trace_fill(trace_row *row, rdv_error *err);
trace_fill trace_row_counts;    /* Table 2 */
trace_fill trace_row_agreement; /* Table 3 */
trace_fill trace_row_location;  /* Table 4 */
trace_fill trace_row_answers;   /* Table 5 */
trace_fill trace_row_repairs;   /* Table 6 */
trace_fill trace_row_simulated; /* Fig. 2 */
trace_fill trace_row_rewards;   /* Table 7 */
trace_fill trace_row_split;     /* Table 9, Fig. 1 */

/* A table of the accuracies after backtracking that other accuracies before would give. Its rows
 * begin with the labels of the row that they are made of: locator, group, and source; the changes
 * are those of that row, of the traces that were right and of those that were wrong. Without either
 * there is no row. */
void projected_begin(rdv_study_table *table, rdv_arena *arena);
void projected_add(rdv_study_table *table, const rdv_cell *labels, rdv_str task,
                   const rdv_estimate *lost, const rdv_estimate *gained);

/* Reads the accuracy from "simulated:0.65" or "simulated:65%"; NaN: another locator. RDV_OK or
 * RDV_E_NOMEM. */
int trace_simulated_accuracy(rdv_str locator, rdv_arena *arena, double *out);
