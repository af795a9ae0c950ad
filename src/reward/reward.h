/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Step classifiers: the features of steps, the models, and training. */
#include <rederive/reward.h>

#include "score/eval.h"

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
    bool fault; /* it counts what is wrong in itself: a wrong calculation, an item that got lost */
} rdv_feature;

/* All features in a fixed order, *n of them. Static. */
const rdv_feature *rdv_features(size_t *n);

/* Measure each step of `chain`: *out is chain->n_steps rows of that many numbers, in `arena`; NaN
 * where a feature does not apply. A row depends on the question and on the steps up to its own
 * only. Time is linear in the text. Faults: RDV_E_NOMEM. */
int rdv_features_measure(const rdv_chain *chain, rdv_arena *arena, float **out, rdv_error *err);

/* ---- models ---------------------------------------------------------------------------------- */

/* How the chances of a chain's steps become a location. The paper leaves it open; ours. */
typedef enum rdv_reward_rule {
    RDV_RULE_THRESHOLD = 0, /* the first step with P(wrong) >= at */
    RDV_RULE_HAZARD,        /* P(wrong) read as the chance that this is the first error if none came
                               before: none where the chance of no error exceeds `at`, else the step
                               that is most likely the first */
    RDV_RULE_FITTED         /* in training: whichever does better on the training folds */
} rdv_reward_rule;

/* What is said of the steps after the first error in training. */
typedef enum rdv_reward_after {
    RDV_AFTER_WRONG = 0, /* they are wrong too (appendix C) */
    RDV_AFTER_LEFT_OUT,  /* nothing: the model learns where first errors are */
    RDV_AFTER_FITTED     /* in training: whichever does better on the training folds */
} rdv_reward_after;

/* "threshold", "hazard"; "fitted" for any other: a static string. */
const char *rdv_reward_rule_name(rdv_reward_rule rule);

/* "wrong", "left-out"; "fitted" for any other: a static string. */
const char *rdv_reward_after_name(rdv_reward_after after);

/* What a model says of itself. Borrowed from the model. */
typedef struct rdv_reward_card {
    rdv_str name;    /* what it was called in training */
    rdv_str sources; /* what it was trained on, and under which licences */
    rdv_str made;    /* the command and its data; empty: a file of before has none */
    rdv_reward_rule rule;
    double at; /* the rule's fitted number */
    rdv_reward_after after;
    size_t trees, nodes, features; /* features that the trees ask */
    size_t chains, steps;          /* that it was trained on */
} rdv_reward_card;

/* The model's card; its texts live as long as `reward`. Cannot fail, from any thread. */
rdv_reward_card rdv_reward_about(const rdv_reward *reward);

/* Why one row has its chance: share[i], for each of rdv_features(), is how far the splits on that
 * feature moved the logit of P(wrong) along the row's paths (Saabas's way), positive towards wrong.
 */
void rdv_reward_explain(const rdv_reward *reward, const float *row, double *share);

/* P(wrong) of each of the `n` rows of features (in the order of rdv_features()) into wrong[n]. */
void rdv_reward_predict(const rdv_reward *reward, const float *rows, size_t n, double *wrong);
/* The location that the model's rule makes of the chances of a chain's `n` steps: the first wrong
 * step, or RDV_NO_STEP. */
size_t rdv_reward_locate(const rdv_reward *reward, const double *wrong, size_t n);
/* Both for one chain: *wrong in `arena`, one per step; *first the location. Faults: RDV_E_NOMEM. */
int rdv_reward_judge(const rdv_reward *reward, const rdv_chain *chain, rdv_arena *arena,
                     double **wrong, size_t *first, rdv_error *err);

/* ---- training -------------------------------------------------------------------------------- */

typedef enum rdv_reward_folds {
    RDV_FOLDS_QUESTIONS = 0, /* the chains of one question stay together */
    RDV_FOLDS_GROUPS         /* a whole group (task) is left out at a time (Table 7) */
} rdv_reward_folds;

typedef enum rdv_reward_aim {
    RDV_AIM_LOCATION = 0, /* exact location, the mean over groups (Table 4) */
    RDV_AIM_F1            /* ProcessBench's F1, the mean over groups with 20 chains of each kind */
} rdv_reward_aim;

