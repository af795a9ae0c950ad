/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Calculations as they are written down while somebody calculates: piece by piece. */
#include "claims/find.h"
#include "expression/reading_eval.h"

/* Why the sides of a link, which differ, may be no claim that they are equal; NULL: no such reason.
 * - "1 + 2.5 + 3 = 1 + 2.5 is 3.5": the right side is the first piece of the left one.
 * - "33 * 45.3 = 33 * 40 = 1320, plus 33 * 5.3": it is the left one with a part of a factor, and
 *   the rest follows.
 * - "1 + 40 * 0.5 = 20 + 63": it goes on from the last piece.
 * - "1 (the middle) plus 48/2 = 24 pairs, for a total of 25": the sentence goes on to the value.
 * - "2.9 + 0.1 = 3.0e-27", "1.7e-12 * 3 = 1.7 * 3": a power of ten is carried beside.
 * - "1 - 2 - 3=4 - 5", "4=2=6 < 1=3=5": numbers that only name. */
const char *decomposition_explains(const reading_eval *t, const equality *chain, size_t i);
