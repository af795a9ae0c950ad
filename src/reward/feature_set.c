/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/feature_set.h"

static feature_set_slot *slot_of(feature_set_slot *slots, size_t cap, uint64_t hash)
{
    size_t i = (size_t)(hash * 0x9e3779b97f4a7c15u >> 20) & (cap - 1);
    while (slots[i].hash && slots[i].hash != hash)
        i = (i + 1) & (cap - 1);
    return &slots[i];
}

size_t feature_set_last(const feature_set *s, uint64_t hash)
{
    hash += hash == 0;
    const feature_set_slot *slot = s->cap ? slot_of(s->slots, s->cap, hash) : NULL;
    return slot && slot->hash ? slot->step : FEATURE_SET_NEVER;
}

static bool grow(feature_set *s)
{
    size_t cap = s->cap ? s->cap * 2 : 256;
    feature_set_slot *slots = RDV_NEW_ARRAY(s->arena, feature_set_slot, cap);
    if (!slots)
        return false;
    for (size_t i = 0; i < s->cap; i++)
        if (s->slots[i].hash)
            *slot_of(slots, cap, s->slots[i].hash) = s->slots[i];
    s->slots = slots;
    s->cap = cap;
    return true;
}

int feature_set_add(feature_set *s, uint64_t hash, size_t step)
{
    hash += hash == 0;
    if (s->n * 2 >= s->cap && !grow(s))
        return RDV_E_NOMEM;
    feature_set_slot *slot = slot_of(s->slots, s->cap, hash);
    s->n += slot->hash == 0;
    *slot = (feature_set_slot){hash, step};
    return RDV_OK;
}
