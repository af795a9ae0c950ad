/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An answer as a value: parsed once, with the canonical key by which votes count it. */
#include "algebra/work.h"

/* Answers longer than this are compared as text. */
#define RDV_VALUE_MAX 4096

typedef enum value_is {
    VALUE_EXPRESSION, /* text: the expression; unread if its key is only text */
    VALUE_WORDS,      /* text in lower case */
    VALUE_EMPTY,      /* the empty set, no solution, undefined */
    VALUE_LIST,       /* "1, 2", "\{1, 2\}": items in the order written */
    VALUE_TUPLE,      /* "(1, 2)", "[0, 1)": also an interval, by its two items and brackets */
    VALUE_UNION,      /* items joined by signs: RDV_UNION, RDV_INTERSECTION, RDV_WITHOUT */
    VALUE_MATRIX,     /* items row by row, of `columns` each */
    VALUE_RECORD,     /* "k = 45, n = 2", "(x, y) = (5, 8)": items by names */
    VALUE_NAMED,      /* "x = 5": names[0] and items[0] */
    VALUE_RELATION,   /* "2x + y = 3", "-2 <= x < 7": sides joined by signs */
    VALUE_RATIO,      /* "7:32": items are numbers */
    VALUE_CONGRUENCE  /* "x = 3 (mod 5)": items[0] is the residue, items[1] the modulus */
} value_is;

typedef struct answer_value answer_value;
struct answer_value {
    value_is is;
    rdv_str text; /* cleaned, without a unit */
    rdv_str unit; /* expressions: the words after the number that are dropped */
    rdv_str key;  /* the same key: the same value for certain, whatever the unit */
    answer_value **items;
    size_t n;
    const rdv_str *names; /* of the items, of records and named values */
    const char *signs;    /* n - 1, between the items */
    rdv_str letter;       /* of "x \in [0,1]": whose values these are; p == NULL: not said */
    size_t columns;
    char open, close; /* tuples; lists and records: '\0' where no bracket was written */
    bool unread;      /* the key is the text: nothing is known of it as mathematics */
    bool spread;      /* a list that a \pm stands for: part of the list that it is in */
    bool quantity;    /* named: the name is a ratio or such ("AB:CD = 2"), and part of the key */
    bool either;      /* list: written with "or" */
    bool named;       /* list: the values of one name, "x = 1, 5" */
    bool repeats;     /* list without brackets: a number stands in it more than once */
};

/* How an answer is read. */
typedef struct answer_reading {
    bool shares;     /* "50%" is a half, else fifty */
    math_work *work; /* what it computes is taken from this; NULL: no bound but each formula's */
} answer_reading;

/* Values in sets in lists ... deeper ones are compared as text. */
#define VALUE_DEPTH_MAX 6

typedef struct value_reader {
    rdv_arena *arena;
    rdv_error *err;
    answer_reading how;
    size_t computed; /* bytes of cells that products and sums of matrices were computed from */
} value_reader;

typedef struct values {
    answer_value **at;
    size_t n, cap;
} values;

/* Texts and items are in `arena`, or borrowed from `answer`. RDV_NONE: nothing is left of it.
 * Faults: RDV_E_NOMEM. */
int value_read(rdv_str answer, answer_reading how, rdv_arena *arena, const answer_value **out,
               rdv_error *err);
/* The same for an answer that is one number with words around it. */
int value_read_number(rdv_str answer, answer_reading how, rdv_arena *arena,
                      const answer_value **out, rdv_error *err);
/* Their keys alone. */
int value_key(rdv_str answer, answer_reading how, rdv_arena *arena, rdv_str *key, rdv_error *err);
int value_number_key(rdv_str answer, answer_reading how, rdv_arena *arena, rdv_str *key,
                     rdv_error *err);

/* A cleaned relation or named value, "2x + y = 3", "x = 5"; `depth`: of the values around it.
 * RDV_NONE: it is neither. */
int value_relation(value_reader *r, rdv_str s, unsigned depth, answer_value **out);
/* The sign for the sides exchanged. */
char value_turned(char sign);
