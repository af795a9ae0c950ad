/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words and phrases in a text. A phrase matches whole words, in upper or lower case; "*" at its end
 * (its beginning) matches the rest (the beginning) of a word too. */
#include <rederive/base.h>

/* Does one of the `n` phrases, at most 255, stand in the text? */
bool phrase_in(rdv_str text, const char *const *phrases, size_t n);
/* The byte after the last place of one of them; 0: there is none. */
size_t phrase_last_end(rdv_str text, const char *const *phrases, size_t n);
