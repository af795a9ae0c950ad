/* SPDX-License-Identifier: Apache-2.0 */
/* The field's generators, and quotients of polynomials in them. */
#include "algebra/field.h"

#include "base/str.h"

#include <threads.h>

#define MAX_TERMS 4000
#define MAX_DEGREE 200    /* of sums */
#define MAX_POWER 1000000 /* of a letter in a product of single terms */
#define MAX_BITS 16384    /* of a coefficient */
/* Of a product, however small: as long as so many bits of other numbers, measured. */
#define PRODUCT_COST 1024

/* ---- generators ------------------------------------------------------------------------------ */

size_t field_add(field *f, generator_is is)
{
    if (f->first == 0)
        return FIELD_FULL;
    generator *g = &f->at[--f->first];
    *g = (generator){.is = is, .real = true, .varies = is == GENERATOR_LETTER};
    fmpz_init(g->prime);
    fmpz_mpoly_init(g->relation, f->ctx);
    return f->first;
}

void field_relate(field *f, size_t g, ulong k, const fmpz_mpoly_t value)
{
    fmpz_mpoly_t power;
    fmpz_mpoly_init(power, f->ctx);
    fmpz_mpoly_gen(power, (slong)g, f->ctx);
    fmpz_mpoly_pow_ui(power, power, k, f->ctx);
    fmpz_mpoly_sub(f->at[g].relation, power, value, f->ctx);
    fmpz_mpoly_clear(power, f->ctx);
}

size_t field_call(field *f, generator_is is, function_id fn, const quotient *a, const quotient *b)
{
    for (size_t i = f->first; i < FIELD_MAX; i++) {
        const generator *g = &f->at[i];
        if (g->is == is && g->fn == fn && g->n_args == 1u + (b != NULL) &&
            quotient_equal(f, &g->arg[0], a) && (!b || quotient_equal(f, &g->arg[1], b)))
            return i;
    }
    size_t i = field_add(f, is);
    if (i == FIELD_FULL)
        return i;
    generator *g = &f->at[i];
    g->fn = fn;
    g->varies =
        quotient_holds(f, a, generator_varies) || (b && quotient_holds(f, b, generator_varies));
    for (; g->n_args < 1u + (b != NULL); g->n_args++) {
        quotient_open(f, &g->arg[g->n_args]);
        quotient_set(f, &g->arg[g->n_args], g->n_args ? b : a);
    }
    return i;
}

/* ---- opening and closing --------------------------------------------------------------------- */

typedef struct letter_list {
    rdv_str at[FIELD_MAX];
    size_t n;
} letter_list;

/* Add the letters of the formula, keeping them sorted; false when there are too many. The indices
 * of sums are letters here too, which does no harm. */
static bool add_letters(letter_list *l, const formula *n)
{
    if (!n)
        return true;
    if (n->is != F_LETTER)
        return add_letters(l, n->a) && add_letters(l, n->b) && add_letters(l, n->c);
    size_t i = 0;
    while (i < l->n && rdv_str_cmp(l->at[i], n->name) < 0)
        i++;
    if (i < l->n && rdv_str_eq(l->at[i], n->name))
        return true;
    if (l->n == FIELD_MAX / 2)
        return false;
    memmove(&l->at[i + 1], &l->at[i], (l->n - i) * sizeof *l->at);
    l->at[i] = n->name;
    l->n++;
    return true;
}

/* All fields have the same variables. */
static fmpz_mpoly_ctx_t context;

static void make_context(void)
{
    fmpz_mpoly_ctx_init(context, FIELD_MAX, ORD_LEX);
}

bool field_open(field *f, formula_scope *scope, bool positive, const formula *a, const formula *b)
{
    static once_flag once = ONCE_FLAG_INIT;
    letter_list l = {.n = 0};
    if (!add_letters(&l, a) || !add_letters(&l, b))
        return false;
    call_once(&once, make_context);
    f->ctx = context;
    f->scope = scope;
    f->first = FIELD_MAX;
    f->assumes = f->positive = positive;
    f->natural = false;
    for (size_t i = l.n; i-- > 0;) {
        generator *g = &f->at[field_add(f, GENERATOR_LETTER)];
        g->name = l.at[i];
        g->positive = positive;
    }
    return true;
}

