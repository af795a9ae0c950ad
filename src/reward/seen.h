/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A set of hashes that grows, in an arena; each with the number of the step that had it last. */
#include "base/arena.h"

typedef struct seen_slot {
    uint64_t hash; /* 0: empty */
    size_t step;
} seen_slot;

typedef struct seen {
    rdv_arena *arena;
    seen_slot *slots;
    size_t n, cap;
} seen;

#define SEEN_NEVER ((size_t)-1)

/* The step that had it last, or SEEN_NEVER. */
size_t seen_when(const seen *s, uint64_t hash);
/* RDV_OK or RDV_E_NOMEM. */
int seen_add(seen *s, uint64_t hash, size_t step);
