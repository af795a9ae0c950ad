/* SPDX-License-Identifier: Apache-2.0 */
/* Roots, powers, exponentials and logarithms in the field, and the roots of one. */
#include "math/field.h"

#include <flint/fmpz_factor.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_vec.h>

#define MAX_INDEX 360 /* of a root, of its tower, and of a root of one */
#define MAX_EXPONENT 1000000
#define MAX_SUMMANDS 12 /* of an exponent */
#define MAX_RADICAND 40 /* terms; larger ones are not searched for squares */
#define MAX_RADICAND_DEGREE 16
#define TRIAL_PRIMES 2000 /* tried as divisors of large whole numbers under a root */

static bool is_unreal(const generator *g)
{
    return !g->real;
}

static bool is_not_algebraic(const generator *g)
{
    return !g->algebraic;
}

/* The generator of a constant, made if there is none; or FIELD_FULL. */
static size_t constant(field *f, generator_is is)
{
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (f->at[i].is == is)
            return i;
    size_t g = field_add(f, is);
    if (g == FIELD_FULL)
        return g;
    f->at[g].positive = is != GENERATOR_I;
    f->at[g].real = is != GENERATOR_I;
    if (is == GENERATOR_I) {
        f->at[g].algebraic = true;
        fmpz_mpoly_t minus_one;
        fmpz_mpoly_init(minus_one, f->ctx);
        fmpz_mpoly_set_si(minus_one, -1, f->ctx);
        field_relate(f, g, 2, minus_one);
        fmpz_mpoly_clear(minus_one, f->ctx);
    }
    return g;
}

eval_is field_constant(field *f, generator_is is, quotient *out)
{
    size_t g = constant(f, is);
    if (g == FIELD_FULL)
        return EVAL_LIMIT;
    quotient_set_generator(f, out, g);
    return EVAL_OK;
}

/* ---- roots of atoms -------------------------------------------------------------------------- */

/* What has one positive root of each index: a whole number, or a positive generator. */
typedef struct atom {
    const fmpz *prime; /* NULL: the generator */
    size_t generator;
} atom;

static bool is_root_of(const generator *g, const atom *a)
{
    return a->prime ? g->is == GENERATOR_PRIME_ROOT && fmpz_equal(g->prime, a->prime)
                    : g->is == GENERATOR_ROOT && g->base == a->generator;
}

/* A generator that is a root of the atom, of which the k-th root is the power *times. Roots of
 * several indices of one atom are powers of one another: each is related to the one before it. */
static size_t atom_root(field *f, const atom *a, ulong k, ulong *times)
{
    size_t best = FIELD_FULL;
    ulong index = 1;
    for (size_t i = FIELD_MAX; i-- > f->first;)
        if (is_root_of(&f->at[i], a)) {
            best = i;
            index = f->at[i].k;
        }
    if (index % k == 0 && best != FIELD_FULL) {
        *times = index / k;
        return best;
    }
    ulong whole = index / n_gcd(index, k) * k;
    if (whole > MAX_INDEX)
        return FIELD_FULL;
    size_t g = field_add(f, a->prime ? GENERATOR_PRIME_ROOT : GENERATOR_ROOT);
    if (g == FIELD_FULL)
        return g;
    fmpz_mpoly_t value;
    fmpz_mpoly_init(value, f->ctx);
    if (best != FIELD_FULL)
        fmpz_mpoly_gen(value, (slong)best, f->ctx);
    else if (a->prime)
        fmpz_mpoly_set_fmpz(value, a->prime, f->ctx);
    else
        fmpz_mpoly_gen(value, (slong)a->generator, f->ctx);
    field_relate(f, g, whole / index, value);
    fmpz_mpoly_clear(value, f->ctx);
    f->at[g].k = whole;
    f->at[g].positive = true;
    f->at[g].algebraic = a->prime != NULL;
    f->at[g].base = a->generator;
    f->at[g].varies = !a->prime && f->at[a->generator].varies;
    if (a->prime)
        fmpz_set(f->at[g].prime, a->prime);
    *times = whole / k;
    return g;
}