void field_close(field *f)
{
    for (size_t i = f->first; i < FIELD_MAX; i++) {
        generator *g = &f->at[i];
        for (unsigned k = 0; k < g->n_args; k++)
            quotient_close(f, &g->arg[k]);
        if (g->valued)
            qqbar_clear(g->value);
        fmpz_mpoly_clear(g->relation, f->ctx);
        fmpz_clear(g->prime);
    }
}

/* ---- normal forms ---------------------------------------------------------------------------- */

/* Replace p by its remainder modulo the relations. Each is monic in a generator of its own, so they
 * are a Groebner basis, and the remainder does not depend on the order of the divisions. */
static void reduce(field *f, fmpz_mpoly_t p)
{
    fmpz_mpoly_struct *divisors[FIELD_MAX], *quotients[FIELD_MAX], store[FIELD_MAX];
    slong n = 0;
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (!fmpz_mpoly_is_zero(f->at[i].relation, f->ctx) &&
            fmpz_mpoly_degree_si(p, (slong)i, f->ctx) >=
                fmpz_mpoly_degree_si(f->at[i].relation, (slong)i, f->ctx))
            n++;
    if (n == 0)
        return;
    n = 0;
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (!fmpz_mpoly_is_zero(f->at[i].relation, f->ctx)) {
            divisors[n] = f->at[i].relation;
            quotients[n] = &store[n];
            fmpz_mpoly_init(&store[n++], f->ctx);
        }
    fmpz_mpoly_t remainder;
    fmpz_mpoly_init(remainder, f->ctx);
    fmpz_mpoly_divrem_ideal(quotients, remainder, p, divisors, n, f->ctx);
    fmpz_mpoly_swap(p, remainder, f->ctx);
    fmpz_mpoly_clear(remainder, f->ctx);
    while (n > 0)
        fmpz_mpoly_clear(&store[--n], f->ctx);
}

static bool related_power_fits(field *f, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (!fmpz_mpoly_is_zero(f->at[i].relation, f->ctx) &&
            fmpz_mpoly_degree_si(a, (slong)i, f->ctx) + fmpz_mpoly_degree_si(b, (slong)i, f->ctx) >
                MAX_DEGREE)
            return false;
    return true;
}

/* Is the degree of the product of polynomials with so many terms within the limits? */
static bool degree_fits(field *f, const fmpz_mpoly_t a, const fmpz_mpoly_t b, uint64_t terms)
{
    fmpz_t degree, of_b;
    fmpz_init(degree);
    fmpz_init(of_b);
    fmpz_mpoly_total_degree_fmpz(degree, a, f->ctx);
    fmpz_mpoly_total_degree_fmpz(of_b, b, f->ctx);
    fmpz_add(degree, degree, of_b);
    bool fits = fmpz_cmp_si(degree, terms == 1 ? MAX_POWER : MAX_DEGREE) <= 0;
    fmpz_clear(of_b);
    fmpz_clear(degree);
    return fits && related_power_fits(f, a, b);
}

static bool product_fits(field *f, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    uint64_t terms =
        (uint64_t)fmpz_mpoly_length(a, f->ctx) * (uint64_t)fmpz_mpoly_length(b, f->ctx);
    if (terms == 0)
        return true;
    bool number = fmpz_mpoly_is_fmpz(a, f->ctx), by_number = fmpz_mpoly_is_fmpz(b, f->ctx);
    bool constants = number && by_number;
    if (terms > MAX_TERMS || (!number && !by_number && !degree_fits(f, a, b, terms)))
        return false;
    uint64_t bits = (uint64_t)labs(fmpz_mpoly_max_bits(a)) + (uint64_t)labs(fmpz_mpoly_max_bits(b));
    if (!math_work_take(f->scope->work, PRODUCT_COST))
        return false;
    return bits <= (constants ? FORMULA_MAX_BITS : MAX_BITS) &&
           formula_charge(f->scope, terms * (bits + 64));
}

static bool multiply(field *f, fmpz_mpoly_t out, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    if (!product_fits(f, a, b))
        return false;
    fmpz_mpoly_mul(out, a, b, f->ctx);
    reduce(f, out);
    return true;
}

/* ---- quotients ------------------------------------------------------------------------------- */

