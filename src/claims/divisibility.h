/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Statements in words about whole numbers: "91 is prime", "120 is not divisible by 9", "7 divides
 * 30", "the prime factors of 60 are 2, 3 and 7", "17 ÷ 5 = 3 with a remainder of 2", "the remainder
 * when 17 is divided by 5 is 2". */
#include "notation/lex.h"

typedef enum divisibility_is {
    DIVISIBILITY_PRIME,     /* `number` is prime */
    DIVISIBILITY_COMPOSITE, /* `number` is composite */
    DIVISIBILITY_MULTIPLE,  /* `number` is divisible by `divisor` */
    DIVISIBILITY_REMAINDER, /* `number` leaves `remainder` when it is divided by `divisor` */
    DIVISIBILITY_QUOTIENT   /* the same, and `quotient` is the quotient */
} divisibility_is;

typedef struct divisibility {
    divisibility_is is;
    bool negated;                 /* "is not" */
    size_t begin, end;            /* tokens; end is the first one after it */
    size_t subject, subject_end;  /* tokens of the number, or of the division */
    size_t said, said_end;        /* tokens of what is said of it */
    uint64_t number, divisor;     /* the divisor is not 0 */
    uint64_t quotient, remainder; /* where they are stated */
} divisibility;

/* The next statement that ends at token `from` or after it; only a whole clause about numbers below
 * 10^18 is read. Of a list of factors each is a statement. False: there is none. */
bool divisibility_find(const tokens *t, size_t from, divisibility *out);

/* May one be in the text? Most texts are passed over at a glance. */
bool divisibility_may_be_in(rdv_str text);
