/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The values of a function that is defined by a formula: "f(x) = x^2 + 1, so f(3) = 11". */
#include "decide/calculator.h"

/* Decide what the tokens state of functions that the question, a step before or the tokens define
 * once; each is added to `out`. RDV_OK or RDV_E_NOMEM. */
int function_value_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);
