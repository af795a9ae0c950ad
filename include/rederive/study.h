/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/study.h - the tables and figures of the papers, computed from checked chains
 * (docs/recipes.md).
 *
 * A study is created by the name of a table ("selfcheck:table2"), takes chains one at a time, and
 * is finished: settings are fitted if the options request it, and the tables are computed. A
 * reported question is never one that its settings were fitted on. "Right" and "real +" mean that a
 * chain's final answer is right; "accepted" and "pred +" mean that its confidence is at least the
 * threshold. Standard errors are over questions, since the chains of one question are not
 * independent; intervals are 95 % and two-sided (docs/voting.md). A study may be used by one thread
 * at a time.
 *
 * The study "comparison" has no settings: it takes one run over some questions by the functions
 * that learn, and another by those that add, and compares them question by question. */
#include <rederive/answer.h>
#include <rederive/combine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the list of tables ---------------------------------------------------------------------- */

/* Members of rdv_study_options that have an effect on a table; the others are ignored. */
typedef enum rdv_study_use {
    RDV_USES_SEED = 1u << 0,
    RDV_USES_READ_STEPS = 1u << 1,   /* grading.read_steps */
    RDV_USES_SOURCE_FIRST = 1u << 2, /* grading.source_first */
    RDV_USES_WEIGHT = 1u << 3,       /* and, with "scores:NAME", aggregate and unknown */
    RDV_USES_THRESHOLD = 1u << 4,
    RDV_USES_INTEGRATION = 1u << 5,
    RDV_USES_GROUP = 1u << 6,
    RDV_USES_VERIFIERS = 1u << 7,  /* combination.verifiers */
    RDV_USES_WEIGHTS = 1u << 8,    /* combination.weight */
    RDV_USES_POWER = 1u << 9,      /* power */
    RDV_USES_UNKNOWN = 1u << 10,   /* combination.aggregation.unknown */
    RDV_USES_AGGREGATE = 1u << 11, /* the rest of combination.aggregation, perplexity_over */
    RDV_USES_BASELINE = 1u << 12,  /* baseline */
    RDV_USES_CURVES = 1u << 13     /* none: it has more tables or rows than people see at first */
} rdv_study_use;

/* One table or figure. Static. */
typedef struct rdv_study_info {
    const char *name; /* "selfcheck:table2": a paper, a colon, its table or figure; names without a
                         colon belong to no single paper: "evaluation", "comparison",
                         "combined", "agreement" */
    const char *section; /* its place in the paper: "Table 2" */
    const char *summary; /* one line */
    bool no_chains;      /* a simulation, which takes no chains */
    bool fits,
        splits;    /* settings can be fitted; they can be fitted on a part of the questions added */
    unsigned uses; /* the options that have an effect: bits of rdv_study_use */
    bool reports;  /* it takes reports of 'rederive train --json', in place of chains */
} rdv_study_info;

/* The `i`-th table, or NULL past the last. */
RDV_API const rdv_study_info *rdv_study_at(size_t i);
/* The table of that name, or NULL. */
RDV_API const rdv_study_info *rdv_study_named(rdv_str name);

/* ---- results --------------------------------------------------------------------------------- */

/* The kind of a cell's content. */
typedef enum rdv_cell_kind {
    RDV_CELL_ABSENT = 0, /* no value; `text` may give the reason */
    RDV_CELL_TEXT,       /* `text` */
    RDV_CELL_FLAG,       /* is.value: 1 or 0 */
    RDV_CELL_COUNT,      /* is.value: a whole number */
    RDV_CELL_NUMBER,     /* is.value: any number */
    RDV_CELL_P_VALUE,    /* is.value: a p-value, which may be very small */
    RDV_CELL_PERCENT,    /* is.value in [0,1], without a standard error */
    RDV_CELL_SHARE,      /* `is`, in [0,1] */
    RDV_CELL_GAIN,       /* `is`, a difference of shares */
    RDV_CELL_VALUE,      /* `is`, shown unchanged, such as a correlation */
    RDV_CELL_FIGURE      /* `is`, of any of these kinds; everything known about it is shown */
} rdv_cell_kind;

typedef struct rdv_cell {
    rdv_cell_kind kind; /* its column's, or RDV_CELL_ABSENT */
    rdv_str text;       /* p == NULL: none */
    rdv_estimate is;    /* value, n and interval, where known */
} rdv_cell;

