/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the readers of replies share: the words of a reply, and its lines. */
#include <rederive/base.h>

/* What the reply says aloud: without a "<think>" block, trimmed. */
rdv_str words_spoken(rdv_str reply);

/* So much of a reply that lists something is read: an answer of 1000 tokens is shorter. */
#define WORDS_LIST_BYTES ((size_t)16 << 10)

/* The next word at or after byte *at, which is moved behind it. A word is letters, ASCII or not,
 * with apostrophes inside. *gap (may be NULL) is what stands between the word and the old *at. */
bool words_next(rdv_str s, size_t *at, rdv_str *word, rdv_str *gap);
/* Is the word one of `n`? Case is ASCII's. */
bool words_is_one_of(rdv_str word, const char *const *words, size_t n);
#define WORDS_IS_ONE_OF(word, words)                                                               \
    words_is_one_of((word), (words), sizeof(words) / sizeof *(words))
/* Is the word one of these, which stand between single blanks? */
bool words_in(rdv_str word, const char *words);
/* "not", "cannot", "doesn't", "never", "without", ...: what turns the verb after it round. */
bool words_is_not(rdv_str word);
/* Is the byte one of these? NUL is none. */
bool words_is_any(char c, const char *bytes);
/* Does any of these bytes stand in `s`? */
bool words_has_any(rdv_str s, const char *bytes);

/* The byte behind the quotation that opens at byte `at`, or `at` where none does: a quotation opens
 * behind a blank or a bracket and is closed before the end of the text. */
size_t words_quote_end(rdv_str s, size_t at);

/* The last line that is not blank, trimmed; empty when there is none. */
rdv_str words_last_line(rdv_str reply);
/* The line that is not blank and ends before byte *before, trimmed; *before is moved to where it
 * begins. False: there is none. */
bool words_prev_line(rdv_str s, size_t *before, rdv_str *line);

/* So much of what a reply says is kept as the reason of a verdict. */
#define WORDS_SHORT_BYTES 240
/* The beginning of `s`, cut between characters, trimmed. */
rdv_str words_shortened(rdv_str s);
