/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/eval.h"

#include "base/str.h"
#include "expression/quantity.h"
#include "expression/rational.h"
#include "expression/small_eval.h"
#include "notation/call_name.h"

#include <flint/fmpz.h>

#define MAX_TERMS 1000 /* of a sum */
#define MAX_BOUND 80   /* letters that have values, with those of sums */

static void scale(fmpq_t x, ulong num, ulong den)
{
    fmpq_t factor;
    fmpq_init(factor);
    fmpq_set_ui(factor, num, den);
    fmpq_mul(x, x, factor);
    fmpq_clear(factor);
}

/* As fmpz_bits(), without a call for the numbers that most are. */
static inline uint64_t bits_of(const fmpz *x)
{
    return COEFF_IS_MPZ(*x) ? fmpz_bits(x) : FLINT_BIT_COUNT(FLINT_ABS(*x));
}

static bool charge(evaluation *ev, const fmpq_t x)
{
    uint64_t bits = bits_of(fmpq_numref(x)) + bits_of(fmpq_denref(x)) + 16;
    if (bits > *ev->budget) {
        *ev->budget = 0;
        return false;
    }
    *ev->budget -= bits;
    return bits <= 2 * EVAL_MAX_BITS;
}

bool eval_pi(const evaluation *ev, fmpq_t out)
{
    switch (ev->reading & (READ_PI_AS_3_14 | READ_PI_AS_22_7)) {
    case READ_PI_AS_3_14:
        fmpq_set_ui(out, 157, 50);
        return true;
    case READ_PI_AS_22_7:
        fmpq_set_ui(out, 22, 7);
        return true;
    case READ_PI_AS_3_14 | READ_PI_AS_22_7:
        fmpq_set_ui(out, 3927, 1250); /* 3.1416 */
        return true;
    default:
        return false;
    }
}

/* "3.14", "3.1416": pi rounded or cut off, to two decimals or more. */
static bool is_rounded_pi(rdv_str s)
{
    static const char *const forms[] = {"3.14",    "3.141",    "3.142",     "3.1415",    "3.1416",
                                        "3.14159", "3.141592", "3.1415926", "3.14159265"};
    return rdv_is_one_of(s, forms, sizeof forms / sizeof *forms);
}

/* To 50 digits. */
static void set_pi(fmpq_t out)
{
    fmpz_set_str(fmpq_numref(out), "314159265358979323846264338327950288419716939937511", 10);
    fmpz_set_ui(fmpq_denref(out), 10);
    fmpz_pow_ui(fmpq_denref(out), fmpq_denref(out), 50);
    fmpq_canonicalise(out);
}

static eval_is literal(evaluation *ev, const node *n, fmpq_t out)
{
    long decimals;
    eval_is is = literal_value(ev->t, n->end - 1, out, &decimals) ? EVAL_OK : EVAL_LIMIT;
    if (is != EVAL_OK || !ev->rounds)
        return is;
    for (size_t i = ev->n_rounds; i-- > 0;) {
        if (fmpq_equal(ev->rounds[i].shown, out)) {
            fmpq_set(out, ev->rounds[i].exact);
            ev->used_rounds = true;
            return EVAL_OK;
        }
    }
    if (is_rounded_pi(tok_text(ev->t, n->end - 1))) {
        set_pi(out);
        ev->used_rounds = true;
    }
    return EVAL_OK;
}

static rdv_str node_text(const tokens *t, const node *n)
{
    size_t begin = t->at[n->begin].begin, end = t->at[n->end - 1].end;
    return rdv_slice(t->text, begin, end);
}

static eval_is letter(evaluation *ev, const node *n, fmpq_t out)
{
    rdv_str name = node_text(ev->t, n);
    for (size_t i = 0; i < ev->n_bindings; i++) {
        if (rdv_str_eq(ev->bindings[i].name, name) && !ev->bindings[i].several) {
            fmpq_set(out, ev->bindings[i].value);
            return EVAL_OK;
        }
    }
    return EVAL_LETTERS;
}

