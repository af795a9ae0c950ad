/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The calculations of a step that were decided. */
#include "decide/calc_list.h"
#include "decide/decide.h"

/* Add what was decided of term[i] = term[i+1], which begins `offset` bytes into the step. As
 * calc_list_put(). */
int results_add(calc_list *out, rdv_arena *arena, const tokens *t, size_t offset,
                const equality *chain, size_t i, const decision *d, bool marked);

/* Leave a calculation undecided, for the reason that the rule gives. */
void results_withhold(rdv_calc *calc, const struct rule *by);
