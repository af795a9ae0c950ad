/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Notations of the world for which the other answer says what they mean. */
#include <rederive/base.h>

/* `s` in the notation of `other`, in the arena: "3 to 4" and "three to four" as "3:4" beside a
 * ratio; 5'6" as "5 feet 6 inches" beside feet or inches; "3:05:10" as hours, minutes and seconds
 * beside these units; "50 basis points" as "0.5 percentage points" beside percents; "5 R 3" and "5
 * remainder 3" as "(5, 3)" beside another quotient with a remainder; "$15/h" as "$15 per h" beside
 * "per"; "third" as "3th" beside "3rd"; "1 in 4" and "25 out of 100" as fractions beside one; "2i -
 * k" as "(2, 0, -1)" beside a vector; "1 + j" as "1 + i" where both write j; "The price fell by 12"
 * as "-12" and as "12 decrease" beside such; "5 degrees below zero" as "-5" beside a number with a
 * minus; and anywhere "]2;5[" as "(2,5)" and "5 mod 7" as "5 \pmod{7}". `s` where none applies; p
 * == NULL: out of memory. *words: it keeps words that the values do not have, "15 per h", "27 BC",
 * which are still to be compared. */
rdv_str rewording_as(rdv_str s, rdv_str other, rdv_arena *arena, bool *words);
