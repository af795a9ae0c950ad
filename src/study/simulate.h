/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Appendix H of general-purpose verification, by simulation. */
#include "score/eval.h"

/* Values that the paper leaves open, as given in spec section 4. */
typedef struct simulation {
    size_t questions; /* number of simulated questions: 50,000 */
    size_t chains;    /* chains of each question: 40 */
    size_t steps;     /* steps of each chain: 4 */
    double right;     /* the probability that a step is right: 0.19^(1/4), from the row without a
                         verifier, because a chain of 4 steps is right (more than 75 % of its steps
                         are) when all steps are */
    uint64_t seed;
} simulation;

/* The values above, with seed 0. */
simulation simulate_default(void);

typedef struct simulated {
    rdv_estimate accuracy; /* accuracy of the chain with the largest geometric mean of the
                              verifier's scores; n: questions */
    double correlation;    /* Pearson's r of the scores drawn for each question's first chain */
} simulated;

/* Runs the simulation: each step has a human score and a verifier's, both uniform in [0,1], joined
 * by a Gaussian copula of the given correlation (of its normal variables; in [0,1]); the step is
 * right when the human score is above 1 - right. RDV_E_ARGUMENT: a number out of range. */
int simulate(const simulation *how, double correlation, simulated *out, rdv_error *err);
