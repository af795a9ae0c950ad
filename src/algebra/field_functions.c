/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in the field. Trigonometric and hyperbolic ones are exponentials, so that their
 * identities are identities of polynomials. */
#include "algebra/ball.h"
#include "algebra/field.h"

#include <arb.h>

#define SIGN_BITS 256
#define MAX_FALLING 24 /* factors of a binomial with letters */
#define MAX_SHIFT 64   /* between two factorials */
#define MAX_ANGLE 60   /* of pi: denominators of angles that inverse functions are tried for */

static bool is_i(const generator *g)
{
    return g->is == GENERATOR_I;
}

static bool is_neither_real_nor_i(const generator *g)
{
    return !g->real && g->is != GENERATOR_I;
}

static eval_is call(field *f, function_id fn, const quotient *a, const quotient *b, quotient *out)
{
    size_t g = field_call(f, GENERATOR_CALL, fn, a, b);
    if (g == FIELD_FULL)
        return EVAL_LIMIT;
    quotient_set_generator(f, out, g);
    return EVAL_OK;
}

/* ---- signs ----------------------------------------------------------------------------------- */

static bool real_ball(field *f, const formula *n, arb_t out)
{
    acb_t x;
    acb_init(x);
    ball_point p = {.scope = f->scope, .complex = true, .natural = f->natural, .bits = SIGN_BITS};
    bool real = ball_eval(&p, n, x) == EVAL_OK && acb_is_real(x);
    arb_set(out, acb_realref(x));
    acb_clear(x);
    return real;
}

int field_sign(field *f, const formula *n)
{
    arb_t x;
    arb_init(x);
    bool real = real_ball(f, n, x);
    int sign = !real                ? 2
               : arb_is_zero(x)     ? 0
               : arb_is_positive(x) ? 1
               : arb_is_negative(x) ? -1
                                    : 2;
    arb_clear(x);
    return sign;
}

/* ---- complex numbers ------------------------------------------------------------------------- */

static void conjugate_polynomial(field *f, fmpz_mpoly_t p)
{
    for (size_t i = f->first; i < FIELD_MAX; i++)
        for (slong t = 0; is_i(&f->at[i]) && t < fmpz_mpoly_length(p, f->ctx); t++)
            if (fmpz_mpoly_get_term_var_exp_ui(p, t, (slong)i, f->ctx) % 2)
                fmpz_neg(p->coeffs + t, p->coeffs + t);
}

static eval_is conjugate(field *f, quotient *z)
{
    if (quotient_holds(f, z, is_neither_real_nor_i))
        return EVAL_LIMIT;
    conjugate_polynomial(f, z->num);
    conjugate_polynomial(f, z->den);
    return EVAL_OK;
}

/* |z|: by its sign, or as the root of z times its conjugate, which is z^2 for real letters. */
static eval_is size(field *f, const formula *n, quotient *z)
{
    bool has_letters = quotient_holds(f, z, generator_varies);
    int sign = has_letters ? 2 : field_sign(f, n->a);
    if (sign != 2) {
        if (sign < 0)
            quotient_negate(f, z);
        return EVAL_OK;
    }
    quotient other;
    quotient_open(f, &other);
    quotient_set(f, &other, z);
    eval_is is = conjugate(f, &other);
    if (is == EVAL_OK)
        is = quotient_multiply(f, z, &other);
    quotient_close(f, &other);
    return is == EVAL_OK ? field_root(f, z, 2, NULL) : is;
}

/* ---- trigonometric and hyperbolic functions -------------------------------------------------- */

/* The even and the odd part of an exponential: (E + 1/E)/2 into *even, (E - 1/E)/2 into *odd. */
static eval_is parts_of_exponential(field *f, const quotient *exponential, quotient *even,
                                    quotient *odd)
{
    quotient inverse;
    quotient_open(f, &inverse);
    quotient_set_si(f, &inverse, 1);
    eval_is is = quotient_divide(f, &inverse, exponential);
    quotient_set(f, even, exponential);
    quotient_set(f, odd, exponential);
    if (is == EVAL_OK)
        is = quotient_add(f, even, &inverse);
    if (is == EVAL_OK)
        is = quotient_subtract(f, odd, &inverse);
    if (is == EVAL_OK)
        is = quotient_scale(f, even, 1, 2);
    if (is == EVAL_OK)
        is = quotient_scale(f, odd, 1, 2);
    quotient_close(f, &inverse);
    return is;
}

static bool is_circular(function_id fn)
{
    return fn >= FN_SIN && fn <= FN_CSC;
}

