/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Growing trees with libxgboost (reward/xgboost.h). */
#include "reward/feature.h"
#include "reward/forest.h"

typedef struct boost_options {
    size_t trees, depth;
    uint64_t seed;
    const bool *use; /* of N_FEATURES: which the trees may ask */
} boost_options;

/* Grow trees on `n` rows of N_FEATURES numbers; wrong[i]: what row i is. *out in `arena`. gains, of
 * N_FEATURES: what the splits on each feature won is added there. Faults: RDV_E_NOMEM,
 * RDV_E_IO (libxgboost is not installed), RDV_E_INTERNAL. */
int boost_grow(const float *rows, const bool *wrong, size_t n, const boost_options *options,
               rdv_arena *arena, forest *out, double *gains, rdv_error *err);
