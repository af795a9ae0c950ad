/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Two terms with letters, compared as rational functions: for all values, not at some. */
#include "expression/knowledge.h"
#include "expression/polynomial.h"

/* Are both terms equal for all values of their letters? False also if this cannot be decided. */
bool identity_holds(const knowledge *k, const expression *lhs, const expression *rhs);

/* How many terms the difference of both has, over a common denominator that is left out: 0 where
 * they are equal for all values, -1 where this cannot be decided. */
long identity_apart(const knowledge *k, const expression *lhs, const expression *rhs);

/* True if the terms differ for all values of their letters, or are equal only where both are zero:
 * "x^3 - 1 = (x + 1)(x^2 - x + 1)", "0.6x + 2.1x = 2.9x". No equation to be solved is such; their
 * difference has one term. `worked_out`: the text works the left side out, so it is no equation;
 * then sides with different coefficients of one term count too: "2(r + 3) + 4r = 8r + 6". */
bool identity_never_holds(const knowledge *k, const expression *lhs, const expression *rhs,
                          bool worked_out);

/* The similarity of two terms that differ for some values. */
typedef enum identity_likeness {
    IDENTITY_UNLIKE,
    IDENTITY_LOOSE,   /* one term each, of the first degree, or quotients: often an equation */
    IDENTITY_SHARING, /* they share a term: "(x + 2)^2 = x^2 + 64" */
    IDENTITY_LIKE,    /* they are one term each with one coefficient, or what cancels takes part, or
                         they are quotients of several letters or with one denominator */
    IDENTITY_NEAREST  /* they share two terms or more, and differ in one */
} identity_likeness;

/* Of terms that are no identity; IDENTITY_UNLIKE also where one of them is no rational function, or
 * where they hold different letters or none. */
identity_likeness identity_compare(const knowledge *k, const expression *lhs,
                                   const expression *rhs);

/* Can more be calculated in the term: a sum in brackets, a power of a product, terms or powers of
 * one letter? */
bool identity_is_unfinished(const knowledge *k, const expression *e);

/* "x - 1 is not 0": where both terms of an identity have a value, if only one of them always has;
 * the factors of denominators that one has and the other does not. RDV_OK with *text, of which p is
 * NULL where there are none; RDV_E_NOMEM. */
int identity_condition(const knowledge *k, const expression *lhs, const expression *rhs,
                       rdv_str *text);

#define IDENTITY_MAX_TEXT 120 /* bytes of a term that is shown */

/* A product or power of sums: "(x + 1)(x - 1)". */
bool identity_is_product(const expression *e);

/* What the term is, worked out. RDV_OK; RDV_NONE: it is no rational function, or too long;
 * RDV_E_NOMEM. */
int identity_worked_out(const knowledge *k, const expression *e, polynomial_style style,
                        rdv_str *out);

/* "4", "2 or 3": where two terms of one letter are equal. RDV_OK; RDV_NONE: they have several
 * letters; RDV_E_NOMEM. */
int identity_solutions(const knowledge *k, const expression *lhs, const expression *rhs,
                       rdv_str *letter, rdv_str *out);

/* "205 + x/10": the sum as one dividend, as if its brackets were not written; NULL: it is no such
 * sum. The new nodes are in `room`. */
const node *identity_regrouped(const node *n, node room[2]);
