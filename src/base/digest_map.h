/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A map from 128-bit hashes of texts to numbers, in an arena, for millions of them: an entry takes
 * 21 to 50 bytes, where one of a map of texts takes 80 and its text. No deletion. Texts with equal
 * hashes count as equal. The hashes of rdv_digest_of() are keyed by a seed taken from the arena's
 * address, so input cannot be made to collide. */
#include <rederive/base.h>

typedef struct rdv_digest {
    uint64_t half[2];
} rdv_digest;

typedef struct rdv_digest_map {
    rdv_arena *arena;
    uint64_t seed;
    rdv_digest *keys; /* in the order of their arrival */
    uint32_t *values; /* NULL as long as the value of each is its index */
    size_t n, cap_keys, cap_values;
    uint32_t *slots; /* 0: free; else the index of an entry, and 1 */
    size_t n_slots;  /* 0 or a power of two */
} rdv_digest_map;

#define RDV_DIGEST_MAP_MOST ((size_t)UINT32_MAX - 1) /* entries, and the largest value */

void rdv_digest_map_init(rdv_digest_map *map, rdv_arena *arena);
/* The key of a text within `scope`, a number: a text has different keys in different scopes. */
rdv_digest rdv_digest_of(const rdv_digest_map *map, uint64_t scope, rdv_str text);
/* Gives back what the entries take, as far as rdv_give_back() can. Nothing may be added any more.
 */
void rdv_digest_map_drop(rdv_digest_map *map);
/* Adds `key` with `value`, unless it has a value; *out is the one that it has. RDV_OK; RDV_E_NOMEM,
 * also for one entry more than RDV_DIGEST_MAP_MOST, or a larger value. */
int rdv_digest_map_add(rdv_digest_map *map, rdv_digest key, size_t value, size_t *out);
