/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/study.h - the tables and figures of the papers, computed from checked chains
 * (docs/recipes.md).
 *
 * A study is begun by the name of a table ("selfcheck:table2"), takes in chains one at a time, and
 * is finished: settings are fitted where that is wanted, and the tables are computed. No setting is
 * ever fitted on a question that it is reported on. "Right" and "real +" mean that a chain's final
 * answer is right; "accepted" and "pred +" that its confidence is at least the threshold. Standard
 * errors are over questions, since the chains of one question are not independent; intervals are 95
 * % and two-sided (docs/voting.md). One thread at a time for the same study. */
#include <rederive/answer.h>
#include <rederive/combine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which tables there are ------------------------------------------------------------------ */

/* One table or figure. Static. */
typedef struct rdv_study_info {
    const char *name;    /* "selfcheck:table2": a paper, a colon, its table or figure; without a
                            colon what is of no one paper: "evaluation", "agreement" */
    const char *section; /* where the paper has it: "Table 2" */
    const char *summary; /* one line */
    bool no_chains;      /* a simulation: it takes no chains */
    bool fits, splits;   /* settings can be fitted, also on a part of the questions added */
} rdv_study_info;

/* The `i`-th of them, or NULL past the last. */
RDV_API const rdv_study_info *rdv_study_at(size_t i);
/* The one of that name, or NULL. */
RDV_API const rdv_study_info *rdv_study_named(rdv_str name);

/* ---- what comes out -------------------------------------------------------------------------- */

/* What a cell holds. */
typedef enum rdv_cell_kind {
    RDV_CELL_ABSENT = 0, /* nothing that can be had; `text` may say why */
    RDV_CELL_TEXT,       /* `text` */
    RDV_CELL_FLAG,       /* is.value: 1 or 0 */
    RDV_CELL_COUNT,      /* is.value: a whole number */
    RDV_CELL_NUMBER,     /* is.value: any number */
    RDV_CELL_P_VALUE,    /* is.value: a p, however small */
    RDV_CELL_PERCENT,    /* is.value in [0,1], which has no error of its own */
    RDV_CELL_SHARE,      /* `is`, in [0,1] */
    RDV_CELL_GAIN,       /* `is`, a difference of shares */
    RDV_CELL_VALUE,      /* `is`, as it stands: a correlation */
    RDV_CELL_FIGURE      /* `is`, of any of these kinds; all that is known of it is to be shown */
} rdv_cell_kind;

typedef struct rdv_cell {
    rdv_cell_kind kind; /* its column's, or RDV_CELL_ABSENT */
    rdv_str text;       /* p == NULL: none */
    rdv_estimate is;    /* value, n and interval, as far as they are known */
} rdv_cell;

typedef struct rdv_column {
    const char *name; /* for programs: "accuracy.majority"; NULL: the column is for people only */
    const char *head; /* for people; NULL: the column is for programs only */
    rdv_cell_kind kind;
    bool optional; /* an absent cell is left out of its row, for programs */
} rdv_column;

/* How a table is written as a member of a JSON object. */
typedef enum rdv_table_form {
    RDV_FORM_LIST = 0, /* a list of rows, each an object */
    RDV_FORM_OBJECT,   /* one object: the table has one row */
    RDV_FORM_MEMBERS,  /* no object of its own: the cells of the one row are members */
    RDV_FORM_MAP       /* an object of rows by their first cells */
} rdv_table_form;

typedef struct rdv_study_table rdv_study_table;
struct rdv_study_table {
    const char *name, *summary; /* static; NULL: a table beside one that has a name */
    rdv_str title;              /* for people, in place of them; p == NULL: none */
    const char *member;         /* static: the name of the JSON member; NULL: RDV_FORM_MEMBERS */
    rdv_table_form form;
    const rdv_column *columns; /* static */
    size_t n_columns;
    rdv_cell *cells; /* row after row */
    size_t n_rows;
    int decimals;         /* of shares and gains in per cent */
    int digits;           /* of numbers that are not whole; 0: `decimals` of them */
    bool details;         /* people see it only where they ask for it */
    const rdv_str *notes; /* what has to be said with the table: lines, some of them empty */
    size_t n_notes;
    bool notes_are_members; /* programs get the notes, too */
    /* Where rows belong together: a table with one row for each run of rows, what they have in
     * common; `member` and `form` are then those of that table, and `row_member` is the name of the
     * list of rows within. NULL: each row stands alone. */
    rdv_study_table *series;
    const char *row_member;
    size_t *ends; /* of each run: the row after its last */
    /* private */
    rdv_arena *arena;
    size_t cap, cap_ends, cap_notes;
    bool failed;
};

