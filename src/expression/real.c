/* SPDX-License-Identifier: Apache-2.0 */
/* Values with roots and pi, as Arb balls: the result carries a proven bound on its error, and is
 * given out only when that bound leaves 50 significant digits. */
#include "expression/eval.h"

#include "base/str.h"
#include "notation/call_name.h"

#include <arb.h>
#include <arf.h>

#define PRECISION 320 /* bits carried */
#define ENOUGH 170    /* bits that must be right: 51 digits */
/* What was cut off is less than one unit by this power of two; a radius has 30 bits. */
#define LESS_THAN_ONE 20
#define MAX_DENOMINATOR 1000 /* of rationals that a ball may pin down */
/* What looking for one costs, in bits touched. */
#define RATIONAL_COST ((uint64_t)MAX_DENOMINATOR * PRECISION / 4)
#define MAX_EXPONENT 16384 /* of two; anything larger or smaller is over the limit */

static eval_is ball(evaluation *ev, const node *n, arb_t out);

static bool in_range(const arb_t x)
{
    return arb_is_finite(x) && arf_cmpabs_2exp_si(arb_midref(x), MAX_EXPONENT) < 0;
}

static eval_is ball_power(arb_t out, const arb_t base, const arb_t exponent)
{
    if (!arb_is_int(exponent) && !arb_is_nonnegative(base))
        return EVAL_UNDEFINED;
    if (arf_cmpabs_2exp_si(arb_midref(exponent), 14) > 0)
        return EVAL_LIMIT;
    if (arb_contains_zero(base) && !arb_is_positive(exponent))
        return EVAL_UNDEFINED;
    arb_pow(out, base, exponent, PRECISION);
    return EVAL_OK;
}

static eval_is ball_root(evaluation *ev, const node *n, arb_t out)
{
    ulong k;
    eval_is is = eval_root_index(ev, n, &k);
    if (is == EVAL_OK)
        is = ball(ev, n->a, out);
    if (is != EVAL_OK)
        return is;
    if (arb_is_nonnegative(out)) {
        arb_root_ui(out, out, k, PRECISION);
    } else if (arb_is_negative(out) && k % 2) {
        arb_neg(out, out);
        arb_root_ui(out, out, k, PRECISION);
        arb_neg(out, out);
    } else {
        return EVAL_UNDEFINED;
    }
    return EVAL_OK;
}

/* As in eval.c. */
static eval_is ball_regrouped(evaluation *ev, const node *n, const node *division, arb_t out)
{
    arb_t factor;
    arb_init(factor);
    bool fraction = division->implicit;
    eval_is is = ball(ev, fraction ? division->b->a : division->b, out);
    if (is == EVAL_OK && fraction) {
        is = ball(ev, division->b->b, factor);
        arb_mul(out, out, factor, PRECISION);
    }
    for (const node *m = n; is == EVAL_OK && m != division; m = m->a) {
        is = ball(ev, m->b, factor);
        arb_mul(out, out, factor, PRECISION);
    }
    if (is == EVAL_OK && arb_contains_zero(out))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK)
        is = ball(ev, division->a, factor);
    if (is == EVAL_OK)
        arb_div(out, factor, out, PRECISION);
    arb_clear(factor);
    return is;
}

/* ---- functions that are written by name ------------------------------------------------------ */

static bool has_pi(const node *n)
{
    return n && (n->is == N_PI || has_pi(n->a) || has_pi(n->b));
}

/* The angle in halves of a turn, for the functions of pi times it. */
static eval_is angle(const node *n, arb_t x)
{
    bool degrees = n->value >= CALL_SIN_DEGREES;
    if (degrees) {
        arb_div_ui(x, x, 180, PRECISION);
        return EVAL_OK;
    }
    if (!has_pi(n->a) && !arb_is_zero(x))
        return EVAL_LIMIT; /* degrees or radians? */
    arb_t pi;
    arb_init(pi);
    arb_const_pi(pi, PRECISION);
    arb_div(x, x, pi, PRECISION);
    arb_clear(pi);
    return EVAL_OK;
}

static eval_is of_angle(const node *n, arb_t x)
{
    eval_is is = angle(n, x);
    if (is != EVAL_OK)
        return is;
    switch ((call_is)n->value) {
    case CALL_SIN:
    case CALL_SIN_DEGREES:
        arb_sin_pi(x, x, PRECISION);
        return EVAL_OK;
    case CALL_COS:
    case CALL_COS_DEGREES:
        arb_cos_pi(x, x, PRECISION);
        return EVAL_OK;
    default: {
        arb_t cosine;
        arb_init(cosine);
        arb_cos_pi(cosine, x, PRECISION);
        arb_sin_pi(x, x, PRECISION);
        if (arb_contains_zero(cosine))
            is = EVAL_UNDEFINED;
        else
            arb_div(x, x, cosine, PRECISION);
        arb_clear(cosine);
        return is;
    }
    }
}

