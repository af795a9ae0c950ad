/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomials at the values of their generators, by canonical algebraic numbers (Calcium's qqbar):
 * a minimal polynomial and the root that is meant. */
#include "algebra/field.h"

#define MAX_ALGEBRAIC_DEGREE 36
#define MAX_ALGEBRAIC_BITS 500
/* A number of degree n whose parts have b bits has a minimal polynomial of up to n * b bits a
 * coefficient. To isolate its roots took half a second at 9,000 bits, and minutes at 12,000. */
#define MAX_POLYNOMIAL_BITS 4000

/* What one term costs for each unit of the degree's third power, in bits: as long as so many bits
 * of other numbers, measured. */
#define TERM_COST 256
#define UNKNOWN_DEGREE 16 /* of what went over a limit while it was computed */

static bool value_of(field *f, size_t g);

/* Only the value shows of which degree it is, so its cost is taken afterwards: a call overdraws its
 * work by one number at most. */
static void take_work(field *f, const fmpz_mpoly_t p, uint64_t degree)
{
    uint64_t terms = (uint64_t)fmpz_mpoly_length(p, f->ctx);
    math_work_take(f->scope->work, terms * degree * degree * degree * TERM_COST);
}

bool field_number(field *f, const fmpz_mpoly_t p, qqbar_t out)
{
    qqbar_struct x[FIELD_MAX]; /* borrowed */
    qqbar_t zero;
    bool known = !f->scope->work || f->scope->work->left > 0;
    slong degree = 1; /* of the value, at most */
    qqbar_init(zero);
    for (size_t i = 0; i < FIELD_MAX; i++) {
        x[i] = *zero;
        if (i < f->first || !known || fmpz_mpoly_degree_si(p, (slong)i, f->ctx) <= 0)
            continue;
        known = value_of(f, i);
        if (!known)
            continue;
        x[i] = *f->at[i].value;
        degree = FLINT_MIN(degree * qqbar_degree(&x[i]), MAX_ALGEBRAIC_DEGREE);
    }
    known = known && labs(fmpz_mpoly_max_bits(p)) <= MAX_POLYNOMIAL_BITS / degree &&
            qqbar_evaluate_fmpz_mpoly(out, p, x, MAX_ALGEBRAIC_DEGREE, MAX_ALGEBRAIC_BITS, f->ctx);
    qqbar_clear(zero);
    take_work(f, p, known ? (uint64_t)qqbar_degree(out) : UNKNOWN_DEGREE);
    return known;
}

/* The k-th root of the radicand: odd roots of negative numbers are real. */
static bool radical(field *f, const generator *g, qqbar_t out)
{
    if (!field_number(f, g->arg[0].num, out) ||
        (slong)g->k > MAX_ALGEBRAIC_DEGREE / qqbar_degree(out) ||
        qqbar_height_bits(out) > MAX_ALGEBRAIC_BITS)
        return false;
    bool negative = g->k % 2 && qqbar_is_real(out) && qqbar_sgn_re(out) < 0;
    if (negative)
        qqbar_neg(out, out);
    qqbar_root_ui(out, out, g->k);
    if (negative)
        qqbar_neg(out, out);
    return true;
}

static bool prime_root(const generator *g, qqbar_t out)
{
    if (g->k > MAX_ALGEBRAIC_DEGREE || fmpz_bits(g->prime) > MAX_ALGEBRAIC_BITS)
        return false;
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_fmpz(x, g->prime);
    qqbar_fmpq_root_ui(out, x, g->k);
    fmpq_clear(x);
    return true;
}

static bool compute(field *f, const generator *g, qqbar_t out)
{
    switch (g->is) {
    case GENERATOR_I:
        qqbar_i(out);
        return true;
    case GENERATOR_PRIME_ROOT:
        return prime_root(g, out);
    case GENERATOR_RADICAL:
        return radical(f, g, out);
    case GENERATOR_COSINE:
        if (n_euler_phi(g->k) / 2 > MAX_ALGEBRAIC_DEGREE)
            return false;
        qqbar_cos_pi(out, 2, g->k);
        qqbar_mul_ui(out, out, 2);
        return true;
    default:
        return false;
    }
}

static bool value_of(field *f, size_t g)
{
    generator *at = &f->at[g];
    if (!at->algebraic)
        return false;
    if (!at->valued) {
        qqbar_t x;
        qqbar_init(x);
        at->valued = compute(f, at, x);
        if (at->valued) {
            qqbar_init(at->value);
            qqbar_swap(at->value, x);
        }
        qqbar_clear(x);
    }
    return at->valued;
}

/* The exponents of the generators that are no algebraic numbers. */
static void free_part(field *f, const fmpz_mpoly_t p, slong term, ulong *exponents)
{
    fmpz_mpoly_get_term_exp_ui(exponents, p, term, f->ctx);
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (f->at[i].algebraic)
            exponents[i] = 0;
}

void field_collect(field *f, const fmpz_mpoly_t p, slong t, bool *done, ulong *part,
                   fmpz_mpoly_t coefficient)
{
    ulong other[FIELD_MAX], exponents[FIELD_MAX];
    free_part(f, p, t, part);
    fmpz_mpoly_zero(coefficient, f->ctx);
    for (slong i = t; i < fmpz_mpoly_length(p, f->ctx); i++) {
        free_part(f, p, i, other);
        if (done[i] || memcmp(part, other, sizeof other) != 0)
            continue;
        done[i] = true;
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, f->ctx);
        for (size_t k = 0; k < FIELD_MAX; k++)
            exponents[k] -= part[k];
        fmpz_mpoly_push_term_fmpz_ui(coefficient, p->coeffs + i, exponents, f->ctx);
    }
    fmpz_mpoly_sort_terms(coefficient, f->ctx);
}

int field_vanishes(field *f, const fmpz_mpoly_t p)
{
    slong n = fmpz_mpoly_length(p, f->ctx);
    bool done[FIELD_MAX_COLLECTED] = {false};
    ulong part[FIELD_MAX];
    if (n == 0)
        return 1;
    if (n > FIELD_MAX_COLLECTED || !fmpz_mpoly_total_degree_fits_si(p, f->ctx))
        return -1;
    bool all_algebraic = true;
    for (size_t i = f->first; i < FIELD_MAX; i++)
        all_algebraic &= f->at[i].algebraic || fmpz_mpoly_degree_si(p, (slong)i, f->ctx) == 0;
    fmpz_mpoly_t coefficient;
    qqbar_t x;
    fmpz_mpoly_init(coefficient, f->ctx);
    qqbar_init(x);
    int zero = 1;
    for (slong t = 0; t < n && zero == 1; t++) {
        if (done[t])
            continue;
        field_collect(f, p, t, done, part, coefficient);
        zero = !field_number(f, coefficient, x) ? -1
               : qqbar_is_zero(x)               ? 1
               : all_algebraic                  ? 0
                                                : -1;
    }
    qqbar_clear(x);
    fmpz_mpoly_clear(coefficient, f->ctx);
    return zero;
}
