/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Letters that are written together in prose. */
#include <rederive/base.h>

/* "xy - 2x", "2ab + c": are the letters from byte `begin` to `end` a product, two or three in a
 * calculation that are no word? A unit is one where its letters stand alone too: "ac" of a and c is
 * no acre. */
bool lex_letters_are_product(rdv_str s, size_t begin, size_t end);
