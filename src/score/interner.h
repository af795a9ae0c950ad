/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers for texts, in the order in which they first appear. */
#include "base/arena.h"
#include "base/map.h"

/* Texts with one copy of each; a text's number is its index. */
typedef struct interner {
    rdv_map map;
    rdv_str *texts;
    size_t n, cap;
} interner;

void interner_init(interner *in, rdv_arena *arena);
/* The number of `text` (absent counts as empty), which is copied where it is new. RDV_OK or
 * RDV_E_NOMEM. */
int interner_add(interner *in, rdv_str text, size_t *id);

/* The number of `key` (p != NULL, must live as long as the map) into *id, 0 for the first one. *n
 * is how many there are, and grows by one when the key is new. RDV_OK or RDV_E_NOMEM. */
int interner_number(rdv_map *map, rdv_str key, size_t *n, size_t *id);
/* The same for a text within `scope`, a number: one text has different numbers in two scopes. The
 * text is copied where it is new. */
int interner_number_within(rdv_map *map, size_t scope, rdv_str text, size_t *n, size_t *id);
/* Renumber: out[i] = the number of ids[i]; *n_out = how many different ones. RDV_OK or RDV_E_NOMEM.
 */
int interner_dense(const size_t *ids, size_t n, rdv_arena *arena, size_t **out, size_t *n_out);