static eval_is ball_call(evaluation *ev, const node *n, arb_t out)
{
    fmpq_t exact;
    fmpq_init(exact);
    eval_is is = eval_call(ev, n, exact);
    if (is == EVAL_OK)
        arb_set_fmpq(out, exact, PRECISION);
    fmpq_clear(exact);
    if (is != EVAL_IRRATIONAL || n->is != N_CALL)
        return is;
    is = ball(ev, n->a, out);
    if (is != EVAL_OK)
        return is;
    if (n->value >= CALL_SIN && n->value <= CALL_TAN_DEGREES)
        return of_angle(n, out);
    if (n->value >= CALL_ASIN && n->value <= CALL_ATAN) { /* in radians */
        n->value == CALL_ASIN   ? arb_asin(out, out, PRECISION)
        : n->value == CALL_ACOS ? arb_acos(out, out, PRECISION)
                                : arb_atan(out, out, PRECISION);
        return arb_is_finite(out) ? EVAL_OK : EVAL_UNDEFINED;
    }
    if (n->value == CALL_FLOOR || n->value == CALL_CEIL) {
        n->value == CALL_FLOOR ? arb_floor(out, out, PRECISION) : arb_ceil(out, out, PRECISION);
        return EVAL_OK;
    }
    if ((n->value != CALL_LN && n->value != CALL_LOG) || !arb_is_positive(out))
        return EVAL_UNDEFINED;
    arb_log(out, out, PRECISION);
    if (n->value == CALL_LN)
        return EVAL_OK;
    arb_t base;
    arb_init(base);
    arb_set_ui(base, 10);
    is = n->b ? ball(ev, n->b, base) : EVAL_OK;
    if (is == EVAL_OK && !arb_is_positive(base))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK)
        arb_log(base, base, PRECISION);
    if (is == EVAL_OK && arb_contains_zero(base))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK)
        arb_div(out, out, base, PRECISION);
    arb_clear(base);
    return is;
}

/* `out`, which ends in a power, with its exponent divided by b: "8^1/3" as 8^(1/3). */
static eval_is ball_exponent(evaluation *ev, const node *n, arb_t out, const arb_t b)
{
    const node *power = node_last_factor(n->a);
    arb_t base, exponent, less;
    arb_init(base);
    arb_init(exponent);
    arb_init(less);
    eval_is is = ball(ev, power->a, base);
    if (is == EVAL_OK)
        is = ball(ev, power->b, exponent);
    if (is == EVAL_OK && !arb_is_positive(base))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK) { /* x^a / x^(a - a/b) is x^(a/b) */
        arb_div(less, exponent, b, PRECISION);
        arb_sub(exponent, less, exponent, PRECISION);
        is = ball_power(less, base, exponent);
        arb_mul(out, out, less, PRECISION);
    }
    arb_clear(base);
    arb_clear(exponent);
    arb_clear(less);
    return is;
}

static eval_is ball_binary(evaluation *ev, const node *n, arb_t out)
{
    const node *division = eval_division(ev, n);
    if (division)
        return ball_regrouped(ev, n, division, out);
    eval_is is = ball(ev, n->a, out);
    if (is != EVAL_OK || eval_left_only(ev, n))
        return is;
    arb_t b;
    arb_init(b);
    is = ball(ev, n->b, b);
    if (is == EVAL_OK) {
        switch (n->is) {
        case N_ADD:
            arb_add(out, out, b, PRECISION);
            break;
        case N_SUBTRACT:
            arb_sub(out, out, b, PRECISION);
            break;
        case N_MULTIPLY:
            arb_mul(out, out, b, PRECISION);
            break;
        case N_DIVIDE:
            if (arb_contains_zero(b))
                is = EVAL_UNDEFINED;
            else if (n->exponent && (ev->reading & READ_EXPONENT_FRACTION))
                is = ball_exponent(ev, n, out, b);
            else
                arb_div(out, out, b, PRECISION);
            break;
        case N_POWER:
            is = ball_power(out, out, b);
            break;
        default:
            is = EVAL_UNDEFINED;
        }
    }
    arb_clear(b);
    return is;
}

static eval_is ball_pi(const evaluation *ev, arb_t out)
{
    fmpq_t read;
    fmpq_init(read);
    if (eval_pi(ev, read))
        arb_set_fmpq(out, read, PRECISION);
    else
        arb_const_pi(out, PRECISION);
    fmpq_clear(read);
    return EVAL_OK;
}

