/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions with letters as quotients of integer polynomials. Not reduced: two of them are equal
 * when their cross products are. Sizes are bounded before each product. */
#include "expression/eval.h"

#include "base/str.h"
#include "expression/small_function.h"

#define MAX_TERMS 4000
#define MAX_DEGREE 120

bool function_letters_add(letters *l, const tokens *t, const node *n)
{
    for (; n && n->is != N_LETTER; n = n->b)
        if (n->a && !function_letters_add(l, t, n->a))
            return false;
    if (!n)
        return true;
    rdv_str name = rdv_slice(t->text, t->at[n->begin].begin, t->at[n->end - 1].end);
    size_t i = 0;
    int order = 1;
    while (i < l->n && (order = rdv_str_cmp(l->name[i], name)) < 0)
        i++;
    if (i < l->n && order == 0)
        return true;
    if (l->n == EVAL_MAX_LETTERS)
        return false;
    for (size_t k = l->n; k > i; k--)
        l->name[k] = l->name[k - 1];
    l->name[i] = name;
    l->n++;
    return true;
}

void function_ring(size_t n, fmpz_mpoly_ctx_t out)
{
    /* FLINT fills tables for each of 64 sizes of an exponent: 12,000 instructions. */
    static _Thread_local fmpz_mpoly_ctx_struct known[EVAL_MAX_LETTERS + 1];
    static _Thread_local bool is_known[EVAL_MAX_LETTERS + 1];
    if (!is_known[n])
        fmpz_mpoly_ctx_init(&known[n], (slong)n, ORD_LEX);
    is_known[n] = true;
    *out = known[n];
}

void function_init(function *f, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_init(f->num, ctx);
    fmpz_mpoly_init(f->den, ctx);
    fmpz_mpoly_one(f->den, ctx);
}

void function_clear(function *f, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_clear(f->num, ctx);
    fmpz_mpoly_clear(f->den, ctx);
}

typedef struct scope {
    evaluation *ev;
    const letters *l;
    const fmpz_mpoly_ctx_struct *ctx;
} scope;

/* At most MAX_DEGREE + 1. */
static slong degree_of(const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx)
{
    slong degree = fmpz_mpoly_total_degree_fits_si(p, ctx) ? fmpz_mpoly_total_degree_si(p, ctx)
                                                           : MAX_DEGREE + 1;
    return degree < MAX_DEGREE + 1 ? degree : MAX_DEGREE + 1;
}

static bool product_fits(const scope *s, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    uint64_t terms =
        (uint64_t)fmpz_mpoly_length(a, s->ctx) * (uint64_t)fmpz_mpoly_length(b, s->ctx);
    if (terms == 0)
        return true;
    if (terms > MAX_TERMS || degree_of(a, s->ctx) + degree_of(b, s->ctx) > MAX_DEGREE)
        return false;
    uint64_t bits = (uint64_t)labs(fmpz_mpoly_max_bits(a)) + (uint64_t)labs(fmpz_mpoly_max_bits(b));
    uint64_t cost = terms * (bits + 64);
    if (bits > EVAL_MAX_BITS || cost > *s->ev->budget)
        return false;
    *s->ev->budget -= cost;
    return true;
}

static bool multiply(const scope *s, fmpz_mpoly_t out, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
    bool fits = product_fits(s, a, b);
    if (fits)
        fmpz_mpoly_mul(out, a, b, s->ctx);
    return fits;
}

static eval_is functions_multiply(const scope *s, function *a, const function *b)
{
    return multiply(s, a->num, a->num, b->num) && multiply(s, a->den, a->den, b->den) ? EVAL_OK
                                                                                      : EVAL_LIMIT;
}

static eval_is functions_divide(const scope *s, function *a, const function *b)
{
    if (fmpz_mpoly_is_zero(b->num, s->ctx))
        return EVAL_UNDEFINED;
    return multiply(s, a->num, a->num, b->den) && multiply(s, a->den, a->den, b->num) ? EVAL_OK
                                                                                      : EVAL_LIMIT;
}

static eval_is functions_add(const scope *s, function *a, const function *b, bool subtract)
{
    if (!fmpz_mpoly_equal(a->den, b->den, s->ctx)) {
        fmpz_mpoly_t other;
        fmpz_mpoly_init(other, s->ctx);
        bool fits = multiply(s, other, b->num, a->den) && multiply(s, a->num, a->num, b->den) &&
                    multiply(s, a->den, a->den, b->den);
        if (fits)
            subtract ? fmpz_mpoly_sub(a->num, a->num, other, s->ctx)
                     : fmpz_mpoly_add(a->num, a->num, other, s->ctx);
        fmpz_mpoly_clear(other, s->ctx);
        return fits ? EVAL_OK : EVAL_LIMIT;
    }
    subtract ? fmpz_mpoly_sub(a->num, a->num, b->num, s->ctx)
             : fmpz_mpoly_add(a->num, a->num, b->num, s->ctx);
    return EVAL_OK;
}

