/* SPDX-License-Identifier: Apache-2.0 */
#include "algebra/ball.h"

#include "base/str.h"

#include <acb_hypgeom.h>
#include <arb.h>
#include <arf.h>

#define MAX_EXPONENT ((slong)1 << 40) /* of two: larger values are over the limit */
#define MAX_GAMMA 35                  /* bits of the argument of a factorial */
#define FUNCTION_COST 32              /* a function costs so many times an addition */

static eval_is charge(const ball_point *p, uint64_t times)
{
    return formula_charge(p->scope, times * (uint64_t)p->bits) ? EVAL_OK : EVAL_LIMIT;
}

static bool below(const acb_t x, slong exponent)
{
    mag_t size;
    mag_init(size);
    acb_get_mag(size, x);
    bool is = mag_cmp_2exp_si(size, exponent) < 0;
    mag_clear(size);
    return is;
}

static bool in_range(const acb_t x)
{
    return acb_is_finite(x) && below(x, MAX_EXPONENT);
}

/* ---- letters --------------------------------------------------------------------------------- */

/* The value of a letter at the point: above one at 0, of either sign at 1, between 0 and 1 at 2, a
 * whole number at 3, negative at 4. The same name has the same value in every formula. */
static void letter_value(const ball_point *p, rdv_str name, acb_t out)
{
    uint64_t hash = 1469598103934665603u + p->number;
    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)name.p[i]) * 1099511628211u;
    hash ^= hash >> 29;
    slong whole = (slong)(hash % 8) + 1, part = (slong)(hash / 8 % 95) + 1;
    slong hundredths = p->number == 2   ? part
                       : p->number == 3 ? 100 * (whole + part % 3)
                                        : 100 * whole + part;
    bool negative = p->number == 4 || (p->number == 1 && hash / 1024 % 2);
    acb_set_si(out, negative ? -hundredths : hundredths);
    acb_div_ui(out, out, p->number == 3 ? 100 : 97, p->bits);
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* The k-th root: odd ones of negative numbers are real, the others principal. */
static eval_is take_root(const ball_point *p, acb_t x, ulong k)
{
    bool negative = acb_is_real(x) && arb_is_negative(acb_realref(x));
    if (negative && k % 2) {
        acb_neg(x, x);
        acb_root_ui(x, x, k, p->bits);
        acb_neg(x, x);
        return EVAL_OK;
    }
    if (!p->complex && !arb_is_nonnegative(acb_realref(x)))
        return EVAL_UNDEFINED;
    acb_root_ui(x, x, k, p->bits);
    return EVAL_OK;
}

static eval_is raise_to(const ball_point *p, acb_t base, const acb_t exponent)
{
    if (acb_contains_zero(base)) {
        if (!acb_is_zero(base) || !arb_is_positive(acb_realref(exponent)))
            return EVAL_UNDEFINED;
        acb_zero(base);
        return EVAL_OK;
    }
    bool negative = !acb_is_real(base) || !arb_is_positive(acb_realref(base));
    if (!p->complex && negative && !acb_is_int(exponent))
        return EVAL_UNDEFINED;
    acb_t size;
    acb_init(size);
    acb_log(size, base, 64);
    acb_mul(size, size, exponent, 64);
    bool small = acb_is_finite(size) && below(size, 40) && below(exponent, 60);
    acb_clear(size);
    if (!small)
        return EVAL_LIMIT;
    acb_pow(base, base, exponent, p->bits);
    return EVAL_OK;
}

static eval_is root(const ball_point *p, const formula *n, acb_t out)
{
    ulong k = 2;
    fmpq_t index;
    fmpq_init(index);
    eval_is is = n->b ? formula_rational(p->scope, n->b, index) : EVAL_OK;
    if (is == EVAL_OK && n->b) {
        bool fits = fmpz_is_one(fmpq_denref(index)) && fmpz_cmp_ui(fmpq_numref(index), 2) >= 0 &&
                    fmpz_cmp_ui(fmpq_numref(index), 1000) <= 0;
        k = fits ? fmpz_get_ui(fmpq_numref(index)) : 0;
        is = fits ? EVAL_OK : EVAL_LIMIT;
    }
    fmpq_clear(index);
    if (is == EVAL_OK)
        is = ball_eval(p, n->a, out);
    return is == EVAL_OK ? take_root(p, out, k) : is;
}

