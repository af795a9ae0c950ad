/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A growing set of hashed features of text (words, triples, steps), in an arena; each hash has the
 * number of the last step in which it occurred. */
#include "base/arena.h"

typedef struct feature_set_slot {
    uint64_t hash; /* 0: empty */
    size_t step;
} feature_set_slot;

typedef struct feature_set {
    rdv_arena *arena;
    feature_set_slot *slots;
    size_t n, cap;
} feature_set;

#define FEATURE_SET_NEVER ((size_t)-1)

/* The last step in which the hash occurred, or FEATURE_SET_NEVER. */
size_t feature_set_last(const feature_set *s, uint64_t hash);
/* RDV_OK or RDV_E_NOMEM. */
int feature_set_add(feature_set *s, uint64_t hash, size_t step);
