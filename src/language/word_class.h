/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Word classes: parts of speech for arithmetic. */
#include "base/str.h"

enum {
    WORD_BINDS_AFTER = 1,  /* right before an expression, makes it a part of more: "twice 5" */
    WORD_BINDS_BEFORE = 2, /* right after an expression, changes its value: "5 million" */
    WORD_PART = 4,         /* before "of", makes what follows a part of more: "half of 20 + 5" */
    WORD_CONNECTIVE = 8,   /* joins sentences and does not name what is counted: "and", "is" */
    WORD_FUNCTION = 16,    /* a function that is not evaluated: "sin" */
    WORD_CLASSES = 31,     /* all of these, which word_class() knows */

    /* What else word_find() knows: for claims in words. */
    WORD_NUMBER = 32, /* number_word() knows it, and so on */
    WORD_FRACTION = 64,
    WORD_MULTIPLE = 128,
    WORD_VERB = 256,      /* a claim may begin with it: "add" */
    WORD_OPERATION = 512, /* says that something is calculated: "add", "plus", "sum", "half" */
    WORD_RESULT = 1024,   /* right before a number that is claimed: "is", "get" */

    /* For units of measurement. */
    WORD_MEASURE = 2048, /* begins a unit: "square", "degrees" */
    WORD_PER = 4096,     /* divides by a unit: "per", "an" */

    WORD_DIVISIBILITY = 8192, /* of statements about whole numbers: "prime", "factors" */
    WORD_EQUAL = 16384,       /* "equals", or a part of "is equal to" */
    WORD_POINTS_BACK = 32768, /* to what was said before: "this", "which" */
    WORD_RELATES = 65536,     /* two numbers, in claims in words: "48 = 12 boxes of 4" */
    WORD_ABOUT = 131072,      /* a number is not meant exactly: "about" */
    WORD_SYMBOL = 262144,     /* has a value, or takes one: "theta", "cos", "\\alpha" */

    WORD_DENIES = 524288,   /* what it stands before: "not", "never", "without" */
    WORD_FAILS = 1048576,   /* a verb or an adverb of what is not so: "fails", "hardly" */
    WORD_NEGATES = 2097152, /* a feature of steps, on which classifiers are trained: it stays */
    WORD_NONE = 4194304,    /* that there is none of something: "no", "nothing" */
    WORD_GROUP = 8388608,   /* names a factor, and does not multiply: "dozen", "halved" */
    WORD_ORDINAL = 16777216,
    WORD_SCALE = 33554432,

    /* Without a sign, a calculation or statement has one of these, or a number in digits. */
    WORD_TELLING = WORD_NUMBER | WORD_DIVISIBILITY | WORD_EQUAL
};

/* What is known of the word, in any case of letters (single letters as they are): bits; 0: nothing.
 */
unsigned word_class(rdv_str word);
/* The same and the further bits. */
unsigned word_find(rdv_str word);
/* Does it deny what it stands before: "not", "never", "isn't", "isn\u2019t"? */
bool word_denies(rdv_str word);
/* Has one of the text's words, of ASCII letters, one of these bits? */
bool word_stands_in(rdv_str text, unsigned bits);

#define WORD_SHAPES 256

/* The first and the last letter of a word that is not empty, as far as eight bits go. */
static inline unsigned word_shape(rdv_str word)
{
    return (word.p[0] & 31) | (word.p[word.len - 1] & 7) << 5;
}

/* The lengths of the words of WORD_TELLING, as bits, by their shapes. */
const uint32_t *word_telling_lengths(void);
/* True if a word, not empty, may be one of them by its shape and length. Few others are. */
static inline bool word_may_be_telling(const uint32_t lengths[WORD_SHAPES], rdv_str word)
{
    return word.len < 32 && (lengths[word_shape(word)] >> word.len & 1);
}

/* ---- slots ----------------------------------------------------------------------------------- */

#define WORD_SLOTS 1024

/* A number for the first three letters of a word, in upper or lower case: most words are told apart
 * by it. */
static inline uint32_t word_slot(rdv_str word)
{
    const unsigned lower = 'a' - 'A'; /* the bit that letters differ in by case */
    unsigned a = (unsigned char)rdv_char_at(word, 0) | lower;
    unsigned b = (unsigned char)rdv_char_at(word, 1) | lower;
    unsigned c = (unsigned char)rdv_char_at(word, 2) | lower;
    return (a * 37 + b * 101 + c * 523) % WORD_SLOTS;
}

/* The slots of some words. */
typedef struct word_slots {
    uint64_t bits[WORD_SLOTS / 64];
} word_slots;

static inline void word_slots_add(word_slots *to, uint32_t slot)
{
    to->bits[slot / 64] |= UINT64_C(1) << slot % 64;
}

static inline bool word_slots_have(const word_slots *of, uint32_t slot)
{
    return of->bits[slot / 64] >> slot % 64 & 1;
}

/* Is a slot in both? */
static inline bool word_slots_share(const word_slots *a, const word_slots *b)
{
    uint64_t any = 0;
    for (size_t i = 0; i < WORD_SLOTS / 64; i++)
        any |= a->bits[i] & b->bits[i];
    return any;
}
