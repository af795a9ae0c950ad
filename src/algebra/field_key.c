/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients as texts: a sum of products of generators, sorted by their texts, whose coefficients
 * are canonical algebraic numbers. Equal texts state equal values; the converse holds for what has
 * one normal form (rational functions of letters, pi, e and logarithms of primes; algebraic
 * numbers). */
#include "algebra/field.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "expression/print.h"

#include <arb_fmpz_poly.h>
#include <stdlib.h>

#define MAX_KEY 4000 /* bytes; limits what names within names may grow to */
/* Of a number whose conjugates are computed, which takes seconds for much larger ones. */
#define MAX_DEGREE 16
#define MAX_HEIGHT_BITS 100
#define ENCLOSURE_BITS 64     /* to which the conjugates of a real number are computed, at first */
#define MAX_NESTED 12         /* functions of functions */
#define MAX_QUADRATIC_BITS 50 /* of coefficients: they are factored */

typedef struct keyer {
    field *f;
    rdv_arena *arena;
    unsigned depth;
} keyer;

static int quotient_text(keyer *k, const quotient *q, rdv_str *out);

/* ---- numbers --------------------------------------------------------------------------------- */

/* How many of the conjugates of a real number are real and larger; false: the enclosures do not
 * tell. */
static bool larger_conjugates(const qqbar_t x, slong *larger)
{
    slong n = qqbar_degree(x), of_x = 0;
    acb_ptr roots = _acb_vec_init(n);
    arb_fmpz_poly_complex_roots(roots, QQBAR_POLY(x), 0, ENCLOSURE_BITS);
    *larger = 0;
    for (slong i = 0; i < n && acb_is_real(roots + i); i++) { /* they come first, ascending */
        bool may_be = arb_overlaps(acb_realref(roots + i), acb_realref(QQBAR_ENCLOSURE(x)));
        of_x += may_be;
        *larger += of_x > 0 && !may_be;
    }
    _acb_vec_clear(roots, n);
    return of_x == 1;
}

/* Which of its conjugates the number is, in their canonical order: real ones first, descending. */
static slong root_index(const qqbar_t x)
{
    slong n = qqbar_degree(x), index = 0;
    if (qqbar_is_real(x) && larger_conjugates(x, &index))
        return index;
    index = 0;
    qqbar_ptr all = _qqbar_vec_init(n);
    qqbar_conjugates(all, x);
    while (index < n && !qqbar_equal(all + index, x))
        index++;
    _qqbar_vec_clear(all, n);
    return index;
}

