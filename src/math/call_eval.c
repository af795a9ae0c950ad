/* SPDX-License-Identifier: Apache-2.0 */
#include "math/call_eval.h"

#include "math/call.h"

#include <flint/fmpz.h>

#define MAX_TERMS 1000 /* of a sum */
#define MAX_BOUND 80   /* letters that have values, with those of sums */

static bool both_whole(const fmpq_t a, const fmpq_t b)
{
    return fmpz_is_one(fmpq_denref(a)) && fmpz_is_one(fmpq_denref(b));
}

static eval_is combine(call_is is, fmpq_t a, const fmpq_t b)
{
    bool greater = fmpq_cmp(a, b) > 0;
    if (is == CALL_MAX || is == CALL_MIN) {
        if (greater != (is == CALL_MAX))
            fmpq_set(a, b);
        return EVAL_OK;
    }
    if (!both_whole(a, b))
        return EVAL_UNDEFINED;
    if (is == CALL_GCD)
        fmpz_gcd(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b));
    else
        fmpz_lcm(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b));
    return EVAL_OK;
}

static eval_is modulo(fmpq_t a, const fmpq_t b)
{
    if (!both_whole(a, b) || fmpq_sgn(b) <= 0)
        return EVAL_UNDEFINED;
    fmpz_mod(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b));
    return EVAL_OK;
}

static eval_is two_values(evaluation *ev, const node *n, fmpq_t out)
{
    fmpq_t b;
    fmpq_init(b);
    eval_is is = eval_exact(ev, n->a, out);
    if (is == EVAL_OK)
        is = eval_exact(ev, n->b, b);
    if (is == EVAL_OK)
        is = n->is == N_MOD ? modulo(out, b) : combine((call_is)n->value, out, b);
    fmpq_clear(b);
    return is;
}

/* log_b a, where it is a whole number. */
static eval_is logarithm(evaluation *ev, const node *n, fmpq_t out)
{
    if (!n->b)
        return EVAL_LIMIT; /* its base is not written */
    fmpq_t base, power;
    fmpq_init(base);
    fmpq_init(power);
    eval_is is = eval_exact(ev, n->a, out);
    if (is == EVAL_OK)
        is = eval_exact(ev, n->b, base);
    if (is == EVAL_OK && (fmpq_sgn(out) <= 0 || fmpq_sgn(base) <= 0 || fmpq_is_one(base)))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK && both_whole(out, base)) {
        slong k = fmpz_flog(fmpq_numref(out), fmpq_numref(base));
        fmpq_pow_si(power, base, k);
        bool exact = fmpq_equal(power, out);
        fmpq_set_si(out, k, 1);
        is = exact ? EVAL_OK : EVAL_IRRATIONAL;
    } else if (is == EVAL_OK) {
        is = EVAL_IRRATIONAL;
    }
    fmpq_clear(base);
    fmpq_clear(power);
    return is;
}

/* The bounds of a sum, two small whole numbers. */
static eval_is bounds_of(evaluation *ev, const node *range, slong *from, slong *to)
{
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    eval_is is = eval_exact(ev, range->a, a);
    if (is == EVAL_OK)
        is = eval_exact(ev, range->b, b);
    bool small = is == EVAL_OK && both_whole(a, b) && fmpz_fits_si(fmpq_numref(a)) &&
                 fmpz_fits_si(fmpq_numref(b));
    if (small) {
        *from = fmpz_get_si(fmpq_numref(a));
        *to = fmpz_get_si(fmpq_numref(b));
        small = labs(*from) <= MAX_TERMS && labs(*to) <= MAX_TERMS;
    }
    fmpq_clear(a);
    fmpq_clear(b);
    return is != EVAL_OK ? is : small ? EVAL_OK : EVAL_LIMIT;
}

static eval_is big_operator(evaluation *ev, const node *n, fmpq_t out)
{
    slong from = 0, to = 0;
    eval_is is = bounds_of(ev, n->a, &from, &to);
    if (is != EVAL_OK)
        return is;
    if (ev->n_bindings + 1 > MAX_BOUND)
        return EVAL_LIMIT;
    binding bound[MAX_BOUND];
    bound[0] = (binding){.name = tok_text(ev->t, n->begin)};
    for (size_t i = 0; i < ev->n_bindings; i++)
        bound[i + 1] = ev->bindings[i];
    evaluation inner = *ev;
    inner.bindings = bound;
    inner.n_bindings++;
    fmpq_t term;
    fmpq_init(term);
    fmpq_init(bound[0].value);
    bool product = n->value == CALL_PRODUCT;
    fmpq_set_ui(out, product, 1);
    for (slong i = from; i <= to && is == EVAL_OK; i++) {
        fmpq_set_si(bound[0].value, i, 1);
        is = eval_exact(&inner, n->b, term);
        if (is == EVAL_OK && product)
            fmpq_mul(out, out, term);
        else if (is == EVAL_OK)
            fmpq_add(out, out, term);
        if (fmpz_bits(fmpq_numref(out)) + fmpz_bits(fmpq_denref(out)) > EVAL_MAX_BITS)
            is = EVAL_LIMIT;
    }
    fmpq_clear(term);
    fmpq_clear(bound[0].value);
    return is;
}

