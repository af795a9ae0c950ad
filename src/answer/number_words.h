/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers in English words. */
#include <rederive/base.h>

/* "twelve", "forty-two", "one hundred and five", "two million", "a
 * hundred" into *out, below 10^15. False: the
 * words are not one number. Linear. */
bool number_words_read(rdv_str words, uint64_t *out);

/* A number with a fraction, in words or with digits: "two thirds", "a half", "three and a half",
 * "3 and 1/2"; no blanks around them. *part is above the fraction line and *of below it, the whole
 * number in *part too. False: it is none, or the words are a whole number. */
bool fraction_words_read(rdv_str words, uint64_t *part, uint64_t *of);
/* A number in words at the beginning, before what is counted or measured: "two weeks", "a third of
 * an hour", "half a million", "two and a half dozen", "an hour and a half". *part / *of is the
 * number, *rest what it counts. Other words than these are not passed over. */
bool counted_words_read(rdv_str words, uint64_t *part, uint64_t *of, rdv_str *rest);
