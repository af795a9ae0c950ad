/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Units after a value. */
#include <rederive/base.h>

/* `s` (cleaned) without the words that stand after a value: "5 cm", "864 inches ^2", "60 miles per
 * hour", "9 m/s". A single letter is a unit only after another or with a slash; "x" in "5 x" is a
 * name. Names of functions and constants are no units. "12th" loses its ending likewise.
 * Words that change the value stay: "5 million". */
rdv_str unit_strip(rdv_str s);
