/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest_map.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"

void rdv_digest_map_init(rdv_digest_map *map, rdv_arena *arena)
{
    *map = (rdv_digest_map){.arena = arena, .seed = rdv_mix((uint64_t)(uintptr_t)arena)};
}

rdv_digest rdv_digest_of(const rdv_digest_map *map, uint64_t scope, rdv_str text)
{
    uint64_t seed = rdv_mix(map->seed + scope);
    return (rdv_digest){{rdv_hash(text, seed), rdv_hash(text, ~seed)}};
}

static bool is_same(const rdv_digest *a, const rdv_digest *b)
{
    return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

/* The slot of the key, or the free one where it belongs. */
static uint32_t *slot_of(const rdv_digest_map *map, const rdv_digest *key)
{
    size_t mask = map->n_slots - 1, i = (size_t)key->half[0] & mask;
    while (map->slots[i] && !is_same(&map->keys[map->slots[i] - 1], key))
        i = (i + 1) & mask;
    return &map->slots[i];
}

/* Where a key belongs that is not there yet, without a look at the others. */
static uint32_t *free_slot(const rdv_digest_map *map, const rdv_digest *key)
{
    size_t mask = map->n_slots - 1, i = (size_t)key->half[0] & mask;
    while (map->slots[i])
        i = (i + 1) & mask;
    return &map->slots[i];
}

static int grow_slots(rdv_digest_map *map)
{
    uint32_t *old = map->slots;
    size_t n = map->n_slots ? map->n_slots * 2 : 16;
    uint32_t *slots = RDV_NEW_ARRAY(map->arena, uint32_t, n);
    if (!slots)
        return RDV_E_NOMEM;
    size_t before = map->n_slots * sizeof *old;
    map->slots = slots;
    map->n_slots = n;
    for (size_t i = 0; i < map->n; i++)
        *free_slot(map, &map->keys[i]) = (uint32_t)i + 1;
    rdv_give_back(map->arena, old, before);
    return RDV_OK;
}

/* Keep the values of the entries apart, from the one that comes on. */
static bool part_values(rdv_digest_map *map)
{
    size_t cap = map->n + 1;
    map->values = rdv_regrow_large(map->arena, NULL, 0, cap * sizeof *map->values);
    map->cap_values = map->values ? cap : 0;
    for (size_t i = 0; i < map->n && map->values; i++)
        map->values[i] = (uint32_t)i;
    return map->values != NULL;
}

int rdv_digest_map_add(rdv_digest_map *map, rdv_digest key, size_t value, size_t *out)
{
    if (value > RDV_DIGEST_MAP_MOST || map->n >= RDV_DIGEST_MAP_MOST)
        return RDV_E_NOMEM;
    if (map->n + 1 > map->n_slots - map->n_slots / 4 && grow_slots(map) < 0)
        return RDV_E_NOMEM;
    uint32_t *slot = slot_of(map, &key);
    if (!*slot) {
        if (!RDV_PUSH_ROOM_LARGE(map->arena, map->keys, map->n, map->cap_keys) ||
            (value != map->n && !map->values && !part_values(map)) ||
            (map->values && !RDV_PUSH_ROOM_LARGE(map->arena, map->values, map->n, map->cap_values)))
            return RDV_E_NOMEM;
        map->keys[map->n] = key;
        if (map->values)
            map->values[map->n] = (uint32_t)value;
        *slot = (uint32_t)++map->n;
    }
    *out = map->values ? map->values[*slot - 1] : *slot - 1;
    return RDV_OK;
}

void rdv_digest_map_drop(rdv_digest_map *map)
{
    rdv_give_back(map->arena, map->keys, map->cap_keys * sizeof *map->keys);
    rdv_give_back(map->arena, map->values, map->cap_values * sizeof *map->values);
    rdv_give_back(map->arena, map->slots, map->n_slots * sizeof *map->slots);
    *map = (rdv_digest_map){0};
}