/* A negative base to a power with an odd denominator is real, as odd roots are. */
static eval_is power(const ball_point *p, const formula *n, acb_t out)
{
    fmpq_t exponent;
    acb_t e;
    fmpq_init(exponent);
    acb_init(e);
    eval_is is = ball_eval(p, n->a, out);
    bool rational = is == EVAL_OK && formula_rational(p->scope, n->b, exponent) == EVAL_OK;
    bool odd = rational && !fmpz_is_one(fmpq_denref(exponent)) &&
               fmpz_is_odd(fmpq_denref(exponent)) && acb_is_real(out) &&
               arb_is_negative(acb_realref(out)) && fmpz_cmp_ui(fmpq_denref(exponent), 1000) < 0;
    if (odd) {
        is = take_root(p, out, fmpz_get_ui(fmpq_denref(exponent)));
        acb_set_fmpz(e, fmpq_numref(exponent));
    } else if (rational) {
        acb_set_fmpq(e, exponent, p->bits);
    } else if (is == EVAL_OK) {
        is = ball_eval(p, n->b, e);
    }
    if (is == EVAL_OK)
        is = raise_to(p, out, e);
    acb_clear(e);
    fmpq_clear(exponent);
    return is;
}

/* ---- functions ------------------------------------------------------------------------------- */

static eval_is logarithm(const ball_point *p, acb_t x)
{
    bool positive = acb_is_real(x) && arb_is_positive(acb_realref(x));
    if (acb_contains_zero(x) || (!p->complex && !positive))
        return EVAL_UNDEFINED;
    acb_log(x, x, p->bits);
    return EVAL_OK;
}

static eval_is factorial(const ball_point *p, acb_t x)
{
    if (!below(x, MAX_GAMMA))
        return EVAL_LIMIT;
    if (charge(p, (uint64_t)p->bits / 8) != EVAL_OK) /* it takes as many terms as bits */
        return EVAL_LIMIT;
    acb_add_ui(x, x, 1, p->bits);
    acb_gamma(x, x, p->bits);
    return acb_is_finite(x) ? EVAL_OK : EVAL_UNDEFINED;
}

/* Is x certainly in [-1, 1]? */
static bool in_unit(const acb_t x)
{
    arb_t size;
    arb_init(size);
    arb_abs(size, acb_realref(x));
    arb_sub_ui(size, size, 1, 64);
    bool is = acb_is_real(x) && arb_is_nonpositive(size);
    arb_clear(size);
    return is;
}

static eval_is one_argument(const ball_point *p, function_id fn, acb_t x)
{
    bool outside = !p->complex && !in_unit(x);
    switch (fn) {
    case FN_SIN:
        acb_sin(x, x, p->bits);
        return EVAL_OK;
    case FN_COS:
        acb_cos(x, x, p->bits);
        return EVAL_OK;
    case FN_TAN:
        acb_tan(x, x, p->bits);
        return EVAL_OK;
    case FN_COT:
        acb_cot(x, x, p->bits);
        return EVAL_OK;
    case FN_SEC:
        acb_sec(x, x, p->bits);
        return EVAL_OK;
    case FN_CSC:
        acb_csc(x, x, p->bits);
        return EVAL_OK;
    case FN_ASIN:
        acb_asin(x, x, p->bits);
        return outside ? EVAL_UNDEFINED : EVAL_OK;
    case FN_ACOS:
        acb_acos(x, x, p->bits);
        return outside ? EVAL_UNDEFINED : EVAL_OK;
    case FN_ATAN:
        acb_atan(x, x, p->bits);
        return EVAL_OK;
    case FN_SINH:
        acb_sinh(x, x, p->bits);
        return EVAL_OK;
    case FN_COSH:
        acb_cosh(x, x, p->bits);
        return EVAL_OK;
    case FN_TANH:
        acb_tanh(x, x, p->bits);
        return EVAL_OK;
    case FN_ASINH:
        acb_asinh(x, x, p->bits);
        return EVAL_OK;
    case FN_ACOSH:
        acb_acosh(x, x, p->bits);
        return EVAL_OK;
    case FN_ATANH:
        acb_atanh(x, x, p->bits);
        return outside ? EVAL_UNDEFINED : EVAL_OK;
    case FN_EXP:
        if (!below(x, 40))
            return EVAL_LIMIT;
        acb_exp(x, x, p->bits);
        return EVAL_OK;
    case FN_LN:
    case FN_LOG:
        return logarithm(p, x);
    case FN_ABS:
        acb_abs(acb_realref(x), x, p->bits);
        arb_zero(acb_imagref(x));
        return EVAL_OK;
    case FN_FLOOR:
        arb_floor(acb_realref(x), acb_realref(x), p->bits);
        return acb_is_real(x) ? EVAL_OK : EVAL_UNDEFINED;
    case FN_CEIL:
        arb_ceil(acb_realref(x), acb_realref(x), p->bits);
        return acb_is_real(x) ? EVAL_OK : EVAL_UNDEFINED;
    case FN_FACTORIAL:
        return factorial(p, x);
    case FN_CONJUGATE:
        acb_conj(x, x);
        return EVAL_OK;
    default:
        return EVAL_LIMIT;
    }
}

