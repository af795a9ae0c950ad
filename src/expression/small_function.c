/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/small_function.h"

#include "base/str.h"
#include "expression/small_eval.h"

#define EXPONENT_BITS 5
#define MAX_DEGREE 31

_Static_assert(64 / EXPONENT_BITS >= EVAL_MAX_LETTERS, "each letter has an exponent");

typedef struct scope {
    const tokens *t;
    const letters *l;
    uint64_t cost; /* of the budget, as function_eval() takes it */
} scope;

static unsigned shift_of(size_t letter)
{
    return EXPONENT_BITS * (unsigned)(EVAL_MAX_LETTERS - 1 - letter);
}

/* ---- polynomials ----------------------------------------------------------------------------- */

static void set_number(small_polynomial *p, int64_t x)
{
    p->at[0] = (small_term){0, x};
    p->n = x != 0;
    p->degree = 0;
}

static unsigned bits_of(const small_polynomial *p)
{
    uint64_t all = 0;
    for (size_t i = 0; i < p->n; i++) {
        int64_t c = p->at[i].coefficient;
        all |= c < 0 ? 0 - (uint64_t)c : (uint64_t)c;
    }
    return FLINT_BIT_COUNT(all);
}

/* Add the term; false: there is no room, or the coefficient is too large. */
static bool add_term(small_polynomial *p, small_term term)
{
    size_t i = p->n;
    while (i > 0 && p->at[i - 1].exponents < term.exponents)
        i--;
    small_term *same = i > 0 && p->at[i - 1].exponents == term.exponents ? &p->at[i - 1] : NULL;
    if (same && __builtin_add_overflow(same->coefficient, term.coefficient, &same->coefficient))
        return false;
    if (same && same->coefficient == 0) {
        p->n--;
        for (; i <= p->n; i++)
            p->at[i - 1] = p->at[i];
    }
    if (same || term.coefficient == 0)
        return true;
    if (p->n == SMALL_TERMS)
        return false;
    for (size_t k = p->n++; k > i; k--)
        p->at[k] = p->at[k - 1];
    p->at[i] = term;
    return true;
}

static bool negate(small_polynomial *p)
{
    bool fits = true;
    for (size_t i = 0; i < p->n; i++)
        fits &= !__builtin_sub_overflow(0, p->at[i].coefficient, &p->at[i].coefficient);
    return fits;
}

static bool add(small_polynomial *a, const small_polynomial *b)
{
    bool fits = true;
    a->degree = a->degree > b->degree ? a->degree : b->degree;
    for (size_t i = 0; i < b->n && fits; i++)
        fits = add_term(a, b->at[i]);
    return fits;
}

static bool is_one(const small_polynomial *p)
{
    return p->n == 1 && !p->degree && p->at[0].coefficient == 1;
}

/* a *= b. Most denominators are 1. */
static bool multiply(small_polynomial *a, const small_polynomial *b)
{
    small_polynomial product;
    if (is_one(b))
        return a->degree <= MAX_DEGREE;
    product.n = 0;
    product.degree = a->degree + b->degree;
    bool fits = product.degree <= MAX_DEGREE;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n && fits; k++) {
            small_term term = {.exponents = a->at[i].exponents + b->at[k].exponents};
            fits = !__builtin_mul_overflow(a->at[i].coefficient, b->at[k].coefficient,
                                           &term.coefficient) &&
                   add_term(&product, term);
        }
    *a = product;
    return fits;
}

/* The same, of which the cost is taken. */
static bool multiply_at_cost(scope *s, small_polynomial *a, const small_polynomial *b)
{
    s->cost += (uint64_t)a->n * b->n * (bits_of(a) + bits_of(b) + 64);
    return multiply(a, b);
}

static bool are_equal(const small_polynomial *a, const small_polynomial *b)
{
    bool equal = a->n == b->n;
    for (size_t i = 0; i < a->n && equal; i++)
        equal = a->at[i].exponents == b->at[i].exponents &&
                a->at[i].coefficient == b->at[i].coefficient;
    return equal;
}

/* ---- quotients, as those of function.c ------------------------------------------------------- */

static bool functions_add(scope *s, small_function *a, small_function *b, bool subtract)
{
    if (subtract && !negate(&b->num))
        return false;
    if (!are_equal(&a->den, &b->den) &&
        !(multiply_at_cost(s, &b->num, &a->den) && multiply_at_cost(s, &a->num, &b->den) &&
          multiply_at_cost(s, &a->den, &b->den)))
        return false;
    return add(&a->num, &b->num);
}

