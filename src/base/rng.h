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
static inline uint64_t rdv_rng_rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rdv_rng_next(rdv_rng *r)
{
    uint64_t *s = r->s, result = rdv_rng_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rdv_rng_rotl(s[3], 45);
    return result;
}

/* Uniform in 0 .. n-1 without bias; n must not be 0. */
uint64_t rdv_rng_below(rdv_rng *r, uint64_t n);

/* 0 .. n-1, for many draws: a draw of rdv_rng_below() divides twice, one of these multiplies. */
typedef struct rdv_range {
    uint64_t n, limit; /* draws from `limit` on would favour small numbers */
    uint64_t inverse;
} rdv_range;

/* n must not be 0. */
static inline rdv_range rdv_range_of(uint64_t n)
{
    return (rdv_range){n, UINT64_MAX - UINT64_MAX % n, UINT64_MAX / n};
}

/* The number that rdv_rng_below() would draw. *redrawn: set where the first one favoured some. */
static inline uint64_t rdv_range_draw(const rdv_range *range, rdv_rng *r, bool *redrawn)
{
    uint64_t x = rdv_rng_next(r);
    for (; x >= range->limit; x = rdv_rng_next(r))
        *redrawn = true;
    /* The quotient is right or one too small. */
    uint64_t quotient = (uint64_t)(((unsigned __int128)x * range->inverse) >> 64);
    uint64_t rest = x - quotient * range->n;
    return rest >= range->n ? rest - range->n : rest;
}

/* As if `n` numbers had been drawn by rdv_rng_next(), in time that grows with the bits of n. */
void rdv_rng_skip(rdv_rng *r, uint64_t n);
/* Uniform in [0, 1), 53 bits. */
double rdv_rng_unit(rdv_rng *r);
/* Put `n` indices in a uniformly random order (Fisher-Yates). */
void rdv_rng_shuffle(rdv_rng *r, size_t *items, size_t n);
