/* SPDX-License-Identifier: Apache-2.0 */
/* Roots of one: cosines and sines of rational parts of a turn. */
#include "algebra/field_atoms.h"

#include <flint/fmpz_poly.h>

#define MAX_INDEX 360 /* of a root of one */
#define MAX_EXPONENT 1000000

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
    eval_is is = field_times_whole_root(f, prime, 1, 2, &root);
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
