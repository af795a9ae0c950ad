/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/combine.h - combining the step scores of several verifiers into one score of a chain
 * (general-purpose verification, sections 3.3.4 to 3.5.1; docs/recipes.md). Plain data. */
#include <rederive/score.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rdv_verifier_kind {
    RDV_VERIFIER_RELEVANCE = 0,
    RDV_VERIFIER_MATH,
    RDV_VERIFIER_CONSISTENCY,
    RDV_VERIFIER_PERPLEXITY
} rdv_verifier_kind;

#define RDV_N_VERIFIERS 4
#define RDV_ALL_VERIFIERS 0xfu
/* Behind them, the verifiers of one's own that a study takes (rederive/study.h): bits
 * 1u << (RDV_N_VERIFIERS + i). Methods have none of them. */
#define RDV_MAX_OWN_VERIFIERS 4
#define RDV_MOST_VERIFIERS (RDV_N_VERIFIERS + RDV_MAX_OWN_VERIFIERS)

typedef struct rdv_combination {
    unsigned verifiers;                /* those that take part: bits 1u << rdv_verifier_kind */
    double weight[RDV_MOST_VERIFIERS]; /* >= 0 and finite; 0: evaluated, but without weight */
    rdv_aggregation aggregation;       /* over the steps; its `unknown` also applies to verifiers */
} rdv_combination;

/* All four verifiers; weights 1, and 2 for perplexity (section 3.5.1); geometric mean with the
 * floor 0.01 (ours: the paper's is 0, with which one failed step outweighs all others; set it to 0
 * to follow the paper); unknown scores are neutral. */
RDV_API rdv_combination rdv_combination_default(void);

/* What the perplexity of a chain is over. */
typedef enum rdv_perplexity_over {
    RDV_PERPLEXITY_TOKENS = 0, /* all its tokens: ours, since a step of few tokens then weighs as
                                  little as they do */
    RDV_PERPLEXITY_STEPS       /* its steps, whose scores are aggregated like those of the other
                                  verifiers: section 3.5.1 */
} rdv_perplexity_over;

/* The part of a chain that is scored (section 4.4). Zero-initialised: all of it. */
typedef struct rdv_step_range {
    size_t steps; /* the first `steps` steps; 0: no such limit */
    double share; /* the first share of the steps, rounded up, in (0,1]; 0: no such limit */
} rdv_step_range;

#ifdef __cplusplus
}
#endif
