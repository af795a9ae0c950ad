/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Deducing an order step by step: of each thing, which places it may still have. */
#include "base/rng.h"

#define DEDUCE_MOST 7
#define DEDUCE_MOST_CLUES (DEDUCE_MOST + DEDUCE_MOST * (DEDUCE_MOST - 1) / 2)

typedef unsigned known; /* bit i: it may be at place i */

typedef enum clue_is {
    CLUE_AT,    /* thing a is at place b */
    CLUE_BEFORE /* thing a is before thing b */
} clue_is;

typedef struct clue {
    clue_is is;
    size_t a, b;
} clue;

static inline bool deduce_is_one(known places)
{
    return places && !(places & (places - 1));
}

/* Clues that make the order (the thing at each place) known to these deductions, none of them
 * superfluous. Returns how many, at most DEDUCE_MOST_CLUES. */
size_t deduce_draw_clues(const size_t *order, size_t n, rdv_rng *rng, clue *out);
/* What a CLUE_BEFORE tells of its two things. False: nothing new, or what cannot be. */
bool deduce_apply(const clue *c, known *k, size_t n);
/* A thing not placed yet that has one place left, all others being taken, or that alone may have a
 * place. False: there is none. */
bool deduce_eliminate(const known *k, size_t n, size_t *thing, size_t *place);
/* The thing at each place; where nothing or a contradiction is known, what is left in turn. */
void deduce_order(const known *k, size_t n, size_t *order);
