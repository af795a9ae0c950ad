/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Exact algebra for formulas: quotients of integer polynomials in generators. A generator is a
 * letter, a constant (pi, e, i), a root, or a function of such quotients, with the equation that it
 * satisfies, if any (i^2 = -1, r^3 = 2, r^2 = x + 1). Two formulas whose quotients are equal modulo
 * these equations have the same value wherever both have one. The converse is not claimed: log 2 or
 * sin 1 are generators about which nothing is known. */
#include "algebra/formula_rational.h"

#include <flint/fmpz_mpoly.h>

#if __has_include(<calcium/qqbar.h>)
#include <calcium/qqbar.h>
#else
#include <flint/qqbar.h>
#endif

#define FIELD_MAX 24 /* generators, letters included */

typedef struct quotient {
    fmpz_mpoly_t num, den;
} quotient;

typedef enum generator_is {
    GENERATOR_LETTER,
    GENERATOR_PI,
    GENERATOR_E,
    GENERATOR_I,
    GENERATOR_PRIME_ROOT, /* of the whole number `prime`, of index k */
    GENERATOR_ROOT,       /* of the positive generator `base`, of index k */
    GENERATOR_RADICAL,    /* of arg[0], of index k */
    GENERATOR_COSINE,     /* 2 cos(2 pi/k) */
    GENERATOR_EXP,        /* of arg[0] */
    GENERATOR_LOG,        /* of arg[0] */
    GENERATOR_CALL        /* any other function fn of its arguments; FN_NONE: a power */
} generator_is;

typedef struct generator {
    generator_is is;
    rdv_str name; /* GENERATOR_LETTER; borrowed */
    fmpz_t prime;
    size_t base;
    ulong k;
    function_id fn;
    quotient arg[2];
    unsigned n_args;
    fmpz_mpoly_t relation; /* zero: none; monic in this generator, else in earlier ones */
    bool varies;           /* its value depends on a letter */
    bool positive;         /* its value is a positive real number, for real letters */
    bool real;
    bool algebraic; /* a number that is the root of a polynomial */
    bool valued;    /* `value` was computed */
    qqbar_t value;
} generator;

typedef struct field {
    const fmpz_mpoly_ctx_struct *ctx; /* of all fields */
    formula_scope *scope;
    generator at[FIELD_MAX]; /* later ones have smaller indices; the letters come last, sorted */
    size_t first;            /* the index of the latest generator */
    bool assumes;            /* what no proof says to be positive may be assumed so */
    bool positive;           /* it was, somewhere */
    bool complex;            /* what has letters may have values that are not real */
    bool natural;            /* "log" is the natural logarithm, else that to base 10 */
} field;

/* Open a field for the letters of both formulas (b may be NULL), which are real numbers, or are
 * assumed to be `positive` ones. False: they are too many; nothing is open then. */
bool field_open(field *f, formula_scope *scope, bool positive, const formula *a, const formula *b);
void field_close(field *f);

/* ---- quotients ------------------------------------------------------------------------------- */

/* A quotient is 0 when it is opened. Each operation bounds its size first, and leaves *a in normal
 * form; EVAL_OK, EVAL_UNDEFINED, EVAL_LIMIT. */
void quotient_open(field *f, quotient *q);
void quotient_close(field *f, quotient *q);
void quotient_set(field *f, quotient *q, const quotient *from);
void quotient_set_si(field *f, quotient *q, slong x);
void quotient_set_rational(field *f, quotient *q, const fmpq_t x);
void quotient_set_generator(field *f, quotient *q, size_t g);
bool quotient_is_zero(field *f, const quotient *q);
/* Is it a rational number? Then it is in *x. */
bool quotient_rational(field *f, const quotient *q, fmpq_t x);
void quotient_negate(field *f, quotient *q);
eval_is quotient_add(field *f, quotient *a, const quotient *b);
eval_is quotient_subtract(field *f, quotient *a, const quotient *b);
eval_is quotient_multiply(field *f, quotient *a, const quotient *b);
eval_is quotient_divide(field *f, quotient *a, const quotient *b);
eval_is quotient_scale(field *f, quotient *a, slong num, ulong den);
eval_is quotient_power(field *f, quotient *a, slong e);
/* Are they equal in the field? Over a limit: no. */
bool quotient_equal(field *f, const quotient *a, const quotient *b);
bool generator_varies(const generator *g);
bool generator_is_no_letter(const generator *g);
/* The name of each letter at its index, else "", for printing; in `arena`. False: out of memory. */
bool field_letter_names(const field *f, rdv_arena *arena, const char *names[FIELD_MAX]);
/* Does it hold a generator for which `of` says so? */
bool quotient_holds(field *f, const quotient *q, bool (*of)(const generator *));
/* Divide out the greatest common divisor, and make the denominator's first coefficient positive. */
eval_is quotient_reduce(field *f, quotient *q);