/* Multiply *out by atom^(num/den). */
static eval_is times_atom(field *f, const atom *a, slong num, ulong den, quotient *out)
{
    slong whole = num >= 0 ? num / (slong)den : -(slong)((ulong)(-num + (slong)den - 1) / den);
    ulong rest = (ulong)(num - whole * (slong)den), times = 0;
    quotient factor;
    quotient_open(f, &factor);
    if (a->prime)
        fmpz_mpoly_set_fmpz(factor.num, a->prime, f->ctx);
    else
        quotient_set_generator(f, &factor, a->generator);
    eval_is is = quotient_power(f, &factor, whole);
    if (is == EVAL_OK)
        is = quotient_multiply(f, out, &factor);
    if (is == EVAL_OK && rest) {
        ulong common = n_gcd(rest, den);
        size_t g = atom_root(f, a, den / common, &times);
        is = g == FIELD_FULL ? EVAL_LIMIT : EVAL_OK;
        if (is == EVAL_OK) {
            quotient_set_generator(f, &factor, g);
            is = quotient_power(f, &factor, (slong)(rest / common * times));
        }
        if (is == EVAL_OK)
            is = quotient_multiply(f, out, &factor);
    }
    quotient_close(f, &factor);
    return is;
}

/* ---- whole numbers --------------------------------------------------------------------------- */

/* Factors of a positive whole number; of a large one, what small primes leave is one factor. */
static void factor(fmpz_factor_t out, const fmpz_t x)
{
    if (fmpz_bits(x) <= 62)
        fmpz_factor(out, x);
    else
        fmpz_factor_trial(out, x, TRIAL_PRIMES);
}

/* Multiply *out by x^(sign/k), for a positive whole number x. */
static eval_is times_whole_root(field *f, const fmpz_t x, slong sign, ulong k, quotient *out)
{
    fmpz_factor_t factors;
    fmpz_factor_init(factors);
    factor(factors, x);
    eval_is is = EVAL_OK;
    for (slong i = 0; i < factors->num && is == EVAL_OK; i++) {
        atom a = {.prime = &factors->p[i]};
        is = times_atom(f, &a, sign * (slong)factors->exp[i], k, out);
    }
    fmpz_factor_clear(factors);
    return is;
}

