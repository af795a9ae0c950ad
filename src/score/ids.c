/* SPDX-License-Identifier: Apache-2.0 */
#include "score/ids.h"

int rdv_id_of(rdv_map *map, rdv_str key, size_t *n, size_t *id)
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

int rdv_ids_dense(const size_t *ids, size_t n, rdv_arena *arena, size_t **out, size_t *n_out)
{
    size_t *dense = RDV_NEW_ARRAY(arena, size_t, n), found = 0;
    if (!dense)
        return RDV_E_NOMEM;
    rdv_map map;
    rdv_map_init(&map, arena);
    for (size_t i = 0; i < n; i++) {
        rdv_str bytes = {(const char *)&ids[i], sizeof ids[i]};
        int r = rdv_id_of(&map, bytes, &found, &dense[i]);
        if (r < 0)
            return r;
    }
    *out = dense;
    *n_out = found;
    return RDV_OK;
}
