/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Deciding whether the values that a sentence calls the roots of an equation solve it. */
#include "decide/calculator.h"

/* Decide those of the text (claims/roots.h) and add them to `out`: wrong where a value does not
 * solve the equation; right where all do, and there are no others. RDV_OK or RDV_E_NOMEM. */
int roots_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);
