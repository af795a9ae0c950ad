/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words and phrases in a text. A phrase matches whole words, in upper or lower case; a leading or
 * trailing "*" matches any word ending or beginning. */
#include "language/word_class.h"

#include <stdatomic.h>

#define PHRASE_LIST_MAX 360
#define PHRASE_CLASSES 32

#define PHRASE_FIRST 128 /* seven bits of a byte */

/* The phrases of a list, indexed by their first two bytes, so that most places of a text are
 * rejected at once. Five bits of a byte tell letters apart, in upper or lower case. */
typedef struct phrase_index {
    /* By the first byte: a bit for each second byte that one goes on with; the same of those that
     * may stand inside a word. */
    uint32_t pairs[PHRASE_FIRST], inner_pairs[PHRASE_FIRST];
    uint16_t first[32][32]; /* the first phrase with these two bytes, from 1 on; 0: none */
    uint16_t next[PHRASE_LIST_MAX + 1]; /* the next one with the same two bytes, or 0 */
    rdv_str phrase[PHRASE_LIST_MAX + 1];      /* without its stars */
    bool stem[PHRASE_LIST_MAX + 1];           /* does a star end it? */
    bool inside[PHRASE_LIST_MAX + 1];         /* may it stand inside a word? */
    unsigned char class[PHRASE_LIST_MAX + 1]; /* from 0 on */
    word_slots slots;                         /* of the words that may be one of them */
    size_t longest;                           /* bytes of a phrase */
} phrase_index;

/* A list of phrases, at most PHRASE_LIST_MAX: a static variable that begins with them, and zeros.
 * ";" stands between two phrases, and "\n" between two classes of them; "@row" stands for those of
 * a row of rules/words.rules. Its index is made when it is first used, by whichever thread comes
 * first, and stays until the process ends. Until then it is no part of the variable: a hundred
 * indexes between the pointers to the phrases would make each start of a program touch a page for
 * each of them. */
typedef struct phrase_list {
    const char *phrases;
    _Atomic(phrase_index *) index; /* NULL: not made */
} phrase_list;

/* Does one of the phrases stand in the text? */
bool phrase_in(rdv_str text, phrase_list *list);
/* Is the text one of the phrases, the whole of it? */
bool phrase_is(rdv_str text, phrase_list *list);
/* May one of the words be one of them? */
bool phrase_may_be_among(const word_slots *words, phrase_list *list);
/* The length of the longest of them at byte `i`, which may be the end; 0: none stands there. */
size_t phrase_at(rdv_str text, size_t i, phrase_list *list);
/* The first place of one of them from byte `from` on, with the end of the longest there; the text's
 * length: there is none. */
size_t phrase_find(rdv_str text, size_t from, phrase_list *list, size_t *end);
/* Where the longest of them begins that ends the text; the text's length: none does. */
size_t phrase_before(rdv_str text, phrase_list *list);
/* The classes that have a phrase in the text, one bit for each, at most PHRASE_CLASSES. */
unsigned phrase_classes_in(rdv_str text, phrase_list *list);
/* The same; phrases of classes other than `anywhere` count only from byte `from` to `to`. */
unsigned phrase_classes_near(rdv_str text, size_t from, size_t to, unsigned anywhere,
                             phrase_list *list);
