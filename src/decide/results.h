/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The calculations of a step that were decided. */
#include "base/arena.h"
#include "decide/decide.h"

typedef struct results {
    rdv_calc *at;
    size_t n, cap;
} results;

/* Add what was decided of term[i] = term[i+1], which begins `offset` bytes into the step. The list
 * grows in `arena`. RDV_OK or RDV_E_NOMEM. */
int results_add(results *out, rdv_arena *arena, const tokens *t, size_t offset,
                const equality *chain, size_t i, const decision *d, bool marked);

/* Leave a calculation undecided, for the reason that the rule gives. */
void results_withhold(rdv_calc *calc, const struct rule *by);
