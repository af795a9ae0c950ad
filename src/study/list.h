/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The list of studies, as data: what each is called, where its paper has it, which columns its
 * table has, and what its rows are made of. */
#include "study/general.h"
#include "study/traces.h"

typedef enum selfcheck_shape {
    SELFCHECK_CURVES,  /* a row a point: x, then curves of an evaluation by their names */
    SELFCHECK_FIGURES, /* one row: figures of an evaluation by their names */
    SELFCHECK_ROC      /* a row a threshold: threshold, then both rates */
} selfcheck_shape;

typedef struct study_selfcheck_spec {
    const char *const *methods; /* whose checks the paper looks at; NULL at the end */
    bool votes;                 /* of subsets of chains; else of verification */
    selfcheck_shape shape;
    const size_t *counts; /* numbers of chains; NULL: none are needed */
    size_t n_counts;
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
        general_pool_rows *pool;   /* of answers, or */
        general_group_rows *group; /* of people */
        size_t most;               /* steps or verifiers of `pool` */
    } general;
    struct {
        mistakes_rows by;
        bool means, only_means; /* a row for the mean over tasks, and no others */
        const char *needs;
        trace_fill *fill;
    } mistakes;
    struct {
        bool pairs_only; /* each two annotators, and not all of them together */
        bool by_member;  /* rows are set apart by a member of the records, else by task */
    } agreement;
} study_entry;

/* The entry of that name, or NULL. */
const study_entry *list_entry(rdv_str name);
