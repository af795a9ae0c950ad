/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Inside of the reader of claims in words: what the files spoken_*.c share. */
#include "expression/parser.h"

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
    bool any_form;     /* "3/5 as a percentage": a number in any form is */
    bool in_words;     /* a fraction is said in words: "two fifths"; of nothing that is named */
    bool decimal;      /* "12 hundredths": a decimal is, of nothing */
    bool shared_out;   /* "60 split among 5 people": "each" may stand after the result */
    bool in_list;      /* "and" joins two numbers, and is in none: "the sum of two and a half" */
    unsigned depth;    /* of operations within each other: "twice the sum of 5 and 6" */
    bool named;        /* some number counts something: "3 pens", "$3" */
    bool exactly;      /* `other` is meant only where the result is exactly that */
    bool money;        /* some number is money */
    bool about;        /* the result is not meant exactly */
    bool divided;      /* the left side is a quotient of two numbers */
    size_t noun;       /* what the last number counts; 0: nothing is named */
    size_t counted;    /* the result counts this or names nothing; 0: it counts anything */
    group of;          /* "12 boxes of 4 pens" */
    node *yearly;      /* the interest of one year: "5% interest on 200"; NULL: there is none */
    node *other;       /* what the words may mean too: the part that is taken off, what is left */
    node *unsaid;      /* what they do not say, but may be meant: what the opposite change leaves */
} reading;

/* verbal_operand.c */
bool verbal_word_at(const reading *r, size_t i, const char *word);
/* Is it the next token? Then it is passed. */
bool verbal_next_is(reading *r, const char *word);
bool verbal_next_is_one_of(reading *r, const char *const *words, size_t n);
/* Nodes; NULL when out of memory or over the limit of nodes. */
node *verbal_constant(reading *r, unsigned value);
node *verbal_operation(reading *r, node_is is, node *a, node *b);
/* The number in digits at token `i`. */
node *verbal_number(reading *r, size_t i);
/* Does the token name what is counted? */
bool verbal_is_noun(const reading *r, size_t i);
/* The value of the number word at token `i`; false: there is none. */
bool verbal_number_at(const reading *r, size_t i, unsigned *value);
/* The value of the number in words at token `i`, "twelve", "fifty-four", "two hundred and five";
 * how many tokens it has, 0: there is none. */
size_t verbal_number_words(const reading *r, size_t i, unsigned *value);
/* "48", "-48", "$48", "48 pens", "twelve pens", "9/2", "two fifths", "negative three", "two and a
 * half"; NULL: there is none. */
node *verbal_operand(reading *r);
/* "5", "5%", "five percent" as a hundredth of it; NULL: no percentage is next. */
node *verbal_percentage(reading *r);
/* "9/2", "\\frac{9}{2}" at token `i`: a quotient of two numbers; NULL: there is none. */
node *verbal_fraction(reading *r, size_t i);

/* verbal_operation.c */
enum {
    SPOKEN_VERB = 1, /* its first word says that a clause begins */
    SPOKEN_NUMBER = 2,
    SPOKEN_WORD = 4 /* another word */
};
/* A way to say an operation. */
typedef struct verbal_form {
    node *(*read)(reading *); /* NULL: it does not stand here */
    unsigned first;           /* what it may begin with: SPOKEN_VERB and so on */
    bool signs;               /* "3 + 4": the operation is said in signs */
} verbal_form;
#define SPOKEN_FORMS 19
extern const verbal_form verbal_forms[SPOKEN_FORMS];
/* Is it a verb of an operation, "add"? */
bool verbal_is_verb(const tokens *t, size_t i);

/* An operand, or an operation that begins with its name: "twice 6", "half of the 36 cookies". */
node *verbal_value(reading *r);

/* verbal_named.c */
/* "the sum of 3 and 5", "the ratio of 12 to 8" */
node *verbal_named(reading *r);
/* "the reciprocal of 4", "the factorial of 5" */
node *verbal_function(reading *r);
/* "the greatest common divisor of 12 and 18" */
node *verbal_common(reading *r);
/* "the square root of 49", "the 10th power of 2" */
node *verbal_root(reading *r);
/* "third", "10th" */
node *verbal_ordinal(reading *r);

/* verbal_change.c */
/* "a 25% discount on $60", "25% off $80" */
node *verbal_change_on(reading *r);
/* "$60 with a 25% discount", "$200 plus 5% interest" after the first number. */
node *verbal_changed(reading *r, node *whole);
/* "the percent increase from 40 to 50" */
node *verbal_relative_change(reading *r);
/* "4 pens at $3 each", "60 miles per hour for 3 hours" */
node *verbal_rate(reading *r);
/* "3/8 as a decimal", "12 as a percentage of 48" */
node *verbal_restated(reading *r);

/* verbal_claim.c */
/* May a claim begin at token `i`: at the beginning of a clause? */
bool verbal_clause_begins(const tokens *t, size_t i, size_t last_end);
bool verbal_clause_ends(const reading *r);
/* Passes "per person" after a result, and "each" where things were shared out. */
void verbal_pass_each(reading *r);
typedef struct verbal_claim {
    expression sides[2];
    bool about;    /* they are only about equal */
    bool inverted; /* its result stands first */
} verbal_claim;
/* The claim at token `i`; RDV_NONE: there is none. */
int verbal_claim_at(const tokens *t, size_t i, bool begins, rdv_arena *arena, verbal_claim *out);
