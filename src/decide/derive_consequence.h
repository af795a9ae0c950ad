/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Equations that follow from the one before, in the same step or at the end of an earlier one.
 */
#include "decide/calculator.h"

/* Add what the equality found[e] concludes from the one before, or derives from it. RDV_OK;
 * RDV_NONE: nothing; RDV_E_NOMEM. */
int derive_consequence_decide(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                              const equalities *found, size_t e);

/* Keep the equation in letters that ends the text, for the next step. RDV_OK or RDV_E_NOMEM. */
int derive_consequence_keep(rdv_calculator *c, const tokens *t, const equalities *found);

/* A step without an equality: the equation before it is kept where the step says what is done to
 * it. */
void derive_consequence_pass_over(rdv_calculator *c, rdv_str step);
