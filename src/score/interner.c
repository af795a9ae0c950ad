/* SPDX-License-Identifier: Apache-2.0 */
#include "score/interner.h"

#include "base/str.h"

void interner_init(interner *in, rdv_arena *arena)
{
    *in = (interner){0};
    rdv_map_init(&in->map, arena);
}

int interner_add(interner *in, rdv_str text, size_t *id)
{
    text = text.p ? text : RDV_STR("");
    *id = rdv_map_get(&in->map, text);
    if (*id != RDV_MAP_MISSING)
        return RDV_OK;
    rdv_str copy = rdv_str_copy(in->map.arena, text);
    if (!copy.p || !RDV_PUSH_ROOM(in->map.arena, in->texts, in->n, in->cap) ||
        rdv_map_put(&in->map, copy, in->n) < 0)
        return RDV_E_NOMEM;
    in->texts[in->n] = copy;
    *id = in->n++;
    return RDV_OK;
}

int interner_number(rdv_map *map, rdv_str key, size_t *n, size_t *id)
{
    size_t found = rdv_map_get(map, key);
    if (found == RDV_MAP_MISSING) {
        int r = rdv_map_put(map, key, *n);
        if (r < 0)
            return r;
        found = (*n)++;
    }
    *id = found;
    return RDV_OK;
}

int interner_number_within(rdv_map *map, size_t scope, rdv_str text, size_t *n, size_t *id)
{
    rdv_mark mark = rdv_arena_mark(map->arena);
    size_t len = sizeof scope + text.len;
    char *key = rdv_alloc(map->arena, len);
    if (!key)
        return RDV_E_NOMEM;
    memcpy(key, &scope, sizeof scope);
    if (text.len)
        memcpy(key + sizeof scope, text.p, text.len);
    *id = rdv_map_get(map, (rdv_str){key, len});
    if (*id == RDV_MAP_MISSING)
        return interner_number(map, (rdv_str){key, len}, n, id);
    rdv_arena_rewind(map->arena, mark);
    return RDV_OK;
}

/* The same where no number is more than `most`. */
static int dense_by_table(uint32_t *ids, size_t n, size_t most, rdv_arena *arena, size_t *n_out)
{
    uint32_t *number = RDV_NEW_ARRAY(arena, uint32_t, most + 1); /* one more; 0: none yet */
    uint32_t found = 0;
    if (!number)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        if (number[ids[i]] == 0)
            number[ids[i]] = ++found;
        ids[i] = number[ids[i]] - 1;
    }
    *n_out = found;
    return RDV_OK;
}

int interner_dense(uint32_t *ids, size_t n, rdv_arena *arena, size_t *n_out)
{
    size_t found = 0, most = 0, number;
    for (size_t i = 0; i < n; i++)
        most = ids[i] > most ? ids[i] : most;
    if (most / 4 < n && n < UINT32_MAX)
        return dense_by_table(ids, n, most, arena, n_out);
    rdv_map map;
    rdv_map_init(&map, arena);
    for (size_t i = 0; i < n; i++) {
        rdv_str key = {(const char *)&ids[i], sizeof ids[i]};
        number = rdv_map_get(&map, key);
        if (number == RDV_MAP_MISSING) {
            key = rdv_str_copy(arena, key); /* its place is written to */
            if (!key.p || rdv_map_put(&map, key, number = found++) < 0)
                return RDV_E_NOMEM;
        }
        ids[i] = (uint32_t)number;
    }
    *n_out = found;
    return RDV_OK;
}
