/* SPDX-License-Identifier: Apache-2.0 */
/* Roots of quotients, and |x|. */
#include "algebra/field_atoms.h"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_vec.h>

#define MAX_RADICAND 40 /* terms; larger ones are not searched for squares */
#define MAX_RADICAND_DEGREE 16

static bool is_not_algebraic(const generator *g)
{
    return !g->algebraic;
}

/* Multiply *out, the root of the absolute value of a negative number, as the k-th root of -1 says:
 * odd roots are real, even ones principal. */
static eval_is times_root_of_minus_one(field *f, ulong k, quotient *out)
{
    if (k % 2) {
        quotient_negate(f, out);
        return EVAL_OK;
    }
    quotient unity;
    quotient_open(f, &unity);
    eval_is is = field_unity(f, 1, k, &unity);
    if (is == EVAL_OK)
        is = quotient_multiply(f, out, &unity);
    quotient_close(f, &unity);
    return is;
}

static eval_is rational_root_of(field *f, const fmpq_t x, ulong k, quotient *out)
{
    quotient_set_si(f, out, !fmpq_is_zero(x));
    if (fmpq_is_zero(x))
        return EVAL_OK;
    fmpz_t size;
    fmpz_init(size);
    fmpz_abs(size, fmpq_numref(x));
    eval_is is = field_times_whole_root(f, size, 1, k, out);
    if (is == EVAL_OK)
        is = field_times_whole_root(f, fmpq_denref(x), -1, k, out);
    fmpz_clear(size);
    return is == EVAL_OK && fmpq_sgn(x) < 0 ? times_root_of_minus_one(f, k, out) : is;
}

/* Is p a sum of terms that are not negative: squares times positive generators? */
static bool is_sum_of_sizes(field *f, const fmpz_mpoly_t p)
{
    for (slong t = 0; t < fmpz_mpoly_length(p, f->ctx); t++) {
        if (fmpz_sgn(p->coeffs + t) < 0)
            return false;
        for (size_t i = f->first; i < FIELD_MAX; i++) {
            const generator *g = &f->at[i];
            bool square = fmpz_mpoly_get_term_var_exp_ui(p, t, (slong)i, f->ctx) % 2 == 0;
            bool size = g->positive || (square && g->real && !f->complex);
            if (!size && fmpz_mpoly_degree_si(p, (slong)i, f->ctx) > 0)
                return false;
        }
    }
    return true;
}

/* The sign of a polynomial that is not zero: 1, -1; 0: not known, or not one for all letters. */
static int sign_of(field *f, const fmpz_mpoly_t p)
{
    fmpz_mpoly_t negated;
    qqbar_t x;
    fmpz_mpoly_init(negated, f->ctx);
    qqbar_init(x);
    fmpz_mpoly_neg(negated, p, f->ctx);
    int sign = is_sum_of_sizes(f, p) ? 1 : is_sum_of_sizes(f, negated) ? -1 : 0;
    if (sign == 0 && field_number(f, p, x) && qqbar_is_real(x))
        sign = qqbar_sgn_re(x);
    qqbar_clear(x);
    fmpz_mpoly_clear(negated, f->ctx);
    return sign;
}

/* Multiply *out by p^(sign num/den), where field_is_positive_term(p). */
static eval_is times_term_power(field *f, const fmpz_mpoly_t p, slong sign, ulong den,
                                quotient *out)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, 0, f->ctx);
    eval_is is = field_times_whole_root(f, c, sign, den, out);
    fmpz_clear(c);
    size_t first = f->first; /* new generators are not in p */
    for (size_t i = first; i < FIELD_MAX && is == EVAL_OK; i++) {
        slong e = fmpz_mpoly_degree_si(p, (slong)i, f->ctx);
        const generator *g = &f->at[i];
        if (e == 0)
            continue;
        fmpz_t prime;
        fmpz_init_set(prime, g->prime);
        field_atom a = {.prime = g->is == GENERATOR_PRIME_ROOT ? prime : NULL,
                        .generator = g->is == GENERATOR_ROOT ? g->base : i};
        ulong index = g->is == GENERATOR_PRIME_ROOT || g->is == GENERATOR_ROOT ? g->k : 1;
        ulong common = n_gcd((ulong)e, index * den);
        is = field_times_atom(f, &a, sign * (e / (slong)common), index * den / common, out);
        fmpz_clear(prime);
    }
    return is;
}

