/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Texts that may be values: what two of them are is not said by their spelling. */
#include <rederive/base.h>

/* May it be mathematics, a number in words, a quantity or a date: has it a digit, a sign beside
 * letters, letters one by one, a sign of mathematics beyond ASCII, a word of numbers? */
bool formal_may_be_value(rdv_str s);
/* Is it a sign of mathematics beyond ASCII: a superscript, a fraction, a Greek letter, an operator?
 */
bool formal_is_sign(uint32_t u);
/* No words but "and" and "or": then each part of it is read. */
bool formal_has_no_words(rdv_str s);
/* Have both the same letters, in any order and as often as they like? */
bool formal_same_letters(rdv_str a, rdv_str b);
/* Is one the beginning or the last word of the other, or each of its words a beginning: "Jan.",
 * "January"; "B", "option B"; "C. F. Gauss", "Carl Friedrich Gauss"? */
bool formal_is_abbreviation(rdv_str a, rdv_str b);
/* Is one a capital, alone or with a small letter, which may be a symbol of the other word: "Fe",
 * "iron"? */
bool formal_is_symbol(rdv_str a, rdv_str b);
/* "mgh" and "m g h" as "m*g*h", of at most eight letters; another text as it is. p == NULL: out of
 * memory. */
rdv_str formal_product(rdv_str s, rdv_arena *arena);
/* Has it a sign of order, or of difference: "x < 4", "\\ne"? */
bool formal_is_relation(rdv_str s);
/* Does the text hold the other one, as whole words in any case? */
bool formal_holds(rdv_str s, rdv_str part);
