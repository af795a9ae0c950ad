/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Equalities with letters that the text claims for all their values. */
#include "decide/decide.h"

/* Does the text say so of every letter, without a condition: "... for all a and b"? */
bool for_all_is_claimed(const knowledge *k, const expression *lhs, const expression *rhs);

/* Do the sides differ at each of several points, where the letters are positive? */
bool for_all_differ(const knowledge *k, const expression *lhs, const expression *rhs);

/* Values of the letters for which the sides differ: both sides' values into `out`, which becomes
 * wrong and names the letters' values in its note. RDV_OK; RDV_NONE: none was found; RDV_E_NOMEM.
 */
int for_all_disproved(const knowledge *k, const expression *lhs, const expression *rhs,
                      decision *out);
