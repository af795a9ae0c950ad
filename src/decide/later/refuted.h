/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Calculations that later steps refute: what was only supposed, and what a step takes back that
 * begins with "Not equal." */
#include "decide/later/chain_text.h"

struct rule_set;

/* Leave each wrong calculation of reasoning, the first `n_thought` steps, undecided that the next
 * sentence takes back, in whichever step it stands, or that stands between a supposition and its
 * refutation. Linear. */
void refuted_mark(const chain_text *of, step_calcs *steps, size_t n_thought,
                  const struct rule_set *rules);
