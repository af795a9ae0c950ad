/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The grammar of calculations in words, and of statements about whole numbers: rows of
 * rules/verbal.rules and rules/statements.rules (docs/rules.md). */
#include "expression/formula.h"
#include "language/phrase.h"

/* What an element of a pattern stands for. A capital letter captures what it reads. */
typedef enum verbal_symbol {
    VERBAL_WORDS,      /* one of the words of `of` */
    VERBAL_NOUN,       /* "<noun>": what is counted */
    VERBAL_NUMBER,     /* A, B: "48 pens", "$48", "twelve", "9/2", "two and a half" */
    VERBAL_BARE,       /* N, M, Q, R: the same without a noun or a fraction */
    VERBAL_VALUE,      /* V: a number, or a row that is a term */
    VERBAL_TERM,       /* X: a row that is a term */
    VERBAL_PERCENTAGE, /* P: "5%", "five percent" */
    VERBAL_FRACTION,   /* F: "3/4" */
    VERBAL_LIST,       /* L: "3, 4 and 5" */
    VERBAL_ITEMS,      /* K: the same, of two or more, also without "and" */
    VERBAL_ORDINAL,    /* O: "third", "10th" */
    VERBAL_PART,       /* D: "half", "thirds": the denominator */
    VERBAL_MULTIPLE,   /* T: "twice", "triple" */
    VERBAL_SIGNS       /* E: an expression in signs, "12 * 4" */
} verbal_symbol;

typedef struct verbal_element {
    verbal_symbol is;
    char letter; /* 0: it captures nothing */
    bool optional;
    bool denies;         /* optional, and denies the statement: "[not]" */
    const cue_words *of; /* of VERBAL_WORDS */
} verbal_element;

typedef struct verbal_pattern {
    verbal_element *at;
    size_t n, row;
    const cue_words *anchor; /* one of these words stands in it; NULL: it may have no word */
} verbal_pattern;

#define VERBAL_SET 2 /* words of 64 bits */
#define VERBAL_PATTERNS_MOST                                                                       \
    (64 * VERBAL_SET) /* with a value, and likewise that state something                           \
                       */

/* A set of patterns, by their numbers. */
typedef struct verbal_set {
    uint64_t bits[VERBAL_SET];
} verbal_set;

#define VERBAL_NEEDS 3 /* elements of words that are looked for in a text; others may be missing   \
                        */

/* Which patterns may stand in a text, by words that they need, and begin at a token, by two words:
 * of all, a few are tried. A word counts by its
 * tok_slot(). */
typedef struct verbal_index {
    verbal_set needed[VERBAL_NEEDS][WORD_SLOTS]; /* by one of the words of each such element */
    verbal_set free[VERBAL_NEEDS];               /* those without so many */
    word_slots words;                            /* all of these words */
    uint64_t signs;                 /* kinds of tokens that are anchors but letters: "/" */
    verbal_set by_word[WORD_SLOTS]; /* those that begin with a word */
    verbal_set by_next[WORD_SLOTS]; /* of these, those that may go on with it, or in `open` */
    verbal_set open;                /* of these, those that may go on with something else */
    verbal_set behind[WORD_SLOTS];  /* those that begin with a number, and a word behind it */
    verbal_set bare[WORD_SLOTS];    /* of one without a noun, in digits */
    verbal_set all_bare;
    verbal_set numbers;                    /* all that begin with a number */
    verbal_set captures;                   /* all that may begin with something that is captured */
    verbal_set captured[VERBAL_SIGNS + 1]; /* those that begin with anything else, by its symbol */
    unsigned symbols;                      /* a bit for each of which there are some */
} verbal_index;

/* How the items of a list are put together. */
typedef enum verbal_fold { FOLD_NONE, FOLD_SUM, FOLD_PRODUCT, FOLD_MEAN } verbal_fold;

typedef struct verbal_formula {
    row_formula of;   /* capital letters: what was captured */
    verbal_fold fold; /* over the items of L */
} verbal_formula;

/* What a row is, and what must hold of what it reads. */
enum {
    IS_TERM = 1,     /* it may be a number of another row: "half of 48" */
    IS_VERB = 2,     /* it begins with its verb, in the middle of a clause too: "add 3 and 4" */
    IS_SUM = 4,      /* further sums and differences may follow: "3 plus 4 minus 2" */
    IS_PRODUCT = 8,  /* the same of products */
    IS_SAID = 16,    /* the pattern says itself that its result follows: "simplifies to" */
    IS_SHARE = 32,   /* the result is a percentage or a fraction */
    IS_FORM = 64,    /* the result is a number, a percentage or a fraction; nothing is counted */
    IS_TIMES = 128,  /* the result is "7 times", right behind the pattern */
    IS_ALONE = 256,  /* no item of a list stands before it */
    IS_NAMED = 512,  /* B counts something */
    IS_RATE = 1024,  /* B counts what A is said of: "per hour ... 3 hours" */
    IS_ALIKE = 2048, /* A and V are fractions in words, or neither is */
};

