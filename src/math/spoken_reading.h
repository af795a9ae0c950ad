/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Inside of the reader of claims in words: what the files spoken_*.c share. */
#include "math/parser.h"

/* Equal groups: the tokens of how many there are, how many are in one, and the first and the last
 * word for what these are; all zero: there are none. */
typedef struct group {
    size_t number, each, noun, end;
} group;

/* One claim while it is read. A function that reads something returns false and may leave `pos`
 * anywhere if it is not there; the caller keeps its own. */
typedef struct reading {
    parser p;          /* its `pos` is the next token, its `e` the left side */
    unit_meaning unit; /* of the noun after the numbers; all zero: it is no known unit */
    bool units_differ;
    bool counts_times; /* "7 goes into 50 7 times": the result is the number before "times" */
    bool share;        /* "18 out of 24": only a percentage or a fraction is its result */
    group of;          /* "12 boxes of 4 pens" */
} reading;

/* spoken_operand.c */
bool spoken_word_at(const reading *r, size_t i, const char *word);
/* Is it the next token? Then it is passed. */
bool spoken_next_is(reading *r, const char *word);
bool spoken_next_is_one_of(reading *r, const char *const *words, size_t n);
/* Nodes; NULL when out of memory or over the limit of nodes. */
node *spoken_constant(reading *r, unsigned value);
node *spoken_operation(reading *r, node_is is, node *a, node *b);
/* Does the token name what is counted? */
bool spoken_is_noun(const reading *r, size_t i);
/* The value of the number word at token `i`; false: there is none. */
bool spoken_number_at(const reading *r, size_t i, unsigned *value);
/* The value of the number in words at token `i`, "twelve", "fifty-four", "fifty four"; how many
 * tokens it has, 0: there is none. */
size_t spoken_number_words(const reading *r, size_t i, unsigned *value);
/* "48", "-48", "$48", "48 pens", "twelve pens", "9/2"; NULL: there is none. */
node *spoken_operand(reading *r);
/* "9/2", "\\frac{9}{2}" at token `i`: a quotient of two numbers; NULL: there is none. */
node *spoken_fraction(reading *r, size_t i);

/* spoken_operation.c */
/* A way to say an operation. */
typedef struct spoken_form {
    node *(*read)(reading *); /* NULL: it does not stand here */
    bool verb;                /* its first word says that a clause begins */
    bool word;                /* it begins with a word, never with a number */
    bool signs;               /* "3 + 4": the operation is said in signs */
} spoken_form;
#define SPOKEN_FORMS 11
extern const spoken_form spoken_forms[SPOKEN_FORMS];
/* Is it a verb of an operation, "add"? */
bool spoken_is_verb(const tokens *t, size_t i);

/* spoken_claim.c */
/* May a claim begin at token `i`: at the beginning of a clause? */
bool spoken_clause_begins(const tokens *t, size_t i, size_t last_end);
bool spoken_clause_ends(const reading *r);
/* The claim at token `i` as two terms of `out`; RDV_NONE: there is none. *turned: its result stands
 * first. */
int spoken_claim_at(const tokens *t, size_t i, bool begins, rdv_arena *arena, expression *out,
                    bool *turned);