/* Zero-initialised: all defaults. Texts are borrowed. */
typedef struct rdv_train_options {
    rdv_str name, sources, made; /* written into the model: 2 KiB of each, on one line */
    rdv_reward_after after;
    rdv_reward_rule rule;
    rdv_reward_aim aim; /* what the rule is fitted to */
    rdv_reward_folds by;
    size_t folds;        /* of questions; 0 = 5 */
    unsigned without;    /* families of features to leave out, as bits */
    size_t trees, depth; /* 0 = 200 trees, 3 levels */
    uint64_t seed;
    bool skip_cross_validation; /* only the model: its report then has held-out groups at most */
    bool early_stopping; /* choose the number of trees, at most `trees`, by the log loss on a fifth
                            of the training questions, which choose nothing else (Table 8) */
} rdv_train_options;

/* The accuracy on chains that the model had not seen. */
typedef struct rdv_train_figures {
    rdv_str group;
    bool held_out; /* scored by the model itself; else by models trained without its fold */
    size_t chains, steps;
    rdv_location location;    /* with ProcessBench's F1 */
    rdv_estimate weighted_f1; /* "has an error" as "the answer is wrong" (Table 5) */
    rdv_estimate auc;         /* of P(wrong), the steps after the first error counted as wrong */
    rdv_estimate auc_first;   /* among the steps up to the first error */
    double constant;          /* the result of the best constant location for its chains */
    size_t trees; /* of the forest that judged them; 0: several of different sizes did */
} rdv_train_figures;

/* Steps by their P(wrong): what was said, and what is. */
typedef struct rdv_train_bin {
    double said, is;
    size_t n;
} rdv_train_bin;

typedef struct rdv_train_gain {
    const rdv_feature *feature;
    double share; /* of the whole gain of all splits */
} rdv_train_gain;

#define RDV_TRAIN_BINS 10

typedef struct rdv_training {
    rdv_str model; /* the bytes of the model file */
    rdv_reward_rule rule;
    rdv_reward_after after;
    double at;
    size_t trees;               /* of the model */
    bool early_stopping;        /* as in the options */
    rdv_train_figures *figures; /* a group each, held-out ones last */
    size_t n_figures;
    rdv_train_bin bins[RDV_TRAIN_BINS]; /* of cross-validated P(wrong) */
    double brier, calibration_error;    /* the latter: mean |said - is|, weighted by n; NaN: none */
    rdv_train_gain *gains;              /* those that the trees ask, the largest first */
    size_t n_gains;
} rdv_training;

typedef struct rdv_trainer rdv_trainer;

/* A new trainer in `arena`, which holds every row; NULL when out of memory. */
rdv_trainer *rdv_trainer_new(rdv_arena *arena);
/* Add a chain of `group` (copied): its label, its answer's correctness and its features. held_out:
 * excluded from training, together with all other chains of its question; questions are the same if
 * they differ in spaces, case, sentence marks, $ and backslashes only. RDV_NONE: it has no label,
 * or no steps, and is left out. Faults: RDV_E_NOMEM. */
int rdv_trainer_add(rdv_trainer *trainer, const rdv_chain *chain, rdv_str group, bool held_out,
                    rdv_error *err);
/* Train with libxgboost on one thread; the same chains in the same order, options and library
 * version give the same bytes. Rules and thresholds are fitted on cross-validated probabilities
 * within the training data, so no figure uses chains that its model has seen. *out in the trainer's
 * arena. Faults: RDV_E_INPUT (nothing to learn from: too few chains, one kind of step, one fold),
 * RDV_E_LIMIT (the model would be larger than RDV_REWARD_MAX_BYTES), RDV_E_NOMEM, RDV_E_IO
 * (libxgboost, which is opened now, is not installed), RDV_E_INTERNAL (libxgboost failed, or our
 * reading of its trees disagrees with it). */
int rdv_trainer_run(rdv_trainer *trainer, const rdv_train_options *options, rdv_training *out,
                    rdv_error *err);