/* sin, cos, tan and their inverses of *out; sinh, cosh, tanh. */
static eval_is periodic(field *f, function_id fn, quotient *out)
{
    quotient i, even, odd, one;
    quotient_open(f, &i);
    quotient_open(f, &even);
    quotient_open(f, &odd);
    quotient_open(f, &one);
    quotient_set_si(f, &one, 1);
    quotient_set_si(f, &i, 1);
    eval_is is = is_circular(fn) ? field_constant(f, GENERATOR_I, &i) : EVAL_OK;
    if (is == EVAL_OK)
        is = quotient_multiply(f, out, &i);
    if (is == EVAL_OK)
        is = field_exp(f, out);
    if (is == EVAL_OK)
        is = parts_of_exponential(f, out, &even, &odd);
    if (is == EVAL_OK)
        is = quotient_divide(f, &odd, &i);
    bool sine = fn == FN_SIN || fn == FN_TAN || fn == FN_SINH || fn == FN_TANH;
    quotient_set(f, out,
                 sine                                            ? &odd
                 : fn == FN_COS || fn == FN_COSH || fn == FN_COT ? &even
                                                                 : &one);
    if (is == EVAL_OK && (fn == FN_TAN || fn == FN_TANH || fn == FN_SEC))
        is = quotient_divide(f, out, &even);
    if (is == EVAL_OK && (fn == FN_COT || fn == FN_CSC))
        is = quotient_divide(f, out, &odd);
    quotient_close(f, &i);
    quotient_close(f, &even);
    quotient_close(f, &odd);
    quotient_close(f, &one);
    return is;
}

/* The rational multiple of pi that the angle may be: num/den with the smallest den. */
static bool guess_angle(field *f, const formula *n, slong *num, ulong *den)
{
    arb_t x, pi;
    fmpz_t whole;
    arb_init(x);
    arb_init(pi);
    fmpz_init(whole);
    bool found = real_ball(f, n, x);
    arb_const_pi(pi, SIGN_BITS);
    arb_div(x, x, pi, SIGN_BITS);
    for (*den = 1; found && *den <= MAX_ANGLE; ++*den) {
        arb_mul_ui(pi, x, *den, SIGN_BITS);
        if (arb_get_unique_fmpz(whole, pi))
            break;
    }
    found = found && *den <= MAX_ANGLE && fmpz_fits_si(whole);
    *num = found ? fmpz_get_si(whole) : 0;
    fmpz_clear(whole);
    arb_clear(x);
    arb_clear(pi);
    return found;
}

/* Is the sine (cosine, tangent) of pi num/den the value of *u, for certain? */
static bool has_value(field *f, function_id fn, slong num, ulong den, const quotient *u)
{
    quotient sine, cosine;
    quotient_open(f, &sine);
    quotient_open(f, &cosine);
    eval_is is = field_cosine(f, (slong)den - 2 * num, 2 * den, &sine);
    if (is == EVAL_OK)
        is = field_cosine(f, num, den, &cosine);
    if (is == EVAL_OK && fn == FN_ATAN)
        is = quotient_multiply(f, &cosine, u);
    bool equal = is == EVAL_OK && (fn == FN_ASIN   ? quotient_equal(f, &sine, u)
                                   : fn == FN_ACOS ? quotient_equal(f, &cosine, u)
                                                   : quotient_equal(f, &cosine, &sine));
    quotient_close(f, &sine);
    quotient_close(f, &cosine);
    return equal;
}

/* asin, acos and atan: known angles, else generators; acos(u) is pi/2 - asin(u), and asin and atan
 * are odd. */
static eval_is inverse_circular(field *f, const formula *n, quotient *out)
{
    slong num;
    ulong den;
    function_id fn = n->fn;
    if (!quotient_holds(f, out, generator_varies) && guess_angle(f, n, &num, &den) &&
        has_value(f, fn, num, den, out)) {
        eval_is known = field_constant(f, GENERATOR_PI, out);
        return known == EVAL_OK ? quotient_scale(f, out, num, den) : known;
    }
    eval_is is = quotient_reduce(f, out);
    bool negative = is == EVAL_OK && !quotient_is_zero(f, out) && fmpz_sgn(out->num->coeffs) < 0;
    if (negative)
        quotient_negate(f, out);
    if (is == EVAL_OK)
        is = call(f, fn == FN_ATAN ? FN_ATAN : FN_ASIN, out, NULL, out);
    if (negative)
        quotient_negate(f, out);
    if (is == EVAL_OK && fn == FN_ACOS) {
        quotient quarter_turn;
        quotient_open(f, &quarter_turn);
        is = field_constant(f, GENERATOR_PI, &quarter_turn);
        if (is == EVAL_OK)
            is = quotient_scale(f, &quarter_turn, 1, 2);
        if (is == EVAL_OK)
            is = quotient_subtract(f, &quarter_turn, out);
        quotient_set(f, out, &quarter_turn);
        quotient_close(f, &quarter_turn);
    }
    return is;
}