eval_is call_exact(evaluation *ev, const node *n, fmpq_t out)
{
    if (n->is == N_SUM)
        return big_operator(ev, n, out);
    if (n->is == N_MOD)
        return two_values(ev, n, out);
    eval_is is;
    switch ((call_is)n->value) {
    case CALL_GCD:
    case CALL_LCM:
    case CALL_MAX:
    case CALL_MIN:
        return two_values(ev, n, out);
    case CALL_LOG:
        return logarithm(ev, n, out);
    case CALL_FLOOR:
    case CALL_CEIL:
        is = eval_exact(ev, n->a, out);
        if (is != EVAL_OK)
            return is;
        n->value == CALL_FLOOR ? fmpz_fdiv_q(fmpq_numref(out), fmpq_numref(out), fmpq_denref(out))
                               : fmpz_cdiv_q(fmpq_numref(out), fmpq_numref(out), fmpq_denref(out));
        fmpz_one(fmpq_denref(out));
        return EVAL_OK;
    default:
        is = eval_exact(ev, n->a, out); /* letters, limits */
        return is == EVAL_OK ? EVAL_IRRATIONAL : is;
    }
}

/* ---- balls ----------------------------------------------------------------------------------- */

static bool has_pi(const node *n)
{
    return n && (n->is == N_PI || has_pi(n->a) || has_pi(n->b));
}

/* The angle in halves of a turn, for the functions of pi times it. */
static eval_is angle(const node *n, slong precision, arb_t x)
{
    bool degrees = n->value >= CALL_SIN_DEGREES;
    if (degrees) {
        arb_div_ui(x, x, 180, precision);
        return EVAL_OK;
    }
    if (!has_pi(n->a) && !arb_is_zero(x))
        return EVAL_LIMIT; /* degrees or radians? */
    arb_t pi;
    arb_init(pi);
    arb_const_pi(pi, precision);
    arb_div(x, x, pi, precision);
    arb_clear(pi);
    return EVAL_OK;
}

static eval_is of_angle(const node *n, slong precision, arb_t x)
{
    eval_is is = angle(n, precision, x);
    if (is != EVAL_OK)
        return is;
    switch ((call_is)n->value) {
    case CALL_SIN:
    case CALL_SIN_DEGREES:
        arb_sin_pi(x, x, precision);
        return EVAL_OK;
    case CALL_COS:
    case CALL_COS_DEGREES:
        arb_cos_pi(x, x, precision);
        return EVAL_OK;
    default: {
        arb_t cosine;
        arb_init(cosine);
        arb_cos_pi(cosine, x, precision);
        arb_sin_pi(x, x, precision);
        if (arb_contains_zero(cosine))
            is = EVAL_UNDEFINED;
        else
            arb_div(x, x, cosine, precision);
        arb_clear(cosine);
        return is;
    }
    }
}

eval_is call_ball(evaluation *ev, const node *n, eval_is (*ball)(evaluation *, const node *, arb_t),
                  slong precision, arb_t out)
{
    fmpq_t exact;
    fmpq_init(exact);
    eval_is is = call_exact(ev, n, exact);
    if (is == EVAL_OK)
        arb_set_fmpq(out, exact, precision);
    fmpq_clear(exact);
    if (is != EVAL_IRRATIONAL || n->is != N_CALL)
        return is;
    is = ball(ev, n->a, out);
    if (is != EVAL_OK)
        return is;
    if (n->value >= CALL_SIN && n->value <= CALL_TAN_DEGREES)
        return of_angle(n, precision, out);
    if (n->value == CALL_FLOOR || n->value == CALL_CEIL) {
        n->value == CALL_FLOOR ? arb_floor(out, out, precision) : arb_ceil(out, out, precision);
        return EVAL_OK;
    }
    if ((n->value != CALL_LN && n->value != CALL_LOG) || !arb_is_positive(out))
        return EVAL_UNDEFINED;
    arb_log(out, out, precision);
    if (n->value == CALL_LN)
        return EVAL_OK;
    if (!n->b)
        return EVAL_LIMIT;
    arb_t base;
    arb_init(base);
    is = ball(ev, n->b, base);
    if (is == EVAL_OK && !arb_is_positive(base))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK)
        arb_log(base, base, precision);
    if (is == EVAL_OK && arb_contains_zero(base))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK)
        arb_div(out, out, base, precision);
    arb_clear(base);
    return is;
}