eval_is field_abs(field *f, quotient *out)
{
    if (quotient_is_zero(f, out))
        return EVAL_OK;
    fmpz_t lead;
    fmpz_init(lead);
    fmpz_mpoly_get_term_coeff_fmpz(lead, out->num, 0, f->ctx);
    if (fmpz_sgn(lead) < 0)
        quotient_negate(f, out);
    fmpz_clear(lead);
    size_t g = field_call(f, GENERATOR_CALL, FN_ABS, out, NULL);
    if (g == FIELD_FULL)
        return EVAL_LIMIT;
    bool polynomial = fmpz_mpoly_is_one(out->den, f->ctx);
    if (polynomial && fmpz_mpoly_is_zero(f->at[g].relation, f->ctx) &&
        quotient_power(f, out, 2) == EVAL_OK)
        field_relate(f, g, 2, out->num);
    quotient_set_generator(f, out, g);
    return EVAL_OK;
}

/* |p|^times, or p^times where `plain`. */
static eval_is times_size(field *f, const fmpz_mpoly_t p, bool plain, slong times, quotient *out)
{
    quotient size;
    quotient_open(f, &size);
    fmpz_mpoly_set(size.num, p, f->ctx);
    eval_is is = plain || field_is_positive_term(f, p) ? EVAL_OK : field_abs(f, &size);
    if (is == EVAL_OK)
        is = quotient_power(f, &size, times);
    if (is == EVAL_OK)
        is = quotient_multiply(f, out, &size);
    quotient_close(f, &size);
    return is;
}

/* Take k-th powers out of the primitive polynomial p: the root of what stays times *out. */
static eval_is take_out_powers(field *f, fmpz_mpoly_t p, ulong k, quotient *out)
{
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_t power;
    fmpz_mpoly_factor_init(factors, f->ctx);
    fmpz_mpoly_init(power, f->ctx);
    eval_is is = EVAL_OK;
    bool found = fmpz_mpoly_length(p, f->ctx) <= MAX_RADICAND &&
                 fmpz_mpoly_total_degree_si(p, f->ctx) <= MAX_RADICAND_DEGREE &&
                 fmpz_mpoly_factor_squarefree(factors, p, f->ctx);
    if (found)
        fmpz_mpoly_set_fmpz(p, factors->constant, f->ctx);
    for (slong i = 0; found && i < factors->num && is == EVAL_OK; i++) {
        ulong e = fmpz_get_ui(&factors->exp[i]);
        is = times_size(f, &factors->poly[i], k % 2 || (e / k) % 2 == 0, (slong)(e / k), out);
        fmpz_mpoly_pow_ui(power, &factors->poly[i], e % k, f->ctx);
        fmpz_mpoly_mul(p, p, power, f->ctx);
    }
    fmpz_mpoly_clear(power, f->ctx);
    fmpz_mpoly_factor_clear(factors, f->ctx);
    return is;
}

/* The root of the primitive polynomial p as a generator. */
static eval_is times_radical(field *f, const fmpz_mpoly_t p, ulong k, quotient *out)
{
    quotient radicand, index;
    quotient_open(f, &radicand);
    quotient_open(f, &index);
    fmpz_mpoly_set(radicand.num, p, f->ctx);
    quotient_set_si(f, &index, (slong)k);
    size_t g = field_call(f, GENERATOR_RADICAL, FN_NONE, &radicand, &index);
    eval_is is = g == FIELD_FULL ? EVAL_LIMIT : EVAL_OK;
    if (is == EVAL_OK && fmpz_mpoly_is_zero(f->at[g].relation, f->ctx)) {
        field_relate(f, g, k, p);
        f->at[g].k = k;
        f->at[g].algebraic = !quotient_holds(f, &radicand, is_not_algebraic);
        bool maybe_unreal =
            f->complex && k % 2 == 0 && quotient_holds(f, &radicand, generator_varies);
        f->at[g].real = !maybe_unreal && !quotient_holds(f, &radicand, generator_is_unreal);
    }
    if (is == EVAL_OK) {
        quotient_set_generator(f, &index, g);
        is = quotient_multiply(f, out, &index);
    }
    quotient_close(f, &radicand);
    quotient_close(f, &index);
    return is;
}