/* Is the argument where the formula of the inverse function holds: real, and at least 1 for acosh,
 * less than 1 in size for atanh? Letters that are real give values only there. */
static bool is_in_domain(field *f, const formula *n, const quotient *u)
{
    if (quotient_holds(f, u, generator_varies))
        return !f->complex;
    arb_t x, one;
    arb_init(x);
    arb_init(one);
    arb_one(one);
    bool in = real_ball(f, n->a, x);
    if (n->fn == FN_ATANH)
        arb_abs(x, x);
    in = in && (n->fn == FN_ACOSH ? arb_ge(x, one) : n->fn == FN_ATANH ? arb_lt(x, one) : true);
    arb_clear(x);
    arb_clear(one);
    return in;
}

/* asinh(u) = log(u + sqrt(u^2 + 1)), acosh(u) = log(u + sqrt(u^2 - 1)),
 * atanh(u) = log((1 + u)/(1 - u))/2 */
static eval_is inverse_hyperbolic(field *f, const formula *n, quotient *out)
{
    function_id fn = n->fn;
    if (!is_in_domain(f, n, out))
        return EVAL_LIMIT;
    quotient other, one;
    quotient_open(f, &other);
    quotient_open(f, &one);
    quotient_set_si(f, &one, 1);
    eval_is is;
    if (fn == FN_ATANH) {
        quotient_set_si(f, &other, 1);
        is = quotient_subtract(f, &other, out);
        if (is == EVAL_OK)
            is = quotient_add(f, out, &one);
        if (is == EVAL_OK)
            is = quotient_divide(f, out, &other);
    } else {
        quotient_set(f, &other, out);
        is = quotient_power(f, &other, 2);
        if (is == EVAL_OK)
            is =
                fn == FN_ASINH ? quotient_add(f, &other, &one) : quotient_subtract(f, &other, &one);
        if (is == EVAL_OK)
            is = field_root(f, &other, 2, NULL);
        if (is == EVAL_OK)
            is = quotient_add(f, out, &other);
    }
    if (is == EVAL_OK)
        is = field_log(f, out);
    if (is == EVAL_OK && fn == FN_ATANH)
        is = quotient_scale(f, out, 1, 2);
    quotient_close(f, &other);
    quotient_close(f, &one);
    return is;
}

/* ---- whole numbers --------------------------------------------------------------------------- */

/* from (from - 1) ... , `count` factors. */
static eval_is falling(field *f, const quotient *from, ulong count, quotient *out)
{
    quotient next, one;
    quotient_open(f, &next);
    quotient_open(f, &one);
    quotient_set(f, &next, from);
    quotient_set_si(f, &one, 1);
    quotient_set_si(f, out, 1);
    eval_is is = EVAL_OK;
    for (; count > 0 && is == EVAL_OK; count--) {
        is = quotient_multiply(f, out, &next);
        if (is == EVAL_OK)
            is = quotient_subtract(f, &next, &one);
    }
    quotient_close(f, &next);
    quotient_close(f, &one);
    return is;
}

/* Is a - b a whole number of at most `most` in size? */
static bool whole_difference(field *f, const quotient *a, const quotient *b, slong most, slong *out)
{
    quotient difference;
    fmpq_t x;
    quotient_open(f, &difference);
    fmpq_init(x);
    quotient_set(f, &difference, a);
    bool whole = quotient_subtract(f, &difference, b) == EVAL_OK &&
                 quotient_rational(f, &difference, x) && fmpz_is_one(fmpq_denref(x)) &&
                 fmpz_cmp_si(fmpq_numref(x), most) <= 0 && fmpz_cmp_si(fmpq_numref(x), -most) >= 0;
    *out = whole ? fmpz_get_si(fmpq_numref(x)) : 0;
    fmpq_clear(x);
    quotient_close(f, &difference);
    return whole;
}

/* x!, from a factorial that is already a generator, if there is one near: (n+1)! = (n+1) n!. */
static eval_is factorial(field *f, quotient *x)
{
    for (size_t i = f->first; i < FIELD_MAX; i++) {
        slong shift;
        const generator *g = &f->at[i];
        if (g->is != GENERATOR_CALL || g->fn != FN_FACTORIAL ||
            !whole_difference(f, x, &g->arg[0], MAX_SHIFT, &shift))
            continue;
        quotient factors, base;
        quotient_open(f, &factors);
        quotient_open(f, &base);
        quotient_set_generator(f, &base, i);
        eval_is is = falling(f, shift > 0 ? x : &g->arg[0], (ulong)labs(shift), &factors);
        if (is == EVAL_OK)
            is = shift > 0 ? quotient_multiply(f, &base, &factors)
                           : quotient_divide(f, &base, &factors);
        quotient_set(f, x, &base);
        quotient_close(f, &factors);
        quotient_close(f, &base);
        return is;
    }
    return call(f, FN_FACTORIAL, x, NULL, x);
}

