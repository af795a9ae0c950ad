/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Words and phrases in a text. A phrase matches whole words, in upper or lower case; "*" at its end
 * (its beginning) matches the rest (the beginning) of a word too. */
#include <rederive/base.h>

#include <stdatomic.h>

#define PHRASE_LIST_MAX 160

/* The phrases of a list by their first two bytes: most places of a text are passed over at a
 * glance. Five bits of a byte tell letters apart, in upper or lower case. */
typedef struct phrase_index {
    uint32_t pairs[32]; /* by the first byte: a bit for each second byte that one goes on with */
    unsigned char first[32]; /* the first phrase with this first byte, from 1 on; 0: none */
    unsigned char next[PHRASE_LIST_MAX + 1];  /* the next one with the same first byte, or 0 */
    unsigned char class[PHRASE_LIST_MAX + 1]; /* from 0 on */
} phrase_index;

/* A list of phrases: a static variable that begins with them, and zeros. Its index is made when it
 * is first used, by whichever thread comes first. */
typedef struct phrase_list {
    const char *phrases[PHRASE_LIST_MAX];
    atomic_int state;
    phrase_index index;
} phrase_list;

/* In a list, ends one class of phrases and begins the next. */
#define PHRASE_NEXT_CLASS ""

/* Does one of the phrases stand in the text? */
bool phrase_in(rdv_str text, phrase_list *list);
/* Of which classes does a phrase stand in the text? A bit for each, at most 32. */
unsigned phrase_classes_in(rdv_str text, phrase_list *list);
/* The byte after the last place of one of them; 0: there is none. */
size_t phrase_last_end(rdv_str text, phrase_list *list);
