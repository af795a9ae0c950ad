/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A map from text to size_t, in an arena: open addressing, keys borrowed, no deletion. Hashes are
 * keyed by a per-map seed taken from the arena's address, so input cannot be made to collide. */
#include <rederive/base.h>

typedef struct rdv_map {
    rdv_arena *arena;
    struct rdv_map_slot *slots;
    size_t n, cap; /* cap is 0 or a power of two */
    uint64_t seed;
} rdv_map;

#define RDV_MAP_MISSING ((size_t)-1)

void rdv_map_init(rdv_map *m, rdv_arena *arena);
/* The value of `key`, or RDV_MAP_MISSING. */
size_t rdv_map_get(const rdv_map *m, rdv_str key);
/* Set the value of `key`, which must live as long as the map. RDV_OK or RDV_E_NOMEM. */
int rdv_map_put(rdv_map *m, rdv_str key, size_t value);
/* A good 64-bit hash of the bytes, the same on every machine and run for the same seed. */
uint64_t rdv_hash(rdv_str s, uint64_t seed);
