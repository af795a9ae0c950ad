/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Congruences of numbers: "17 \equiv 2 \pmod 5". */
#include "claims/find.h"

/* Append those of the text to `out` in `arena`, each side as its residue. RDV_OK or RDV_E_NOMEM. */
int congruence_find(const tokens *t, rdv_arena *arena, equalities *out);
