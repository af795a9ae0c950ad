/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rng.h"

#include <string.h>

#define STATE_BITS 256

void rdv_rng_seed(rdv_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        r->s[i] = rdv_mix(seed);
    }
}

uint64_t rdv_rng_below(rdv_rng *r, uint64_t n)
{
    rdv_range range = rdv_range_of(n);
    bool redrawn;
    return rdv_range_draw(&range, r, &redrawn);
}

/* The state behind a linear step of which states[i] is what bit i alone becomes. */
static rdv_rng moved(const rdv_rng *states, rdv_rng from)
{
    rdv_rng to = {{0}};
    for (size_t i = 0; i < STATE_BITS; i++) {
        uint64_t mask = -(from.s[i / 64] >> i % 64 & 1);
        for (size_t k = 0; k < 4; k++)
            to.s[k] ^= states[i].s[k] & mask;
    }
    return to;
}

void rdv_rng_skip(rdv_rng *r, uint64_t n)
{
    rdv_rng step[STATE_BITS], twice[STATE_BITS];
    for (size_t i = 0; i < STATE_BITS; i++) {
        step[i] = (rdv_rng){{0}};
        step[i].s[i / 64] = UINT64_C(1) << i % 64;
        rdv_rng_next(&step[i]);
    }
    for (; n; n >>= 1) {
        if (n & 1)
            *r = moved(step, *r);
        for (size_t i = 0; n > 1 && i < STATE_BITS; i++)
            twice[i] = moved(step, step[i]);
        if (n > 1)
            memcpy(step, twice, sizeof step);
    }
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