static void ball_unit(const evaluation *ev, const node *n, arb_t out)
{
    fmpq_t factor;
    arb_t by;
    fmpq_init(factor);
    arb_init(by);
    fmpq_one(factor);
    eval_unit(ev, n, factor);
    arb_set_fmpq(by, factor, PRECISION);
    arb_mul(out, out, by, PRECISION);
    arb_clear(by);
    fmpq_clear(factor);
}

/* The amount behind a sign of money, which is no rounded one where `given` counts. */
static eval_is ball_price(evaluation *ev, const node *n, arb_t out)
{
    bool loose = ev->loose;
    ev->loose = loose && !ev->given;
    eval_is is = ball(ev, n, out);
    ev->loose = loose;
    return is;
}

static eval_is ball_of(evaluation *ev, const node *n, arb_t out)
{
    eval_is is;
    switch (n->is) {
    case N_PI:
        return ball_pi(ev, out);
    case N_ROOT:
        return ball_root(ev, n, out);
    case N_NEGATE:
        is = ball(ev, n->a, out);
        arb_neg(out, out);
        return is;
    case N_ABS:
        is = ball(ev, n->a, out);
        arb_abs(out, out);
        return is;
    case N_UNIT:
        is = n->sign ? ball_price(ev, n->a, out) : ball(ev, n->a, out);
        ball_unit(ev, n, out);
        return is;
    case N_PERCENT:
        is = ball(ev, n->a, out);
        if (!(ev->reading & READ_PERCENT_AS_NUMBER))
            arb_div_ui(out, out, 100, PRECISION);
        return is;
    case N_CALL:
        return ball_call(ev, n, out);
    case N_FLOOR:
    case N_CEIL:
        is = ball(ev, n->a, out);
        if (is == EVAL_OK)
            n->is == N_FLOOR ? arb_floor(out, out, PRECISION) : arb_ceil(out, out, PRECISION);
        return is;
    case N_ADD:
    case N_SUBTRACT:
    case N_MULTIPLY:
    case N_DIVIDE:
    case N_POWER:
        return ball_binary(ev, n, out);
    default:
        return EVAL_UNDEFINED;
    }
}

/* May the decimal itself be rounded? A number of the question, 1.5 and 1.5e3 are what they are. */
static bool may_be_rounded(const evaluation *ev, const node *n, long scale)
{
    if (!ev->given && scale > 0)
        return true;
    rdv_str s = tok_text(ev->t, n->end - 1);
    size_t digits = 0;
    for (size_t i = 0; i < s.len && s.p[i] != 'e' && s.p[i] != 'E'; i++)
        digits += rdv_is_digit(s.p[i]) && (digits || s.p[i] != '0');
    return digits >= 3 && !(ev->given && literal_stands_in(*ev->given, s));
}

/* A decimal as the interval of what it may have been rounded to the nearest or cut off from: half a
 * unit of its last digit below, less than one unit above. */
static void loosen(evaluation *ev, const node *n, arb_t out)
{
    long scale;
    if (n->is == N_NUMBER && !ev->t->at[n->end - 1].vulgar &&
        literal_is_decimal(tok_text(ev->t, n->end - 1), &scale) && may_be_rounded(ev, n, scale)) {
        arb_t quarter, radius, less;
        arb_init(quarter);
        arb_init(radius);
        arb_init(less);
        arb_set_ui(quarter, 10);
        arb_pow_ui(quarter, quarter, (ulong)labs(scale), PRECISION);
        if (scale > 0)
            arb_inv(quarter, quarter, PRECISION);
        arb_div_ui(quarter, quarter, 4, PRECISION);
        if (ev->exactly)
            arb_mul_2exp_si(less, quarter, -LESS_THAN_ONE);
        arb_mul_ui(radius, quarter, 3, PRECISION);
        arb_sub(radius, radius, less, PRECISION);
        arb_sub(less, quarter, less, PRECISION);
        arb_add(out, out, less, PRECISION);
        arb_add_error(out, radius);
        ev->loosened = true;
        arb_clear(quarter);
        arb_clear(radius);
        arb_clear(less);
    }
}

/* Rational parts are computed exactly, so that only what is irrational carries an error. */
static eval_is ball(evaluation *ev, const node *n, arb_t out)
{
    if (*ev->budget < PRECISION)
        return EVAL_LIMIT;
    *ev->budget -= PRECISION;
    fmpq_t q;
    fmpq_init(q);
    bool leaf = n->is == N_NUMBER || n->is == N_LETTER || n->is == N_FACTORIAL ||
                n->is == N_BINOMIAL || n->is == N_MIXED || n->is == N_CONSTANT || n->is == N_SUM ||
                n->is == N_MOD;
    eval_is is = leaf ? eval_exact(ev, n, q) : ball_of(ev, n, out);
    if (leaf && is == EVAL_OK)
        arb_set_fmpq(out, q, PRECISION);
    fmpq_clear(q);
    if (ev->loose && is == EVAL_OK)
        loosen(ev, n, out);
    return is == EVAL_OK && !in_range(out) ? EVAL_LIMIT : is;
}