/* "6 x 7 (1/4)%": the value `a` of what stands before the bracket, with `b` added to its last
 * number. */
static eval_is add_part(evaluation *ev, const node *n, fmpq_t a, const fmpq_t b)
{
    const node *last = node_last_factor(n->a);
    fmpq_t whole, mixed;
    fmpq_init(whole);
    fmpq_init(mixed);
    eval_is is = eval_any_size(ev, last, whole);
    fmpq_set(mixed, whole);
    if (n->b->is == N_PERCENT && !(ev->reading & READ_PERCENT_AS_NUMBER))
        scale(mixed, 1, 100);
    fmpq_add(mixed, mixed, b);
    if (is == EVAL_OK && (fmpq_is_zero(whole) || fmpq_is_zero(mixed)))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK) {
        fmpq_div(mixed, mixed, whole);
        n->a->is == N_DIVIDE ? fmpq_div(a, a, mixed) : fmpq_mul(a, a, mixed);
    }
    fmpq_clear(whole);
    fmpq_clear(mixed);
    return is;
}

/* a +- b, a * b, a / b under the readings in force. a is also the result. */
static eval_is combine(evaluation *ev, const node *n, fmpq_t a, const fmpq_t b)
{
    switch (n->is) {
    case N_ADD:
    case N_SUBTRACT:
        if ((ev->reading & READ_PERCENT_OF_LEFT) && n->b->is == N_PERCENT &&
            !node_is_percents(n->a)) {
            fmpq_t part;
            fmpq_init(part);
            fmpq_mul(part, a, b);
            n->is == N_ADD ? fmpq_add(a, a, part) : fmpq_sub(a, a, part);
            fmpq_clear(part);
        } else {
            n->is == N_ADD ? fmpq_add(a, a, b) : fmpq_sub(a, a, b);
        }
        return EVAL_OK;
    case N_MULTIPLY:
        if (n->mixed && (ev->reading & READ_MIXED_IN_BRACKET))
            return add_part(ev, n, a, b);
        if (fmpz_is_one(fmpq_denref(a)) && fmpz_is_one(fmpq_denref(b)))
            fmpz_mul(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b));
        else
            fmpq_mul(a, a, b);
        return EVAL_OK;
    case N_DIVIDE:
        if (fmpq_is_zero(b))
            return EVAL_UNDEFINED;
        if (n->exponent && (ev->reading & READ_EXPONENT_FRACTION))
            return EVAL_IRRATIONAL;
        fmpq_div(a, a, b);
        if (n->b->is == N_PERCENT && (ev->reading & (READ_PERCENT_OF_FRACTION | READ_PERCENT_OVER)))
            scale(a, 1, 10000); /* a/(b/100) to (a/b)/100 */
        return EVAL_OK;
    case N_MIXED:
        (ev->reading & READ_MIXED_AS_PRODUCT) ? fmpq_mul(a, a, b) : fmpq_add(a, a, b);
        return EVAL_OK;
    case N_POWER:
        return rational_power(a, a, b, EVAL_MAX_BITS);
    case N_BINOMIAL:
        return rational_binomial(a, a, b, EVAL_MAX_BITS);
    default:
        return EVAL_UNDEFINED;
    }
}

const node *eval_division(const evaluation *ev, const node *n)
{
    if (n->is == N_DIVIDE && n->implicit)
        return (ev->reading & READ_LEFT_TO_RIGHT) ? n : NULL;
    if (n->is == N_MULTIPLY && n->scientific)
        return (ev->reading & n->scientific) ? n->a : NULL;
    if (!(ev->reading & READ_IMPLICIT_FIRST) || n->is != N_MULTIPLY || !n->implicit)
        return NULL;
    n = n->a; /* brackets may stand around all of it: "(5/2π)" */
    while (n->is == N_MULTIPLY && n->implicit && !n->grouped)
        n = n->a;
    return n->is == N_DIVIDE && !n->grouped ? n : NULL;
}

