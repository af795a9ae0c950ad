/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Letters of calculations in prose, alone and written together. */
#include <rederive/base.h>

/* Does the letter stand alone somewhere in the text, beside no other letter? */
bool lex_letter_is_in(rdv_str s, char letter);

/* "xy - 2x", "2ab + c": are the two or three letters from byte `begin` to `end` a product, in a
 * calculation and no word? A unit is one where its letters stand alone too: "ac" of a and c is
 * no acre. */
bool lex_few_letters_are_product(rdv_str s, size_t begin, size_t end);

/* The same for a word of any length; most are longer. */
static inline bool lex_letters_are_product(rdv_str s, size_t begin, size_t end)
{
    return (end - begin == 2 || end - begin == 3) && lex_few_letters_are_product(s, begin, end);
}
