/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/general.h - the tables and figures of general-purpose verification, computed from the
 * verifiers' scores of steps (docs/recipes.md; spec section 4).
 *
 * Chains are taken in with what each verifier said of each step; any subset of verifiers and any
 * part of a chain is then scored again by rdv_combine_chain(). "Right" is the final answer's. */
#include <rederive/agree.h>
#include <rederive/combine.h>
#include <rederive/grid.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rdv_general_is {
    RDV_GENERAL_TABLE1 = 0, /* one chain: random, lowest perplexity, best score */
    RDV_GENERAL_TABLE2,     /* no verifier, each alone, all of them */
    RDV_GENERAL_TABLE4,     /* every subset of the verifiers */
    RDV_GENERAL_TABLE5,     /* the first 0 to 5 steps scored, and all */
    RDV_GENERAL_TABLE6,     /* simulated scores that correlate with the truth; needs no chains */
    RDV_GENERAL_FIG3,       /* votes of 1 to 10 chains, chosen in three ways */
    RDV_GENERAL_FIG4,       /* the first X % of the steps scored */
    RDV_GENERAL_FIG5,       /* correlation with people, by verifier and over all (also Fig. 14) */
    RDV_GENERAL_FIG6,       /* as Fig. 3, of all data sets */
    RDV_GENERAL_FIG7,       /* majority and weighted votes of the same random chains */
    RDV_GENERAL_FIG8,       /* the first 0 to 10 steps scored, and all */
    RDV_GENERAL_FIG9,       /* agreement between annotators, two by two (Figs. 9 to 12) */
    RDV_GENERAL_FIG13,      /* as Fig. 5, by annotator */
    RDV_GENERAL_ERRORS      /* section 4.6: errors that no principle, and no verifier, covers */
} rdv_general_is;

#define RDV_N_GENERALS 14

/* "general:table1" ... : a static string; *about (may be NULL): one line about it. */
RDV_API const char *rdv_general_name(rdv_general_is is, const char **about);
/* The recipe of that name into *out; RDV_NONE when there is none. */
RDV_API int rdv_general_named(rdv_str name, rdv_general_is *out);

/* Zero-initialised, but for `how`: the defaults. */
typedef struct rdv_general_options {
    rdv_combination how; /* which verifiers there are at most, their weights, the floor */
    double power;        /* of rdv_perplexity_score(); 0: 1 */
    uint64_t seed;
    size_t draws; /* of chains, where votes are drawn; 0 = 100. Table 6: questions; 0 = 20000 */
    double
        threshold; /* Fig. 5: a step is rejected by a verifier when its score is below; 0 = 0.5 */
} rdv_general_options;

/* ---- chains ---------------------------------------------------------------------------------- */

/* A chain with all that the recipes look at. Everything is copied. */
typedef struct rdv_general_chain {
    rdv_str group;                      /* of the data: each has rows of its own; p == NULL: none */
    rdv_str question_id;                /* p == NULL counts as empty */
    rdv_str key;                        /* canonical answer; p == NULL: not readable */
    int correct;                        /* of the answer: 1, 0, -1 not known */
    rdv_verified is;                    /* its steps; a verifier that did not look is NULL */
    const rdv_step_labels *step_labels; /* by people: Figs. 5, 9, 13, errors */
    size_t n_step_labels;
} rdv_general_chain;

typedef struct rdv_general rdv_general;

/* A new gathering of chains; options are copied. In `arena`; NULL when out of memory. */
RDV_API rdv_general *rdv_general_new(rdv_arena *arena, const rdv_general_options *options);
/* Take in one chain; chains of one question may be apart. RDV_E_NOMEM. */
RDV_API int rdv_general_add(rdv_general *general, const rdv_general_chain *chain, rdv_error *err);
/* Compute a recipe into *out (in the gathering's arena; untouched on failure). RDV_NONE: no chain
 * has what it needs, and `err` says what that is; RDV_E_NOMEM. */
RDV_API int rdv_general_compute(rdv_general *general, rdv_general_is is, rdv_grid *out,
                                rdv_error *err);

/* ---- weights ----------------------------------------------------------------------------------
 */

typedef struct rdv_general_fitted {
    double weight[RDV_N_VERIFIERS]; /* those of verifiers that do not take part are as before */
    double in_order;                /* what they are worth: see rdv_general_fit() */
    double in_order_before;         /* the same with the weights before */
    size_t questions, chains;       /* that took part */
} rdv_general_fitted;

/* Fit the verifiers' weights on the chains taken in (ours; the paper chose 2 for perplexity by
 * trial on training data). They maximise the share of pairs of a right and a wrong chain of one
 * question that the scores put in order, ties half, as a mean over the questions that have both:
 * what choosing a chain hangs on, and smooth where its accuracy moves in steps of one question.
 * Every weight is tried at 0, 1/4, 1/2, 1, 2 and 4; of equal ones those nearest to the ones before
 * are taken. *out is untouched on failure. RDV_E_INPUT: no question with a right and a wrong chain
 * that have scores; RDV_E_NOMEM. */
RDV_API int rdv_general_fit(rdv_general *general, rdv_general_fitted *out, rdv_error *err);
/* Use other weights from now on. */
RDV_API void rdv_general_set_weights(rdv_general *general, const double weight[RDV_N_VERIFIERS]);
/* Whether a chain of that question was taken in, in any group. */
RDV_API bool rdv_general_has(const rdv_general *general, rdv_str question_id);

/* ---- appendix H ------------------------------------------------------------------------------ */

/* What the paper leaves open of its simulation, as spec section 4 has it. */
typedef struct rdv_simulation {
    size_t questions; /* how many are simulated */
    size_t chains;    /* of each: 40 */
    size_t steps;     /* of each chain: 4 */
    double right; /* the chance that a step is right: 0.19^(1/4), from the row without a verifier,
                     since a chain of 4 steps is right (more than 75 % of them) when all are */
    uint64_t seed;
} rdv_simulation;

/* The paper's values, as they stand above; 50,000 questions, seed 0. Cannot fail, owns nothing. */
RDV_API rdv_simulation rdv_simulation_default(void);

typedef struct rdv_simulated {
    rdv_estimate accuracy; /* of the chain with the largest geometric mean of the verifier's scores;
                              n: questions */
    double correlation;    /* Pearson's r of the scores drawn for each question's first chain */
} rdv_simulated;

/* Simulate: each step has a human score and a verifier's, both uniform in [0,1], joined by a
 * Gaussian copula of the given correlation (of its normal variables; in [0,1]); the step is right
 * when the human score is above 1 - right. RDV_E_ARGUMENT: a number out of range. */
RDV_API int rdv_simulate(const rdv_simulation *how, double correlation, rdv_simulated *out,
                         rdv_error *err);

#ifdef __cplusplus
}
#endif