bool eval_left_only(const evaluation *ev, const node *n)
{
    return (ev->reading & n->aside) || (n->of && (ev->reading & READ_OF_AS_PROSE));
}

/* a / b times the implicit factors between `division` and `n`, read as a / (b times them); or
 * a / (b/c) read as a/b/c. */
static eval_is regrouped(evaluation *ev, const node *n, const node *division, fmpq_t out)
{
    fmpq_t factor;
    fmpq_init(factor);
    bool fraction = division->implicit;
    eval_is is = eval_any_size(ev, fraction ? division->b->a : division->b, out);
    if (is == EVAL_OK && fraction) {
        is = eval_any_size(ev, division->b->b, factor);
        fmpq_mul(out, out, factor);
    }
    for (const node *m = n; is == EVAL_OK && m != division; m = m->a) {
        is = eval_any_size(ev, m->b, factor);
        if (is == EVAL_OK)
            fmpq_mul(out, out, factor);
    }
    if (is == EVAL_OK && fmpq_is_zero(out))
        is = EVAL_UNDEFINED;
    if (is == EVAL_OK) {
        is = eval_any_size(ev, division->a, factor);
        if (is == EVAL_OK)
            fmpq_div(out, factor, out);
    }
    fmpq_clear(factor);
    return is;
}

static eval_is binary(evaluation *ev, const node *n, fmpq_t out)
{
    const node *division = eval_division(ev, n);
    if (division)
        return regrouped(ev, n, division, out);
    eval_is is = eval_any_size(ev, n->a, out);
    if (is != EVAL_OK || eval_left_only(ev, n))
        return is;
    fmpq_t b;
    fmpq_init(b);
    is = eval_any_size(ev, n->b, b);
    if (is == EVAL_OK)
        is = combine(ev, n, out, b);
    fmpq_clear(b);
    return is;
}

eval_is eval_root_index(evaluation *ev, const node *n, ulong *k)
{
    *k = 2;
    if (!n->b)
        return EVAL_OK;
    fmpq_t index;
    fmpq_init(index);
    eval_is is = eval_any_size(ev, n->b, index);
    if (is == EVAL_OK && fmpz_is_one(fmpq_denref(index)) &&
        fmpz_cmp_ui(fmpq_numref(index), 2) >= 0 && fmpz_cmp_ui(fmpq_numref(index), 1000) <= 0)
        *k = fmpz_get_ui(fmpq_numref(index));
    else if (is == EVAL_OK)
        is = EVAL_LIMIT;
    fmpq_clear(index);
    return is;
}

static eval_is root(evaluation *ev, const node *n, fmpq_t out)
{
    ulong k;
    eval_is is = eval_root_index(ev, n, &k);
    if (is == EVAL_OK)
        is = eval_any_size(ev, n->a, out);
    return is == EVAL_OK ? rational_root(out, out, k) : is;
}

static eval_is negate(evaluation *ev, const node *n, fmpq_t out)
{
    eval_is is = eval_any_size(ev, n->a, out);
    if (is != EVAL_OK)
        return is;
    bool negative_base = (ev->reading & READ_NEGATIVE_BASE) && node_is_power_of_number(n->a);
    if (!negative_base) {
        fmpq_neg(out, out);
        return EVAL_OK;
    }
    fmpq_t base, exponent;
    fmpq_init(base);
    fmpq_init(exponent);
    is = eval_any_size(ev, n->a->a, base);
    if (is == EVAL_OK)
        is = eval_any_size(ev, n->a->b, exponent);
    if (is == EVAL_OK) {
        fmpq_neg(base, base);
        is = rational_power(out, base, exponent, EVAL_MAX_BITS);
    }
    fmpq_clear(base);
    fmpq_clear(exponent);
    return is;
}