/* n!/(n-k)!, over k! for a binomial. */
static eval_is choices(const ball_point *p, function_id fn, acb_t n, const acb_t k)
{
    acb_t rest, count;
    acb_init(rest);
    acb_init(count);
    acb_sub(rest, n, k, p->bits);
    acb_set(count, k);
    eval_is is = factorial(p, n);
    if (is == EVAL_OK)
        is = factorial(p, rest);
    if (is == EVAL_OK)
        acb_div(n, n, rest, p->bits);
    if (is == EVAL_OK && fn == FN_BINOMIAL)
        is = factorial(p, count);
    if (is == EVAL_OK && fn == FN_BINOMIAL)
        acb_div(n, n, count, p->bits);
    acb_clear(rest);
    acb_clear(count);
    return is;
}

static eval_is two_arguments(const ball_point *p, function_id fn, acb_t a, acb_t b)
{
    eval_is is = EVAL_OK;
    switch (fn) {
    case FN_LOG:
        is = logarithm(p, a);
        if (is == EVAL_OK)
            is = logarithm(p, b);
        if (is == EVAL_OK)
            acb_div(a, a, b, p->bits);
        return is;
    case FN_MAX:
    case FN_MIN:
        if (!acb_is_real(a) || !acb_is_real(b))
            return EVAL_UNDEFINED;
        fn == FN_MAX ? arb_max(acb_realref(a), acb_realref(a), acb_realref(b), p->bits)
                     : arb_min(acb_realref(a), acb_realref(a), acb_realref(b), p->bits);
        return EVAL_OK;
    case FN_BINOMIAL:
    case FN_PERMUTATIONS:
        return choices(p, fn, a, b);
    default:
        return EVAL_LIMIT;
    }
}

static eval_is apply(const ball_point *p, const formula *n, acb_t out)
{
    acb_t b;
    fmpq_t exact;
    fmpq_init(exact);
    eval_is is = formula_rational(p->scope, n, exact);
    if (is == EVAL_OK)
        acb_set_fmpq(out, exact, p->bits);
    fmpq_clear(exact);
    if (is == EVAL_OK || is == EVAL_UNDEFINED)
        return is;
    is = charge(p, FUNCTION_COST);
    if (is == EVAL_OK)
        is = ball_eval(p, n->a, out);
    if (is != EVAL_OK)
        return is;
    acb_init(b);
    bool to_ten = n->fn == FN_LOG && !n->b && !p->natural;
    if (n->b)
        is = ball_eval(p, n->b, b);
    if (to_ten)
        acb_set_ui(b, 10);
    if (is == EVAL_OK)
        is = n->b || to_ten ? two_arguments(p, n->fn, out, b) : one_argument(p, n->fn, out);
    acb_clear(b);
    return is;
}

/* ---- operators ------------------------------------------------------------------------------- */

