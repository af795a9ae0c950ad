/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rng.h"

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
    return rdv_range_draw(&range, r);
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
