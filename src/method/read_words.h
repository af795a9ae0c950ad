/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the readers of replies share: the words of a reply, and its end. */
#include <rederive/base.h>

/* What the reply says aloud: without a "<think>" block, trimmed. */
rdv_str read_spoken(rdv_str reply);

/* So much of a reply that lists something is read: an answer of 1000 tokens is shorter. */
#define READ_LIST_BYTES ((size_t)16 << 10)

/* The next word at or after byte *at, which is moved behind it. A word is letters, ASCII or not,
 * with apostrophes inside. *gap (may be NULL) is what stands between the word and the old *at. */
bool read_next_word(rdv_str s, size_t *at, rdv_str *word, rdv_str *gap);
/* Is the word one of `n`? Case is ASCII's. */
bool read_is_one_of(rdv_str word, const char *const *words, size_t n);
#define READ_IS_ONE_OF(word, words) read_is_one_of((word), (words), sizeof(words) / sizeof *(words))
/* "not", "cannot", "doesn't", "never", "without", ...: what turns the verb after it round. */
bool read_is_not(rdv_str word);
/* Is the byte one of these? NUL is none. */
bool read_is_any(char c, const char *bytes);
/* Does any of these bytes stand in `s`? */
bool read_has_any(rdv_str s, const char *bytes);

/* The byte behind the quotation that opens at byte `at`, or `at` where none does: a quotation opens
 * behind a blank or a bracket and is closed before the end of the text. */
size_t read_quote_end(rdv_str s, size_t at);

/* The end of a reply: its last lines, where conclusions stand. What is quoted there is blanked,
 * unless it is one of the words that conclusions are made of; so are lines that repeat a solution.
 */
#define READ_END_BYTES 4096
#define READ_END_LINES 3
#define READ_END_SENTENCES 4

typedef struct read_end {
    char text[READ_END_BYTES];
    size_t len;
    size_t before; /* sentences from here on were given out */
    size_t given;  /* how many were */
} read_end;

void read_end_of(rdv_str reply, read_end *end);
/* The sentence before the last one given, which has at least one word. False: no further one, or
 * READ_END_SENTENCES were given. */
bool read_prev_sentence(read_end *end, rdv_str *sentence);
/* The last line that is not blank, trimmed; empty when there is none. */
rdv_str read_last_line(rdv_str reply);
