/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers for texts, in the order in which they first appear. */
#include "base/arena.h"
#include "base/map.h"

/* The number of `key` (p != NULL, must live as long as the map) into *id, 0 for the first one. *n
 * is how many there are, and grows by one when the key is new. RDV_OK or RDV_E_NOMEM. */
int rdv_id_of(rdv_map *map, rdv_str key, size_t *n, size_t *id);
/* Renumber: out[i] = the number of ids[i]; *n_out = how many different ones. RDV_OK or RDV_E_NOMEM.
 */
int rdv_ids_dense(const size_t *ids, size_t n, rdv_arena *arena, size_t **out, size_t *n_out);
