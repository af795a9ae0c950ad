/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers and fractions in English words. */
#include <rederive/base.h>

/* "three", "twelve", "sixty": the value into *out. False: it is no such word. */
bool number_word(rdv_str word, unsigned *out);
/* "half", "third", "quarters": the denominator into *out. */
bool fraction_word(rdv_str word, unsigned *out);
/* "twice", "double", "triple": the factor into *out. */
bool multiple_word(rdv_str word, unsigned *out);
/* "hundred", "million": the power of ten into *out. */
bool scale_word(rdv_str word, unsigned *out);

/* The words that each of these knows, by turns: i from 0 on; p == NULL: the end. */
typedef enum number_words_kind { NUMBER_WORDS, FRACTION_WORDS, MULTIPLE_WORDS } number_words_kind;
rdv_str number_words_at(number_words_kind kind, size_t i);
