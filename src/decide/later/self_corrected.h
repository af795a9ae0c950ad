/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Self-corrections: a calculation of which the chain says something else later. */
#include "decide/later/chain_text.h"

struct rule_set;

/* Mark in a whole chain each calculation that it corrects as RDV_CALC_SELF_CORRECTED, with the
 * place of the correction. A claim that is not right is corrected by another value of the same
 * thing: after a phrase that takes something back, by a later claim about it or by its true value;
 * in the first `n_thought` steps, which are reasoning, also by a later claim whose value is used
 * then. The other value has the last word: the one that is corrected does not occur after it.
 * Linear in the text. RDV_OK or RDV_E_NOMEM. */
int self_corrected_mark(step_calcs *steps, size_t n, size_t n_thought, const struct rule_set *rules,
                        rdv_arena *arena);
