/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Certified enclosures of a formula's value, computed from the formula itself with Arb. */
#include "algebra/formula_rational.h"

#include <acb.h>

#define BALL_POINTS 5

/* The point at which a formula is evaluated. */
typedef struct ball_point {
    formula_scope *scope;
    unsigned number; /* which of BALL_POINTS: each gives the letters other values */
    bool complex;    /* roots and logarithms of negative numbers have values */
    bool natural;    /* "log" is the natural logarithm, else that to base 10 */
    slong bits;      /* of precision */
} ball_point;

/* The value of `n` at the point into `out`, an initialised ball. EVAL_OK; EVAL_UNDEFINED: the
 * formula has no value there, or a divisor cannot be told from 0; EVAL_LIMIT. */
eval_is ball_eval(const ball_point *p, const formula *n, acb_t out);
