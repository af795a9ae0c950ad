/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* All figures and curves about the answers and checks of a set of chains. */
#include "study/item.h"

typedef struct eval_options {
    size_t resamples;     /* resamples of the bootstrap; 0: 1000 */
    size_t draws; /* of n chains for each question and point of a curve, where there are more than
                     10,000 subsets; 0: 200 */
    const size_t *counts; /* numbers of chains at which the curves are computed, ascending; NULL: 1
                             to 10, then 15, 20, 30, 40 … */
    size_t n_counts;
    size_t n_thresholds; /* points of the curves against the threshold; 0: 21, from 0 to 1 (from the
                            lowest to the highest score where one lies outside) */
} eval_options;

typedef struct eval_figure {
    const char *name; /* static, "accuracy.majority"; the list is in docs/voting.md */
    const char *of;   /* what n counts: "questions", "chains", "verdicts" */
    rdv_estimate is;
} eval_figure;

typedef struct eval_point {
    double x;
    double threshold; /* for the ROC: the threshold of this point */
    rdv_estimate is;
} eval_point;

typedef struct eval_curve {
    const char *name; /* static */
    const char *x;    /* what x is: "chains", "threshold", "false positive rate" */
    const char *of;   /* what n counts */
    eval_point *points;
    size_t n_points;
} eval_curve;

/* Counts of the data behind the figures, and of what is left out of them. */
typedef enum eval_count {
    EVAL_QUESTIONS,
    EVAL_CHAINS,
    EVAL_UNPARSED,           /* chains without a readable answer: counted as wrong */
    EVAL_UNGRADED,           /* chains whose answer is not known to be right or wrong */
    EVAL_QUESTIONS_UNGRADED, /* questions left out of the accuracies because of ungraded chains */
    EVAL_SKIPPED,            /* chains marked as skipped: in no verification figure */
    /* Checked and not skipped chains without */
    EVAL_NULL_CONFIDENCE, /* a confidence: left out of AUC and rates */
    EVAL_UNDECIDED,       /* neither accepted nor rejected: left out of rates */
    EVAL_UNLABELLED,      /* a label: left out of location figures */
    EVAL_NO_PREDICTION,   /* any verdict that was read: wrong in location figures */
    EVAL_COUNTS
} eval_count;

/* How the rates were computed. */
typedef struct eval_acceptance {
    acceptance how;  /* of the chains, where they have one in common */
    bool mixed;      /* they have several */
    size_t count[3]; /* chains with a known correctness: rejected, accepted, undecided */
    double best;     /* the largest balanced accuracy at any threshold, on the same chains; NaN:
                        right or wrong ones are missing */
    double best_threshold;
} eval_acceptance;

typedef struct eval_figures {
    eval_figure *figures; /* the figures that the chains allow, in a fixed order */
    size_t n_figures;
    eval_curve *curves;
    size_t n_curves;
    eval_acceptance acceptance; /* counts of 0: there are no rates */
    size_t count[EVAL_COUNTS];
} eval_figures;

/* Evaluates `n` items of the study, each at its own threshold. *out is made in the study's arena.
 * RDV_E_NOMEM; RDV_E_INPUT: a confidence beyond 2^60. */
int eval_items(const rdv_study *study, const rdv_eval_item *items, size_t n,
               const eval_options *options, eval_figures *out, rdv_error *err);

/* The accuracy of votes that `items` weigh less that of votes that `before` weigh, at each of the
 * numbers of chains, over the questions that have so many in both. RDV_OK or RDV_E_NOMEM. */
int eval_votes_compare(const rdv_study *study, const rdv_eval_item *before, size_t n_before,
                       const rdv_eval_item *items, size_t n, const size_t *counts, size_t n_counts,
                       rdv_estimate *out, rdv_error *err);

/* Adds a note that says why the check skipped `n` chains, and what to do; none if n is 0. */
void eval_note_skipped(rdv_study_table *table, size_t n);

/* ---- the parts ------------------------------------------------------------------------------- */

typedef struct eval_sheet {
    const rdv_study *study;
    const rdv_eval_item *items;
    size_t n;
    eval_options options;
    study_lots lots;
    bool weights;       /* whether any chain has a weight */
    rdv_arena *scratch; /* what a part of the figures needs for each chain or question */
    eval_figures out;
    size_t cap_figures, cap_curves;
    bool failed; /* out of memory */
} eval_sheet;

void eval_figure_add(eval_sheet *sheet, const char *name, const char *of, rdv_estimate is);
/* Adds a curve with room for `n` points (zeroed); NULL when out of memory. Borrowed until the next
 * call. */
eval_curve *eval_curve_add(eval_sheet *sheet, const char *name, const char *x, const char *of,
                           size_t n);
/* RDV_OK or RDV_E_NOMEM. */
int eval_accuracy(eval_sheet *sheet, rdv_error *err);
/* Of the weighted votes of `after` less those of `before`, at each of their counts. */
int eval_accuracy_compare(const eval_sheet *before, const eval_sheet *after, rdv_estimate *out,
                          rdv_error *err);
int eval_verification(eval_sheet *sheet, rdv_error *err);
