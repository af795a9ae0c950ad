/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"
#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"

#include <endian.h>

struct rdv_map_slot {
    rdv_str key; /* p == NULL: free */
    uint64_t hash;
    size_t value;
};

/* Fewer than eight bytes as a number, the first the lowest. */
static uint64_t tail_of(rdv_str s)
{
    uint64_t word = 0;
    if (s.len >= 4) { /* the two fours share bytes */
        uint32_t low, high;
        memcpy(&low, s.p, sizeof low);
        memcpy(&high, s.p + s.len - 4, sizeof high);
        return le32toh(low) | (uint64_t)le32toh(high) << 8 * (s.len - 4);
    }
    for (size_t i = 0; i < s.len; i++)
        word |= (uint64_t)(unsigned char)s.p[i] << (8 * i);
    return word;
}

/* Eight bytes at a time through splitmix64's finaliser: not cryptographic, well spread. */
uint64_t rdv_hash(rdv_str s, uint64_t seed)
{
    uint64_t h = rdv_mix(seed ^ (s.len * 0x9e3779b97f4a7c15u));
    for (; s.len >= 8; s.p += 8, s.len -= 8) {
        uint64_t word;
        memcpy(&word, s.p, sizeof word);
        h = rdv_mix(h ^ le64toh(word)) + 0x9e3779b97f4a7c15u;
    }
    if (s.len)
        h = rdv_mix(h ^ tail_of(s)) + 0x9e3779b97f4a7c15u;
    return h;
}

void rdv_map_init(rdv_map *m, rdv_arena *arena)
{
    *m = (rdv_map){.arena = arena, .seed = rdv_mix((uint64_t)(uintptr_t)arena)};
}

static struct rdv_map_slot *slot_of(struct rdv_map_slot *slots, size_t cap, rdv_str key,
                                    uint64_t hash)
{
    for (size_t i = hash & (cap - 1);; i = (i + 1) & (cap - 1)) {
        struct rdv_map_slot *s = &slots[i];
        if (!s->key.p || (s->hash == hash && rdv_str_eq(s->key, key)))
            return s;
    }
}

size_t rdv_map_get(const rdv_map *m, rdv_str key)
{
    if (!m->cap)
        return RDV_MAP_MISSING;
    const struct rdv_map_slot *s = slot_of(m->slots, m->cap, key, rdv_hash(key, m->seed));
    return s->key.p ? s->value : RDV_MAP_MISSING;
}

static int grow(rdv_map *m)
{
    size_t cap = m->cap ? m->cap * 2 : 16;
    struct rdv_map_slot *slots = RDV_NEW_ARRAY(m->arena, struct rdv_map_slot, cap);
    if (!slots)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < m->cap; i++)
        if (m->slots[i].key.p)
            *slot_of(slots, cap, m->slots[i].key, m->slots[i].hash) = m->slots[i];
    rdv_give_back(m->arena, m->slots, m->cap * sizeof *m->slots);
    m->slots = slots;
    m->cap = cap;
    return RDV_OK;
}

int rdv_map_put(rdv_map *m, rdv_str key, size_t value)
{
    if (m->n + 1 > m->cap - m->cap / 4 && grow(m) < 0)
        return RDV_E_NOMEM;
    if (!key.p)
        key.p = "";
    uint64_t hash = rdv_hash(key, m->seed);
    struct rdv_map_slot *s = slot_of(m->slots, m->cap, key, hash);
    if (!s->key.p) {
        *s = (struct rdv_map_slot){.key = key, .hash = hash};
        m->n++;
    }
    s->value = value;
    return RDV_OK;
}
