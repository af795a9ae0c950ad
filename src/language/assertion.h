/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Does the author assert an equality? Negated, hypothetical, quoted, reported, questioned or
 * retracted equalities are not assertions. */
#include <rederive/base.h>

/* The reason, one line, why the equality from byte `begin` to `end` is not asserted; NULL: it is.
 * Looks at 200 bytes on each side. */
const char *assertion_not(rdv_str text, size_t begin, size_t end);

/* Do the words right before byte `begin` deny what follows ("it is not true that")? */
bool assertion_denied(rdv_str text, size_t begin);

/* Do the words right behind byte `end` deny what stands before ("is not true")? Looks at 120 bytes.
 */
bool assertion_denied_behind(rdv_str text, size_t end);

/* True if adjacent words treat the equality of letters from byte `begin` to `end` as an equation
 * that nobody asserts: "no x satisfies 2(x + 1) = 2x + 5", "it would mean that ...". Looks at 60
 * bytes on each side. */
bool assertion_of_equation(rdv_str text, size_t begin, size_t end);