typedef struct rdv_study_tables {
    rdv_study_table *tables; /* the one asked for, then what belongs to it */
    size_t n;
} rdv_study_tables;

/* ---- a study --------------------------------------------------------------------------------- */

/* Zero but for `size`: the defaults. Texts are borrowed until the study is finished. */
typedef struct rdv_study_options {
    size_t size;   /* sizeof(rdv_study_options) */
    uint64_t seed; /* of subsets, draws, resampling and parts */
    rdv_grading grading;
    const char *weight; /* what is looked at, and weighs a vote: "confidence" (NULL: of the checks
                           that the paper looks at, or of the last one), "confidence:METHOD",
                           "scores:NAME", "majority" */
    rdv_aggregate_kind aggregate; /* of "scores:NAME" */
    rdv_unknown_as unknown;       /* what an unknown verdict or a missing score counts as */
    double threshold; /* a chain is accepted, a step is passed, at least at this; 0: 0.5 */
    /* The weights of verdicts, in place of recorded confidences. */
    bool integrates;
    rdv_integration integration;
    /* Fitting */
    bool fit;
    size_t parts;          /* 0: fitted on the chains learned, reported on all that are added, which
                              may share no question with them. Else at least 2: every part of the
                              questions is reported with what was fitted on the others, of the
                              chains learned, or of those added where none were learned */
    bool first_only;       /* parts is 2: fitted on part 0, reported on part 1 */
    const char *fitted_on; /* what notes call the chains that are fitted on; NULL: "the input" */
    /* General-purpose verification */
    const char *group;           /* the member of records by whose values rows are set apart; NULL:
                                    "dataset" */
    rdv_combination combination; /* no verifier in it: rdv_combination_default() */
    double power;                /* of rdv_perplexity_score(); 0: 1 */
    size_t draws;                /* of chains, where votes are drawn; 0: 40 */
} rdv_study_options;

typedef struct rdv_study rdv_study;

/* Begin the study of that name; options (NULL: the defaults) are copied. *out, in `arena`, is
 * untouched on failure. RDV_E_ARGUMENT: no such name, or an option that does not go with it;
 * RDV_E_NOMEM. */
RDV_API int rdv_study_new(rdv_str name, const rdv_study_options *options, rdv_arena *arena,
                          rdv_study **out, rdv_error *err);
/* Take in a chain to fit on, before the first that is added. Nothing of it is borrowed; `scratch`
 * is for what need not be kept. As rdv_study_add(). */
RDV_API int rdv_study_learn(rdv_study *study, const rdv_chain *chain, rdv_arena *scratch,
                            rdv_error *err);
/* Take in a chain to report on; chains of one question may be apart, their order is their order
 * here. Faults: RDV_E_INPUT: a confidence beyond 2^60; RDV_E_ARGUMENT: its question was learned
 * from (see `parts`); RDV_E_LIMIT: more than 4096 tasks, checks or locators, 64 pairs of generator
 * and checker, 1000 annotators of one criterion or judgements of one chain; RDV_E_NOMEM. After the
 * first two other chains may still be added. */
RDV_API int rdv_study_add(rdv_study *study, const rdv_chain *chain, rdv_arena *scratch,
                          rdv_error *err);
/* Take in what a vote concluded for a question: its accuracy is a figure of "evaluation"; other
 * studies pass it over. RDV_E_NOMEM. */
RDV_API int rdv_study_add_result(rdv_study *study, const rdv_result *result, rdv_error *err);
/* Fit, and compute the tables, once. *out, in the study's arena, is untouched on failure. RDV_NONE:
 * no chain has what the table is made of, and `err` says what that is; RDV_E_INPUT: there is
 * nothing to fit on; RDV_E_LIMIT: too many annotators of too many steps; RDV_E_NOMEM. */
RDV_API int rdv_study_finish(rdv_study *study, rdv_study_tables *out, rdv_error *err);

#ifdef __cplusplus
}
#endif