typedef struct rdv_column {
    const char *name; /* for programs: "accuracy.majority"; NULL: the column is for people only */
    const char *head; /* for people; NULL: the column is for programs only, or, without a name, for
                         neither in this table */
    rdv_cell_kind kind;
    bool optional; /* for programs, an absent cell is left out of its row */
} rdv_column;

/* How a table is written as a member of a JSON object. */
typedef enum rdv_table_form {
    RDV_FORM_LIST = 0, /* a list of rows, each an object */
    RDV_FORM_OBJECT,   /* one object: the table has one row */
    RDV_FORM_MEMBERS,  /* no object: the cells of its single row become members of the enclosing
                          object */
    RDV_FORM_MAP       /* an object of rows, keyed by their first cells */
} rdv_table_form;

typedef struct rdv_study_table rdv_study_table;
struct rdv_study_table {
    const char *name, *summary; /* static; NULL: this table accompanies a named one */
    rdv_str title;              /* for people, in place of name and summary; p == NULL: none */
    const char *member;         /* static: the name of the JSON member; NULL: RDV_FORM_MEMBERS */
    rdv_table_form form;
    const rdv_column *columns; /* static, or as long as the study */
    size_t n_columns;
    rdv_cell *cells; /* row after row */
    size_t n_rows;
    int decimals;         /* of shares and gains in per cent */
    int digits;           /* of numbers that are not whole; 0: `decimals` of them */
    bool details;         /* shown to people only on request */
    size_t n_hidden;      /* of the last rows, shown to people only on request */
    const rdv_str *notes; /* lines shown with the table, some of them empty */
    size_t n_notes;
    bool notes_are_members; /* programs receive the notes too */
    /* For rows that form series: a table with one row for each series, which holds what its rows
     * have in common. `member` and `form` are then those of that table, and `row_member` is the
     * name of the inner list of rows. NULL: each row stands alone. */
    rdv_study_table *series;
    const char *row_member;
    size_t *ends; /* the row after the last of each series */
    /* private */
    rdv_arena *arena;
    size_t cap, cap_ends, cap_notes;
    bool failed;
};

typedef struct rdv_study_tables {
    rdv_study_table *tables; /* the requested table, then those that accompany it */
    size_t n;
} rdv_study_tables;

/* ---- a study --------------------------------------------------------------------------------- */

/* All zero except `size` means the defaults. Texts are borrowed until the study is finished. */
typedef struct rdv_study_options {
    size_t size;   /* sizeof(rdv_study_options) */
    uint64_t seed; /* for subsets, draws, resampling and parts */
    rdv_grading grading;
    const char *weight; /* the evaluated score, which also weighs votes: "confidence" (NULL: of the
                           checks that the paper evaluates, or of the last one),
                           "confidence:METHOD", "scores:NAME", "majority" */
    rdv_aggregate_kind aggregate; /* for "scores:NAME" */
    rdv_unknown_as unknown;       /* how an unknown verdict or a missing score counts */
    double threshold; /* the least score of an accepted chain or a passed step; 0: 0.5 */
    /* Recompute confidences from verdicts with these weights, in place of the recorded ones. */
    bool integrates;
    rdv_integration integration;
    /* Fitting */
    bool fit;
    size_t parts; /* 0: fit on the learned chains and report on all added chains, which may share no
                     question with them. Otherwise at least 2: each part of the questions is
                     reported with settings fitted on the other parts, of the learned chains, or of
                     the added ones if none were learned */
    bool first_only;       /* with parts 2: fit on part 0, report on part 1 */
    const char *fitted_on; /* the name in notes of the chains used for fitting; NULL: "the input" */
    const char *group;     /* the record member whose values group the rows; NULL: "dataset" */
    /* General-purpose verification */
    rdv_combination combination; /* without a verifier: rdv_combination_default(), and all of
                                    `own_verifiers` */
    double power;                /* for rdv_perplexity_score(); 0: 1 */
    size_t draws;                /* number of draws of chains where not all subsets vote; 0: 200 */
    /* "combined": the scorers that are fitted together, separated by commas; each is scores:NAME,
     * confidence, confidence:METHOD, perplexity, majority or length. `fit` is needed. */
    const char *scorers;
    /* "selfcheck:v2bound" */
    double p;        /* the chance of the right answer, with `q`: 0 to 1 */
    const double *q; /* the chances of n_q wrong answers, which with p add up to at most 1; NULL:
                        from the chains of each question */
    size_t n_q;
    size_t n_from, n_to; /* numbers of chains; 0: 1 and 20 */
    /* General-purpose verification, section 3.5.1 */
    rdv_perplexity_over perplexity_over;
    const char *profile; /* the name of these settings in notes: "paper"; NULL: none */
    const char *baseline; /* the check that others are compared with, or of general-purpose
                             verification the verifiers, as "relevance,math"; NULL: none, but in
                             BIG-Bench Mistake's Table 7 those by zero-shot prompts */
    /* Checks that the chains have, as further verifiers of general-purpose verification, at most
     * RDV_MAX_OWN_VERIFIERS: the i-th is the bit RDV_N_VERIFIERS + i of `combination`. One that
     * judges the whole chain counts where all steps do. */
    const rdv_str *own_verifiers;
    size_t n_own_verifiers;
    size_t threads; /* of the processor; 0: 1. The tables are the same for all */
} rdv_study_options;