/* The fraction of the ball's midpoint in units of 2^-64, and in them, rounded up, how far from it
 * the ball's numbers may lie. False: they lie too far, or the midpoint is too large. */
static bool fraction_of(const arb_t x, uint64_t *fraction, uint64_t *error)
{
    arf_t shifted;
    fmpz_t bits;
    bool is = arf_cmpabs_2exp_si(arb_midref(x), 64) < 0 && mag_cmp_2exp_si(arb_radref(x), -48) < 0;
    if (!is)
        return false;
    arf_init(shifted);
    fmpz_init(bits);
    arf_mul_2exp_si(shifted, arb_midref(x), 64);
    arf_get_fmpz(bits, shifted, ARF_RND_FLOOR);
    fmpz_fdiv_r_2exp(bits, bits, 64);
    *fraction = fmpz_get_ui(bits);
    *error = (uint64_t)1 << 17; /* 2^16 for the radius, and more than 1 for what is cut off */
    if (mag_cmp_2exp_si(arb_radref(x), -64) < 0)
        *error = 2;
    fmpz_clear(bits);
    arf_clear(shifted);
    return true;
}

/* The least number of which the multiple of the fraction, in units of 2^-64, is that near to a
 * whole one: the denominator of a convergent. Or one above MAX_DENOMINATOR. */
static ulong first_near(uint64_t fraction, uint64_t most)
{
    ulong low = 1, high = 1;                         /* the multiples that are nearest so far */
    uint64_t above = fraction, below = 0 - fraction; /* how far from a whole number they are */
    while (above > most && below > most && low + high <= MAX_DENOMINATOR) {
        if (above > below) {
            above -= below;
            low += high;
        } else {
            below -= above;
            high += low;
        }
    }
    return above <= most ? low : below <= most ? high : MAX_DENOMINATOR + 1;
}

/* The simplest rational that the ball pins down: an integer, or one over a small denominator. Most
 * denominators are passed over by the first 64 bits of the fraction. */
static bool rational_in(const arb_t x, fmpq_t out)
{
    uint64_t fraction = 0, error = 0;
    if (mag_cmp_2exp_si(arb_radref(x), 0) >= 0) /* two whole numbers are in it and its multiples */
        return false;
    bool near = fraction_of(x, &fraction, &error);
    const uint64_t most = error * MAX_DENOMINATOR; /* how far from a whole number one may be */
    for (ulong den = near ? first_near(fraction, most) : 1; den <= MAX_DENOMINATOR; den++) {
        if (near && den * fraction + most > 2 * most) /* farther on both sides */
            continue;
        arb_t scaled;
        arb_init(scaled);
        arb_mul_ui(scaled, x, den, PRECISION);
        bool found = arb_get_unique_fmpz(fmpq_numref(out), scaled);
        arb_clear(scaled);
        if (found) {
            fmpz_set_ui(fmpq_denref(out), den);
            fmpq_canonicalise(out);
            return true;
        }
    }
    return false;
}

eval_is real_eval(evaluation *ev, const node *n, fmpq_t out)
{
    eval_is is = eval_exact(ev, n, out);
    if (is != EVAL_IRRATIONAL)
        return is;
    arb_t x;
    arb_init(x);
    is = ball(ev, n, x);
    if (is == EVAL_OK && *ev->budget < RATIONAL_COST)
        is = EVAL_LIMIT;
    if (is == EVAL_OK)
        *ev->budget -= RATIONAL_COST;
    /* Twice the required digits: a value within 10^-90 of a simple rational is treated as that
     * rational. */
    if (is == EVAL_OK && !rational_in(x, out)) {
        if (arb_rel_accuracy_bits(x) < ENOUGH ||
            arf_cmpabs_2exp_si(arb_midref(x), -MAX_EXPONENT) < 0)
            is = EVAL_LIMIT;
        else
            arf_get_fmpq(out, arb_midref(x));
        ev->inexact = true;
    }
    arb_clear(x);
    return is;
}

eval_is real_eval_loosely(evaluation *ev, const node *n, const fmpq_t x, bool *can)
{
    arb_t b;
    arb_init(b);
    ev->loose = true;
    ev->loosened = false;
    eval_is is = ball(ev, n, b);
    ev->loose = false;
    if (is == EVAL_OK) /* a ball has an error of its own */
        *can = ev->loosened && arb_contains_fmpq(b, x);
    arb_clear(b);
    return is;
}