/* The ways to choose k out of n where k, or n - k, is a small whole number. */
static eval_is choices(field *f, function_id fn, quotient *n, const quotient *k)
{
    quotient zero, product;
    slong count, rest;
    quotient_open(f, &zero);
    quotient_open(f, &product);
    bool few = whole_difference(f, k, &zero, MAX_FALLING, &count) && count >= 0;
    if (!few && fn == FN_BINOMIAL && whole_difference(f, n, k, MAX_FALLING, &rest) && rest >= 0) {
        few = true;
        count = rest;
    }
    eval_is is = few ? falling(f, n, (ulong)count, &product) : call(f, fn, n, k, &product);
    for (slong i = 2; few && fn == FN_BINOMIAL && i <= count && is == EVAL_OK; i++)
        is = quotient_scale(f, &product, 1, (ulong)i);
    quotient_set(f, n, &product);
    quotient_close(f, &zero);
    quotient_close(f, &product);
    return is;
}

static eval_is rounded(field *f, const formula *n, quotient *out)
{
    if (quotient_holds(f, out, generator_varies))
        return call(f, n->fn, out, NULL, out);
    arb_t x;
    fmpz_t whole;
    arb_init(x);
    fmpz_init(whole);
    bool known = real_ball(f, n, x) && arb_get_unique_fmpz(whole, x);
    fmpz_mpoly_set_fmpz(out->num, whole, f->ctx);
    fmpz_mpoly_one(out->den, f->ctx);
    fmpz_clear(whole);
    arb_clear(x);
    return known ? EVAL_OK : EVAL_LIMIT;
}

/* The larger or the smaller of two numbers, where their bounds tell. */
static eval_is extreme(field *f, const formula *n, quotient *a, const quotient *b)
{
    if (quotient_holds(f, a, generator_varies) || quotient_holds(f, b, generator_varies))
        return call(f, n->fn, a, b, a);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    bool real = real_ball(f, n->a, x) && real_ball(f, n->b, y);
    bool less = real && arb_lt(x, y), more = real && arb_gt(x, y);
    if (n->fn == FN_MAX ? less : more)
        quotient_set(f, a, b);
    arb_clear(x);
    arb_clear(y);
    return less || more || quotient_equal(f, a, b) ? EVAL_OK : EVAL_LIMIT;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static eval_is one_argument(field *f, const formula *n, quotient *out)
{
    switch (n->fn) {
    case FN_ASIN:
    case FN_ACOS:
    case FN_ATAN:
        return inverse_circular(f, n, out);
    case FN_ASINH:
    case FN_ACOSH:
    case FN_ATANH:
        return inverse_hyperbolic(f, n, out);
    case FN_EXP:
        return field_exp(f, out);
    case FN_LN:
    case FN_LOG:
        return field_log(f, out);
    case FN_ABS:
        return size(f, n, out);
    case FN_FLOOR:
    case FN_CEIL:
        return rounded(f, n, out);
    case FN_FACTORIAL:
        return factorial(f, out);
    case FN_DOUBLE_FACTORIAL:
        return call(f, n->fn, out, NULL, out);
    case FN_CONJUGATE:
        return conjugate(f, out);
    default:
        return periodic(f, n->fn, out);
    }
}

static eval_is logarithm_to(field *f, quotient *a, quotient *base)
{
    eval_is is = field_log(f, a);
    if (is == EVAL_OK)
        is = field_log(f, base);
    return is == EVAL_OK ? quotient_divide(f, a, base) : is;
}

static eval_is two_arguments(field *f, const formula *n, quotient *a, quotient *b)
{
    switch (n->fn) {
    case FN_LOG:
        return logarithm_to(f, a, b);
    case FN_MAX:
    case FN_MIN:
        return extreme(f, n, a, b);
    case FN_BINOMIAL:
    case FN_PERMUTATIONS:
        return choices(f, n->fn, a, b);
    case FN_BASE:
        return EVAL_UNDEFINED;
    default:
        return call(f, n->fn, a, b, a);
    }
}

eval_is field_apply(field *f, const formula *n, quotient *out)
{
    eval_is is = field_rational(f, n, out);
    if (is == EVAL_OK || is == EVAL_UNDEFINED)
        return is;
    is = field_eval(f, n->a, out);
    bool to_ten = n->fn == FN_LOG && !n->b && !f->natural;
    if (is != EVAL_OK || (!n->b && !to_ten))
        return is == EVAL_OK ? one_argument(f, n, out) : is;
    quotient b;
    quotient_open(f, &b);
    quotient_set_si(f, &b, 10);
    if (n->b)
        is = field_eval(f, n->b, &b);
    if (is == EVAL_OK)
        is = two_arguments(f, n, out, &b);
    quotient_close(f, &b);
    return is;
}
