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
