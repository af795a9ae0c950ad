/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers as people write them in prose: "-5", "$1,200.50", ".5", "3/4", "3 1/2", "1.5e3",
 * "2 \times 10^3", "\frac{1}{2}", "50%", "$250 000". Not the digits of a name (x2, 52_8), an
 * exponent (cm^2) or an escaped character ("\u00a0"). A time of day is taken whole, "6:30 am", and
 * is of no number's value. */
#include <rederive/base.h>

/* The next number at or after byte *at, which is moved past it; *out is the number with its sign,
 * currency and percent sign. False when there is none. Reading a text to its end is linear. */
bool answer_next_number(rdv_str text, size_t *at, rdv_str *out);
/* The last number of the text. */
bool answer_last_number(rdv_str text, rdv_str *out);
/* The end of a number that begins with a digit at byte `i`, with the separators of other countries:
 * "1'234'567", "1.234.567", "1.234,5", "12,34,567"; `i` where none stands there. */
size_t answer_foreign_number_end(rdv_str s, size_t i);
/* A number that ends so without these separators, and with a decimal point; any other text as it
 * is. p == NULL: no memory. */
rdv_str answer_without_separators(rdv_str s, rdv_arena *arena);
/* An amount of money that ends in a letter for a factor, "$1.5M", "$3k": the bytes before it, and
 * the factor's word, a static string; else 0. */
size_t answer_amount_factor(rdv_str s, rdv_str *factor);
/* "{1,234}", and "12,34,567" as in India: a number in groups of digits that may be a list as well,
 * without its commas and braces, in `arena`. p == NULL: it is none; RDV_E_NOMEM by *full. */
rdv_str answer_ungrouped(rdv_str s, rdv_arena *arena, bool *full);
/* "4k" and "-2.5M" as "4 thousand" and "-2.5 million", in the arena; out->p == NULL: it is no such
 * text. RDV_E_NOMEM. */
int answer_lengthened(rdv_str s, rdv_arena *arena, rdv_str *out, rdv_error *err);
