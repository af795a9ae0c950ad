/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Chains written down in tests. */

#include "../test.h"
#include "reward/reward.h"

/* A chain of the C strings in `steps`, which end in NULL; in `arena`. */
static inline rdv_chain chain_of(rdv_arena *arena, const char *question, const char *const *steps)
{
    rdv_chain chain = {.question = {.text = rdv_str_of(question)}, .correct = -1};
    while (steps[chain.n_steps])
        chain.n_steps++;
    chain.steps = RDV_NEW_ARRAY(arena, rdv_str, chain.n_steps);
    assert_non_null(chain.steps);
    for (size_t i = 0; i < chain.n_steps; i++)
        chain.steps[i] = rdv_str_of(steps[i]);
    return chain;
}

/* The place of a feature that must be there. */
static inline size_t feature_at(const char *name)
{
    size_t n;
    const rdv_feature *features = rdv_features(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(features[i].name, name) == 0)
            return i;
    fail_msg("there is no feature %s", name);
    return 0;
}

static inline float *measured(const rdv_chain *chain, rdv_arena *arena)
{
    float *rows;
    assert_int_equal(rdv_features_measure(chain, arena, &rows, NULL), RDV_OK);
    return rows;
}

static inline float value_of(const float *rows, size_t step, const char *name)
{
    size_t n;
    rdv_features(&n);
    return rows[step * n + feature_at(name)];
}

#define assert_value(rows, step, name, expected)                                                   \
    do {                                                                                           \
        float value_ = value_of(rows, step, name);                                                 \
        if (!(value_ == (float)(expected)))                                                        \
            fail_msg("%s of step %d is %g, not %g", name, (int)(step), (double)value_,             \
                     (double)(expected));                                                          \
    } while (0)
