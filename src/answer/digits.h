/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The numbers in words of a sentence, in digits, so that it is read as one with digits is. */
#include <rederive/base.h>

/* The end of the number in words that begins at byte `i`, "eighty-eight", "two and a half"; `i`:
 * there is none. A place, "third", is none by itself. */
size_t digits_words_end(rdv_str s, size_t i);
/* The text with digits for each number in words from byte *from on that is a value: "He measures 6
 * feet and 2 inches." *from: where the last one begins, or those that are joined to it.
 * Words that are none stay: "the two", "no one", "a one-way ticket", "the third", "ten past two".
 * The text itself where it has none; p == NULL: out of memory. */
rdv_str digits_of_words(rdv_str text, size_t *from, rdv_arena *arena);
