/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A name that is given a calculation, and then what it comes to: "x = 90/3, so x = 31". */
#include "decide/decide.h"

/* Does `next` say what the calculation comes to that `given`, the equality before it in the same
 * text, gives to a name? Then *both, whose two sides `sides` holds, are the calculation and its
 * result. */
bool derive_worked_out_find(const knowledge *k, const equality *given, const equality *next,
                            expression sides[2], bool approximate[2], equality *both);
