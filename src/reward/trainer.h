/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The chains of a training, and models made of some of them. */
#include "reward/boost.h"
#include "reward/model.h"
#include "reward/reward.h"
#include "score/eval.h"

typedef struct example {
    size_t first, n; /* its rows */
    rdv_label label;
    int correct; /* its answer: 1, 0, -1 not known */
    size_t group;
    uint64_t question; /* a hash of its text */
    bool held_out;
} example;

struct rdv_trainer {
    rdv_arena *arena;
    example *examples;
    size_t n_examples, cap_examples;
    float *rows; /* n_rows times N_FEATURES */
    size_t n_rows, cap_rows;
    rdv_str *groups;
    size_t n_groups, cap_groups;
};

/* What is learnt from, and how. */
typedef struct learning {
    const rdv_trainer *of;
    const rdv_train_options *options;
    bool use[N_FEATURES];
    size_t *fold; /* of each example; NO_FOLD: held out */
    size_t n_folds;
    size_t trees;        /* to grow */
    bool for_validation; /* leave out the questions that choose the number of trees */
} learning;

#define NO_FOLD ((size_t)-1)

/* A model of the examples that are in a fold other than `without` (NO_FOLD: of all in a fold). */
typedef struct learnt {
    forest trees;
    rdv_reward_rule rule;
    rdv_reward_after after;
    double at;
    double reached; /* the aim on the folds that the rule was fitted to */
    double gains[N_FEATURES];
    size_t chains, steps;
} learnt;

/* Learn: chances for each fold by trees grown without it, a rule fitted to those, and trees grown
 * from all. `chances`, one a row: room for them. */
int learn_forest(const learning *l, size_t without, double *chances, rdv_arena *arena, learnt *out,
                 rdv_error *err);
/* Is row `i` of the example wrong, as training says it with `after`; -1: it is left out. */
static inline int learn_row_class(const example *e, size_t i, rdv_reward_after after)
{
    if (e->label.kind != RDV_LABEL_AT || i < e->label.step)
        return 0;
    return i == e->label.step || after == RDV_AFTER_WRONG ? 1 : -1;
}

/* Figures of the examples for which judged[i] holds, by found[] and the chances of their rows. */
int report_figures(const rdv_trainer *t, const bool *judged, const rdv_label *found,
                   const double *chances, bool held_out, rdv_arena *arena, rdv_training *out,
                   rdv_error *err);
/* Calibration of the chances of the examples judged. */
void report_calibration(const rdv_trainer *t, const bool *judged, const double *chances,
                        rdv_reward_after after, rdv_training *out);
