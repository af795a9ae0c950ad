/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The reader of rows: a file of "## NAME" headings with "key: value" lines below them, and of lists
 * of words, "## @NAME" (docs/rules.md). What a row means is known to who reads it. */
#include "language/cue.h"

#define ROW_ID_MOST 60 /* bytes */

/* The lists of words that stand above. */
typedef struct word_lists {
    cue_words **at;
    size_t n, cap;
    size_t all_words; /* in lists and cues, as often as they stand there */
} word_lists;

typedef struct row_reader row_reader;
struct row_reader {
    rdv_arena *arena;
    word_lists *lists;
    rdv_str file;
    size_t line; /* from 1 */
    rdv_error *err;
    const char *const *keys; /* n_keys of them, without "words"; 0: there may be any */
    size_t n_keys;
    void *of; /* the caller's own */
    /* A row begins, has a member, ends. Each gives RDV_OK or a fault; row_fault() makes one. */
    int (*begin)(row_reader *, rdv_str id);
    int (*member)(row_reader *, size_t key, rdv_str value);
    int (*end)(row_reader *);
    /* Of the row or list that is read: its name, its text up to here, the key of the member, the
     * line of its heading. */
    rdv_str name, text, key;
    size_t first_line;
    bool in_row;     /* the reader's own */
    cue_words *list; /* the list that is read, or NULL */
};

/* Read all rows of the file's text. Slices of it are kept. RDV_E_INPUT: with "FILE:LINE: ROW: what
 * is wrong"; RDV_E_NOMEM, RDV_E_LIMIT. */
int rows_read(row_reader *r, rdv_str text);

/* RDV_E_INPUT at the reader's line. */
int row_fault(const row_reader *r, const char *fmt, ...) RDV_PRINTF(2, 3);
/* The same, RDV_E_LIMIT. */
int row_limit(const row_reader *r, const char *fmt, ...) RDV_PRINTF(2, 3);
/* At most ROW_ID_MOST bytes of a text, for a message. */
rdv_str row_shown(rdv_str s);
/* The next of the pieces between two marks, without blanks around it; false: there is none. */
bool row_next_piece(rdv_str *rest, char mark, rdv_str *piece);
/* The list of that name; NULL: there is none. */
const cue_words *row_list(const word_lists *lists, rdv_str name);
/* The same; a fault where there is none. */
int row_find_list(const row_reader *r, rdv_str name, const cue_words **out);
/* "one|@list|other" into a list of its own. */
int row_read_alternatives(const row_reader *r, rdv_str text, cue_words *to);
/* The same, or "@list" itself. */
int row_words(const row_reader *r, rdv_str text, const cue_words **out);
/* Append to the texts of a row, its examples. */
int row_add_text(const row_reader *r, rdv_str text, rdv_str **to, size_t *n, size_t *cap);
/* The index of a key's value among `n` names; a fault where it is none. */
int row_choose(const row_reader *r, const char *key, rdv_str value, const char *const *names,
               size_t n, size_t *out);
