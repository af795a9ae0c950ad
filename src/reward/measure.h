/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One chain being measured: what is remembered of the question and of the steps so far. */
#include "reward/checks.h"
#include "reward/feature.h"

#include <rederive/chain.h>
#include <rederive/math.h>

typedef struct measuring {
    rdv_arena *arena;
    const rdv_chain *chain;
    tokens question;
    size_t n_sentences; /* of the question */
    feature_set asked;  /* tokens of the question */
    feature_set
        in_sentence; /* per word of the question: a bit for each of its first 64 sentences */
    double sentence_words[64];
    feature_set tokens;             /* of the steps so far */
    feature_set grams, asked_grams; /* word triples: of the steps so far, of the question */
    feature_set steps;              /* whole steps */
    tokens before;                  /* the step before */
    int nearest;                    /* the question's sentence that it was nearest to; -1: none */
    rdv_calculator *calculator;
    listings listings;
    assignments assignments;
    brackets brackets;
    /* Sums over the steps so far. */
    double tokens_sum, numbers_sum, calcs_sum, broken_sum, logprob_sum, logprob_n;
    bool answered;
} measuring;

/* The features of one family of the step `i` with tokens `t`, into row[N_FEATURES]. */
void form_measure(const measuring *m, size_t i, const tokens *t, float *row);
void agreement_measure(measuring *m, size_t i, const tokens *t, float *row);

static inline float share(double part, double whole)
{
    return whole > 0 ? (float)(part / whole) : (float)__builtin_nan("");
}
/* The hash of the three tokens at `i`. */
static inline uint64_t gram_at(const tokens *t, size_t i)
{
    return (t->of[i].hash * 31 + t->of[i + 1].hash) * 31 + t->of[i + 2].hash;
}
/* Where an answer that the step announces begins, as a token; t->n: it announces none. */
size_t form_answer_at(const tokens *t);
