/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers in words of other languages: "einundzwanzig", "soixante-dix", "ciento veinte", "十五". */
#include <rederive/base.h>

/* The number below 10^9 in words of German, French, Spanish, Italian, Portuguese, Dutch or Chinese
 * that `s` begins with, and the byte behind it; false: there is none, or two languages read it
 * otherwise. Words that are English too, "cent", "once", are none by themselves. */
bool foreign_number_read(rdv_str s, uint64_t *value, size_t *end);
/* `s` with that number in digits, "soixante-dix ans" as "70 ans", and of a Chinese fraction both,
 * "四分之三" as "3/4": in the arena. `s` where it begins with none; p == NULL: out of memory. */
rdv_str foreign_number_in_digits(rdv_str s, rdv_arena *arena);
