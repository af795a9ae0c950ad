/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Deciding what a text says about numbers in words: primes, divisors, remainders, what is greater.
 */
#include "decide/calculator.h"

/* Decide the statements of the text and add them to `out`. One that the text does not claim, or
 * that may be about other numbers than the usual ones, is passed over. RDV_OK or RDV_E_NOMEM. */
int statement_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);
