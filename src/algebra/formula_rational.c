/* SPDX-License-Identifier: Apache-2.0 */
#include "algebra/formula_rational.h"

#include "base/str.h"
#include "expression/rational.h"
#include "notation/lex_number.h"

#include <flint/fmpz.h>

formula_scope formula_scope_of(const formula_text *f, math_work *work)
{
    bool any = math_work_take(work, MATH_WORK_STEP);
    return (formula_scope){.t = &f->t, .budget = any ? FORMULA_BUDGET : 0, .work = work};
}

bool formula_charge(formula_scope *s, uint64_t bits)
{
    bool enough = bits <= s->budget && math_work_take(s->work, bits);
    s->budget = enough ? s->budget - bits : 0;
    return enough;
}

const formula_index *formula_index_of(const formula_scope *s, rdv_str name)
{
    const formula_index *i = s->index;
    while (i && !rdv_str_eq(i->name, name))
        i = i->outer;
    return i;
}

static void power_of_ten(fmpz_t out, size_t exponent)
{
    fmpz_set_ui(out, 10);
    fmpz_pow_ui(out, out, exponent);
}

/* "0.1\overline{6}": what stands before, and the repeating digits over 99...9. */
static eval_is repeating(rdv_str text, size_t begin, rdv_str digits, fmpq_t out)
{
    size_t places = begin - 1 - rdv_find_char(text, '.', 0);
    char shown[32] = {0};
    if (begin + 1 > sizeof shown || digits.len + 1 > sizeof shown)
        return EVAL_LIMIT;
    size_t n = 0;
    for (size_t i = 0; i < begin; i++)
        if (rdv_is_digit(text.p[i]))
            shown[n++] = text.p[i];
    fmpz_t ten, nines;
    fmpz_init(ten);
    fmpz_init(nines);
    fmpz_set_str(fmpq_numref(out), shown, 10);
    memcpy(shown, digits.p, digits.len);
    shown[digits.len] = '\0';
    power_of_ten(nines, digits.len);
    fmpz_sub_ui(nines, nines, 1);
    fmpz_mul(fmpq_numref(out), fmpq_numref(out), nines);
    fmpz_set_str(ten, shown, 10);
    fmpz_add(fmpq_numref(out), fmpq_numref(out), ten);
    power_of_ten(ten, places);
    fmpz_mul(fmpq_denref(out), nines, ten);
    fmpq_canonicalise(out);
    fmpz_clear(ten);
    fmpz_clear(nines);
    return EVAL_OK;
}

static eval_is literal(const formula_scope *s, const formula *n, fmpq_t out)
{
    long decimals;
    size_t begin;
    rdv_str digits, text = tok_text(s->t, n->token);
    if (!s->t->at[n->token].vulgar && lex_repeating(text, &begin, &digits))
        return repeating(text, begin, digits, out);
    return literal_value(s->t, n->token, out, &decimals) ? EVAL_OK : EVAL_LIMIT;
}

/* The digits of one literal in the base that another one says. */
static eval_is based(formula_scope *s, const formula *n, fmpq_t out)
{
    fmpq_t base;
    fmpq_init(base);
    eval_is is = n->b->is == F_NUMBER ? literal(s, n->b, base) : EVAL_UNDEFINED;
    bool fits = is == EVAL_OK && fmpz_is_one(fmpq_denref(base)) &&
                fmpz_cmp_ui(fmpq_numref(base), 2) >= 0 && fmpz_cmp_ui(fmpq_numref(base), 10) <= 0;
    int b = fits ? (int)fmpz_get_si(fmpq_numref(base)) : 0;
    fmpq_clear(base);
    rdv_str text = n->a->is == F_NUMBER ? tok_text(s->t, n->a->token) : (rdv_str){0};
    char digits[256] = {0};
    if (!fits || !text.len || text.len >= sizeof digits)
        return is == EVAL_OK ? EVAL_LIMIT : is;
    for (size_t i = 0; i < text.len; i++)
        if (!rdv_is_digit(text.p[i]) || text.p[i] - '0' >= b)
            return EVAL_UNDEFINED;
    memcpy(digits, text.p, text.len);
    fmpz_set_str(fmpq_numref(out), digits, b);
    fmpz_one(fmpq_denref(out));
    return EVAL_OK;
}

static bool whole(const fmpq_t x)
{
    return fmpz_is_one(fmpq_denref(x));
}

