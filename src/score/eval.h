/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Figures about votes and checks, each with n, standard error and interval (spec sections 3 to 5;
 * docs/voting.md). The functions are independent of each other; a study computes all figures from
 * chains (rederive/study.h).
 *
 * Standard errors are over questions, because the chains of one question are not independent:
 *   a mean over questions: s / sqrt(n);
 *   a figure computed from counts (rates, F1): to first order in the counts of each question (the
 *   infinitesimal jackknife), over the questions that take part in it;
 *   AUC: DeLong's components summed by question (Obuchowski 1997).
 * Intervals are 95 % and two-sided. Figures in [0,1] have Wilson's interval for the number of
 * observations that the standard error corresponds to (its width is never 0, and it never leaves
 * [0,1]); paired gains have the percentiles of a seeded bootstrap over questions, or value +- 1.96
 * se on a curve.
 * A figure that cannot be computed is NaN; its n is 0 or the number of observations. */
#include <rederive/score.h>

/* ---- means -------------------------------------------------------------------------------- */

/* Mean of `n` values, one per question, with s / sqrt(n). unit: the values lie in [0,1], and the
 * interval is Wilson's; otherwise it is value +- 1.96 se. Values are at most 2^60 in magnitude; NaN
 * is left out (and not counted in n). The sum is exact, so the order does not matter. */
rdv_estimate rdv_mean(const double *x, size_t n, bool unit);
/* The same mean of differences with the 2.5 and 97.5 percentiles of `resamples` means of n values
 * drawn with replacement (xoshiro256**, `seed`); without an interval where n is below
 * RDV_PAIRED_LEAST or all values are equal, as drawing them again tells nothing. Values must not be
 * NaN. Of each of `n_series` series of n values, at most RDV_BOOTSTRAP_SERIES, an estimate goes to
 * `out`: the same ones are drawn of all, at the cost of once. threads: at least 1, for
 * any number of which the estimates are the same. RDV_E_NOMEM. */
#define RDV_BOOTSTRAP_SERIES 2
int rdv_bootstrap(const double *const *x, size_t n_series, size_t n, size_t resamples,
                  uint64_t seed, size_t threads, rdv_arena *arena, rdv_estimate *out,
                  rdv_error *err);

/* ---- scores against the truth ------------------------------------------------------------- */

/* A score, and whether the scored item is really right. "Positive" means right. */
typedef struct rdv_scored {
    double score;
    bool right;
    uint32_t question; /* any number, equal for chains of one question */
} rdv_scored;

/* The probability that a right item scores above a wrong one; a tie counts as one half. n: all
 * items. value is NaN unless both kinds occur. Scores must not be NaN. RDV_E_NOMEM. */
int rdv_auc(const rdv_scored *s, size_t n, rdv_arena *arena, rdv_estimate *out, rdv_error *err);
/* The same, and by how much each question moves the value: moves[i] for the question numbered i,
 * below n_questions; those without an item move nothing. */
int rdv_auc_moves(const rdv_scored *s, size_t n, size_t n_questions, rdv_arena *arena,
                  rdv_estimate *out, double *moves, rdv_error *err);

typedef struct rdv_roc_point {
    double threshold; /* accepted: score >= threshold; +infinity at the first point */
    double fpr, tpr;
} rdv_roc_point;

/* All points from (0,0) to (1,1), one for each distinct score, in `arena`; RDV_NONE unless both
 * kinds occur. RDV_E_NOMEM. */
int rdv_roc(const rdv_scored *s, size_t n, rdv_arena *arena, rdv_roc_point **out, size_t *n_out,
            rdv_error *err);

/* Rates when all scores >= t are accepted. NaN where the denominator is 0. */
typedef struct rdv_rates {
    rdv_estimate tpr;                /* accepted among the right ones; n: right ones */
    rdv_estimate tnr;                /* rejected among the wrong ones; n: wrong ones */
    rdv_estimate balanced;           /* (tpr + tnr) / 2; n: all (SelfCheck, Table 2) */
    rdv_estimate precision_accepted; /* right among the accepted; n: accepted (SelfCheck, Fig. 3) */
    rdv_estimate precision_rejected; /* wrong among the rejected; n: rejected (v2, Fig. 3) */
} rdv_rates;

/* Scores may be in any order; NaN is not allowed. RDV_E_NOMEM. */
int rdv_rates_at(const rdv_scored *s, size_t n, double t, rdv_arena *arena, rdv_rates *out,
                 rdv_error *err);

/* ---- mistakes ----------------------------------------------------------------------------- */

/* The label that a check predicts: unknown when the check is skipped or none of its verdicts was
 * read; otherwise its first_error. A whole chain found wrong has a mistake at RDV_WHOLE_CHAIN, at
 * an unknown step. */
rdv_label rdv_label_by(const rdv_check *check);

typedef struct rdv_located {
    rdv_label truth; /* not RDV_LABEL_UNKNOWN */
    rdv_label found; /* RDV_LABEL_UNKNOWN counts as wrong */
    uint32_t question;
} rdv_located;

/* Share of chains whose first mistake was located exactly (BIG-Bench Mistake, Tables 4 and 9). */
typedef struct rdv_location {
    rdv_estimate overall;
    rdv_estimate with_mistake, without_mistake;
    rdv_estimate f1; /* harmonic mean of the latter two (ProcessBench); NaN unless both occur */
    size_t no_prediction;
} rdv_location;

/* Scores the `n` chains of `l` into *out, untouched on failure; temporary data are allocated in
 * `arena`. RDV_E_NOMEM. */
int rdv_locate_score(const rdv_located *l, size_t n, rdv_arena *arena, rdv_location *out,
                     rdv_error *err);

typedef struct rdv_detected {
    bool right;           /* the chain's final answer is right */
    rdv_label_kind found; /* a mistake predicts a wrong answer; no mistake predicts a right one */
    uint32_t question;
} rdv_detected;

/* BIG-Bench Mistake, Table 5: the F1 of "wrong answer" and of "right answer", averaged with the
 * number of chains of each as weights. A chain without a prediction is a false negative of its
 * class and a false positive of none. Always predicting "wrong" where 85 % are wrong gives 78.
 * RDV_E_NOMEM. */
int rdv_weighted_f1(const rdv_detected *d, size_t n, rdv_arena *arena, rdv_estimate *out,
                    rdv_error *err);
/* The F1 of `after` less that of `before`, in [-1,1], where the i-th of both are predictions about
 * the same chain; as rdv_moved_difference(). RDV_E_NOMEM. */
int rdv_weighted_f1_difference(const rdv_detected *before, const rdv_detected *after, size_t n,
                               rdv_arena *arena, rdv_estimate *out, rdv_error *err);
