/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers texts in the order of their first appearance. */
#include "base/arena.h"
#include "base/map.h"

/* One copy of each distinct text; a text's number is its index. */
typedef struct interner {
    rdv_map map;
    rdv_str *texts;
    size_t n, cap;
} interner;

void interner_init(interner *in, rdv_arena *arena);
/* Writes the number of `text` to *id (an absent text counts as empty); a new text is copied. RDV_OK
 * or RDV_E_NOMEM. */
int interner_add(interner *in, rdv_str text, size_t *id);

/* Writes the number of `key` (p != NULL, must live as long as the map) to *id; the first number is
 * 0. *n is the number of keys and grows by one when the key is new. RDV_OK or RDV_E_NOMEM. */
int interner_number(rdv_map *map, rdv_str key, size_t *n, size_t *id);
/* The same for a text within `scope`, a number: a text has different numbers in different scopes. A
 * new text is copied. */
int interner_number_within(rdv_map *map, size_t scope, rdv_str text, size_t *n, size_t *id);
/* Renumbers the ids from 0, in their places; *n_out is the number of distinct ones. RDV_OK, or
 * RDV_E_NOMEM, after which the ids have no meaning. */
int interner_dense(uint32_t *ids, size_t n, rdv_arena *arena, size_t *n_out);
