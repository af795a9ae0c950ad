/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Does the text claim an equality, or only mention it? What is denied, supposed, quoted, reported,
 * asked or taken back is no claim of the author. */
#include <rederive/base.h>

/* Why the equality from byte `begin` to `end` is not claimed, one line; NULL: nothing says so.
 * Looks at 200 bytes on each side. */
const char *assertion_not(rdv_str text, size_t begin, size_t end);

/* Do the words right before byte `begin` deny what follows ("it is not true that")? */
bool assertion_denied(rdv_str text, size_t begin);

/* Do the words beside the equality of letters from byte `begin` to `end` speak of it as of an
 * equation, of which nobody says that it holds: "no x satisfies 2(x + 1) = 2x + 5", "it would mean
 * that ..."? Looks at 60 bytes on each side. */
bool assertion_of_equation(rdv_str text, size_t begin, size_t end);
