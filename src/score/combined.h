/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Several scorers of chains, combined into one weight (stacked generalization, Wolpert 1992). The
 * coefficients of their features are fitted on pairs of a right and a wrong chain of one question,
 * by logistic regression: what a vote needs is which chains of a question are better, not which
 * questions are easy. A chain's weight is the logistic function of its coefficients times its
 * standardised features.
 *
 * The features of a scorer are (ours):
 *   scores:NAME        the minimum, mean, last and product of the step scores, in log-odds; scores
 *                      beyond [0,1] are log-odds themselves
 *   confidence[:CHECK] the confidence of the last check, or of that check, in log-odds
 *   perplexity         -log(perplexity)
 *   majority           the share of the question's chains that give this answer, in log-odds
 *   length             log(number of steps)
 * Log-odds are cut at those of 10^-6. A scorer without a value for a chain counts as the mean of
 * the chains fitted on, plus a coefficient of its own that is never positive. */
#include "score/vote_weight.h"

#define COMBINED_SCORERS_MAX 16
#define COMBINED_FEATURES_MAX 4 /* of one scorer */
#define COMBINED_LIST "scores:NAME, confidence, confidence:METHOD, perplexity, majority or length"

typedef enum scorer_is {
    SCORER_WEIGHT, /* scores, a confidence, or the perplexity */
    SCORER_MAJORITY,
    SCORER_LENGTH
} scorer_is;

typedef struct scorer {
    rdv_str text; /* as it is named, "scores:prm" */
    scorer_is is;
    vote_weight weight; /* SCORER_WEIGHT */
} scorer;

/* The values of one scorer for one chain; NaN: none. */
typedef struct scorer_values {
    double of[2][COMBINED_FEATURES_MAX]; /* step scores taken as probabilities, or as log-odds;
                                            others are equal in both */
    bool beyond;                         /* a step score is not in [0,1] */
} scorer_values;

typedef struct combined_feature {
    double mean, deviation; /* of the chains fitted on; deviation > 0 */
    double coefficient;
} combined_feature;

typedef struct combined_scorer {
    scorer scorer;
    bool logits; /* its step scores are log-odds */
    combined_feature features[COMBINED_FEATURES_MAX];
    double missing; /* the coefficient of a chain without a value, at most 0 */
} combined_scorer;

typedef struct combined_model {
    combined_scorer *scorers;
    size_t n;
    /* what it was fitted on */
    double strength;              /* of the L2 penalty */
    double log_likelihood;        /* weighted mean per pair; log(1/2) without any knowledge */
    size_t n_questions, n_chains; /* questions with a right and a wrong chain, and their chains */
} combined_model;

/* Reads a list of at most COMBINED_SCORERS_MAX scorers, separated by commas, into the array, whose
 * texts are borrowed. RDV_E_ARGUMENT: an unknown or repeated one, too many, or none that looks at a
 * chain's steps (majority and length alone know nothing of them). */
int scorers_read(rdv_str list, scorer *out, size_t *n, rdv_error *err);
/* The names of its features; *n: their number. Static. */
const char *const *scorer_features(const scorer *s, size_t *n);
/* The values for a chain; those of SCORER_MAJORITY are NaN. */
scorer_values scorer_measure(const scorer *s, const rdv_chain *chain);
/* The value of SCORER_MAJORITY, for an answer of `same` of `all` chains. */
scorer_values scorer_share(size_t same, size_t all);
/* Whether the scorer has a value for the chain. */
bool scorer_has(const scorer *s, const scorer_values *values, bool logits);

/* The weight of a chain, in (0,1), from the values of the model's scorers; NaN: no scorer that
 * looks at its steps has a value. */
double combined_weight(const combined_model *model, const scorer_values *values);

/* A chain to fit on. */
typedef struct combined_row {
    const scorer_values *values;
    size_t question; /* any number, equal for chains of one question, which are adjacent */
    uint64_t hash;   /* of the question */
    bool right;
} combined_row;

/* Fits the scorers on chains with a readable answer that is known to be right or wrong. Each
 * question with a right and a wrong chain counts the same, by all pairs of them, or by
 * COMBINED_PAIRS_MAX random ones. Means and deviations are of all chains. The strength of the
 * penalty is the one of 10^-4 to 1 (four a factor of 10) with the largest likelihood of questions
 * that the coefficients were not fitted on (five folds); of equal ones the largest. Chains without
 * a value of any scorer that looks at their steps are left out. *out lives in `arena`, except the
 * scorers' texts. RDV_E_INPUT: no question has a right and a wrong chain; a scorer has no value for
 * any chain; RDV_E_NOMEM. */
int combined_fit(const scorer *scorers, size_t n_scorers, const combined_row *rows, size_t n,
                 rdv_arena *arena, combined_model *out, rdv_error *err);

#define COMBINED_PAIRS_MAX 1000