void quotient_open(field *f, quotient *q)
{
    fmpz_mpoly_init(q->num, f->ctx);
    fmpz_mpoly_init(q->den, f->ctx);
    fmpz_mpoly_one(q->den, f->ctx);
}

void quotient_close(field *f, quotient *q)
{
    fmpz_mpoly_clear(q->num, f->ctx);
    fmpz_mpoly_clear(q->den, f->ctx);
}

void quotient_set(field *f, quotient *q, const quotient *from)
{
    fmpz_mpoly_set(q->num, from->num, f->ctx);
    fmpz_mpoly_set(q->den, from->den, f->ctx);
}

void quotient_set_si(field *f, quotient *q, slong x)
{
    fmpz_mpoly_set_si(q->num, x, f->ctx);
    fmpz_mpoly_one(q->den, f->ctx);
}

void quotient_set_rational(field *f, quotient *q, const fmpq_t x)
{
    fmpz_mpoly_set_fmpz(q->num, fmpq_numref(x), f->ctx);
    fmpz_mpoly_set_fmpz(q->den, fmpq_denref(x), f->ctx);
}

void quotient_set_generator(field *f, quotient *q, size_t g)
{
    fmpz_mpoly_gen(q->num, (slong)g, f->ctx);
    fmpz_mpoly_one(q->den, f->ctx);
}

bool quotient_is_zero(field *f, const quotient *q)
{
    return fmpz_mpoly_is_zero(q->num, f->ctx);
}

bool quotient_rational(field *f, const quotient *q, fmpq_t x)
{
    if (!fmpz_mpoly_is_fmpz(q->num, f->ctx) || !fmpz_mpoly_is_fmpz(q->den, f->ctx))
        return false;
    fmpz_mpoly_get_fmpz(fmpq_numref(x), q->num, f->ctx);
    fmpz_mpoly_get_fmpz(fmpq_denref(x), q->den, f->ctx);
    if (fmpz_is_zero(fmpq_denref(x)))
        return false;
    fmpq_canonicalise(x);
    return true;
}

void quotient_negate(field *f, quotient *q)
{
    fmpz_mpoly_neg(q->num, q->num, f->ctx);
}

static eval_is add(field *f, quotient *a, const quotient *b, bool subtract)
{
    bool fits = true;
    fmpz_mpoly_t other;
    fmpz_mpoly_init(other, f->ctx);
    if (fmpz_mpoly_equal(a->den, b->den, f->ctx))
        fmpz_mpoly_set(other, b->num, f->ctx);
    else
        fits = multiply(f, other, b->num, a->den) && multiply(f, a->num, a->num, b->den) &&
               multiply(f, a->den, a->den, b->den);
    if (fits)
        subtract ? fmpz_mpoly_sub(a->num, a->num, other, f->ctx)
                 : fmpz_mpoly_add(a->num, a->num, other, f->ctx);
    fmpz_mpoly_clear(other, f->ctx);
    return !fits ? EVAL_LIMIT : fmpz_mpoly_is_zero(a->den, f->ctx) ? EVAL_UNDEFINED : EVAL_OK;
}

/* Small common factors would grow with every operation: numbers are kept in lowest terms. */
static void lowest_terms(field *f, quotient *q)
{
    fmpq_t x;
    fmpq_init(x);
    if (quotient_rational(f, q, x))
        quotient_set_rational(f, q, x);
    fmpq_clear(x);
}

eval_is quotient_add(field *f, quotient *a, const quotient *b)
{
    eval_is is = add(f, a, b, false);
    lowest_terms(f, a);
    return is;
}

eval_is quotient_subtract(field *f, quotient *a, const quotient *b)
{
    eval_is is = add(f, a, b, true);
    lowest_terms(f, a);
    return is;
}

eval_is quotient_multiply(field *f, quotient *a, const quotient *b)
{
    bool fits = multiply(f, a->num, a->num, b->num) && multiply(f, a->den, a->den, b->den);
    lowest_terms(f, a);
    return !fits ? EVAL_LIMIT : fmpz_mpoly_is_zero(a->den, f->ctx) ? EVAL_UNDEFINED : EVAL_OK;
}

