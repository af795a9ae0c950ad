/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers and fractions in English words. */
#include "language/number_names.h"

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