/* ---- generators ------------------------------------------------------------------------------ */

#define FIELD_FULL ((size_t)-1)

/* A new generator without a relation, or FIELD_FULL. */
size_t field_add(field *f, generator_is is);
/* Its relation becomes generator^k = value, a polynomial in earlier generators. */
void field_relate(field *f, size_t g, ulong k, const fmpz_mpoly_t value);
/* The function `fn` (of kind `is`) of the arguments, for which nothing but the arguments' equality
 * is known: the generator that stands for it, made if there is none; or FIELD_FULL. b may be NULL.
 */
size_t field_call(field *f, generator_is is, function_id fn, const quotient *a, const quotient *b);

/* ---- values ---------------------------------------------------------------------------------- */

/* The formula as a quotient. EVAL_LIMIT also where a function cannot be expressed. */
eval_is field_eval(field *f, const formula *n, quotient *out);
/* a - b into *out, each evaluated with a whole budget. EVAL_OK, or why there is none. */
eval_is field_difference(field *f, const formula_text *a, const formula_text *b, quotient *out);
/* A formula that formula_rational() can compute, as a quotient. */
eval_is field_rational(field *f, const formula *n, quotient *out);

/* field_roots.c, field_exponentials.c, field_unity.c: out may be an operand. `n` is the formula of
 * the base. */
eval_is field_root(field *f, quotient *out, ulong k, const formula *n);
eval_is field_power(field *f, quotient *base, const quotient *exponent, const formula *n);
eval_is field_exp(field *f, quotient *out);
eval_is field_log(field *f, quotient *out);
/* e^(i pi num/den) */
eval_is field_unity(field *f, slong num, ulong den, quotient *out);

/* |out|, where it holds letters. */
eval_is field_abs(field *f, quotient *out);
/* The constant pi, e or i. */
eval_is field_constant(field *f, generator_is is, quotient *out);
/* cos(pi num/den); den is from 1 to 360. */
eval_is field_cosine(field *f, slong num, ulong den, quotient *out);

/* field_functions.c: a function's value. */
eval_is field_apply(field *f, const formula *n, quotient *out);

/* The sign of the formula of a real number: -1, 0, 1; 2: it is not real, or not known. */
int field_sign(field *f, const formula *n);

/* The value of a polynomial in algebraic generators. False: over a limit. */
bool field_number(field *f, const fmpz_mpoly_t p, qqbar_t out);

#define FIELD_MAX_COLLECTED 100 /* terms of a polynomial that is taken apart */

/* The exponents in term t of the generators that are no algebraic numbers into part[FIELD_MAX], and
 * what they are multiplied with in the whole of p into *coefficient; the terms that it comes from
 * are marked in `done`. */
void field_collect(field *f, const fmpz_mpoly_t p, slong t, bool *done, ulong *part,
                   fmpz_mpoly_t coefficient);

/* A text that is the same only for quotients that are equal for certain. RDV_NONE: over a limit, or
 * the quotient has no value. RDV_E_NOMEM. */
int field_key(field *f, quotient *q, rdv_arena *arena, rdv_str *key);

/* Is the polynomial zero at the values of its generators? 1: yes, for certain; 0: no, for certain,
 * which needs that it holds algebraic numbers only; -1: not known. */
int field_vanishes(field *f, const fmpz_mpoly_t p);
