/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whole numbers in English words. */
#include <rederive/base.h>

/* "twelve", "forty-two", "one hundred and five", "two million" into *out, below 10^15. False: the
 * words are not one number. Linear. */
bool number_words_read(rdv_str words, uint64_t *out);
