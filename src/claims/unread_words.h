/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words in Cyrillic, Chinese, Japanese and Korean letters beside a calculation in signs. They are
 * not read, but as they hold no variables, they leave the calculation alone where it is all that is
 * said: behind a mark or a copula, "это 12 * 13 = 156 рублей", and not behind "с учётом скидки".
 * They do not where a part of one calculates, scales, compares, denies, supposes or asks. In other
 * alphabets nothing is known of such parts, and no word leaves alone. */
#include "notation/lex.h"

/* Do such words alone, with a copula last, stand between token `i` and the beginning of its clause?
 * Looks at 64 tokens at most; false: there are more, or none. */
bool unread_words_before(const tokens *t, size_t i);
/* The same from token `i` on, to the end of its clause, which asks nothing, or of its bracket. */
bool unread_words_behind(const tokens *t, size_t i);
/* Is token `i` a letter of them? */
bool unread_words_letter(const tokens *t, size_t i);
/* Does the text hold a letter of them? */
bool unread_words_in(rdv_str text);
