/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/recipe.h - a paper's tables and figures, as numbers (docs/recipes.md).
 *
 * "Right" and "real +" mean that a chain's final answer is right; "accepted" and "pred +" that its
 * confidence is at least the threshold. How n chains are chosen out of more, how standard errors
 * are made and how ties count is as everywhere (rederive/eval.h). */
#include <rederive/fit.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rdv_recipe_is {
    RDV_SELFCHECK_TABLE1 = 0, /* 2 chains a question: how many are right, accuracies, gain */
    RDV_SELFCHECK_TABLE2,     /* verification accuracy of SelfCheck and its variants */
    RDV_SELFCHECK_FIG2,       /* accuracy and gain against the number of chains, 1 to 10 */
    RDV_SELFCHECK_FIG3,       /* real + in pred + against the threshold */
    RDV_SELFCHECK_FIG4,       /* ROC and the area under it */
    RDV_SELFCHECK_FIG5,       /* as Fig. 2, up to 50 chains */
    RDV_SELFCHECK_FIG6,       /* as Fig. 2, of SelfCheck and its variants */
    RDV_SELFCHECK_V2FIG3,     /* both class rates and their mean against the threshold */
    RDV_SELFCHECK_V2FIG4      /* real + in pred +, real - in pred -, against the threshold */
} rdv_recipe_is;

#define RDV_N_RECIPES 9

/* "selfcheck:table1" ... : a static string; *about (may be NULL): one line about it. */
RDV_API const char *rdv_recipe_name(rdv_recipe_is is, const char **about);
/* The recipe of that name into *out; RDV_NONE when there is none. */
RDV_API int rdv_recipe_named(rdv_str name, rdv_recipe_is *out);
/* The `i`-th method whose checks the recipe looks at, or NULL past the last. A static string. */
RDV_API const char *rdv_recipe_method(rdv_recipe_is is, size_t i);

/* ---- what goes in --------------------------------------------------------------------------- */

/* Who wrote and who checked a chain; p == NULL: the record does not say. */
typedef struct rdv_makers {
    rdv_str generator, checker;
} rdv_makers;

/* The chains as one check sees them. */
typedef struct rdv_recipe_check {
    rdv_str name;          /* the method's */
    const rdv_fact *facts; /* those without this check have checked == false */
    const size_t *makers;  /* of each: an index into the input's makers */
    size_t n;
} rdv_recipe_check;

/* All borrowed; texts must live as long as what comes out. */
typedef struct rdv_recipe_input {
    const rdv_recipe_check *checks;
    size_t n_checks;
    const rdv_makers *makers;
    size_t n_makers;
    rdv_eval_options options; /* seed, subsets, threshold; the counts are the recipe's */
} rdv_recipe_input;

/* ---- what comes out ------------------------------------------------------------------------- */

typedef enum rdv_column_is {
    RDV_COLUMN_NUMBER, /* `x`: a number of chains, a threshold */
    RDV_COLUMN_SHARE,  /* `is`, in [0,1] */
    RDV_COLUMN_GAIN    /* `is`, a difference of two shares */
} rdv_column_is;

typedef struct rdv_column {
    const char *name; /* "accuracy.majority"; static */
    rdv_column_is is;
} rdv_column;

typedef struct rdv_cell {
    double x;
    rdv_estimate is;
} rdv_cell;

/* What one check of the chains of the same makers gave. */
typedef struct rdv_series {
    rdv_str check;
    rdv_makers makers;
    rdv_cell *rows; /* n_rows times the recipe's columns */
    size_t n_rows;
    rdv_estimate auc; /* Fig. 4 only; else NaN */
    /* what it rests on, and what was left out */
    size_t questions, chains;
    size_t unread;               /* chains without a readable answer: counted as wrong */
    size_t not_judged;           /* chains whose answer is not known to be right or wrong */
    size_t questions_not_judged; /* questions of such chains: in no accuracy */
    size_t unchecked;            /* chains without this check */
    size_t skipped;              /* chains that the check skipped */
    size_t questions_unchecked;  /* questions of such chains: in no accuracy of the vote recipes,
                                    since what their chains weigh is not known */
    size_t null_confidence;      /* checked chains of which nothing was read: no weighted vote, not
                                    in the verification recipes */
} rdv_series;

typedef struct rdv_recipe_table {
    rdv_recipe_is recipe;
    const rdv_column *columns; /* static */
    size_t n_columns;
    rdv_series *series; /* checks in the order given, each by makers in order of appearance; a check
                           that no chain of the makers has is left out */
    size_t n_series;
    bool votes; /* a recipe of votes; else of verification */
} rdv_recipe_table;

/* Compute. *out, in `arena`, is untouched on failure. RDV_NONE: no chain has any of the checks;
 * RDV_E_NOMEM; RDV_E_INPUT: a confidence beyond 2^60. */
RDV_API int rdv_recipe_compute(rdv_recipe_is is, const rdv_recipe_input *input, rdv_arena *arena,
                               rdv_recipe_table *out, rdv_error *err);

#ifdef __cplusplus
}
#endif