/* Add log(x) times `sign`, for a positive whole number x. */
static eval_is add_whole_log(field *f, const fmpz_t x, slong sign, quotient *out)
{
    fmpz_factor_t factors;
    fmpz_factor_init(factors);
    factor(factors, x);
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

/* ---- roots of one ---------------------------------------------------------------------------- */

/* 2 cos(2 pi/n) as a generator, with its minimal polynomial. */
static size_t cosine(field *f, ulong n)
{
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (f->at[i].is == GENERATOR_COSINE && f->at[i].k == n)
            return i;
    size_t g = field_add(f, GENERATOR_COSINE);
    if (g == FIELD_FULL)
        return g;
    f->at[g].k = n;
    f->at[g].algebraic = f->at[g].positive = true; /* n > 4 */
    fmpz_poly_t minimal;
    fmpz_mpoly_t x, power;
    fmpz_poly_init(minimal);
    fmpz_mpoly_init(x, f->ctx);
    fmpz_mpoly_init(power, f->ctx);
    fmpz_poly_cos_minpoly(minimal, n);
    fmpz_mpoly_gen(x, (slong)g, f->ctx);
    for (slong i = 0; i < fmpz_poly_length(minimal); i++) {
        fmpz_mpoly_pow_ui(power, x, (ulong)i, f->ctx);
        fmpz_mpoly_scalar_mul_fmpz(power, power, minimal->coeffs + i, f->ctx);
        fmpz_mpoly_add(f->at[g].relation, f->at[g].relation, power, f->ctx);
    }
    fmpz_mpoly_clear(x, f->ctx);
    fmpz_mpoly_clear(power, f->ctx);
    fmpz_poly_clear(minimal);
    return g;
}

/* cos(2 pi times/n) from the generator of n, by cos((k+1) t) = 2 cos(t) cos(k t) - cos((k-1) t). */
static eval_is multiple_cosine(field *f, ulong times, ulong n, quotient *out)
{
    size_t g = n <= MAX_INDEX ? cosine(f, n) : FIELD_FULL;
    if (g == FIELD_FULL)
        return EVAL_LIMIT;
    quotient before, now, step;
    quotient_open(f, &before);
    quotient_open(f, &now);
    quotient_open(f, &step);
    quotient_set_si(f, &before, 2);
    quotient_set_generator(f, &now, g);
    eval_is is = EVAL_OK;
    for (ulong k = 1; k < times && is == EVAL_OK; k++) {
        quotient_set_generator(f, &step, g);
        is = quotient_multiply(f, &step, &now);
        if (is == EVAL_OK)
            is = quotient_subtract(f, &step, &before);
        quotient_set(f, &before, &now);
        quotient_set(f, &now, &step);
    }
    quotient_set(f, out, &now);
    quotient_close(f, &before);
    quotient_close(f, &now);
    quotient_close(f, &step);
    return is == EVAL_OK ? quotient_scale(f, out, 1, 2) : is;
}

/* (a + b sqrt(p)) / 4 */
static eval_is quarter(field *f, slong a, slong b, slong p, quotient *out)
{
    fmpz_t prime;
    quotient root;
    fmpz_init(prime);
    fmpz_set_si(prime, p);
    quotient_open(f, &root);
    quotient_set_si(f, &root, b);
    eval_is is = times_whole_root(f, prime, 1, 2, &root);
    quotient_set_si(f, out, a);
    if (is == EVAL_OK)
        is = quotient_add(f, out, &root);
    quotient_close(f, &root);
    fmpz_clear(prime);
    return is == EVAL_OK ? quotient_scale(f, out, 1, 4) : is;
}

/* The cosine of pi j/12 for j from 0 to 6. */
static eval_is known_cosine(field *f, ulong j, quotient *out)
{
    static const signed char plain[] = {4, 0, 0, 0, 2, 0, 0}, roots[] = {0, 0, 2, 2, 0, 0, 0},
                             under[] = {1, 1, 3, 2, 1, 1, 1};
    if (j != 1 && j != 5)
        return quarter(f, plain[j], roots[j], under[j], out);
    quotient other; /* (sqrt 6 +- sqrt 2)/4 */
    quotient_open(f, &other);
    eval_is is = quarter(f, 0, 1, 6, out);
    if (is == EVAL_OK)
        is = quarter(f, 0, j == 1 ? 1 : -1, 2, &other);
    if (is == EVAL_OK)
        is = quotient_add(f, out, &other);
    quotient_close(f, &other);
    return is;
}

eval_is field_cosine(field *f, slong num, ulong den, quotient *out)
{
    ulong turn = 2 * den, p = (ulong)(((num % (slong)turn) + (slong)turn)) % turn;
    if (p > den)
        p = turn - p;
    bool negative = 2 * p > den;
    if (negative)
        p = den - p;
    ulong common = p ? n_gcd(p, den) : den;
    p /= common;
    den /= common;
    eval_is is;
    if (12 % den == 0) {
        is = known_cosine(f, p * 12 / den, out);
    } else if (den == 5) {
        is = quarter(f, p == 1 ? 1 : -1, 1, 5, out);
    } else {
        ulong n = 2 * den / n_gcd(p, 2 * den), times = p / n_gcd(p, 2 * den);
        ulong whole = n % 4 == 0 ? n : n % 2 == 0 ? 2 * n : 4 * n; /* sines have the same one */
        is = multiple_cosine(f, times * (whole / n), whole, out);
    }
    if (negative)
        quotient_negate(f, out);
    return is;
}

eval_is field_unity(field *f, slong num, ulong den, quotient *out)
{
    if (den > MAX_INDEX || num > MAX_EXPONENT || num < -MAX_EXPONENT)
        return EVAL_LIMIT;
    quotient sine;
    quotient_open(f, &sine);
    eval_is is = field_cosine(f, num, den, out);
    if (is == EVAL_OK) /* sin(t) = cos(pi/2 - t) */
        is = field_cosine(f, (slong)den - 2 * num, 2 * den, &sine);
    if (is == EVAL_OK && !quotient_is_zero(f, &sine)) {
        quotient i;
        quotient_open(f, &i);
        is = field_constant(f, GENERATOR_I, &i);
        if (is == EVAL_OK)
            is = quotient_multiply(f, &sine, &i);
        if (is == EVAL_OK)
            is = quotient_add(f, out, &sine);
        quotient_close(f, &i);
    }
    quotient_close(f, &sine);
    return is;
}

/* ---- roots ----------------------------------------------------------------------------------- */

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
    eval_is is = times_whole_root(f, size, 1, k, out);
    if (is == EVAL_OK)
        is = times_whole_root(f, fmpq_denref(x), -1, k, out);
    fmpz_clear(size);
    return is == EVAL_OK && fmpq_sgn(x) < 0 ? times_root_of_minus_one(f, k, out) : is;
}

