/* SPDX-License-Identifier: Apache-2.0 */
/* What has one positive root of each index: whole numbers and positive generators. Constants. */
#include "algebra/field_atoms.h"

#define MAX_INDEX 360     /* of a root and of its tower */
#define TRIAL_PRIMES 2000 /* tried as divisors of large whole numbers under a root */

bool generator_is_unreal(const generator *g)
{
    return !g->real;
}

size_t field_constant_generator(field *f, generator_is is)
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
    size_t g = field_constant_generator(f, is);
    if (g == FIELD_FULL)
        return EVAL_LIMIT;
    quotient_set_generator(f, out, g);
    return EVAL_OK;
}

/* ---- roots of atoms -------------------------------------------------------------------------- */

static bool is_root_of(const generator *g, const field_atom *a)
{
    return a->prime ? g->is == GENERATOR_PRIME_ROOT && fmpz_equal(g->prime, a->prime)
                    : g->is == GENERATOR_ROOT && g->base == a->generator;
}

/* A generator that is a root of the atom, of which the k-th root is the power *times. Roots of
 * several indices of one atom are powers of one another: each is related to the one before it. */
static size_t atom_root(field *f, const field_atom *a, ulong k, ulong *times)
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

eval_is field_times_atom(field *f, const field_atom *a, slong num, ulong den, quotient *out)
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

void field_factor(fmpz_factor_t out, const fmpz_t x)
{
    if (fmpz_bits(x) <= 62)
        fmpz_factor(out, x);
    else
        fmpz_factor_trial(out, x, TRIAL_PRIMES);
}

eval_is field_times_whole_root(field *f, const fmpz_t x, slong sign, ulong k, quotient *out)
{
    fmpz_factor_t factors;
    fmpz_factor_init(factors);
    field_factor(factors, x);
    eval_is is = EVAL_OK;
    for (slong i = 0; i < factors->num && is == EVAL_OK; i++) {
        field_atom a = {.prime = &factors->p[i]};
        is = field_times_atom(f, &a, sign * (slong)factors->exp[i], k, out);
    }
    fmpz_factor_clear(factors);
    return is;
}

bool field_is_positive_term(field *f, const fmpz_mpoly_t p)
{
    if (fmpz_mpoly_length(p, f->ctx) != 1 || fmpz_sgn(p->coeffs) < 0)
        return false;
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (!f->at[i].positive && fmpz_mpoly_degree_si(p, (slong)i, f->ctx) > 0)
            return false;
    return true;
}