/* "(a+b*sqrt(c))/q" for a number of degree 2 with small coefficients; RDV_NONE: another one. */
static int quadratic_text(keyer *k, const qqbar_t x, rdv_str *out)
{
    fmpz_t part[4];
    slong n[4];
    if (qqbar_degree(x) != 2 || qqbar_height_bits(x) > MAX_QUADRATIC_BITS)
        return RDV_NONE;
    for (size_t i = 0; i < 4; i++)
        fmpz_init(part[i]);
    qqbar_get_quadratic(part[0], part[1], part[2], part[3], x, 2);
    bool small = true;
    for (size_t i = 0; i < 4; i++) {
        small &= fmpz_fits_si(part[i]);
        n[i] = small ? fmpz_get_si(part[i]) : 0;
        fmpz_clear(part[i]);
    }
    if (!small)
        return RDV_NONE;
    rdv_str whole =
        n[0] ? rdv_str_printf(k->arena, "%ld%s", n[0], n[1] > 0 ? "+" : "") : RDV_STR("");
    rdv_str times = n[1] == 1    ? RDV_STR("")
                    : n[1] == -1 ? RDV_STR("-")
                                 : rdv_str_printf(k->arena, "%ld*", n[1]);
    rdv_str root = n[2] == -1 ? RDV_STR("i") : rdv_str_printf(k->arena, "sqrt(%ld)", n[2]);
    rdv_str over = n[3] == 1 ? RDV_STR("") : rdv_str_printf(k->arena, "/%ld", n[3]);
    if (!whole.p || !times.p || !root.p || !over.p)
        return RDV_E_NOMEM;
    bool sum = whole.len > 0;
    *out = rdv_str_printf(k->arena, "%s%.*s%.*s%.*s%s%.*s", sum ? "(" : "", RDV_FMT(whole),
                          RDV_FMT(times), RDV_FMT(root), sum ? ")" : "", RDV_FMT(over));
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

/* "p/q", a quadratic, or "root(c0,c1,...;i)": the i-th root of its minimal polynomial. */
static int number_text(keyer *k, const qqbar_t x, rdv_str *out)
{
    if (qqbar_is_rational(x)) {
        fmpq_t q;
        fmpq_init(q);
        qqbar_get_fmpq(q, x);
        *out = print_fraction(q, k->arena);
        fmpq_clear(q);
        return out->p ? RDV_OK : RDV_E_NOMEM;
    }
    int rc = quadratic_text(k, x, out);
    if (rc != RDV_NONE || qqbar_degree(x) > MAX_DEGREE || qqbar_height_bits(x) > MAX_HEIGHT_BITS)
        return rc;
    rdv_buf b;
    rdv_buf_init(&b, k->arena, 0);
    rdv_buf_add(&b, RDV_STR("root("));
    for (slong i = 0; i <= qqbar_degree(x); i++) {
        char *c = fmpz_get_str(NULL, 10, QQBAR_COEFFS(x) + i);
        rdv_buf_add(&b, rdv_str_of(i ? "," : ""));
        rdv_buf_add(&b, rdv_str_of(c));
        flint_free(c);
    }
    rdv_str index = rdv_str_printf(k->arena, ";%ld)", (long)root_index(x));
    rdv_buf_add(&b, index);
    if (!rdv_buf_ok(&b) || !index.p)
        return RDV_E_NOMEM;
    *out = rdv_buf_str(&b);
    return RDV_OK;
}

/* What no other number has: the minimal polynomial, and an enclosure of the root that it is. */
static void add_identity(rdv_buf *b, const qqbar_t x)
{
    for (slong i = 0; i <= qqbar_degree(x) + 2; i++) {
        slong part = i - qqbar_degree(x);
        char *s = part <= 0   ? fmpz_get_str(NULL, 62, QQBAR_COEFFS(x) + i)
                  : part == 1 ? arb_dump_str(acb_realref(QQBAR_ENCLOSURE(x)))
                              : arb_dump_str(acb_imagref(QQBAR_ENCLOSURE(x)));
        rdv_buf_add(b, rdv_str_of(s));
        rdv_buf_add_char(b, ';');
        flint_free(s);
    }
}

/* x, which is changed, divided by *den (NULL: one). */
static int divided_text(keyer *k, qqbar_t x, const qqbar_struct *den, rdv_str *out)
{
    if (den && !qqbar_binop_within_limits(x, den, 36, 500))
        return RDV_NONE;
    if (den)
        qqbar_div(x, x, den);
    return number_text(k, x, out);
}

/* The same. The text of a number of high degree takes up to milliseconds, and is made once. */
static int known_text(keyer *k, qqbar_t x, const qqbar_struct *den, rdv_str *out)
{
    math_work *work = k->f->scope->work;
    if (!work || (qqbar_degree(x) <= 2 && (!den || qqbar_is_rational(den))))
        return divided_text(k, x, den, out);
    rdv_buf b;
    rdv_buf_init(&b, k->arena, 0);
    add_identity(&b, x);
    if (den)
        add_identity(&b, den);
    if (!rdv_buf_ok(&b))
        return RDV_E_NOMEM;
    rdv_str number = rdv_buf_str(&b);
    for (size_t i = 0; i < MATH_KNOWN_MOST && i < work->n_known; i++)
        if (rdv_str_eq(work->known[i].number, number)) {
            *out = work->known[i].text;
            return RDV_OK;
        }
    int rc = divided_text(k, x, den, out);
    if (rc == RDV_OK) {
        size_t i = work->n_known++ % MATH_KNOWN_MOST;
        work->known[i].number = number;
        work->known[i].text = *out;
    }
    return rc;
}

/* The value of `coefficient`, divided by *den (NULL: one). */
static int coefficient_text(keyer *k, const fmpz_mpoly_t coefficient, const qqbar_struct *den,
                            rdv_str *out)
{
    qqbar_t x;
    qqbar_init(x);
    int rc = field_number(k->f, coefficient, x) ? known_text(k, x, den, out) : RDV_NONE;
    qqbar_clear(x);
    return rc;
}

/* ---- generators ------------------------------------------------------------------------------ */

static const char *kind_name(const generator *g)
{
    switch (g->is) {
    case GENERATOR_PI:
        return "pi";
    case GENERATOR_E:
        return "e";
    case GENERATOR_RADICAL:
        return "root";
    case GENERATOR_EXP:
        return "exp";
    case GENERATOR_LOG:
        return "log";
    default:
        return g->fn ? formula_function_name(g->fn) : "power";
    }
}

static int generator_text(keyer *k, size_t i, rdv_str *out)
{
    const generator *g = &k->f->at[i];
    if (g->is == GENERATOR_LETTER) {
        *out = g->name;
        return RDV_OK;
    }
    if (g->is == GENERATOR_ROOT) {
        rdv_str base;
        int rc = generator_text(k, g->base, &base);
        *out = rc == RDV_OK ? rdv_str_printf(k->arena, "%.*s^(1/%lu)", RDV_FMT(base), g->k) : base;
        return rc ? rc : out->p ? RDV_OK : RDV_E_NOMEM;
    }
    if (k->depth == MAX_NESTED)
        return RDV_NONE;
    k->depth++;
    rdv_str args[2] = {RDV_STR(""), RDV_STR("")};
    int rc = RDV_OK;
    for (unsigned a = 0; a < g->n_args && rc == RDV_OK; a++)
        rc = quotient_text(k, &g->arg[a], &args[a]);
    k->depth--;
    if (rc != RDV_OK)
        return rc;
    if (args[0].len + args[1].len > MAX_KEY)
        return RDV_NONE;
    *out = g->n_args == 0
               ? rdv_str_of(kind_name(g))
               : rdv_str_printf(k->arena, "%s(%.*s%s%.*s)", kind_name(g), RDV_FMT(args[0]),
                                g->n_args == 2 ? "," : "", RDV_FMT(args[1]));
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- polynomials ----------------------------------------------------------------------------- */

typedef struct texts {
    rdv_str at[FIELD_MAX_COLLECTED];
    size_t n;
} texts;

static int join(keyer *k, texts *t, const char *between, rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, k->arena, 0);
    qsort(t->at, t->n, sizeof *t->at, rdv_str_order);
    for (size_t i = 0; i < t->n; i++) {
        rdv_buf_add(&b, rdv_str_of(i ? between : ""));
        rdv_buf_add(&b, t->at[i]);
    }
    if (!rdv_buf_ok(&b))
        return RDV_E_NOMEM;
    *out = rdv_buf_str(&b);
    return out->len > MAX_KEY ? RDV_NONE : RDV_OK;
}

/* The powers of generators in one term: "pi^2*x". */
static int product_text(keyer *k, const ulong *exponents, rdv_str *out)
{
    texts factors = {.n = 0};
    int rc = RDV_OK;
    for (size_t i = k->f->first; i < FIELD_MAX && rc == RDV_OK; i++) {
        rdv_str name;
        if (exponents[i] == 0)
            continue;
        rc = generator_text(k, i, &name);
        if (rc == RDV_OK && exponents[i] > 1) {
            name = rdv_str_printf(k->arena, "%.*s^%lu", RDV_FMT(name), exponents[i]);
            rc = name.p ? RDV_OK : RDV_E_NOMEM;
        }
        if (rc == RDV_OK)
            factors.at[factors.n++] = name;
    }
    return rc == RDV_OK ? join(k, &factors, "*", out) : rc;
}

/* "2*x", "x" and "-x". */
static rdv_str times_text(keyer *k, rdv_str number, rdv_str product)
{
    bool one = rdv_str_eq(number, RDV_STR("1")) || rdv_str_eq(number, RDV_STR("-1"));
    return rdv_str_printf(k->arena, "%.*s%s%.*s", (int)(number.len - one), number.p, one ? "" : "*",
                          RDV_FMT(product));
}

/* p over *den (NULL: one). */
static int polynomial_text(keyer *k, const fmpz_mpoly_t p, const qqbar_struct *den, rdv_str *out)
{
    field *f = k->f;
    slong n = fmpz_mpoly_length(p, f->ctx);
    bool done[FIELD_MAX_COLLECTED] = {false};
    texts terms = {.n = 0};
    if (n > FIELD_MAX_COLLECTED || !fmpz_mpoly_total_degree_fits_si(p, f->ctx))
        return RDV_NONE;
    fmpz_mpoly_t coefficient;
    fmpz_mpoly_init(coefficient, f->ctx);
    int rc = RDV_OK;
    for (slong t = 0; t < n && rc == RDV_OK; t++) {
        ulong part[FIELD_MAX];
        rdv_str number, product;
        if (done[t])
            continue;
        field_collect(f, p, t, done, part, coefficient);
        rc = coefficient_text(k, coefficient, den, &number);
        if (rc == RDV_OK && rdv_str_eq(number, RDV_STR("0")))
            continue;
        if (rc == RDV_OK)
            rc = product_text(k, part, &product);
        if (rc == RDV_OK) {
            terms.at[terms.n] = product.len ? times_text(k, number, product) : number;
            rc = terms.at[terms.n++].p ? RDV_OK : RDV_E_NOMEM;
        }
    }
    fmpz_mpoly_clear(coefficient, f->ctx);
    if (rc == RDV_OK && terms.n == 0) {
        *out = RDV_STR("0");
        return RDV_OK;
    }
    return rc == RDV_OK ? join(k, &terms, "+", out) : rc;
}

/* ---- quotients ------------------------------------------------------------------------------- */

/* Does each term of p hold the generator to the same power? Then to which, else 0. */
static slong common_power(field *f, const fmpz_mpoly_t p, size_t g)
{
    slong degree = fmpz_mpoly_degree_si(p, (slong)g, f->ctx);
    for (slong t = 0; t < fmpz_mpoly_length(p, f->ctx); t++)
        if ((slong)fmpz_mpoly_get_term_var_exp_ui(p, t, (slong)g, f->ctx) != degree)
            return 0;
    return degree;
}

/* 1/sqrt(x) becomes sqrt(x)/x. */
static eval_is rationalise(field *f, quotient *q)
{
    eval_is is = EVAL_OK;
    quotient factor;
    quotient_open(f, &factor);
    for (size_t i = f->first; i < FIELD_MAX && is == EVAL_OK; i++) {
        if (fmpz_mpoly_is_zero(f->at[i].relation, f->ctx) || f->at[i].is == GENERATOR_COSINE)
            continue;
        slong power = common_power(f, q->den, i);
        if (power == 0)
            continue;
        quotient_set_generator(f, &factor, i);
        is = quotient_power(f, &factor,
                            fmpz_mpoly_degree_si(f->at[i].relation, (slong)i, f->ctx) - power);
        fmpz_mpoly_set(factor.den, factor.num, f->ctx);
        if (is == EVAL_OK)
            is = quotient_multiply(f, q, &factor);
    }
    quotient_close(f, &factor);
    return is == EVAL_OK ? quotient_reduce(f, q) : is;
}

static bool is_algebraic(const generator *g)
{
    return g->algebraic;
}

static bool is_free(const generator *g)
{
    return !g->algebraic;
}

/* The denominator is a number: it divides the coefficients. */
static int over_number(keyer *k, const quotient *q, rdv_str *out)
{
    qqbar_t den;
    qqbar_init(den);
    bool known = field_number(k->f, q->den, den) && !qqbar_is_zero(den);
    int rc = known ? polynomial_text(k, q->num, den, out) : RDV_NONE;
    qqbar_clear(den);
    return rc;
}

static int over_polynomial(keyer *k, const quotient *q, rdv_str *out)
{
    rdv_str num, den;
    int rc = polynomial_text(k, q->num, NULL, &num);
    if (rc == RDV_OK)
        rc = polynomial_text(k, q->den, NULL, &den);
    if (rc != RDV_OK)
        return rc;
    *out = rdv_str_printf(k->arena, "(%.*s)/(%.*s)", RDV_FMT(num), RDV_FMT(den));
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

static int quotient_text(keyer *k, const quotient *q, rdv_str *out)
{
    field *f = k->f;
    quotient copy, den = {0};
    quotient_open(f, &copy);
    quotient_open(f, &den);
    quotient_set(f, &copy, q);
    int rc = RDV_NONE;
    if (quotient_reduce(f, &copy) == EVAL_OK && rationalise(f, &copy) == EVAL_OK) {
        fmpz_mpoly_set(den.num, copy.den, f->ctx);
        if (!quotient_holds(f, &den, is_free))
            rc = over_number(k, &copy, out);
        else if (!quotient_holds(f, &den, is_algebraic))
            rc = over_polynomial(k, &copy, out);
    }
    quotient_close(f, &den);
    quotient_close(f, &copy);
    return rc;
}

int field_key(field *f, quotient *q, rdv_arena *arena, rdv_str *key)
{
    keyer k = {.f = f, .arena = arena};
    rdv_str text;
    int rc = quotient_text(&k, q, &text);
    if (rc == RDV_OK)
        *key = text;
    return rc;
}