eval_is quotient_divide(field *f, quotient *a, const quotient *b)
{
    if (quotient_is_zero(f, b))
        return EVAL_UNDEFINED;
    quotient inverse;
    quotient_open(f, &inverse);
    fmpz_mpoly_set(inverse.num, b->den, f->ctx);
    fmpz_mpoly_set(inverse.den, b->num, f->ctx);
    eval_is is = quotient_multiply(f, a, &inverse);
    quotient_close(f, &inverse);
    return is;
}

eval_is quotient_scale(field *f, quotient *a, slong num, ulong den)
{
    fmpq_t factor;
    fmpq_init(factor);
    fmpq_set_si(factor, num, den);
    quotient b;
    quotient_open(f, &b);
    quotient_set_rational(f, &b, factor);
    eval_is is = quotient_multiply(f, a, &b);
    quotient_close(f, &b);
    fmpq_clear(factor);
    return is;
}

eval_is quotient_power(field *f, quotient *a, slong e)
{
    if (e < 0) {
        if (quotient_is_zero(f, a))
            return EVAL_UNDEFINED;
        fmpz_mpoly_swap(a->num, a->den, f->ctx);
    }
    ulong left = e < 0 ? 0 - (ulong)e : (ulong)e;
    if (left > MAX_POWER)
        return EVAL_LIMIT;
    quotient base;
    quotient_open(f, &base);
    quotient_set(f, &base, a);
    quotient_set_si(f, a, 1);
    eval_is is = EVAL_OK;
    while (left > 0 && is == EVAL_OK) {
        if (left & 1)
            is = quotient_multiply(f, a, &base);
        left >>= 1;
        if (left > 0 && is == EVAL_OK)
            is = quotient_multiply(f, &base, &base);
    }
    quotient_close(f, &base);
    return is;
}

bool quotient_equal(field *f, const quotient *a, const quotient *b)
{
    quotient difference;
    quotient_open(f, &difference);
    quotient_set(f, &difference, a);
    bool equal =
        quotient_subtract(f, &difference, b) == EVAL_OK && quotient_is_zero(f, &difference);
    quotient_close(f, &difference);
    return equal;
}

bool field_letter_names(const field *f, rdv_arena *arena, const char *names[FIELD_MAX])
{
    for (size_t i = 0; i < FIELD_MAX; i++) {
        bool letter = i >= f->first && f->at[i].is == GENERATOR_LETTER;
        names[i] = letter ? rdv_cstring(arena, f->at[i].name) : "";
        if (!names[i])
            return false;
    }
    return true;
}

bool generator_varies(const generator *g)
{
    return g->varies;
}

bool generator_is_no_letter(const generator *g)
{
    return g->is != GENERATOR_LETTER;
}

bool quotient_holds(field *f, const quotient *q, bool (*of)(const generator *))
{
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (of(&f->at[i]) && (fmpz_mpoly_degree_si(q->num, (slong)i, f->ctx) > 0 ||
                              fmpz_mpoly_degree_si(q->den, (slong)i, f->ctx) > 0))
            return true;
    return false;
}

eval_is quotient_reduce(field *f, quotient *q)
{
    if (fmpz_mpoly_is_zero(q->den, f->ctx)) /* zero, but not known to be so before */
        return EVAL_UNDEFINED;
    if (fmpz_mpoly_is_one(q->den, f->ctx))
        return EVAL_OK;
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, f->ctx);
    bool ok = fmpz_mpoly_gcd(g, q->num, q->den, f->ctx) && !fmpz_mpoly_is_zero(g, f->ctx) &&
              fmpz_mpoly_divides(q->num, q->num, g, f->ctx) &&
              fmpz_mpoly_divides(q->den, q->den, g, f->ctx);
    fmpz_mpoly_clear(g, f->ctx);
    if (ok) {
        fmpz_t lead;
        fmpz_init(lead);
        fmpz_mpoly_get_term_coeff_fmpz(lead, q->den, 0, f->ctx);
        if (fmpz_sgn(lead) < 0) {
            fmpz_mpoly_neg(q->num, q->num, f->ctx);
            fmpz_mpoly_neg(q->den, q->den, f->ctx);
        }
        fmpz_clear(lead);
    }
    return ok ? EVAL_OK : EVAL_LIMIT;
}
