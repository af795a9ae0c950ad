/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Expressions with letters as quotients of polynomials of few terms and short coefficients, on
 * machine words. They are those of function_eval(), and cost a fraction of its time. */
#include "expression/eval.h"

#define SMALL_TERMS 12

typedef struct small_term {
    uint64_t exponents; /* five bits for each letter, the first one's highest */
    int64_t coefficient;
} small_term;

/* Its terms in the order of their exponents, the highest first; none is zero. */
typedef struct small_polynomial {
    small_term at[SMALL_TERMS];
    unsigned n;
    unsigned degree; /* at least that in all letters together, and that of what it is made of */
} small_polynomial;

typedef struct small_function {
    small_polynomial num, den;
} small_function;

/* The tree, read literally, as a quotient in `l`'s letters, not reduced. It takes as much of the
 * budget as function_eval() does. False: it has no value, the budget does not suffice, or a part of
 * it has more terms, an exponent above 31 or a coefficient from 2^63 on; then the budget is
 * untouched. */
bool small_function_eval(evaluation *ev, const node *n, const letters *l, small_function *out);

/* left - right over a common denominator that is left out, zero where both are the same; false as
 * above. */
bool small_function_difference(evaluation *ev, const node *left, const node *right,
                               const letters *l, small_polynomial *out);

void small_polynomial_get(const small_polynomial *p, const fmpz_mpoly_ctx_t ctx, fmpz_mpoly_t out);