/* Is p one term of positive generators with a positive coefficient? */
static bool is_positive_term(field *f, const fmpz_mpoly_t p)
{
    if (fmpz_mpoly_length(p, f->ctx) != 1 || fmpz_sgn(p->coeffs) < 0)
        return false;
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (!f->at[i].positive && fmpz_mpoly_degree_si(p, (slong)i, f->ctx) > 0)
            return false;
    return true;
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

/* Multiply *out by p^(sign num/den), where is_positive_term(p). */
static eval_is times_term_power(field *f, const fmpz_mpoly_t p, slong sign, ulong den,
                                quotient *out)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, 0, f->ctx);
    eval_is is = times_whole_root(f, c, sign, den, out);
    fmpz_clear(c);
    size_t first = f->first; /* new generators are not in p */
    for (size_t i = first; i < FIELD_MAX && is == EVAL_OK; i++) {
        slong e = fmpz_mpoly_degree_si(p, (slong)i, f->ctx);
        const generator *g = &f->at[i];
        if (e == 0)
            continue;
        fmpz_t prime;
        fmpz_init_set(prime, g->prime);
        atom a = {.prime = g->is == GENERATOR_PRIME_ROOT ? prime : NULL,
                  .generator = g->is == GENERATOR_ROOT ? g->base : i};
        ulong index = g->is == GENERATOR_PRIME_ROOT || g->is == GENERATOR_ROOT ? g->k : 1;
        ulong common = n_gcd((ulong)e, index * den);
        is = times_atom(f, &a, sign * (e / (slong)common), index * den / common, out);
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
    eval_is is = plain || is_positive_term(f, p) ? EVAL_OK : field_abs(f, &size);
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
        f->at[g].real = !maybe_unreal && !quotient_holds(f, &radicand, is_unreal);
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
    bool real = !quotient_holds(f, out, is_unreal);
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
        is = times_whole_root(f, content, 1, k, &root);
        fmpz_clear(content);
    }
    if (is == EVAL_OK && real && quotient_holds(f, &p, generator_varies))
        is = take_out_powers(f, p.num, k, &root);
    if (is == EVAL_OK && !fmpz_mpoly_is_one(p.num, f->ctx))
        is = times_radical(f, p.num, k, &root);
    fmpz_mpoly_set(p.num, out->den, f->ctx);
    fmpz_mpoly_one(p.den, f->ctx);
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
    if (quotient_reduce(f, out) == EVAL_OK && is_positive_term(f, out->num) &&
        is_positive_term(f, out->den)) {
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

/* ---- exponentials ---------------------------------------------------------------------------- */

/* Multiply *out by e^(num/den term), where `term` is a product of generators, over one. */
static eval_is times_exp(field *f, const quotient *term, slong num, ulong den, quotient *out)
{
    size_t e = field_call(f, GENERATOR_EXP, FN_NONE, term, NULL);
    if (e == FIELD_FULL)
        return EVAL_LIMIT;
    f->at[e].positive = f->at[e].real = !quotient_holds(f, term, is_unreal);
    atom a = {.generator = e};
    return times_atom(f, &a, num, den, out);
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
        size_t e = constant(f, GENERATOR_E);
        atom a = {.generator = e};
        return e == FIELD_FULL ? EVAL_LIMIT : times_atom(f, &a, num, den, out);
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
    bool num = fmpz_mpoly_length(out->num, f->ctx) > 1 || is_positive_term(f, out->num) ||
               fmpz_mpoly_total_degree_si(out->num, f->ctx) <= 1;
    return num && (fmpz_mpoly_is_fmpz(out->den, f->ctx) || is_positive_term(f, out->den));
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
