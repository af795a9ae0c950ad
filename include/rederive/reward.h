/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/reward.h - a small trained judge of steps: "is step i right, given the question and the
 * steps before it" (LLMs cannot find reasoning errors, section 4.3 and appendix C; docs/reward.md).
 *
 * Features of a step are numbers that do not name the task; a model is boosted trees over them, a
 * rule that turns the steps' chances into a location, and what it was trained on. Nothing here asks
 * a language model, and nothing reads the answer that is known to be right. */
#include <rederive/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- features -------------------------------------------------------------------------------- */

/* What a feature looks at, as bits: training can leave whole families out. */
typedef enum rdv_feature_family {
    RDV_FEATURE_CALCULATION = 1, /* what the exact checker says */
    RDV_FEATURE_AGREEMENT = 2,   /* numbers and words against the question and earlier steps */
    RDV_FEATURE_CONSISTENCY = 4, /* listings, assignments, orders, brackets against earlier ones */
    RDV_FEATURE_FORM = 8,        /* lengths, kinds of characters, turns of phrase, repetition */
    RDV_FEATURE_POSITION = 16,   /* how far the chain is: number of the step, what came so far */
    RDV_FEATURE_PROBABILITY = 32 /* token log-probabilities, where the chain has them */
} rdv_feature_family;

typedef struct rdv_feature {
    const char *name;  /* "calc_wrong" */
    const char *about; /* one line */
    rdv_feature_family family;
} rdv_feature;

/* All features in a fixed order, *n of them. Static. */
RDV_API const rdv_feature *rdv_features(size_t *n);

/* Measure each step of `chain`: *out is chain->n_steps rows of that many numbers, in `arena`; NaN
 * where a feature does not apply. A row depends on the question and on the steps up to its own
 * only. Time is linear in the text. Faults: RDV_E_NOMEM. */
RDV_API int rdv_features_measure(const rdv_chain *chain, rdv_arena *arena, float **out,
                                 rdv_error *err);

/* ---- models ---------------------------------------------------------------------------------- */

/* A model that was read. Immutable: several threads may use one. */
typedef struct rdv_reward rdv_reward;

#define RDV_REWARD_MAX_BYTES ((size_t)16 << 20)

/* Read a model file's bytes (copied). *out is the caller's, released with rdv_reward_free(), and
 * NULL on failure. Faults: RDV_E_INPUT (not a model, damaged, or made for other features: the
 * message says which), RDV_E_LIMIT, RDV_E_NOMEM. */
RDV_API int rdv_reward_read(rdv_str bytes, rdv_reward **out, rdv_error *err);
/* The same from the file at `path`. RDV_E_IO: it cannot be read. */
RDV_API int rdv_reward_open(const char *path, rdv_reward **out, rdv_error *err);
/* Release it and set *reward to NULL. NULL and *NULL are accepted. */
RDV_API void rdv_reward_free(rdv_reward **reward);

/* What a model says of itself. Borrowed from the model. */
typedef struct rdv_reward_card {
    rdv_str name;    /* what it was called in training */
    rdv_str sources; /* what it was trained on, and under which licences */
    rdv_str rule;    /* "threshold" or "hazard" */
    double at;       /* the rule's fitted number */
    size_t trees, nodes, features, steps, chains;
} rdv_reward_card;
RDV_API rdv_reward_card rdv_reward_about(const rdv_reward *reward);

/* P(wrong) of each of the `n` rows of features (in the order of rdv_features()) into wrong[n]. */
RDV_API void rdv_reward_predict(const rdv_reward *reward, const float *rows, size_t n,
                                double *wrong);
/* The location that the model's rule makes of the chances of a chain's `n` steps: the first wrong
 * step, or RDV_NO_STEP. */
RDV_API size_t rdv_reward_locate(const rdv_reward *reward, const double *wrong, size_t n);
/* Both for one chain: *wrong in `arena`, one a step; *first the location. Faults: RDV_E_NOMEM. */
RDV_API int rdv_reward_judge(const rdv_reward *reward, const rdv_chain *chain, rdv_arena *arena,
                             double **wrong, size_t *first, rdv_error *err);

#ifdef __cplusplus
}
#endif