static eval_is binary(const ball_point *p, const formula *n, acb_t out)
{
    eval_is is = ball_eval(p, n->a, out);
    acb_t b;
    acb_init(b);
    if (is == EVAL_OK)
        is = ball_eval(p, n->b, b);
    if (is == EVAL_OK && n->is == F_DIVIDE && acb_contains_zero(b))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK)
        n->is == F_ADD        ? acb_add(out, out, b, p->bits)
        : n->is == F_SUBTRACT ? acb_sub(out, out, b, p->bits)
        : n->is == F_MULTIPLY ? acb_mul(out, out, b, p->bits)
                              : acb_div(out, out, b, p->bits);
    acb_clear(b);
    return is;
}

static eval_is repetition(const ball_point *p, const formula *n, acb_t out)
{
    formula_index index = {.outer = p->scope->index, .name = n->name};
    slong to;
    eval_is is = formula_bounds(p->scope, n, &index.value, &to);
    acb_t term;
    acb_init(term);
    acb_set_ui(out, n->is == F_PRODUCT);
    for (; is == EVAL_OK && index.value <= to; index.value++) {
        p->scope->index = &index;
        is = ball_eval(p, n->c, term);
        p->scope->index = index.outer;
        if (is == EVAL_OK)
            n->is == F_SUM ? acb_add(out, out, term, p->bits) : acb_mul(out, out, term, p->bits);
    }
    acb_clear(term);
    return is;
}

static eval_is number(const ball_point *p, const formula *n, acb_t out)
{
    fmpq_t x;
    fmpq_init(x);
    eval_is is = formula_rational(p->scope, n, x);
    if (is == EVAL_OK)
        acb_set_fmpq(out, x, p->bits);
    fmpq_clear(x);
    return is;
}

static eval_is scaled(const ball_point *p, const formula *n, acb_t out)
{
    eval_is is = ball_eval(p, n->a, out);
    if (is != EVAL_OK)
        return is;
    if (n->is == F_NEGATE) {
        acb_neg(out, out);
    } else if (n->is == F_PERCENT) {
        acb_div_ui(out, out, 100, p->bits);
    } else {
        arb_t pi;
        arb_init(pi);
        arb_const_pi(pi, p->bits);
        acb_mul_arb(out, out, pi, p->bits);
        acb_div_ui(out, out, 180, p->bits);
        arb_clear(pi);
    }
    return EVAL_OK;
}

static eval_is value(const ball_point *p, const formula *n, acb_t out)
{
    switch (n->is) {
    case F_NUMBER:
        return number(p, n, out);
    case F_LETTER: {
        const formula_index *i = formula_index_of(p->scope, n->name);
        if (i)
            acb_set_si(out, i->value);
        else
            letter_value(p, n->name, out);
        return EVAL_OK;
    }
    case F_PI:
        acb_const_pi(out, p->bits);
        return EVAL_OK;
    case F_E:
        acb_zero(out);
        arb_const_e(acb_realref(out), p->bits);
        return EVAL_OK;
    case F_I:
        acb_onei(out);
        return p->complex ? EVAL_OK : EVAL_UNDEFINED;
    case F_INFINITY:
        return EVAL_UNDEFINED;
    case F_NEGATE:
    case F_PERCENT:
    case F_DEGREES:
        return scaled(p, n, out);
    case F_ADD:
    case F_SUBTRACT:
    case F_MULTIPLY:
    case F_DIVIDE:
        return binary(p, n, out);
    case F_POWER:
        return power(p, n, out);
    case F_ROOT:
        return root(p, n, out);
    case F_SUM:
    case F_PRODUCT:
        return repetition(p, n, out);
    case F_APPLY:
        return apply(p, n, out);
    }
    return EVAL_LIMIT;
}

eval_is ball_eval(const ball_point *p, const formula *n, acb_t out)
{
    eval_is is = charge(p, 1);
    if (is == EVAL_OK)
        is = value(p, n, out);
    if (is != EVAL_OK)
        return is;
    if (!acb_is_finite(out) || (!p->complex && !acb_is_real(out)))
        return EVAL_UNDEFINED;
    return in_range(out) ? EVAL_OK : EVAL_LIMIT;
}
