/* SPDX-License-Identifier: Apache-2.0 */
/* Exponentials, logarithms, and powers by both. */
#include "algebra/field_atoms.h"

#include <flint/fmpz_vec.h>

#define MAX_SUMMANDS 12 /* of an exponent */

/* ---- exponentials ---------------------------------------------------------------------------- */

/* Multiply *out by e^(num/den term), where `term` is a product of generators, over one. */
static eval_is times_exp(field *f, const quotient *term, slong num, ulong den, quotient *out)
{
    size_t e = field_call(f, GENERATOR_EXP, FN_NONE, term, NULL);
    if (e == FIELD_FULL)
        return EVAL_LIMIT;
    f->at[e].positive = f->at[e].real = !quotient_holds(f, term, generator_is_unreal);
    field_atom a = {.generator = e};
    return field_times_atom(f, &a, num, den, out);
}

/* The index of the generator that is the whole term, or FIELD_FULL. */
static size_t only_generator(field *f, const fmpz_mpoly_t term)
{
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (fmpz_mpoly_is_gen(term, (slong)i, f->ctx))
            return i;
    return FIELD_FULL;
}

/* Is the term i pi? */
static bool is_half_turn(field *f, const fmpz_mpoly_t term)
{
    slong turns = 0, units = 0;
    for (size_t i = f->first; i < FIELD_MAX; i++) {
        turns += f->at[i].is == GENERATOR_PI ? fmpz_mpoly_degree_si(term, (slong)i, f->ctx) : 0;
        units += f->at[i].is == GENERATOR_I ? fmpz_mpoly_degree_si(term, (slong)i, f->ctx) : 0;
    }
    return turns == 1 && units == 1 && fmpz_mpoly_total_degree_si(term, f->ctx) == 2;
}

/* Multiply *out by e^(num/den term) for one term of an exponent. */
static eval_is times_exp_term(field *f, const quotient *term, slong num, ulong den, quotient *out)
{
    bool whole = fmpz_mpoly_is_one(term->den, f->ctx);
    size_t g = whole ? only_generator(f, term->num) : FIELD_FULL;
    bool log = g != FIELD_FULL && f->at[g].is == GENERATOR_LOG;
    if (whole && fmpz_mpoly_is_one(term->num, f->ctx)) {
        size_t e = field_constant_generator(f, GENERATOR_E);
        field_atom a = {.generator = e};
        return e == FIELD_FULL ? EVAL_LIMIT : field_times_atom(f, &a, num, den, out);
    }
    if (!log && !(whole && is_half_turn(f, term->num)))
        return times_exp(f, term, num, den, out);
    quotient power;
    eval_is is = EVAL_OK;
    quotient_open(f, &power);
    if (log) {
        quotient_set(f, &power, &f->at[g].arg[0]);
        is = den > 1 ? field_root(f, &power, den, NULL) : EVAL_OK;
        if (is == EVAL_OK)
            is = quotient_power(f, &power, num);
    } else {
        is = field_unity(f, num, den, &power);
    }
    if (is == EVAL_OK)
        is = quotient_multiply(f, out, &power);
    quotient_close(f, &power);
    return is;
}

/* e^out */
eval_is field_exp(field *f, quotient *out)
{
    quotient exponent, term;
    fmpz_t content;
    fmpq_t c;
    quotient_open(f, &exponent);
    quotient_open(f, &term);
    fmpz_init(content);
    fmpq_init(c);
    eval_is is = quotient_reduce(f, out);
    quotient_set(f, &exponent, out);
    _fmpz_vec_content(content, exponent.den->coeffs, fmpz_mpoly_length(exponent.den, f->ctx));
    if (is == EVAL_OK)
        fmpz_mpoly_scalar_divexact_fmpz(term.den, exponent.den, content, f->ctx);
    slong n = fmpz_mpoly_length(exponent.num, f->ctx);
    quotient_set_si(f, out, 1);
    is = n > MAX_SUMMANDS ? EVAL_LIMIT : is;
    for (slong i = 0; i < n && is == EVAL_OK; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), exponent.num, i, f->ctx);
        fmpz_set(fmpq_denref(c), content);
        fmpq_canonicalise(c);
        fmpz_mpoly_get_term_monomial(term.num, exponent.num, i, f->ctx);
        bool small = fmpz_cmpabs(fmpq_numref(c), fmpq_denref(c)) == 0 ||
                     (fmpz_bits(fmpq_numref(c)) < 20 && fmpz_bits(fmpq_denref(c)) < 10);
        is = small ? times_exp_term(f, &term, fmpz_get_si(fmpq_numref(c)),
                                    fmpz_get_ui(fmpq_denref(c)), out)
                   : EVAL_LIMIT;
    }
    fmpq_clear(c);
    fmpz_clear(content);
    quotient_close(f, &term);
    quotient_close(f, &exponent);
    return is;
}

