/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How many of one unit make another: stated in words ("there are 60 minutes in an hour", "an hour
 * has 60 minutes"), or used as a factor ("2 hours * 60 minutes/hour", "30 minutes * (1 hour / 60
 * minutes)"). */
#include "expression/quantity.h"
#include "notation/lex.h"

#include <flint/fmpq.h>

typedef struct conversion {
    size_t begin, end; /* tokens; end is the first one after it */
    size_t number;     /* the token of the number, with its unit right after it */
    size_t large;      /* the token of the unit that is so many of the other */
    size_t count;      /* the token of how many of it, "in 3 hours"; 0: one */
    bool factor;       /* it is used, not stated: the number may be known from elsewhere */
} conversion;

/* The first one at token `from` or after it. Both units are measures of one dimension, the
 * counted one the smaller, each with one meaning and one size. False: there is none. */
bool conversion_find(const tokens *t, size_t from, conversion *out);

/* How many of the smaller unit the larger one is, or so many of it. */
void conversion_ratio(const tokens *t, const conversion *c, fmpq_t out);

/* A unit that has one meaning and one size: no ounce, no day of work. */
bool conversion_unit(rdv_str word, measure *out);

/* Does the number with its unit, "50 minutes", stand in the text? */
bool conversion_is_given(const tokens *t, const conversion *c, rdv_str text);

/* The word after byte `i`, perhaps behind a space or a hyphen: the unit of a number that ends
 * there. */
rdv_str conversion_word(rdv_str text, size_t i);

/* A fast test, false for most texts: may one be stated in the text? */
bool conversion_may_be_in(rdv_str text);
