/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the steps of a sorted list say, read into numbers of words. */
#include "task/follow.h"

#define SORT_MAX_WORDS 256
#define SORT_NO_WORD ((size_t)-1)

/* A group of words between two "<", all in one place of the order as far as is known. */
typedef struct sort_group {
    size_t begin, n; /* in sort_order.words */
    size_t number;   /* "(12)" before it; 0: none */
} sort_group;

typedef struct sort_order {
    size_t words[2 * SORT_MAX_WORDS]; /* the question's words, by number */
    size_t n_words;
    sort_group groups[2 * SORT_MAX_WORDS];
    size_t n_groups;
    rdv_str stranger; /* a word that is not in the question; p == NULL: none */
} sort_order;

typedef struct sorting {
    rdv_str words[SORT_MAX_WORDS];
    size_t n_words;
    sort_order order; /* what the steps have found so far */
    size_t letter;    /* the letter that is being looked at, from 0 */
    sort_order part;  /* the words that are being looked at: one group */
} sorting;

/* The words of the question. False: it is no list of words. */
bool follow_sort_read_question(rdv_str text, sorting *s);
/* `"a" < (3) ["b" ? "c"] < "d"`, quotes or not. False: it is no such chain. */
bool follow_sort_read_order(const sorting *s, rdv_str text, sort_order *out);
/* Words with spaces between. False: too many. */
bool follow_sort_read_words(const sorting *s, rdv_str text, sort_order *out);

/* One `"word": "w" (23)`. */
typedef struct sort_letter {
    size_t word; /* SORT_NO_WORD: `said` is not in the question */
    rdv_str said, letter;
    size_t number;
} sort_letter;

/* The next of them from *c on; a word of `seen` is taken for its next occurrence in the question.
 * False: there is none. */
bool follow_sort_read_letter(const sorting *s, scan *c, sort_letter *out, const sort_order *seen);

/* The letter of a word at place `i`, from 0, in lower case; apostrophes and other marks do not
 * count. NUL: it has fewer. */
char follow_sort_letter_at(rdv_str word, size_t i);
