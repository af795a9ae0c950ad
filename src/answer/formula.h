/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The formula that a number was found in. */
#include <rederive/base.h>

/* The side of the formula in `text` that `number`, a part of `text`, stands in, where it is more
 * than the number with its unit, its currency or words: "\frac{\sqrt{2}}{2}" of "$x =
 * \frac{\sqrt{2}}{2}$", of which 2 is the last number. Formulas stand in $...$, \(...\) or \[...\],
 * or are the words around the number with a command of LaTeX. Else `number` itself. */
rdv_str formula_with(rdv_str text, rdv_str number);