static bool functions_multiply(scope *s, small_function *a, const small_function *b)
{
    return multiply_at_cost(s, &a->num, &b->num) && multiply_at_cost(s, &a->den, &b->den);
}

static void invert(small_function *f)
{
    small_polynomial num = f->num;
    f->num = f->den;
    f->den = num;
}

static bool functions_divide(scope *s, small_function *a, small_function *b)
{
    invert(b);
    return b->den.n && functions_multiply(s, a, b);
}

static bool functions_power(scope *s, small_function *a, int64_t e)
{
    if (e < 0) {
        invert(a);
        e = -e;
    }
    small_function base = *a;
    set_number(&a->num, 1);
    set_number(&a->den, 1);
    bool fits = base.den.n && e <= MAX_DEGREE;
    for (int64_t i = 0; i < e && fits; i++)
        fits = functions_multiply(s, a, &base);
    return fits;
}

static bool tree(scope *s, const node *n, small_function *out);

static bool number(scope *s, const node *n, small_function *out)
{
    int64_t num, den;
    if (!small_eval_fraction(s->t, n, &num, &den, &s->cost))
        return false;
    set_number(&out->num, num);
    set_number(&out->den, den);
    return true;
}

static bool letter(const scope *s, const node *n, small_function *out)
{
    rdv_str name = rdv_slice(s->t->text, s->t->at[n->begin].begin, s->t->at[n->end - 1].end);
    size_t i = 0;
    while (i < s->l->n && !rdv_str_eq(s->l->name[i], name))
        i++;
    if (i == s->l->n)
        return false;
    out->num.at[0] = (small_term){UINT64_C(1) << shift_of(i), 1};
    out->num.n = out->num.degree = 1;
    set_number(&out->den, 1);
    return true;
}

static bool power(scope *s, const node *n, small_function *out)
{
    int64_t e, under;
    return small_eval_fraction(s->t, n->b, &e, &under, &s->cost) && under == 1 &&
           -MAX_DEGREE <= e && tree(s, n->a, out) && functions_power(s, out, e);
}

static bool binary(scope *s, const node *n, small_function *out)
{
    small_function b;
    if (!tree(s, n->a, out) || !tree(s, n->b, &b))
        return false;
    switch (n->is) {
    case N_ADD:
    case N_SUBTRACT:
        return functions_add(s, out, &b, n->is == N_SUBTRACT);
    case N_MULTIPLY:
        return functions_multiply(s, out, &b);
    default:
        return functions_divide(s, out, &b);
    }
}

static bool tree(scope *s, const node *n, small_function *out)
{
    switch (n->is) {
    case N_LETTER:
        return letter(s, n, out);
    case N_NEGATE:
        return tree(s, n->a, out) && negate(&out->num);
    case N_ADD:
    case N_SUBTRACT:
    case N_MULTIPLY:
    case N_DIVIDE:
        return binary(s, n, out);
    case N_POWER:
        return power(s, n, out);
    case N_UNIT:
        return tree(s, n->a, out);
    default:
        return number(s, n, out);
    }
}

bool small_function_eval(evaluation *ev, const node *n, const letters *l, small_function *out)
{
    scope s = {.t = ev->t, .l = l};
    if (ev->reading || ev->rounds || !tree(&s, n, out) || s.cost > *ev->budget)
        return false;
    *ev->budget -= s.cost;
    return true;
}

bool small_function_difference(evaluation *ev, const node *left, const node *right,
                               const letters *l, small_polynomial *out)
{
    small_function a, b;
    uint64_t before = *ev->budget;
    bool fits = small_function_eval(ev, left, l, &a) && small_function_eval(ev, right, l, &b) &&
                multiply(&a.num, &b.den) && multiply(&b.num, &a.den) && negate(&b.num) &&
                add(&a.num, &b.num);
    if (fits)
        *out = a.num;
    else
        *ev->budget = before;
    return fits;
}

void small_polynomial_get(const small_polynomial *p, const fmpz_mpoly_ctx_t ctx, fmpz_mpoly_t out)
{
    const uint64_t mask = (UINT64_C(1) << EXPONENT_BITS) - 1;
    ulong exponents[EVAL_MAX_LETTERS];
    if (p->n == 0 || (p->n == 1 && !p->at[0].exponents)) {
        fmpz_mpoly_set_si(out, p->n ? p->at[0].coefficient : 0, ctx);
        return;
    }
    fmpz_mpoly_zero(out, ctx);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < EVAL_MAX_LETTERS; k++)
            exponents[k] = p->at[i].exponents >> shift_of(k) & mask;
        fmpz_mpoly_push_term_si_ui(out, p->at[i].coefficient, exponents, ctx);
    }
}
