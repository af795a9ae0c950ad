/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Deciding sums, differences and lengths of times of day (claims/clock.h). */
#include "decide/calculator.h"

/* Decide those of the text and add them to `out`. A claim that the text does not make, or that may
 * be about several time zones, is passed over. Undecided is what is right by the other half of the
 * day, on another day, or as a calculation with ratios. RDV_OK or RDV_E_NOMEM. */
int clock_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);
