/* SPDX-License-Identifier: Apache-2.0 */
/* A formula as a quotient. */
#include "algebra/field.h"

#include "base/str.h"

#define MAX_REPEATED 200 /* terms of a sum with letters or roots */

eval_is field_rational(field *f, const formula *n, quotient *out)
{
    fmpq_t x;
    fmpq_init(x);
    eval_is is = formula_rational(f->scope, n, x);
    if (is == EVAL_OK)
        quotient_set_rational(f, out, x);
    fmpq_clear(x);
    return is;
}

static eval_is letter(field *f, const formula *n, quotient *out)
{
    const formula_index *bound = formula_index_of(f->scope, n->name);
    if (bound) {
        quotient_set_si(f, out, bound->value);
        return EVAL_OK;
    }
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (f->at[i].is == GENERATOR_LETTER && rdv_str_eq(f->at[i].name, n->name)) {
            quotient_set_generator(f, out, i);
            return EVAL_OK;
        }
    return EVAL_LIMIT;
}

/* A power of rational numbers: exactly, or as one generator where it is too large. */
static eval_is rational_power_of(field *f, const formula *n, quotient *base,
                                 const quotient *exponent)
{
    eval_is is = field_rational(f, n, base);
    if (is != EVAL_LIMIT)
        return is == EVAL_IRRATIONAL || is == EVAL_LETTERS ? field_power(f, base, exponent, n->a)
                                                           : is;
    size_t g = field_call(f, GENERATOR_CALL, FN_NONE, base, exponent);
    if (g == FIELD_FULL)
        return EVAL_LIMIT;
    quotient_set_generator(f, base, g);
    return EVAL_OK;
}

static eval_is power(field *f, const formula *n, quotient *out, const quotient *exponent)
{
    fmpq_t x;
    fmpq_init(x);
    bool rational = quotient_rational(f, out, x) && quotient_rational(f, exponent, x);
    fmpq_clear(x);
    return rational ? rational_power_of(f, n, out, exponent) : field_power(f, out, exponent, n->a);
}

static eval_is root(field *f, const formula *n, quotient *out, const quotient *index)
{
    fmpq_t k;
    fmpq_init(k);
    bool fits = quotient_rational(f, index, k) && fmpz_is_one(fmpq_denref(k)) &&
                fmpz_cmp_ui(fmpq_numref(k), 2) >= 0 && fmpz_cmp_ui(fmpq_numref(k), 360) <= 0;
    eval_is is = fits ? field_root(f, out, fmpz_get_ui(fmpq_numref(k)), n->a) : EVAL_LIMIT;
    fmpq_clear(k);
    return is;
}

static eval_is two_operands(field *f, const formula *n, quotient *out)
{
    eval_is is = field_eval(f, n->a, out);
    if (is != EVAL_OK)
        return is;
    quotient b;
    quotient_open(f, &b);
    quotient_set_si(f, &b, 2); /* the index of a plain root */
    if (n->b)
        is = field_eval(f, n->b, &b);
    if (is == EVAL_OK)
        is = n->is == F_ADD        ? quotient_add(f, out, &b)
             : n->is == F_SUBTRACT ? quotient_subtract(f, out, &b)
             : n->is == F_MULTIPLY ? quotient_multiply(f, out, &b)
             : n->is == F_DIVIDE   ? quotient_divide(f, out, &b)
             : n->is == F_ROOT     ? root(f, n, out, &b)
                                   : power(f, n, out, &b);
    quotient_close(f, &b);
    return is;
}

static eval_is repetition(field *f, const formula *n, quotient *out)
{
    formula_index index = {.outer = f->scope->index, .name = n->name};
    slong to;
    eval_is is = formula_bounds(f->scope, n, &index.value, &to);
    if (is == EVAL_OK && to - index.value >= MAX_REPEATED)
        is = EVAL_LIMIT;
    quotient term;
    quotient_open(f, &term);
    quotient_set_si(f, out, n->is == F_PRODUCT);
    for (; is == EVAL_OK && index.value <= to; index.value++) {
        f->scope->index = &index;
        is = field_eval(f, n->c, &term);
        f->scope->index = index.outer;
        if (is == EVAL_OK)
            is = n->is == F_SUM ? quotient_add(f, out, &term) : quotient_multiply(f, out, &term);
    }
    quotient_close(f, &term);
    return is;
}

static eval_is angle(field *f, quotient *out)
{
    quotient pi;
    quotient_open(f, &pi);
    eval_is is = field_constant(f, GENERATOR_PI, &pi);
    if (is == EVAL_OK)
        is = quotient_multiply(f, out, &pi);
    quotient_close(f, &pi);
    return is == EVAL_OK ? quotient_scale(f, out, 1, 180) : is;
}

static eval_is one_operand(field *f, const formula *n, quotient *out)
{
    eval_is is = field_eval(f, n->a, out);
    if (is != EVAL_OK)
        return is;
    if (n->is == F_DEGREES)
        return angle(f, out);
    if (n->is == F_PERCENT)
        return quotient_scale(f, out, 1, 100);
    quotient_negate(f, out);
    return EVAL_OK;
}

eval_is field_eval(field *f, const formula *n, quotient *out)
{
    if (!formula_charge(f->scope, 64))
        return EVAL_LIMIT;
    switch (n->is) {
    case F_NUMBER:
        return field_rational(f, n, out);
    case F_LETTER:
        return letter(f, n, out);
    case F_PI:
        return field_constant(f, GENERATOR_PI, out);
    case F_E:
        return field_constant(f, GENERATOR_E, out);
    case F_I:
        return field_constant(f, GENERATOR_I, out);
    case F_INFINITY:
        return EVAL_UNDEFINED;
    case F_NEGATE:
    case F_PERCENT:
    case F_DEGREES:
        return one_operand(f, n, out);
    case F_SUM:
    case F_PRODUCT:
        return repetition(f, n, out);
    case F_APPLY:
        return field_apply(f, n, out);
    default:
        return two_operands(f, n, out);
    }
}

eval_is field_difference(field *f, const formula_text *a, const formula_text *b, quotient *out)
{
    quotient y;
    *f->scope = formula_scope_of(a, f->scope->work);
    eval_is is = field_eval(f, a->root, out);
    if (is != EVAL_OK)
        return is;
    *f->scope = formula_scope_of(b, f->scope->work);
    quotient_open(f, &y);
    is = field_eval(f, b->root, &y);
    if (is == EVAL_OK)
        is = quotient_subtract(f, out, &y);
    quotient_close(f, &y);
    return is;
}
