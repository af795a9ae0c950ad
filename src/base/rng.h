/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Seeded random numbers: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. The same
 * seed gives the same numbers on every machine. Not for secrets. */
#include <rederive/base.h>

typedef struct rdv_rng {
    uint64_t s[4];
} rdv_rng;

/* splitmix64's finaliser (Steele, Lea and Flood 2014): each bit of the result depends on all. */
static inline uint64_t rdv_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void rdv_rng_seed(rdv_rng *r, uint64_t seed);
uint64_t rdv_rng_next(rdv_rng *r);
/* Uniform in 0 .. n-1 without bias; n must not be 0. */
uint64_t rdv_rng_below(rdv_rng *r, uint64_t n);
/* Uniform in [0, 1), 53 bits. */
double rdv_rng_unit(rdv_rng *r);
/* Put `n` indices in a uniformly random order (Fisher-Yates). */
void rdv_rng_shuffle(rdv_rng *r, size_t *items, size_t n);