static eval_is double_factorial(fmpq_t out)
{
    if (!whole(out) || fmpz_sgn(fmpq_numref(out)) < 0)
        return EVAL_UNDEFINED;
    if (fmpz_cmp_ui(fmpq_numref(out), FORMULA_MAX_FACTORIAL) > 0)
        return EVAL_LIMIT;
    /* n!! is n! without the factors (n-1)!! = 2^h h!, or 2^h h! itself. */
    ulong n = fmpz_get_ui(fmpq_numref(out)), half = n / 2;
    fmpz_t evens;
    fmpz_init(evens);
    fmpz_fac_ui(evens, half);
    fmpz_mul_2exp(evens, evens, half);
    if (n % 2) {
        fmpz_fac_ui(fmpq_numref(out), n);
        fmpz_divexact(fmpq_numref(out), fmpq_numref(out), evens);
    } else {
        fmpz_set(fmpq_numref(out), evens);
    }
    fmpz_clear(evens);
    return EVAL_OK;
}

/* n (n-1) ... (n-k+1) */
static eval_is permutations(fmpq_t n, const fmpq_t k)
{
    if (!whole(n) || !whole(k) || fmpq_sgn(n) < 0 || fmpq_sgn(k) < 0)
        return EVAL_UNDEFINED;
    if (fmpz_cmp_ui(fmpq_numref(n), FORMULA_MAX_FACTORIAL) > 0)
        return EVAL_LIMIT;
    ulong from = fmpz_get_ui(fmpq_numref(n));
    ulong count = fmpq_cmp(k, n) > 0 ? 0 : fmpz_get_ui(fmpq_numref(k));
    if (fmpq_cmp(k, n) > 0)
        fmpq_zero(n);
    else
        fmpz_rfac_uiui(fmpq_numref(n), from - count + 1, count);
    return EVAL_OK;
}

/* fn(a), in place. */
static eval_is one_argument(function_id fn, fmpq_t a)
{
    switch (fn) {
    case FN_ABS:
        fmpq_abs(a, a);
        return EVAL_OK;
    case FN_FLOOR:
    case FN_CEIL:
        fn == FN_FLOOR ? fmpz_fdiv_q(fmpq_numref(a), fmpq_numref(a), fmpq_denref(a))
                       : fmpz_cdiv_q(fmpq_numref(a), fmpq_numref(a), fmpq_denref(a));
        fmpz_one(fmpq_denref(a));
        return EVAL_OK;
    case FN_FACTORIAL:
        return rational_factorial(a, a, FORMULA_MAX_FACTORIAL);
    case FN_DOUBLE_FACTORIAL:
        return double_factorial(a);
    case FN_CONJUGATE:
        return EVAL_OK;
    default:
        return EVAL_IRRATIONAL;
    }
}

static eval_is common_divisor(function_id fn, fmpq_t a, const fmpq_t b)
{
    if (!whole(a) || !whole(b))
        return EVAL_UNDEFINED;
    fn == FN_GCD ? fmpz_gcd(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b))
                 : fmpz_lcm(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b));
    return EVAL_OK;
}

static eval_is two_arguments(function_id fn, fmpq_t a, const fmpq_t b)
{
    switch (fn) {
    case FN_GCD:
    case FN_LCM:
        return common_divisor(fn, a, b);
    case FN_MAX:
    case FN_MIN:
        if ((fmpq_cmp(b, a) > 0) == (fn == FN_MAX))
            fmpq_set(a, b);
        return EVAL_OK;
    case FN_MOD:
        if (!whole(a) || !whole(b) || fmpq_sgn(b) == 0)
            return EVAL_UNDEFINED;
        fmpz_fdiv_r(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b));
        return EVAL_OK;
    case FN_BINOMIAL:
        return rational_binomial(a, a, b, FORMULA_MAX_BITS);
    case FN_PERMUTATIONS:
        return permutations(a, b);
    default:
        return EVAL_IRRATIONAL;
    }
}

static eval_is arithmetic(formula_is is, fmpq_t a, const fmpq_t b)
{
    switch (is) {
    case F_ADD:
        fmpq_add(a, a, b);
        return EVAL_OK;
    case F_SUBTRACT:
        fmpq_sub(a, a, b);
        return EVAL_OK;
    case F_MULTIPLY:
        fmpq_mul(a, a, b);
        return EVAL_OK;
    case F_DIVIDE:
        if (fmpq_is_zero(b))
            return EVAL_UNDEFINED;
        fmpq_div(a, a, b);
        return EVAL_OK;
    default:
        return rational_power(a, a, b, FORMULA_MAX_BITS);
    }
}

static eval_is root(fmpq_t out, const fmpq_t index)
{
    if (!whole(index) || fmpz_cmp_ui(fmpq_numref(index), 2) < 0)
        return EVAL_UNDEFINED;
    if (fmpz_cmp_ui(fmpq_numref(index), 1000) > 0)
        return EVAL_LIMIT;
    if (fmpq_sgn(out) < 0 && fmpz_is_even(fmpq_numref(index)))
        return EVAL_IRRATIONAL;
    return rational_root(out, out, fmpz_get_ui(fmpq_numref(index)));
}

