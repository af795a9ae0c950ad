/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Cues: patterns of words, and the text around a claim in which they are sought (docs/rules.md). */
#include "base/str.h"

/* A list of single words. "begin*" is every word that begins so, "*end" every one that ends so with
 * at least two letters before it, "-word" none although another one of the list matches it. */
typedef struct cue_words {
    rdv_str name;
    rdv_str *words;
    size_t n, cap;
    uint64_t begins; /* the bits of cue_begin() that a word of it may have */
    bool excepts;    /* it has a "-word" */
} cue_words;

#define CUE_BEGINS 64
#define CUE_BESIDE_ANY UINT64_MAX
#define CUE_BESIDE_NONE (UINT64_C(1) << 63) /* no token, or the claim; a few words share it */

/* Of the first two letters of a word, a number below CUE_BEGINS. */
static inline unsigned cue_begin_of(rdv_str word)
{
    unsigned first = (unsigned char)rdv_lower(rdv_char_at(word, 0));
    unsigned second = (unsigned char)rdv_lower(rdv_char_at(word, 1));
    return (5 * first + second) % CUE_BEGINS;
}

/* The same as a bit: most words are told apart by it from a whole list. */
static inline uint64_t cue_begin(rdv_str word)
{
    return UINT64_C(1) << cue_begin_of(word);
}

typedef enum cue_kind {
    CUE_WORDS,  /* one of the words of `of` */
    CUE_ANY,    /* "<word>": any one */
    CUE_NAME,   /* "<name>": one with a capital letter */
    CUE_GAP,    /* "...": up to CUE_GAP_MOST words of one clause */
    CUE_CLAIM,  /* "_": the claim itself */
    CUE_NUMBER, /* "#" */
    CUE_START,  /* "<start>": of the sentence; no word */
    CUE_END     /* "<end>": of the clause or sentence, with its mark */
} cue_kind;

#define CUE_GAP_MOST 12
#define CUE_GAPS_MOST 2      /* of a cue */
#define CUE_ELEMENTS_MOST 16 /* of a cue */

typedef struct cue_element {
    cue_kind kind;
    bool negated;        /* "!x": a word that is not x, or none at the end of the text */
    bool optional;       /* "(x)" */
    const cue_words *of; /* of CUE_WORDS */
} cue_element;

typedef struct cue {
    cue_element *elements;
    size_t n;
    size_t anchor; /* the element that it is found by */
    size_t reach;  /* the most tokens from the anchor on to the claim; 0: the claim is no part */
    /* How the tokens beside the anchor may begin: bits of cue_begin() and CUE_BESIDE_NONE, or
     * CUE_BESIDE_ANY. */
    uint64_t before, behind;
} cue;

/* A word, number or mark of a text. Quotation marks, signs of layout, and brackets that open no
 * words are none; "isn't" is two: "is", "n't". */
typedef struct cue_token {
    rdv_str text; /* "n't" of "isn’t" too: no part of the text, where it is written otherwise */
    rdv_str written; /* the bytes of the text that it is */
    bool number, ends_clause;
} cue_token;

#define CUE_TOKENS_MOST 128 /* on each side of the claim */
#define CUE_BEHIND_MOST 500 /* bytes behind the claim that are looked at */
#define CUE_OVERLAP 16      /* tokens that two windows of a longer text share */

/* The sentence of a claim and what follows it in the text. */
typedef struct cue_text {
    cue_token at[2 * CUE_TOKENS_MOST + 1];
    size_t n;
    size_t claim; /* the token that stands for the claim; SIZE_MAX: there is none */
    size_t end;   /* of its sentence: the first token of the next one, or n */
    size_t next;  /* the end of the next sentence */
} cue_text;

/* Cut what is around bytes `begin` to `end` into tokens. */
void cue_text_around(rdv_str text, size_t begin, size_t end, cue_text *out);
/* The same from the sentence before on; begin == end: there is no claim, only a place. */
void cue_text_beside(rdv_str text, size_t begin, size_t end, cue_text *out);
/* Cut a text without a claim into tokens, as many as there is room for. */
void cue_text_of(rdv_str text, cue_text *out);
/* Where the sentence or line begins in which byte `at` stands; looks 500 bytes back. */
size_t cue_sentence_begin(rdv_str text, size_t at);
/* Behind the mark or line break that ends the sentence in which byte `at` stands. */
size_t cue_sentence_end(rdv_str text, size_t at);
/* The last n sentences of a text, to its end. */
rdv_str cue_last_sentences(rdv_str text, size_t n);
/* The next token of a text from byte *at on, which is moved behind it; false: there is none. */
bool cue_next_token(rdv_str text, size_t *at, cue_token *out);
/* How the token from byte `i` on begins, by cue_begin(), or CUE_BESIDE_NONE. */
uint64_t cue_begin_behind(rdv_str text, size_t i);
/* Does a token begin at byte `i`, a letter? */
bool cue_begins_at(rdv_str text, size_t i);

/* Is it that word of a list? */
bool cue_is_word(rdv_str token, rdv_str word);
/* Is the token one of the words? */
bool cue_is_one_of(const cue_token *token, const cue_words *words);

/* Does the cue stand where its anchor is token `at`? From token *begin to *end. */
bool cue_matches(const cue *c, const cue_text *text, size_t at, size_t *begin, size_t *end);
/* The same where token `at`, not the claim, is known to be one of the anchor's words. */
bool cue_matches_word(const cue *c, const cue_text *text, size_t at, size_t *begin, size_t *end);
