/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The part of an answer that gold asks for, where the answer says more than gold. */
#include <rederive/base.h>

/* Of "1/3 \approx 0.333" what stands before the sign; else, or of "x \approx 0.333", all of it. */
rdv_str align_exact_part(rdv_str answer);
/* - Of "1/3 \approx 0.333" what stands before the sign;
 * - of "m + n = 5" the 5, where gold has no '=': a sum of letters names what is asked for;
 * - of "7 \pmod{10}" and "x \equiv 7 \pmod{10}" the 7, where gold names no modulus.
 * The answer itself where it is nothing of that. */
rdv_str align_to_gold(rdv_str answer, rdv_str gold);