static eval_is two_operands(formula_scope *s, const formula *n, fmpq_t out)
{
    eval_is is = formula_rational(s, n->a, out);
    fmpq_t b;
    fmpq_init(b);
    fmpq_set_ui(b, 2, 1); /* the index of a plain root */
    if (is == EVAL_OK && n->b)
        is = formula_rational(s, n->b, b);
    if (is == EVAL_OK && n->is == F_POWER && fmpq_sgn(out) < 0 && !whole(b) &&
        fmpz_is_even(fmpq_denref(b)))
        is = EVAL_IRRATIONAL; /* complex */
    if (is == EVAL_OK)
        is = n->is == F_ROOT    ? root(out, b)
             : n->is == F_APPLY ? two_arguments(n->fn, out, b)
                                : arithmetic(n->is, out, b);
    fmpq_clear(b);
    return is;
}

static eval_is bound(formula_scope *s, const formula *n, slong *out)
{
    fmpq_t x;
    fmpq_init(x);
    eval_is is = formula_rational(s, n, x);
    if (is == EVAL_OK)
        is = !whole(x) ? EVAL_UNDEFINED : fmpz_bits(fmpq_numref(x)) > 40 ? EVAL_LIMIT : EVAL_OK;
    if (is == EVAL_OK)
        *out = fmpz_get_si(fmpq_numref(x));
    fmpq_clear(x);
    return is;
}

eval_is formula_bounds(formula_scope *s, const formula *n, slong *from, slong *to)
{
    eval_is is = bound(s, n->a, from);
    if (is == EVAL_OK)
        is = bound(s, n->b, to);
    return is == EVAL_OK && *to - *from >= FORMULA_MAX_TERMS ? EVAL_LIMIT : is;
}

static eval_is repetition(formula_scope *s, const formula *n, fmpq_t out)
{
    formula_index index = {.outer = s->index, .name = n->name};
    slong to;
    eval_is is = formula_bounds(s, n, &index.value, &to);
    n->is == F_SUM ? fmpq_zero(out) : fmpq_one(out);
    fmpq_t term;
    fmpq_init(term);
    for (; is == EVAL_OK && index.value <= to; index.value++) {
        s->index = &index;
        is = formula_rational(s, n->c, term);
        s->index = index.outer;
        if (is == EVAL_OK)
            n->is == F_SUM ? fmpq_add(out, out, term) : fmpq_mul(out, out, term);
        uint64_t bits = fmpz_bits(fmpq_numref(out)) + fmpz_bits(fmpq_denref(out));
        if (is == EVAL_OK && (bits > FORMULA_MAX_BITS || !formula_charge(s, bits)))
            is = EVAL_LIMIT;
    }
    fmpq_clear(term);
    return is;
}

static void hundredth(fmpq_t x)
{
    fmpz_t hundred;
    fmpz_init_set_ui(hundred, 100);
    fmpq_div_fmpz(x, x, hundred);
    fmpz_clear(hundred);
}

static eval_is one_operand(formula_scope *s, const formula *n, fmpq_t out)
{
    eval_is is = formula_rational(s, n->a, out);
    if (is != EVAL_OK)
        return is;
    if (n->is == F_NEGATE)
        fmpq_neg(out, out);
    else if (n->is == F_PERCENT)
        hundredth(out);
    else
        return one_argument(n->fn, out);
    return EVAL_OK;
}

static eval_is value(formula_scope *s, const formula *n, fmpq_t out)
{
    switch (n->is) {
    case F_NUMBER:
        return literal(s, n, out);
    case F_LETTER: {
        const formula_index *i = formula_index_of(s, n->name);
        if (i)
            fmpq_set_si(out, i->value, 1);
        return i ? EVAL_OK : EVAL_LETTERS;
    }
    case F_PI:
    case F_E:
    case F_I:
    case F_DEGREES:
        return EVAL_IRRATIONAL;
    case F_INFINITY:
        return EVAL_UNDEFINED;
    case F_NEGATE:
    case F_PERCENT:
        return one_operand(s, n, out);
    case F_SUM:
    case F_PRODUCT:
        return repetition(s, n, out);
    case F_APPLY:
        if (n->fn == FN_BASE)
            return based(s, n, out);
        return n->b ? two_operands(s, n, out) : one_operand(s, n, out);
    default:
        return two_operands(s, n, out);
    }
}

eval_is formula_rational(formula_scope *s, const formula *n, fmpq_t out)
{
    eval_is is = value(s, n, out);
    if (is != EVAL_OK)
        return is;
    uint64_t bits = fmpz_bits(fmpq_numref(out)) + fmpz_bits(fmpq_denref(out)) + 16;
    return bits > 2 * FORMULA_MAX_BITS || !formula_charge(s, bits) ? EVAL_LIMIT : EVAL_OK;
}
