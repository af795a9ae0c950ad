/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Letters of calculations in prose, alone and written together. */
#include <rederive/base.h>

/* Does the letter stand alone somewhere in the text, beside no other letter? */
bool lex_letter_is_in(rdv_str s, char letter);

/* "xy - 2x", "2ab + c": are the letters from byte `begin` to `end` a product, two or three in a
 * calculation that are no word? A unit is one where its letters stand alone too: "ac" of a and c is
 * no acre. */
bool lex_letters_are_product(rdv_str s, size_t begin, size_t end);
