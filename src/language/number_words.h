/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers and fractions in English words. */
#include <rederive/base.h>

/* "three", "twelve", "sixty": the value into *out. False: it is no such word. */
bool number_word(rdv_str word, unsigned *out);
/* "half", "third", "quarters": the denominator into *out. */
bool fraction_word(rdv_str word, unsigned *out);
/* "first" to "twentieth": the place from 1 into *out. */
bool ordinal_word(rdv_str word, unsigned *out);
/* "twice", "double", "triple": the factor into *out. */
bool multiple_word(rdv_str word, unsigned *out);
/* One of these, or "half", "doubled", "pair", "dozen", "hundred": by what one multiplies or divides
 * into *out. */
bool factor_word(rdv_str word, unsigned *out);
/* "hundred", "million", "lakh": the power of ten into *out. */
bool scale_word(rdv_str word, unsigned *out);
/* The power of ten of the smallest one, from `least` on, that stands in the text; 0: none does. */
unsigned scale_word_in(rdv_str text, unsigned least);
/* The word that letters right behind a number stand for: "k" is "thousand"; p == NULL: none. */
rdv_str scale_of_letters(rdv_str letters);

/* The words that each of these kinds has, by turns: i from 0 on; p == NULL: the end. */
typedef enum number_words_kind {
    NUMBER_WORDS,
    FRACTION_WORDS,
    ORDINAL_WORDS,
    MULTIPLE_WORDS,
    GROUP_WORDS, /* factors that do not stand before what they multiply: "dozen", "halved" */
    SCALE_WORDS
} number_words_kind;
rdv_str number_words_at(number_words_kind kind, size_t i);

/* The first word of the kind for the value, "three"; NULL: there is none. Static. */
const char *number_word_of(number_words_kind kind, unsigned value);
