/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a step says of the expression at the end of the step before: "So we have 8 * 4 - 3." "This
 * is equal to 32." */
#include "decide/calculator.h"

/* Add what is decided of it. `offset` is that of the text of `t` in the step. RDV_OK or
 * RDV_E_NOMEM. */
int derive_restated_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);

/* May the step begin with such words? */
bool derive_restated_may_be_in(rdv_str step);
