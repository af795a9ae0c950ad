/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The table of English words for numbers, fractions, places, factors and scales. */
#include <rederive/base.h>

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

/* Is it a word of one of the kinds, of which each is a bit, 1 << kind? Its value into *out. */
bool number_name(rdv_str word, unsigned kinds, unsigned *out);
/* The power of ten of the smallest one, from `least` on, that stands in the text; 0: none does. */
unsigned scale_word_in(rdv_str text, unsigned least);
/* The word that letters right behind a number stand for: "k" is "thousand"; p == NULL: none. */
rdv_str scale_of_letters(rdv_str letters);