/* ---- logarithms ------------------------------------------------------------------------------ */

/* Add log(x) times `sign`, for a positive whole number x. */
static eval_is add_whole_log(field *f, const fmpz_t x, slong sign, quotient *out)
{
    fmpz_factor_t factors;
    fmpz_factor_init(factors);
    field_factor(factors, x);
    quotient term;
    quotient_open(f, &term);
    eval_is is = EVAL_OK;
    for (slong i = 0; i < factors->num && is == EVAL_OK; i++) {
        fmpz_mpoly_set_fmpz(term.num, &factors->p[i], f->ctx);
        fmpz_mpoly_one(term.den, f->ctx);
        size_t g = field_call(f, GENERATOR_LOG, FN_NONE, &term, NULL);
        is = g == FIELD_FULL ? EVAL_LIMIT : EVAL_OK;
        if (is == EVAL_OK) {
            quotient_set_generator(f, &term, g);
            is = quotient_scale(f, &term, sign * (slong)factors->exp[i], 1);
        }
        if (is == EVAL_OK)
            is = quotient_add(f, out, &term);
    }
    quotient_close(f, &term);
    fmpz_factor_clear(factors);
    return is;
}

/* Add sign log(g) times/k for one generator of a product. */
static eval_is add_generator_log(field *f, size_t g, slong times, quotient *out)
{
    quotient term;
    quotient_open(f, &term);
    eval_is is = EVAL_OK;
    const generator *at = &f->at[g];
    if (at->is == GENERATOR_PRIME_ROOT || at->is == GENERATOR_ROOT) {
        ulong k = at->k;
        is = at->is == GENERATOR_ROOT ? add_generator_log(f, at->base, 1, &term)
                                      : add_whole_log(f, at->prime, 1, &term);
        if (is == EVAL_OK)
            is = quotient_scale(f, &term, 1, k);
    } else if (at->is == GENERATOR_E) {
        quotient_set_si(f, &term, 1);
    } else if (at->is == GENERATOR_EXP && at->positive) {
        quotient_set(f, &term, &at->arg[0]);
    } else {
        quotient_set_generator(f, &term, g);
        size_t log = field_call(f, GENERATOR_LOG, FN_NONE, &term, NULL);
        is = log == FIELD_FULL ? EVAL_LIMIT : EVAL_OK;
        if (is == EVAL_OK)
            quotient_set_generator(f, &term, log);
    }
    if (is == EVAL_OK)
        is = quotient_scale(f, &term, times, 1);
    if (is == EVAL_OK)
        is = quotient_add(f, out, &term);
    quotient_close(f, &term);
    return is;
}

/* Add sign log(p). */
static eval_is add_log(field *f, const fmpz_mpoly_t p, slong sign, quotient *out)
{
    fmpz_t content;
    quotient rest;
    fmpz_init(content);
    quotient_open(f, &rest);
    _fmpz_vec_content(content, p->coeffs, fmpz_mpoly_length(p, f->ctx));
    fmpz_mpoly_scalar_divexact_fmpz(rest.num, p, content, f->ctx);
    eval_is is = add_whole_log(f, content, sign, out);
    fmpz_mpoly_get_term_coeff_fmpz(content, rest.num, 0, f->ctx);
    bool term = fmpz_mpoly_length(rest.num, f->ctx) == 1 && fmpz_sgn(content) > 0;
    size_t first = f->first;
    if (term) {
        for (size_t i = first; i < FIELD_MAX && is == EVAL_OK; i++) {
            slong e = fmpz_mpoly_degree_si(rest.num, (slong)i, f->ctx);
            if (e > 0)
                is = add_generator_log(f, i, sign * e, out);
        }
    } else if (is == EVAL_OK) {
        size_t g = field_call(f, GENERATOR_LOG, FN_NONE, &rest, NULL);
        is = g == FIELD_FULL ? EVAL_LIMIT : EVAL_OK;
        if (is == EVAL_OK) {
            quotient_set_generator(f, &rest, g);
            is = quotient_scale(f, &rest, sign, 1);
        }
        if (is == EVAL_OK)
            is = quotient_add(f, out, &rest);
    }
    quotient_close(f, &rest);
    fmpz_clear(content);
    return is;
}