/* The root of v^k for an even k: |v|. `positive`: u/v is not negative, so v has the sign of u. */
static eval_is size_of_denominator(field *f, const quotient *radicand, bool positive, quotient *v)
{
    int sign = sign_of(f, radicand->den);
    if (sign == 0 && positive)
        sign = sign_of(f, radicand->num);
    fmpz_mpoly_set(v->num, radicand->den, f->ctx);
    fmpz_mpoly_one(v->den, f->ctx);
    if (sign < 0)
        quotient_negate(f, v);
    return sign == 0 ? field_abs(f, v) : EVAL_OK;
}

/* The root of a quotient u/v: the root of u v^(k-1), over v, or |v| for an even k. *out is the
 * radicand and the result. Of complex numbers nothing is taken out: that would turn the root. */
static eval_is radical(field *f, quotient *out, ulong k, bool positive)
{
    bool real = !quotient_holds(f, out, generator_is_unreal);
    if (!real && !fmpz_mpoly_is_fmpz(out->den, f->ctx))
        return EVAL_LIMIT;
    quotient p, root;
    quotient_open(f, &p);
    quotient_open(f, &root);
    fmpz_mpoly_set(p.num, out->den, f->ctx);
    eval_is is = quotient_power(f, &p, (slong)k - 1);
    fmpz_mpoly_set(root.num, out->num, f->ctx);
    if (is == EVAL_OK)
        is = quotient_multiply(f, &p, &root);
    if (is == EVAL_OK) {
        fmpz_t content;
        fmpz_init(content);
        _fmpz_vec_content(content, p.num->coeffs, fmpz_mpoly_length(p.num, f->ctx));
        fmpz_mpoly_scalar_divexact_fmpz(p.num, p.num, content, f->ctx);
        quotient_set_si(f, &root, 1);
        is = field_times_whole_root(f, content, 1, k, &root);
        fmpz_clear(content);
    }
    if (is == EVAL_OK && real && quotient_holds(f, &p, generator_varies))
        is = take_out_powers(f, p.num, k, &root);
    if (is == EVAL_OK && !fmpz_mpoly_is_one(p.num, f->ctx))
        is = times_radical(f, p.num, k, &root);
    fmpz_mpoly_set(p.num, out->den, f->ctx);
    if (is == EVAL_OK && k % 2 == 0)
        is = size_of_denominator(f, out, positive, &p);
    if (is == EVAL_OK)
        is = quotient_divide(f, &root, &p);
    quotient_set(f, out, &root);
    quotient_close(f, &p);
    quotient_close(f, &root);
    return is;
}

eval_is field_root(field *f, quotient *out, ulong k, const formula *n)
{
    fmpq_t x;
    fmpq_init(x);
    bool rational = quotient_rational(f, out, x);
    eval_is is = rational ? rational_root_of(f, x, k, out) : EVAL_OK;
    fmpq_clear(x);
    if (rational)
        return is;
    if (quotient_reduce(f, out) == EVAL_OK && field_is_positive_term(f, out->num) &&
        field_is_positive_term(f, out->den)) {
        quotient root;
        quotient_open(f, &root);
        quotient_set_si(f, &root, 1);
        is = times_term_power(f, out->num, 1, k, &root);
        if (is == EVAL_OK)
            is = times_term_power(f, out->den, -1, k, &root);
        quotient_set(f, out, &root);
        quotient_close(f, &root);
        return is;
    }
    bool has_letters = quotient_holds(f, out, generator_varies);
    int sign = n && !has_letters ? field_sign(f, n) : 2;
    bool negative = sign < 0;
    if (negative)
        quotient_negate(f, out);
    is = radical(f, out, k, has_letters ? !f->complex : sign != 2);
    return is == EVAL_OK && negative ? times_root_of_minus_one(f, k, out) : is;
}