void eval_unit(const evaluation *ev, const node *n, fmpq_t x)
{
    if (!(ev->reading & READ_UNITS) || (n->sign && !(ev->reading & READ_DOLLARS)))
        return;
    fmpq_t factor;
    fmpq_init(factor);
    measure_size(&n->unit[(ev->reading & READ_OTHER_UNITS) != 0], factor);
    fmpq_mul(x, x, factor);
    fmpq_clear(factor);
}

static eval_is one_operand(evaluation *ev, const node *n, fmpq_t out)
{
    eval_is is = eval_any_size(ev, n->a, out);
    if (is != EVAL_OK)
        return is;
    switch (n->is) {
    case N_FACTORIAL:
        if (n->implicit && (ev->reading & READ_BANG_AS_PROSE))
            return EVAL_OK;
        return rational_factorial(out, out, EVAL_MAX_FACTORIAL);
    case N_PERCENT:
        if (!(ev->reading & READ_PERCENT_AS_NUMBER))
            scale(out, 1, 100);
        return EVAL_OK;
    case N_ABS:
        fmpq_abs(out, out);
        return EVAL_OK;
    case N_FLOOR:
        fmpz_fdiv_q(fmpq_numref(out), fmpq_numref(out), fmpq_denref(out));
        fmpz_one(fmpq_denref(out));
        return EVAL_OK;
    case N_CEIL:
        fmpz_cdiv_q(fmpq_numref(out), fmpq_numref(out), fmpq_denref(out));
        fmpz_one(fmpq_denref(out));
        return EVAL_OK;
    case N_UNIT:
        eval_unit(ev, n, out);
        return EVAL_OK;
    default:
        return EVAL_UNDEFINED;
    }
}

/* ---- functions that are written by name -------------------------------------------------------
 */

static bool both_whole(const fmpq_t a, const fmpq_t b)
{
    return fmpz_is_one(fmpq_denref(a)) && fmpz_is_one(fmpq_denref(b));
}

static eval_is combine_whole(call_is is, fmpq_t a, const fmpq_t b)
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
        is = n->is == N_MOD ? modulo(out, b) : combine_whole((call_is)n->value, out, b);
    fmpq_clear(b);
    return is;
}

/* log_b a, where it is a whole number. */
static eval_is logarithm(evaluation *ev, const node *n, fmpq_t out)
{
    if (!n->b && !(ev->reading & READ_LOG_OF_TEN))
        return EVAL_LIMIT; /* its base is not written */
    fmpq_t base, power;
    fmpq_init(base);
    fmpq_init(power);
    fmpq_set_ui(base, 10, 1);
    eval_is is = eval_exact(ev, n->a, out);
    if (is == EVAL_OK && n->b)
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

eval_is eval_call(evaluation *ev, const node *n, fmpq_t out)
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

static eval_is value_of(evaluation *ev, const node *n, fmpq_t out)
{
    switch (n->is) {
    case N_NUMBER:
        return literal(ev, n, out);
    case N_LETTER:
        return letter(ev, n, out);
    case N_CALL:
    case N_SUM:
    case N_MOD:
        return eval_call(ev, n, out);
    case N_CONSTANT:
        fmpq_set_ui(out, n->value, 1);
        return EVAL_OK;
    case N_PI:
        return eval_pi(ev, out) ? EVAL_OK : EVAL_IRRATIONAL;
    case N_NEGATE:
        return negate(ev, n, out);
    case N_ROOT:
        return root(ev, n, out);
    case N_FACTORIAL:
    case N_PERCENT:
    case N_ABS:
    case N_FLOOR:
    case N_CEIL:
    case N_UNIT:
        return one_operand(ev, n, out);
    default:
        return binary(ev, n, out);
    }
}

eval_is eval_any_size(evaluation *ev, const node *n, fmpq_t out)
{
    eval_is is = value_of(ev, n, out);
    return is == EVAL_OK && !charge(ev, out) ? EVAL_LIMIT : is;
}

eval_is eval_exact(evaluation *ev, const node *n, fmpq_t out)
{
    return small_eval(ev, n, out) ? EVAL_OK : eval_any_size(ev, n, out);
}
