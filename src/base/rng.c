/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rng.h"

void rdv_rng_seed(rdv_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        r->s[i] = rdv_mix(seed);
    }
}

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t rdv_rng_next(rdv_rng *r)
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t rdv_rng_below(rdv_rng *r, uint64_t n)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, x;
    do
        x = rdv_rng_next(r);
    while (x >= limit);
    return x % n;
}

double rdv_rng_unit(rdv_rng *r)
{
    return (double)(rdv_rng_next(r) >> 11) * 0x1.0p-53;
}

void rdv_rng_shuffle(rdv_rng *r, size_t *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = rdv_rng_below(r, i), t = items[i - 1];
        items[i - 1] = items[j];
        items[j] = t;
    }
}
