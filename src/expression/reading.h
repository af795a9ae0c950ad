/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The readings of what may be read in several ways: one table for the code and for
 * docs/calculations.md. An equality is right if it is right in all usual readings, wrong if it is
 * wrong in every one, else undecided. */
#include "expression/parse.h"

typedef enum reading_is {
    READING_DERIVED, /* puts a value in or converts a unit; right if the sides agree under one */
    READING_UNUSUAL, /* saves from wrong, never makes right */
    READING_INSTEAD, /* the usual one; the literal one is unusual */
    READING_BOTH     /* as usual as the literal one, so both have to be right */
} reading_is;

typedef struct reading {
    unsigned bit; /* of reading_bit; 0: the row is for the documentation, the rule is elsewhere */
    reading_is is;
    const char *written, *usual, *unusual; /* as the documentation has them; NULL: it is no row */
    const char *note;                      /* how the bit reads; NULL without a bit */
    const char *otherwise; /* how it reads without the bit, where that is not the usual way */
} reading;

/* The table, *n rows. */
const reading *readings_all(size_t *n);

/* Of the bits that an equality offers, those that are `is`. */
unsigned readings_that_are(unsigned offered, reading_is is);

/* How the first of these bits reads, "the percentage read as its number"; NULL: there is none. */
const char *reading_note(unsigned bits);

/* How it reads without the first of these bits, "the percentage read as hundredths of one". */
const char *reading_otherwise(unsigned bits);
