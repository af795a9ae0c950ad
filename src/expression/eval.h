/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The value of a tree: exactly as a rational, with certified bounds where roots and pi take part,
 * or as a rational function of its letters. Every operation is bounded before it is done. */
#include "expression/parse.h"
#include "notation/literal.h"

#include <flint/fmpq.h>
#include <flint/fmpz_mpoly.h>

typedef enum eval_is {
    EVAL_OK,
    EVAL_IRRATIONAL, /* not a rational number: real_eval() may do */
    EVAL_LETTERS,    /* holds letters without a value: function_eval() may do */
    EVAL_UNDEFINED,  /* division by zero, an even root of a negative number */
    EVAL_LIMIT       /* larger than the limits, or the budget is spent */
} eval_is;

/* A decimal as shown, and what it stands for. */
typedef struct unrounded {
    fmpq_t shown, exact;
} unrounded;

/* A letter that has a value. */
typedef struct binding {
    rdv_str name;
    bool several; /* it was given more than one: it is not put in */
    fmpq_t value;
} binding;

typedef struct evaluation {
    const tokens *t;
    unsigned reading;        /* bits of reading_bit */
    uint64_t *budget;        /* bits of numbers that may still be touched; shared by many */
    const unrounded *rounds; /* when not NULL: literals equal to `shown` count as `exact` */
    size_t n_rounds;
    const binding *bindings;
    size_t n_bindings;
    bool used_rounds;     /* set when one of `rounds` was used */
    bool inexact;         /* set by real_eval() when the value is not rational, but near */
    bool loose, loosened; /* real.c's own: decimals are intervals; there was one */
    const rdv_str *given; /* when not NULL: real_eval_loosely() loosens only decimals of three
                             digits or more that are no amounts of money and do not stand in this
                             text */
    bool exactly; /* real_eval_loosely(): x is exact, so that less than one unit was cut off */
} evaluation;

#define EVAL_MAX_BITS 16384     /* of a numerator or denominator: 4932 digits */
#define EVAL_MAX_FACTORIAL 1500 /* its factorial has 4115 digits */

/* The value of `n` into `out`, an initialised fmpq. */
eval_is eval_exact(evaluation *ev, const node *n, fmpq_t out);

/* The same without small_eval(): for its own use, and for the tests. */
eval_is eval_any_size(evaluation *ev, const node *n, fmpq_t out);

/* The value of an N_CALL, N_SUM or N_MOD, functions that are written by name (parse.h). */
eval_is eval_call(evaluation *ev, const node *n, fmpq_t out);

/* The value of a tree to at least 50 significant digits where the value is not rational. */
eval_is real_eval(evaluation *ev, const node *n, fmpq_t out);

/* Can the tree have the value `x` when each decimal in it (but see `given`) stands for anything
 * that rounds, or is cut off, to the digits shown? EVAL_OK with the answer in *can. */
eval_is real_eval_loosely(evaluation *ev, const node *n, const fmpq_t x, bool *can);

/* The number that the readings in force put for pi, or false. */
bool eval_pi(const evaluation *ev, fmpq_t out);

/* Multiply x, the number before the unit `n`, by the unit's size where the reading asks for it. */
void eval_unit(const evaluation *ev, const node *n, fmpq_t x);

/* Under the readings in force: the division that takes the factors after it into its divisor, or
 * NULL; and whether only the left operand counts. */
const node *eval_division(const evaluation *ev, const node *n);
bool eval_left_only(const evaluation *ev, const node *n);

/* The index of a root (2 if none is written) into *k: a whole number from 2 to 1000. */
eval_is eval_root_index(evaluation *ev, const node *n, ulong *k);

/* ---- letters --------------------------------------------------------------------------------- */

#define EVAL_MAX_LETTERS 12

/* The letters that two trees hold, sorted. */
typedef struct letters {
    rdv_str name[EVAL_MAX_LETTERS];
    size_t n;
} letters;

/* Add the letters of the tree, keeping them sorted; false when there are too many. */
bool function_letters_add(letters *l, const tokens *t, const node *n);

typedef struct function {
    fmpz_mpoly_t num, den;
} function;

/* The ring of polynomials in `n` letters, at most EVAL_MAX_LETTERS. It needs no clearing. */
void function_ring(size_t n, fmpz_mpoly_ctx_t out);
void function_init(function *f, const fmpz_mpoly_ctx_t ctx);
void function_clear(function *f, const fmpz_mpoly_ctx_t ctx);
/* The tree as a quotient of polynomials in `l`'s letters, not reduced. */
eval_is function_eval(evaluation *ev, const node *n, const letters *l, const fmpz_mpoly_ctx_t ctx,
                      function *out);
/* The same without small_function_eval(): for its own use, and for the tests. */
eval_is function_eval_any_size(evaluation *ev, const node *n, const letters *l,
                               const fmpz_mpoly_ctx_t ctx, function *out);
