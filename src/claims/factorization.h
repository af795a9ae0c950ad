/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A number and the product into which a text factors it: "the prime factorization of 60 is 2^2 * 3
 * * 5", "we factor 2009 as 7 * 7 * 41", "60 factors as 4 * 15". */
#include "claims/find.h"

/* Append each to `out`, in `arena`, as an equality of the number and the product. RDV_OK or
 * RDV_E_NOMEM. */
int factorization_find(const tokens *t, rdv_arena *arena, equalities *out);
/* May one be in the text? Most texts are passed over at a glance. */
bool factorization_may_be_in(rdv_str text);
