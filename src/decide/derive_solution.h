/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Equations in one letter, and what the text concludes from them: "2x = 14, so x = 8" and
 * "2x + 3 = 11, so 2x = 7". */
#include "decide/decide.h"

/* Does `next`, the equality after `given`, follow from it? Only where a word or sign concludes it
 * and nothing else stands between them. `out` has the value of the left side of the equation that
 * is put to the test: `given`'s if `next` gives the letter a value (*tested is 0), else `next`'s
 * (*tested is 1). RDV_OK; RDV_NONE: this cannot be told; RDV_E_NOMEM. */
int derive_solution_decide(const knowledge *k, const equality *given, const equality *next,
                           int *tested, decision *out);

/* Are the `n` values roots of the equation `given`, in one letter? Wrong where one is none, and
 * `out` has the value of the left side there; right where all are, and, if they are said to be
 * `all`, it has no others. RDV_OK; RDV_NONE: this cannot be told; RDV_E_NOMEM. */
int derive_solution_roots(const knowledge *k, const equality *given, const expression *values,
                          size_t n, bool all, decision *out);

/* Do words stand in the side, or is the letter the name of a function, "f(2)", or the end of a
 * fraction without brackets, "96/x - 4"? */
bool derive_solution_is_unclear(const tokens *t, const expression *side, rdv_str letter);

/* Does "or" stand beside tokens `begin` to `end`, one of several solutions? */
bool derive_solution_is_alternative(const tokens *t, size_t begin, size_t end);
