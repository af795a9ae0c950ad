/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/mistakes.h - the tables and figures of "LLMs cannot find reasoning errors, but can
 * correct them", as numbers (docs/recipes.md).
 *
 * Traces are grouped by task. A task with more than a fifth of right answers is also drawn down, as
 * the paper does with Dyck languages: all traces with a wrong answer, and as many of the others as
 * make 15 %, rounded down; those with the smallest seeded hashes of their ids. Tables 4 to 7 and 9
 * are of the drawn ones, and have the whole task beside them. Standard errors and intervals are as
 * in rederive/eval.h; a mean over tasks is unweighted, and its error that of independent tasks. */
#include <rederive/recipe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rdv_mistakes_is {
    RDV_MISTAKES_TABLE2 = 0, /* traces by answer and by mistake, steps on average */
    RDV_MISTAKES_TABLE3,     /* agreement between annotators */
    RDV_MISTAKES_TABLE4,     /* location accuracy of each check */
    RDV_MISTAKES_TABLE5,     /* weighted F1 of "has a mistake" as "is wrong" */
    RDV_MISTAKES_TABLE6,     /* backtracking: change in accuracy, by the answer before */
    RDV_MISTAKES_TABLE7,     /* reward models: location, constants, F1, steps apart */
    RDV_MISTAKES_TABLE9,     /* Table 4 by traces with and without a mistake */
    RDV_MISTAKES_FIG1,       /* the same as means over tasks */
    RDV_MISTAKES_FIG2        /* Table 6 against the accuracy of simulated locators */
} rdv_mistakes_is;

#define RDV_N_MISTAKES 9

/* "mistakes:table2" ... : a static string; *about (may be NULL): one line about it. */
RDV_API const char *rdv_mistakes_name(rdv_mistakes_is is, const char **about);
/* The table of that name into *out; RDV_NONE when there is none. */
RDV_API int rdv_mistakes_named(rdv_str name, rdv_mistakes_is *out);

/* One trace that goes in. Borrowed: what is needed is copied. */
typedef struct rdv_trace {
    rdv_str task;           /* p == NULL: not known, a task of its own */
    const rdv_chain *chain; /* its id, question, steps, label and checks are looked at */
    int right;              /* is its answer right? 1, 0, -1 not known */
    rdv_str locator;        /* of a repaired trace, else p == NULL */
    int right_before;       /* of a repaired trace: before that */
    size_t steps_before;    /* of a repaired trace: before that; 0: as many as now */
    double calls;           /* of a repaired trace: what the repair needed; NaN: not known */
} rdv_trace;

typedef struct rdv_mistakes rdv_mistakes;

/* Nothing yet; in `arena`, NULL when out of memory. `seed`: of the traces that are drawn. */
RDV_API rdv_mistakes *rdv_mistakes_new(rdv_arena *arena, uint64_t seed);
/* Take in one trace. RDV_E_NOMEM; RDV_E_LIMIT: more than 4096 tasks, checks or locators. */
RDV_API int rdv_mistakes_add(rdv_mistakes *m, const rdv_trace *trace, rdv_error *err);

typedef struct rdv_mistakes_row {
    rdv_str of;      /* the check, or the locator; p == NULL in Table 2 */
    rdv_str task;    /* p == NULL: the mean over tasks */
    bool drawn;      /* of the traces that were drawn; the mean: of tasks that were drawn down */
    rdv_cell *cells; /* the table's columns */
    size_t traces;   /* that it rests on */
    size_t left_out; /* traces of the task without this check, or a label or an answer known */
} rdv_mistakes_row;

typedef struct rdv_mistakes_table {
    rdv_mistakes_is is;
    const rdv_column *columns; /* static */
    size_t n_columns;
    rdv_mistakes_row *rows; /* by check or locator, and task, in order of appearance; Fig. 2 by
                               task and accuracy */
    size_t n_rows;
} rdv_mistakes_table;

/* Compute. *out, in the arena of `m`, is untouched on failure. RDV_NONE: no trace has what the
 * table is made of (err says what that is); RDV_E_NOMEM. */
RDV_API int rdv_mistakes_compute(rdv_mistakes *m, rdv_mistakes_is is, rdv_mistakes_table *out,
                                 rdv_error *err);

#ifdef __cplusplus
}
#endif
