/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Shared functions of the reply readers: the words and lines of a reply. */
#include <rederive/base.h>

/* The bytes that are read of a reply with a list; an answer of 1000 tokens is shorter. */
#define WORDS_LIST_BYTES ((size_t)16 << 10)

/* Gives the next word at or after byte *at, and moves *at past it. A word consists of letters,
 * ASCII or not, with apostrophes inside. *gap (may be NULL) is the text between the old *at and the
 * word. */
bool words_next(rdv_str s, size_t *at, rdv_str *word, rdv_str *gap);
/* True if the word is one of these. Case is ignored for ASCII. */
#define WORDS_IS_ONE_OF(word, words) rdv_is_one_of((word), (words), sizeof(words) / sizeof *(words))
/* True if the word is one of these, which are separated by single blanks. */
bool words_in(rdv_str word, const char *words);
/* True for "not", "cannot", "doesn't", "never", "without", ...: words that negate the verb after
 * them. */
bool words_is_not(rdv_str word);
/* True if the byte is one of these; NUL never is. */
bool words_is_any(char c, const char *bytes);
/* True if `s` contains any of these bytes. */
bool words_has_any(rdv_str s, const char *bytes);

/* The byte after the quotation that opens at byte `at`, or `at` if none does. A quotation opens
 * after a blank or a bracket and is closed before the end of the text. */
size_t words_quote_end(rdv_str s, size_t at);

/* The last non-blank line, trimmed; empty if there is none. */
rdv_str words_last_line(rdv_str reply);
/* Gives the last non-blank line that ends before byte *before, trimmed, and moves *before to its
 * beginning. False: there is none. */
bool words_prev_line(rdv_str s, size_t *before, rdv_str *line);

/* The bytes of a reply that are kept as the reason of a verdict. */
#define WORDS_SHORT_BYTES 240
/* The beginning of `s`, cut between characters and trimmed. */
rdv_str words_shortened(rdv_str s);
