/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Agreement of annotators with each other, and of scores with annotators (docs/agreement.md).
 *
 * Agreement between annotators: BIG-Bench Mistake, section 2.1.1 and Table 3 (Krippendorff's
 * alpha); general-purpose verification, appendix G.1. Scores against people: the same paper,
 * section 4.6 and appendix G.2. A figure that cannot be computed is NaN. The study "agreement"
 * (rederive/study.h) compares the annotators of many chains. */
#include "score/eval.h"

/* ---- between annotators ---------------------------------------------------------------------- */

/* The ratings of units (chains, steps) by annotators: n_units rows of n_raters values, NaN for no
 * rating. Categories are the distinct values; where their order matters it is the numerical order.
 * Borrowed. */
typedef struct rdv_ratings {
    const double *value;
    size_t n_units, n_raters;
    const uint32_t *cluster; /* a number for each unit: units with the same number (such as the
                              steps of a question) are resampled together. NULL: each unit alone */
} rdv_ratings;

typedef enum rdv_agreement_kind {
    RDV_ALPHA_NOMINAL = 0, /* Krippendorff's alpha, categories without an order */
    RDV_ALPHA_ORDINAL,     /* categories in an order */
    RDV_ALPHA_INTERVAL,    /* numbers whose differences are meaningful */
    RDV_KAPPA,             /* Fleiss's; NaN unless all units have equally many ratings */
    RDV_AGREE              /* the share of pairs of ratings of one unit that are equal */
} rdv_agreement_kind;

#define RDV_N_AGREEMENTS 5

/* One measure of agreement. Units with fewer than two ratings are left out; n: the others.
 * Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability"; Fleiss (1971). Alpha and kappa
 * are NaN where all ratings are equal, because then nothing shows that the annotators distinguish
 * categories. se and the interval: standard deviation and 2.5 and 97.5 percentiles over `resamples`
 * (0 = 1000) draws of clusters with replacement, from `seed`; draws without a value are left out,
 * and where fewer than half have one, se, low and high are NaN. Time is linear in the ratings for
 * each draw; *out is untouched on failure. RDV_E_NOMEM; RDV_E_ARGUMENT: an infinite value, more
 * than 2^32 - 1 ratings. */
int rdv_agreement(const rdv_ratings *ratings, rdv_agreement_kind is, size_t resamples,
                  uint64_t seed, rdv_arena *arena, rdv_estimate *out, rdv_error *err);

/* Agreement of two annotators on the units that both rated: the share of equal ratings, and Cohen's
 * kappa (Cohen 1960, with the standard error given there; NaN where both gave one and the same
 * value throughout). */
typedef struct rdv_pair_agreement {
    rdv_estimate agreement, kappa; /* n: the units that both rated */
} rdv_pair_agreement;

/* Compares annotators `a` and `b` (columns). *out is untouched on failure. RDV_E_NOMEM. */
int rdv_agreement_between(const rdv_ratings *ratings, size_t a, size_t b, rdv_arena *arena,
                          rdv_pair_agreement *out, rdv_error *err);

/* ---- one label from many --------------------------------------------------------------------- */

/* The first wrong step according to one annotator's judgements of the steps: the first that is 0.
 * Not known if an earlier judgement is missing, or, without a 0, if any of the `n_steps` is. */
rdv_label rdv_first_wrong(const rdv_step_labels *by, size_t n_steps);

/* How a tie between the most frequent labels is decided (ours: the paper does not specify it). */
typedef enum rdv_tie_kind {
    RDV_TIE_UNKNOWN = 0, /* the label is unknown (default) */
    RDV_TIE_FIRST,       /* the earliest of their steps; "no mistake" counts as after the last */
    RDV_TIE_LAST
} rdv_tie_kind;

/* Writes the tie rule named "unknown", "first" or "last" to *out; RDV_NONE: no such name. */
int rdv_tie_named(rdv_str name, rdv_tie_kind *out);

typedef struct rdv_majority {
    rdv_label label; /* unknown: no vote, or a tie */
    size_t votes;    /* number of known labels */
    size_t won;      /* votes of the most frequent one */
    bool tied;       /* another label is as frequent, regardless of how the tie was decided */
} rdv_majority;

/* The majority label of `n` annotators (BIG-Bench Mistake, 2.1.1: the most frequent; an absolute
 * majority is not required). Unknown ones do not vote. *out is untouched on failure.
 * RDV_E_NOMEM. */
int rdv_majority_label(const rdv_label *labels, size_t n, rdv_tie_kind ties, rdv_arena *arena,
                       rdv_majority *out, rdv_error *err);

/* ---- scores against people ------------------------------------------------------------------- */

/* Two numbers for one item (a step): the verifier's score and the annotators'. */
typedef struct rdv_paired {
    double x, y;     /* NaN: the pair is left out */
    uint32_t question; /* any number, equal for items of one question */
} rdv_paired;

typedef struct rdv_correlation {
    rdv_estimate is; /* Pearson's r; n: pairs; se: over questions, to first order; the interval is
                        Fisher's, from that se */
    double t, p; /* Student's t with n - 2 degrees and its two-sided p, as in the paper: all pairs
                    are treated as independent */
    double low, high; /* Fisher's interval under the same assumption */
    double
        p_questions; /* two-sided, from atanh(r) and its se over questions (Student's t, questions -
                        1 degrees): the valid one where a question has several steps */
    size_t questions;
} rdv_correlation;

/* Computes the correlation. r is NaN with fewer than 3 pairs or where x or y does not vary; p is
 * then NaN, as is p_questions with one question. Finite numbers only, at most 2^60 in magnitude:
 * else RDV_E_ARGUMENT. RDV_E_NOMEM. *out is untouched on failure. */
int rdv_pearson(const rdv_paired *pairs, size_t n, rdv_arena *arena, rdv_correlation *out,
                rdv_error *err);

/* The two-sided probability that a Student's t variable of `degrees` (> 0) degrees of freedom is at
 * least |t| away from 0. Relative error below 1e-6 down to 1e-300; NaN for NaN. */
double rdv_student_p(double t, double degrees);