static eval_is add_half_turn(field *f, quotient *out)
{
    quotient i, pi;
    quotient_open(f, &i);
    quotient_open(f, &pi);
    eval_is is = field_constant(f, GENERATOR_PI, &pi);
    if (is == EVAL_OK)
        is = field_constant(f, GENERATOR_I, &i);
    if (is == EVAL_OK)
        is = quotient_multiply(f, &i, &pi);
    if (is == EVAL_OK)
        is = quotient_add(f, out, &i);
    quotient_close(f, &i);
    quotient_close(f, &pi);
    return is;
}

/* Is log(out) for certain the sum of the logarithms of its factors? For that they are positive, but
 * a single generator, which is positive wherever its logarithm has a value. */
static bool log_is_sum(field *f, const quotient *out)
{
    bool num = fmpz_mpoly_length(out->num, f->ctx) > 1 || field_is_positive_term(f, out->num) ||
               fmpz_mpoly_total_degree_si(out->num, f->ctx) <= 1;
    return num && (fmpz_mpoly_is_fmpz(out->den, f->ctx) || field_is_positive_term(f, out->den));
}

/* log(out) */
eval_is field_log(field *f, quotient *out)
{
    if (quotient_is_zero(f, out))
        return EVAL_UNDEFINED;
    fmpq_t x;
    quotient log;
    fmpq_init(x);
    quotient_open(f, &log);
    eval_is is = quotient_reduce(f, out);
    bool negative = quotient_rational(f, out, x) && fmpq_sgn(x) < 0;
    if (negative)
        quotient_negate(f, out);
    bool sum = is == EVAL_OK && log_is_sum(f, out);
    bool assumed = !sum && (f->assumes || !quotient_holds(f, out, generator_varies));
    f->positive |= assumed;
    if (is == EVAL_OK && !sum && !assumed) {
        size_t g = field_call(f, GENERATOR_LOG, FN_NONE, out, NULL);
        is = g == FIELD_FULL ? EVAL_LIMIT : EVAL_OK;
        if (is == EVAL_OK)
            quotient_set_generator(f, &log, g);
    } else if (is == EVAL_OK) {
        is = add_log(f, out->num, 1, &log);
        if (is == EVAL_OK)
            is = add_log(f, out->den, -1, &log);
    }
    if (is == EVAL_OK && negative)
        is = add_half_turn(f, &log);
    quotient_set(f, out, &log);
    quotient_close(f, &log);
    fmpq_clear(x);
    return is;
}

/* ---- powers ---------------------------------------------------------------------------------- */

static eval_is rational_exponent(field *f, quotient *base, const fmpq_t e, const formula *n)
{
    if (fmpz_bits(fmpq_numref(e)) > 20 || fmpz_bits(fmpq_denref(e)) > 9)
        return EVAL_LIMIT;
    slong num = fmpz_get_si(fmpq_numref(e));
    ulong den = fmpz_get_ui(fmpq_denref(e));
    if (num == 0 && quotient_is_zero(f, base))
        return EVAL_UNDEFINED;
    eval_is is = den > 1 ? field_root(f, base, den, n) : EVAL_OK;
    return is == EVAL_OK ? quotient_power(f, base, num) : is;
}

eval_is field_power(field *f, quotient *base, const quotient *exponent, const formula *n)
{
    fmpq_t e;
    fmpq_init(e);
    bool rational = quotient_rational(f, exponent, e);
    eval_is is = rational ? rational_exponent(f, base, e, n) : field_log(f, base);
    if (is == EVAL_OK && !rational)
        is = quotient_multiply(f, base, exponent);
    if (is == EVAL_OK && !rational)
        is = field_exp(f, base);
    fmpq_clear(e);
    return is;
}
