/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The words between two equations that say how the second one is derived from the first. */
#include <rederive/base.h>

/* True if the words before an equation only say how it was derived: "subtracting 4 from both
 * sides, we get". */
bool derive_words_are_known(rdv_str words);

/* Does the text of a step only say what is done to an equation, so that the result is still to
 * come?
 */
bool derive_words_goes_on_after(rdv_str step);

/* Does one of the words say what is done to an equation? */
bool derive_words_operates(rdv_str words);

/* The bytes of "Step 3: " at the beginning of the step, which say nothing of its equation. */
size_t derive_words_label(rdv_str step);
