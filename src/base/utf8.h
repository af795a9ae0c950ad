/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* UTF-8, strictly (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF). */
#include <rederive/base.h>

/* Length in bytes (1..4) of the character at byte `i` (< s.len), or 0 where it is not UTF-8. */
size_t rdv_utf8_len(rdv_str s, size_t i);
/* The code point at byte `i`, its length in *len; U+FFFD and length 1 where it is not UTF-8. */
uint32_t rdv_utf8_at(rdv_str s, size_t i, size_t *len);
/* Write the code point, of at most U+10FFFF; returns its length in bytes, 1 to 4. */
size_t rdv_utf8_put(uint32_t c, char out[4]);
/* How many characters valid UTF-8 holds; a byte that is none of it counts where no character goes
 * on.
 */
size_t rdv_utf8_count(rdv_str s);
/* The digit or sign, '0' to '9', '+' or '-', of the superscript at byte `i`, its length in *len; 0:
 * none stands there. */
char rdv_superscript_at(rdv_str s, size_t i, size_t *len);
/* Byte offset of the first byte that is not UTF-8, or s.len when all is well. */
size_t rdv_utf8_valid(rdv_str s);
