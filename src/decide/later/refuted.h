/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Calculations that later steps refute: what was only supposed, and what a step takes back that
 * begins with "Not equal." */
#include "decide/later/chain_text.h"

struct rule_set;

/* Leave each wrong calculation of the `n` steps undecided that stands between a supposition, or the
 * announcement of a check, and its refutation, in whichever steps these stand. So is in reasoning,
 * the first `n_thought` steps, what the next sentence takes back; elsewhere only what compares two
 * sides and gives no result. Linear. */
void refuted_mark(const chain_text *of, step_calcs *steps, size_t n, size_t n_thought,
                  const struct rule_set *rules);
