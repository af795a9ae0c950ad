/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Two values that are one expression each: by proof and by the nearness that is allowed; in other
 * bases, with units, and with a decimal comma. */
#include "answer/measure.h"
#include "grade/outcome.h"

/* The text and the key of each count, not its unit. */
rdv_same compare_expressions(comparer *c, const answer_value *a, const answer_value *g);

/* Have both a known unit, and not the same one? The units into *am and *gm. */
bool compare_units_differ(const answer_value *a, const answer_value *g, measure *am, measure *gm);

/* 100 cm is 1 m, 5 cm is not 5 m. For values of which the units differ. */
rdv_same compare_quantities(comparer *c, const answer_value *a, measure am, const answer_value *g,
                            measure gm);

/* "1000,99" as one number, into *out: a list of digits alone, without a blank after the comma.
 * False: it is none, or there is a fault. */
bool compare_decimal_comma(comparer *c, const answer_value *list, answer_value *out);
