/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Many verifiers' scores of steps made into one score of a chain (general-purpose verification,
 * sections 3.3.4 to 3.5.1; spec section 4; docs/recipes.md).
 *
 * Scores lie in [0,1]; NaN stands for "not known". A verifier that did not look, or of which
 * nothing was read, never weighs like one that was satisfied. Functions here only compute: they
 * need no memory and no thread rule. */
#include <rederive/combine.h>

/* "relevance", "math", "consistency", "perplexity": a static string, the method's name too. */
const char *rdv_verifier_name(rdv_verifier_kind is);
/* The verifier of that name into *out; RDV_NONE when there is none. */
int rdv_verifier_named(rdv_str name, rdv_verifier_kind *out);

/* ---- settings ------------------------------------------------------------------------------- */

/* RDV_OK, or RDV_E_ARGUMENT: no verifier takes part, a weight is negative or not finite, those of
 * the verifiers that take part are all 0, or the floor is outside [0,1]. */
int rdv_combination_check(const rdv_combination *how, rdv_error *err);
/* Read "relevance,math" or "all" into *verifiers (bits); RDV_E_ARGUMENT: a name that there is not,
 * or that stands there twice. *verifiers is untouched on failure. */
int rdv_combination_verifiers(rdv_str list, unsigned *verifiers, rdv_error *err);
/* Read "perplexity=3,math=0.5" into `weight`, of which the others stay as they are; RDV_E_ARGUMENT:
 * no such verifier, or not a number >= 0. `weight` is untouched on failure. */
int rdv_combination_weights(rdv_str list, double weight[RDV_N_VERIFIERS], rdv_error *err);

/* How many of `n_steps` steps that is. */
size_t rdv_step_range_steps(rdv_step_range extent, size_t n_steps);

/* ---- perplexity ----------------------------------------------------------------------------- */

/* The tokens of one step, or of several. */
typedef struct rdv_tokens {
    double logprob; /* sum of their natural-log probabilities */
    size_t n;       /* 0: not known */
} rdv_tokens;

/* Those of one step. A log-probability that is not finite leaves the step's tokens unknown. */
rdv_tokens rdv_tokens_of(const rdv_logprobs *step);
/* exp(-mean log-probability): section 3.3.4; NaN when n is 0. */
double rdv_perplexity(rdv_tokens tokens);
/* A perplexity as a score in [0,1]: perplexity^-power (ours; the paper does not say). With power 1,
 * the default elsewhere, it is the geometric mean of the tokens' probabilities. A larger power
 * (> 0) spreads low perplexities further apart. NaN stays NaN; below 1 counts as 1. */
double rdv_perplexity_score(double perplexity, double power);

/* ---- combining ------------------------------------------------------------------------------ */

/* The weighted mean of one score a verifier, by the index rdv_verifier_kind: of one step, or of a
 * whole chain. A score that is not known, by `unknown`: neutral: left out, the weights of the
 * others keeping their ratio; contradict: counts as 0; null: the result is NaN. NaN when none is
 * known, and when those known weigh nothing. `how` must pass rdv_combination_check(). */
double rdv_combine_scores(const rdv_combination *how, const double score[RDV_N_VERIFIERS]);

/* What is known of the steps of a chain. Borrowed. */
typedef struct rdv_verified {
    size_t n_steps;
    const double *step[RDV_N_VERIFIERS]; /* n_steps scores each; NULL: the verifier did not look */
    const rdv_tokens *tokens; /* n_steps of them; NULL: not known, and perplexity is aggregated from
                                 its step scores as the others are */
    double power;             /* of rdv_perplexity_score(); 0: 1 */
} rdv_verified;

/* The score of a step that is neither supported nor contradicted. A step that was asked about and
 * not read counts as this one, never as one that was satisfied (docs/adr/0022). */
#define RDV_NEITHER 0.5

/* One verifier's score of the chain's first steps: its step scores aggregated. A missing one, by
 * `unknown`: neutral: it counts as RDV_NEITHER where another step has a score; contradict: as 0;
 * null: the result is NaN. Perplexity with
 * tokens: from the perplexity over all tokens of those steps (a step whose tokens are not known is
 * left out with neutral, else as above). NaN where nothing is known. */
double rdv_combine_verifier(const rdv_combination *how, const rdv_verified *chain,
                            rdv_verifier_kind verifier, rdv_step_range extent);
/* The chain's score: the weighted mean of those (section 3.5.1). NaN where nothing is known. */
double rdv_combine_chain(const rdv_combination *how, const rdv_verified *chain,
                         rdv_step_range extent);