static eval_is functions_power(const scope *s, function *a, slong e)
{
    if (e < 0) {
        if (fmpz_mpoly_is_zero(a->num, s->ctx))
            return EVAL_UNDEFINED;
        fmpz_mpoly_swap(a->num, a->den, s->ctx);
        e = -e;
    }
    if (e > MAX_DEGREE)
        return EVAL_LIMIT;
    function base;
    function_init(&base, s->ctx);
    fmpz_mpoly_set(base.num, a->num, s->ctx);
    fmpz_mpoly_set(base.den, a->den, s->ctx);
    fmpz_mpoly_one(a->num, s->ctx);
    fmpz_mpoly_one(a->den, s->ctx);
    eval_is is = EVAL_OK;
    for (slong i = 0; i < e && is == EVAL_OK; i++)
        is = functions_multiply(s, a, &base);
    function_clear(&base, s->ctx);
    return is;
}

static eval_is tree(const scope *s, const node *n, function *out);

static eval_is number(const scope *s, const node *n, function *out)
{
    fmpq_t q;
    fmpq_init(q);
    eval_is is = eval_exact(s->ev, n, q);
    if (is == EVAL_OK) {
        fmpz_mpoly_set_fmpz(out->num, fmpq_numref(q), s->ctx);
        fmpz_mpoly_set_fmpz(out->den, fmpq_denref(q), s->ctx);
    }
    fmpq_clear(q);
    return is;
}

static eval_is letter(const scope *s, const node *n, function *out)
{
    const tokens *t = s->ev->t;
    rdv_str name = rdv_slice(t->text, t->at[n->begin].begin, t->at[n->end - 1].end);
    for (size_t i = 0; i < s->l->n; i++)
        if (rdv_str_eq(s->l->name[i], name))
            fmpz_mpoly_gen(out->num, (slong)i, s->ctx);
    fmpz_mpoly_one(out->den, s->ctx);
    return EVAL_OK;
}

static eval_is power(const scope *s, const node *n, function *out)
{
    fmpq_t e;
    fmpq_init(e);
    eval_is is = eval_exact(s->ev, n->b, e);
    slong exponent = 0;
    if (is == EVAL_OK) {
        bool whole = fmpz_is_one(fmpq_denref(e)) && fmpz_fits_si(fmpq_numref(e));
        exponent = whole ? fmpz_get_si(fmpq_numref(e)) : 0;
        if (!whole || exponent < -MAX_DEGREE)
            is = EVAL_LIMIT;
    }
    fmpq_clear(e);
    if (is == EVAL_OK)
        is = tree(s, n->a, out);
    return is == EVAL_OK ? functions_power(s, out, exponent) : is;
}

static eval_is binary(const scope *s, const node *n, function *out)
{
    eval_is is = tree(s, n->a, out);
    if (is != EVAL_OK)
        return is;
    function b;
    function_init(&b, s->ctx);
    is = tree(s, n->b, &b);
    if (is == EVAL_OK) {
        switch (n->is) {
        case N_ADD:
        case N_SUBTRACT:
            is = functions_add(s, out, &b, n->is == N_SUBTRACT);
            break;
        case N_MULTIPLY:
            is = functions_multiply(s, out, &b);
            break;
        case N_DIVIDE:
            is = functions_divide(s, out, &b);
            break;
        default:
            is = EVAL_LIMIT;
        }
    }
    function_clear(&b, s->ctx);
    return is;
}

static eval_is tree(const scope *s, const node *n, function *out)
{
    eval_is is;
    switch (n->is) {
    case N_LETTER:
        return letter(s, n, out);
    case N_NEGATE:
        is = tree(s, n->a, out);
        fmpz_mpoly_neg(out->num, out->num, s->ctx);
        return is;
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

eval_is function_eval_any_size(evaluation *ev, const node *n, const letters *l,
                               const fmpz_mpoly_ctx_t ctx, function *out)
{
    scope s = {ev, l, ctx};
    return tree(&s, n, out);
}

eval_is function_eval(evaluation *ev, const node *n, const letters *l, const fmpz_mpoly_ctx_t ctx,
                      function *out)
{
    small_function small;
    if (!small_function_eval(ev, n, l, &small))
        return function_eval_any_size(ev, n, l, ctx, out);
    small_polynomial_get(&small.num, ctx, out->num);
    small_polynomial_get(&small.den, ctx, out->den);
    return EVAL_OK;
}
