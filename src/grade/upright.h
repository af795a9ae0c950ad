/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Units in LaTeX. A letter in italics is a variable; letters that are set upright after a value,
 * in \text{}, \mathrm{} and the like, are a unit: "12\text{ m}" is a length, "12m" a product. */
#include "base/buf.h"

/* The unit at byte `i` of LaTeX: "\text{ m}^2", "\frac{\text{km}}{\text{h}}", "^\circ\text{C}",
 * "\Omega". It is appended to `out` in words, "meters^2", "km/hours", so that no letter of it
 * stands alone. The byte after it; `i` where none stands there that needs this, because words of
 * several letters are read without it, and where the value goes on after it. Linear. */
size_t upright_unit_end(rdv_str s, size_t i, rdv_buf *out);

/* The value of "12 m" or "12m^2" where another answer says in words, "meters", that the letter is
 * a unit; p == NULL: it ends in no such letter. */
rdv_str upright_value(rdv_str answer, rdv_str words);