/* What a row says of numbers, by its letters. */
typedef enum verbal_states {
    STATES_NOTHING,   /* it has a value */
    STATES_PRIME,     /* N is prime */
    STATES_COMPOSITE, /* N is composite */
    STATES_SQUARE,    /* N is the square of a whole number */
    STATES_EVEN,      /* N is even */
    STATES_ODD,       /* N is odd */
    STATES_MULTIPLE,  /* N is divisible by M, or by each of K */
    STATES_REMAINDER, /* N divided by M leaves R */
    STATES_QUOTIENT,  /* N divided by M is Q and leaves R */
    STATES_POSITIVE,  /* N is above 0; this and those below of any numbers, those above of whole */
    STATES_NEGATIVE,  /* N is below 0 */
    STATES_WHOLE,     /* N is a whole number */
    STATES_MORE,      /* N is greater than M */
    STATES_LESS,      /* N is less than M */
    STATES_AT_LEAST,  /* N is M or more */
    STATES_AT_MOST,   /* N is M or less */
    STATES_BETWEEN    /* N is between M and Q */
} verbal_states;

/* Is it said of any number, not of whole ones alone? */
static inline bool verbal_states_any(verbal_states is)
{
    return is >= STATES_POSITIVE;
}

/* Is it said of a division, by its remainder? */
static inline bool verbal_states_division(verbal_states is)
{
    return is == STATES_REMAINDER || is == STATES_QUOTIENT;
}

typedef struct verbal_row {
    rdv_str id;
    unsigned is;
    verbal_states states;
    verbal_formula value;
    verbal_formula other;    /* what the words may mean too: meant where the result is this */
    char counts;             /* the result counts what this letter does; 0: anything */
    const cue_words *unless; /* nothing is read in a text with one of these words */
} verbal_row;

/* Lists of words that the reader of claims needs. */
typedef enum verbal_list {
    LIST_BEGINS,  /* behind which a clause begins */
    LIST_ENDS,    /* which begin the next clause */
    LIST_AFTER,   /* behind which no verb begins a claim: "when dividing" */
    LIST_NO_NOUN, /* which do not name what is counted */
    LIST_WHOSE,   /* before a number that is known: "the 36 cookies" */
    LIST_WHO,     /* "we" get, behind a verb */
    LIST_OBTAINS, /* we "get" */
    LIST_SHORT,   /* which are no products of letters: "by", not "ab" */
    N_VERBAL_LISTS
} verbal_list;

typedef struct verbal_grammar {
    rdv_arena *arena;
    word_lists lists;
    verbal_row *rows;
    size_t n, cap;
    verbal_pattern *patterns; /* in the order of their rows */
    size_t n_patterns, cap_patterns;
    verbal_pattern *statements; /* those of rows that state something */
    size_t n_statements, cap_statements;
    phrase_list *anchors; /* of the built-in grammar: words, one of which each statement has */
    phrase_list *results; /* the same: words, one of which each claim of a result has */
    const cue_words *list[N_VERBAL_LISTS]; /* empty where the files have none */
    word_slots list_slots[N_VERBAL_LISTS]; /* of their words */
    verbal_index begin;                    /* of the patterns */
    verbal_index statement_begin;          /* of the statements */
} verbal_grammar;

/* The built-in grammar: read once, by the first caller; from any thread. NULL: out of memory. */
const verbal_grammar *verbal_grammar_built_in(void);
/* An empty grammar in `arena`; NULL: out of memory. */
verbal_grammar *verbal_grammar_new(rdv_arena *arena);
/* Add the rows of a file, whose text must live as long as the grammar, and find the lists; faults
 * as those of rows_read(). */
int verbal_grammar_add(verbal_grammar *g, rdv_str file, rdv_str text, rdv_error *err);

static inline void verbal_set_add(verbal_set *s, size_t pattern)
{
    s->bits[pattern / 64] |= UINT64_C(1) << pattern % 64;
}

static inline void verbal_set_join(verbal_set *s, const verbal_set *others)
{
    for (size_t i = 0; i < VERBAL_SET; i++)
        s->bits[i] |= others->bits[i];
}

/* Leaves those of `s` that are in `others` too; false: none is left. */
static inline bool verbal_set_keep(verbal_set *s, const verbal_set *others)
{
    uint64_t any = 0;
    for (size_t i = 0; i < VERBAL_SET; i++)
        any |= s->bits[i] &= others->bits[i];
    return any;
}

/* Is a pattern in both? */
static inline bool verbal_set_share(const verbal_set *a, const verbal_set *b)
{
    uint64_t any = 0;
    for (size_t i = 0; i < VERBAL_SET; i++)
        any |= a->bits[i] & b->bits[i];
    return any;
}

/* The first pattern of the set from number *at on; false: there is none. */
static inline bool verbal_set_next(const verbal_set *s, size_t *at)
{
    for (size_t i = *at / 64, from = *at % 64; i < VERBAL_SET; i++, from = 0) {
        uint64_t rest = s->bits[i] >> from;
        if (rest) {
            *at = 64 * i + from + (size_t)__builtin_ctzll(rest);
            return true;
        }
    }
    return false;
}
