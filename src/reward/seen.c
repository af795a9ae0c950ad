/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/seen.h"

static seen_slot *slot_of(seen_slot *slots, size_t cap, uint64_t hash)
{
    size_t i = (size_t)(hash * 0x9e3779b97f4a7c15u >> 20) & (cap - 1);
    while (slots[i].hash && slots[i].hash != hash)
        i = (i + 1) & (cap - 1);
    return &slots[i];
}

size_t seen_when(const seen *s, uint64_t hash)
{
    hash += hash == 0;
    const seen_slot *slot = s->cap ? slot_of(s->slots, s->cap, hash) : NULL;
    return slot && slot->hash ? slot->step : SEEN_NEVER;
}

static bool grow(seen *s)
{
    size_t cap = s->cap ? s->cap * 2 : 256;
    seen_slot *slots = RDV_NEW_ARRAY(s->arena, seen_slot, cap);
    if (!slots)
        return false;
    for (size_t i = 0; i < s->cap; i++)
        if (s->slots[i].hash)
            *slot_of(slots, cap, s->slots[i].hash) = s->slots[i];
    s->slots = slots;
    s->cap = cap;
    return true;
}

int seen_add(seen *s, uint64_t hash, size_t step)
{
    hash += hash == 0;
    if (s->n * 2 >= s->cap && !grow(s))
        return RDV_E_NOMEM;
    seen_slot *slot = slot_of(s->slots, s->cap, hash);
    s->n += slot->hash == 0;
    *slot = (seen_slot){hash, step};
    return RDV_OK;
}
