/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Calculations in words: "48 plus 24 is 71", "half of 48 is 25", "the sum of 3 and 5 is 9",
 * "subtract 5 from 12 to get 8". Only a whole clause is read: an operation on numbers, a word that
 * claims its result, and one number. */
#include "claims/find.h"
#include "language/rule.h"

/* May the text hold one? A quick look, so that most texts need not be cut into tokens. */
bool verbal_may_be_in(rdv_str text);

/* Append those of the text to `out` in `arena`, by rows that `rules` has not switched off;
 * equalities of `out` that lie within one of them are removed, since they read a part of it. RDV_OK
 * or RDV_E_NOMEM. */
int verbal_find(const tokens *t, const rule_set *rules, rdv_arena *arena, equalities *out);