typedef struct rdv_study rdv_study;

/* Creates the study of that name; options (NULL: the defaults) are copied. *out lives in `arena`
 * and is untouched on failure. RDV_E_ARGUMENT: no such study, or an option that the study does not
 * take; RDV_E_NOMEM. */
RDV_API int rdv_study_new(rdv_str name, const rdv_study_options *options, rdv_arena *arena,
                          rdv_study **out, rdv_error *err);
/* Takes a chain to fit on; call it before the first rdv_study_add(). Nothing of the chain is
 * borrowed; `scratch` is for temporary data. As rdv_study_add(). */
RDV_API int rdv_study_learn(rdv_study *study, const rdv_chain *chain, rdv_arena *scratch,
                            rdv_error *err);
/* Takes the result of a vote that belongs to the first of the runs that are compared; a second one
 * of the same question replaces it. RDV_E_INPUT: the study learns from chains only; RDV_E_NOMEM. */
RDV_API int rdv_study_learn_result(rdv_study *study, const rdv_result *result, rdv_error *err);
/* Takes a chain to report on; the chains of one question need not be adjacent, and their order is
 * the order of these calls. Faults: RDV_E_INPUT: a confidence beyond 2^60; RDV_E_ARGUMENT: its
 * question was learned from (see `parts`), or it was added before, in the same row and with the
 * same check (docs/recipes.md; a chain without an id never was); RDV_E_LIMIT: more than 4096 tasks,
 * checks or locators, 1024 sources (generator, checker, profile and group), 1000 annotators of one
 * criterion or judgements of one chain; RDV_E_NOMEM. After RDV_E_INPUT and RDV_E_ARGUMENT other
 * chains may still be added. */
RDV_API int rdv_study_add(rdv_study *study, const rdv_chain *chain, rdv_arena *scratch,
                          rdv_error *err);
/* Takes the result of a vote on a question. Its accuracy is a figure of "evaluation"; other studies
 * ignore it. RDV_E_NOMEM. */
RDV_API int rdv_study_add_result(rdv_study *study, const rdv_result *result, rdv_error *err);
/* Takes a line that 'rederive train --json' printed, for tables whose `reports` is true; nothing of
 * it is borrowed. RDV_E_INPUT: it is none, or no task in it was held out; RDV_E_ARGUMENT: its task
 * was held out in an earlier report, or the study takes no reports; RDV_E_NOMEM. After RDV_E_INPUT
 * other reports may still be added. */
RDV_API int rdv_study_add_report(rdv_study *study, rdv_str report, rdv_arena *scratch,
                                 rdv_error *err);
/* Fits the settings and computes the tables; call it once. *out, in the study's arena, is untouched
 * on failure. RDV_NONE: no chain has the data that the table needs, and `err` names these data;
 * RDV_E_INPUT: there is nothing to fit on; RDV_E_LIMIT: too many annotators of too many steps;
 * RDV_E_NOMEM. */
RDV_API int rdv_study_finish(rdv_study *study, rdv_study_tables *out, rdv_error *err);

#ifdef __cplusplus
}
#endif
