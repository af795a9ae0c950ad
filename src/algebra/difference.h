/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The difference of two expressions: its sign, and what makes it zero. */
#include "algebra/work.h"

/* The sign of a - b, -1, 0 or 1, into *sign, proved by rational arithmetic or by a ball without
 * zero. Its work is taken from *work (NULL: no bound). RDV_NONE: an operand has letters or is not
 * an expression, a limit is reached, or the equality is not proved. RDV_E_NOMEM. */
int math_order(rdv_str a, rdv_str b, math_work *work, rdv_arena *arena, int *sign, rdv_error *err);

/* What makes a - b zero. Texts are in the arena given. */
typedef struct math_zero {
    rdv_str key;    /* a - b is a constant factor times this: primitive, leading sign positive */
    bool negative;  /* the factor is below zero */
    bool whole;     /* a polynomial: the key has no denominator */
    rdv_str letter; /* p == NULL, or a - b is linear in this, its only letter: ... */
    rdv_str root;   /* ... and zero at this rational number, "p/q" */
} math_zero;

/* a and b are formulas (formula.h). RDV_NONE: an operand is not a formula, a - b has no letters (i
 * and e do not count) or is not a rational function of them, or a limit is reached. RDV_E_NOMEM. */
int math_zero_of(rdv_str a, rdv_str b, math_work *work, rdv_arena *arena, math_zero *out,
                 rdv_error *err);
