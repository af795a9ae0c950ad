/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The list of studies, as data: the name of each, its place in the paper, the columns of its table,
 * and the contents of its rows. */
#include "study/general.h"
#include "study/traces.h"

typedef enum selfcheck_shape {
    SELFCHECK_CURVES,  /* one row per point: x, then curves of an evaluation by their names */
    SELFCHECK_FIGURES, /* one row: figures of an evaluation by their names */
    SELFCHECK_ROC      /* one row per threshold: the threshold, then both rates */
} selfcheck_shape;

typedef struct study_selfcheck_spec {
    const char *const *methods; /* methods whose checks the paper evaluates; NULL at the end */
    bool votes; /* figures of votes of subsets of chains; otherwise of verification */
    selfcheck_shape shape;
    const size_t *counts; /* numbers of chains; NULL: none are needed */
    size_t n_counts;
    bool quotes;    /* what the paper's text quotes accompanies the table */
    bool positions; /* so does where the verdicts stand that tell chains apart */
    bool beside;    /* checks after the first are quoted only */
} study_selfcheck_spec;

typedef enum mistakes_rows {
    MISTAKES_BY_TASK,
    MISTAKES_BY_CHECK,
    MISTAKES_BY_LOCATOR,
    MISTAKES_BY_SIMULATED
} mistakes_rows;

typedef struct study_entry {
    rdv_study_info info;
    const study_family *family;
    const rdv_column *columns;
    size_t n_columns;
    study_selfcheck_spec selfcheck;
    struct {
        general_pool_rows *pool;   /* rows about answers, or */
        general_group_rows *group; /* rows about annotators */
        size_t most;               /* largest number of steps or verifiers for `pool` */
        bool data_sets;            /* means over data sets accompany the table */
    } general;
    struct {
        mistakes_rows by;
        bool means, only_means; /* a row for the mean over tasks; only that row */
        bool to_zero_shot;      /* the default of the option `baseline`: the zero-shot prompts */
        bool projects;          /* projected accuracies accompany the table */
        const char *needs;
        trace_fill *fill;
    } mistakes;
    struct {
        const char *criterion; /* only pairs of annotators, on this one; NULL: all together too */
        bool by_member;        /* rows are grouped by a member of the records, otherwise by task */
    } agreement;
} study_entry;

/* The entry of that name, or NULL. */
const study_entry *list_entry(rdv_str name);
