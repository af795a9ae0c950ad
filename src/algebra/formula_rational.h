/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The value of a formula as a rational number, where it is one by rational operations alone. */
#include "algebra/formula.h"
#include "algebra/work.h"
#include "expression/eval.h"

/* The value that a sum's index has; the innermost one first. */
typedef struct formula_index formula_index;
struct formula_index {
    const formula_index *outer;
    rdv_str name;
    slong value;
};

/* What one evaluation may do. */
typedef struct formula_scope {
    const tokens *t;
    uint64_t budget; /* bits of numbers that may still be touched */
    math_work *work; /* NULL, or what the whole call may still do */
    const formula_index *index;
} formula_scope;

#define FORMULA_BUDGET ((uint64_t)2 << 20)
#define FORMULA_MAX_BITS ((uint64_t)1 << 17) /* of a numerator or denominator: 39,000 digits */
#define FORMULA_MAX_FACTORIAL 5000           /* its factorial has 54,232 bits */
#define FORMULA_MAX_TERMS 10000              /* of a sum or product */

/* An evaluation of the formula with all of its budget. */
formula_scope formula_scope_of(const formula_text *f, math_work *work);

/* Take `bits` from the budget; false: they are too many for it. */
bool formula_charge(formula_scope *s, uint64_t bits);

/* The value that an index has, or NULL: the name is no index. */
const formula_index *formula_index_of(const formula_scope *s, rdv_str name);

/* The value of `n` into `out`, an initialised fmpq: EVAL_OK; EVAL_IRRATIONAL, EVAL_LETTERS: another
 * way may do; EVAL_UNDEFINED; EVAL_LIMIT. */
eval_is formula_rational(formula_scope *s, const formula *n, fmpq_t out);

/* The two bounds of a sum, whole numbers with at most FORMULA_MAX_TERMS between them. */
eval_is formula_bounds(formula_scope *s, const formula *n, slong *from, slong *to);
