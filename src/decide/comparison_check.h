/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Deciding which of two numbers is greater, where a sign says so: "3 * 4 > 15". */
#include "decide/calculator.h"

/* Decide the comparisons of the text and add them to `out`. One that the text does not claim is
 * passed over. A formula without words that does not hold, and is no result's, is undecided: it may
 * be tried. So are two numbers in another order, which may be names that are ranked: "4 < 2 < 6";
 * in their order nothing is said of them. RDV_OK or RDV_E_NOMEM. */
int comparison_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);
