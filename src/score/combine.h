/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The step scores of several verifiers combined into one score of a chain (general-purpose
 * verification, sections 3.3.4 to 3.5.1; spec section 4; docs/recipes.md).
 *
 * Scores lie in [0,1]; NaN stands for "not known". A verifier that did not run, or whose replies
 * could not be read, never weighs like a satisfied one. These functions only compute: they allocate
 * nothing and any thread may call them. */
#include <rederive/combine.h>

/* "relevance", "math", "consistency", "perplexity": a static string, which is also the method's
 * name. */
const char *rdv_verifier_name(rdv_verifier_kind is);
/* Writes the verifier of that name to *out; RDV_NONE: no such name. */
int rdv_verifier_named(rdv_str name, rdv_verifier_kind *out);

/* ---- settings ------------------------------------------------------------------------------- */

/* RDV_OK, or RDV_E_ARGUMENT: no verifier takes part, a weight is negative or not finite, all
 * weights of participating verifiers are 0, or the floor is outside [0,1]. */
int rdv_combination_check(const rdv_combination *how, rdv_error *err);
/* The same beside `n` other verifiers, which weigh `weight` together: with them, `how` may have
 * none that takes part, or none that weighs anything. */
int rdv_combination_check_beside(const rdv_combination *how, size_t n, double weight,
                                 rdv_error *err);

/* Verifiers of one's own, in the order of their bits. */
typedef struct own_verifiers {
    rdv_str name[RDV_MAX_OWN_VERIFIERS];
    size_t n;
} own_verifiers;

/* Reads "relevance,math", "all" or "none" into *verifiers (bits). With `own` (NULL: there are none)
 * another name is added to it, borrowed, and "all" may have such names beside it. RDV_E_ARGUMENT:
 * an unknown or repeated name, or too many. Both are untouched on failure. */
int rdv_combination_verifiers(rdv_str list, own_verifiers *own, unsigned *verifiers,
                              rdv_error *err);
/* Reads "perplexity=3,math=0.5" into `weight`; the other weights are unchanged. RDV_E_ARGUMENT: no
 * such verifier, also in `own` (may be NULL), or not a number >= 0; `weight` is untouched on
 * failure. */
int rdv_combination_weights(rdv_str list, const own_verifiers *own,
                            double weight[RDV_MOST_VERIFIERS], rdv_error *err);
/* Reads a word that is one number, at least 0. */
bool rdv_weight_read(rdv_str word, double *out);

/* Number of the `n_steps` steps in the range. */
size_t rdv_step_range_steps(rdv_step_range extent, size_t n_steps);

/* ---- perplexity ----------------------------------------------------------------------------- */

/* The tokens of one step, or of several. */
typedef struct rdv_tokens {
    double logprob; /* sum of their natural-log probabilities */
    size_t n;       /* 0: not known */
} rdv_tokens;

/* The tokens of one step. If a log-probability is not finite, they are unknown. */
rdv_tokens rdv_tokens_of(const rdv_logprobs *step);
/* exp(-mean log-probability): section 3.3.4; NaN when n is 0. */
double rdv_perplexity(rdv_tokens tokens);
/* A perplexity as a score in [0,1]: perplexity^-power (ours; the paper does not specify it). With
 * power 1, the default elsewhere, it is the geometric mean of the tokens' probabilities. A larger
 * power (> 0) spreads low perplexities further apart. NaN stays NaN; below 1 counts as 1. */
double rdv_perplexity_score(double perplexity, double power);

/* ---- combining ------------------------------------------------------------------------------ */

/* The weighted mean of one score per verifier, in the order of their bits, for one step or for a
 * whole chain. `unknown` decides about a score that is not known: neutral: it is left out, and the
 * weights of the others keep their ratio; contradict: it counts as 0; null: the result is NaN. NaN
 * when no score is known, and when the known ones have no weight. `how` must pass
 * rdv_combination_check(). */
double rdv_combine_scores(const rdv_combination *how, const double score[RDV_MOST_VERIFIERS]);
/* The same of n verifiers of any kind, all of which take part. */
double rdv_combine_weighted(rdv_unknown_as unknown, const double *weight, const double *score,
                            size_t n);

/* What is known about the steps of a chain. Borrowed. */
typedef struct rdv_verified {
    size_t n_steps;
    const double *step[RDV_MOST_VERIFIERS]; /* n_steps scores each; NULL: it did not run */
    unsigned whole; /* bits: verifiers of one's own with a single score, of the whole chain */
    const rdv_tokens *tokens; /* n_steps of them; NULL: not known; perplexity is then aggregated
                                 from its step scores like the others */
    double power;             /* for rdv_perplexity_score(); 0: 1 */
} rdv_verified;

/* The score of a step that is neither supported nor contradicted. A step whose reply could not be
 * read counts as this, never as supported (docs/adr/0022). */
#define RDV_NEITHER 0.5

/* One verifier's score of the chain's first steps: its step scores aggregated. `unknown` decides
 * about a missing one: neutral: it counts as RDV_NEITHER if another step has a score; contradict:
 * as 0; null: the result is NaN. Perplexity with tokens: from the perplexity over all tokens of
 * those steps (with neutral, a step whose tokens are not known is left out; otherwise as above).
 * The score of the whole chain is one of all steps, and none of fewer. NaN when nothing is known.
 * `verifier`: the number of its bit. */
double rdv_combine_verifier(const rdv_combination *how, const rdv_verified *chain, size_t verifier,
                            rdv_step_range extent);
/* The chain's score: the weighted mean of its verifiers' scores (section 3.5.1). NaN when nothing
 * is known. */
double rdv_combine_chain(const rdv_combination *how, const rdv_verified *chain,
                         rdv_step_range extent);
