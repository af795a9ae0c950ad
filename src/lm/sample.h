/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* From the logits of a place to a token and the log-probabilities of tokens. Everything is a
 * function of the logits and the arguments: no state. */
#include "lm/lm.h"

#include "lm/kernels.h"

typedef struct lm_sampling {
    double temperature, top_p;
    uint64_t seed;
} lm_sampling;

/* The place of a token in a row of logits: what has to be known to give log-probabilities. */
typedef struct lm_odds {
    const float *logits;
    size_t n;
    double shift; /* logit - shift is the natural log-probability */
} lm_odds;

/* `room`: n floats, rounded up to 16. NaN logits rank last. */
lm_odds sample_odds(const lm_kernels *kernels, float *logits, size_t n, float *room);
double sample_logprob(const lm_odds *odds, uint32_t token);
/* The `n` most probable tokens, equals by number; returns how many there are. */
size_t sample_top(const lm_odds *odds, rdv_lm_choice *top, size_t n);

/* A candidate in drawing. */
typedef struct lm_candidate {
    float weight;
    uint32_t token;
} lm_candidate;

/* The token drawn for place `at` of the context. `room` as above, `candidates`: room for n. */
uint32_t sample_draw(const lm_kernels *kernels, const lm_odds *odds, const lm_sampling *sampling,
                     uint64_t at, float *room, lm_candidate *candidates);
