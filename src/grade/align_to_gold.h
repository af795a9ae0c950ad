/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Trim an answer to the part that gold requires. */
#include <rederive/base.h>

/* The text before the sign in "1/3 \approx 0.333"; the whole text otherwise, and in
 * "x \approx 0.333". */
rdv_str align_exact_part(rdv_str answer);
/* - "1/3 \approx 0.333" is trimmed to the text before the sign;
 * - "m + n = 5" to 5, if gold has no '=': a sum of letters only names the result;
 * - "7 \pmod{10}" and "x \equiv 7 \pmod{10}" to 7, if gold names no modulus.
 * Any other answer is returned as it is. */
rdv_str align_to_gold(rdv_str answer, rdv_str gold);
