/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Equalities of complex numbers, "(2 + i)(3 - i) = 7 + i": i^2 is -1. */
#include "decide/decide.h"

/* Decide `link`, an equality of two sides, where i is its only letter, the text or the question
 * shows that i is the imaginary unit, and it cannot be an equation with the unknown i. Right or
 * wrong; wrong only where nothing says that it is not claimed. RDV_OK; RDV_NONE: it is no such
 * equality, or cannot be decided; RDV_E_NOMEM. */
int complex_decide(const knowledge *k, const equality *link, decision *out);
