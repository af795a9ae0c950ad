/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical keys of expressions: equal keys, equal mathematics. */
#include "base/arena.h"
#include "base/str.h"
#include "math/eval.h"
#include "math/print.h"

#include <rederive/math.h>

#include <flint/flint.h>

#define KEY_BUDGET ((uint64_t)64 << 20)
#define MAX_TEXT 20000

/* Divide num and den by their common divisor, with den's leading coefficient positive. */
static bool reduce(function *f, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, ctx);
    bool ok = fmpz_mpoly_gcd(g, f->num, f->den, ctx) && !fmpz_mpoly_is_zero(g, ctx) &&
              fmpz_mpoly_divides(f->num, f->num, g, ctx) &&
              fmpz_mpoly_divides(f->den, f->den, g, ctx);
    fmpz_mpoly_clear(g, ctx);
    if (ok) {
        fmpz_t lead;
        fmpz_init(lead);
        fmpz_mpoly_get_term_coeff_fmpz(lead, f->den, 0, ctx);
        if (fmpz_sgn(lead) < 0) {
            fmpz_mpoly_neg(f->num, f->num, ctx);
            fmpz_mpoly_neg(f->den, f->den, ctx);
        }
        fmpz_clear(lead);
    }
    return ok;
}

static int print_function(const function *f, const fmpz_mpoly_ctx_t ctx, const letters *l,
                          rdv_arena *arena, rdv_str *key)
{
    const char *names[EVAL_MAX_LETTERS];
    for (size_t i = 0; i < l->n; i++)
        if (!(names[i] = rdv_cstring(arena, l->name[i])))
            return RDV_E_NOMEM;
    char *num = fmpz_mpoly_get_str_pretty(f->num, names, ctx);
    char *den = fmpz_mpoly_get_str_pretty(f->den, names, ctx);
    if (fmpz_mpoly_is_one(f->den, ctx))
        *key = rdv_str_printf(arena, "%s", num);
    else
        *key = rdv_str_printf(arena, "(%s)/(%s)", num, den);
    flint_free(num);
    flint_free(den);
    return key->p ? RDV_OK : RDV_E_NOMEM;
}

static int function_key(evaluation *ev, const node *n, rdv_arena *arena, rdv_str *key)
{
    letters l = {.n = 0};
    if (!function_letters_add(&l, ev->t, n))
        return RDV_NONE;
    fmpz_mpoly_ctx_t ctx;
    function f;
    fmpz_mpoly_ctx_init(ctx, (slong)l.n, ORD_LEX);
    function_init(&f, ctx);
    int r = RDV_NONE;
    if (function_eval(ev, n, &l, ctx, &f) == EVAL_OK && reduce(&f, ctx))
        r = print_function(&f, ctx, &l, arena, key);
    function_clear(&f, ctx);
    fmpz_mpoly_ctx_clear(ctx);
    return r;
}

static int number_key(const fmpq_t x, bool rational, rdv_arena *arena, rdv_str *key)
{
    if (rational) {
        *key = print_fraction(x, arena);
    } else {
        rdv_str digits = print_digits(x, 50, arena);
        *key = digits.p ? rdv_str_printf(arena, "~%.*s", RDV_FMT(digits)) : digits;
    }
    return key->p ? RDV_OK : RDV_E_NOMEM;
}

static int tree_key(evaluation *ev, const node *n, rdv_arena *arena, rdv_str *key)
{
    fmpq_t x;
    fmpq_init(x);
    int r = RDV_NONE;
    eval_is is = eval_exact(ev, n, x);
    if (is == EVAL_OK) {
        r = number_key(x, true, arena, key);
    } else if (is == EVAL_LETTERS) {
        r = function_key(ev, n, arena, key);
    } else if (is == EVAL_IRRATIONAL && real_eval(ev, n, x) == EVAL_OK) {
        /* A ball that pins down a simple rational comes back as that rational. */
        bool rational = fmpz_cmp_ui(fmpq_denref(x), 1000) <= 0;
        r = number_key(x, rational, arena, key);
    }
    fmpq_clear(x);
    return r;
}

static size_t skip_newlines(const tokens *t, size_t i)
{
    while (t->at[i].kind == TOK_NEWLINE)
        i++;
    return i;
}

static int key_in(rdv_str text, rdv_arena *scratch, rdv_arena *arena, rdv_str *key)
{
    tokens t;
    expression e;
    int r = lex(text, scratch, &t);
    if (r < 0)
        return r == RDV_E_LIMIT ? RDV_NONE : r;
    r = parse_expression(&t, skip_newlines(&t, 0), scratch, &e);
    if (r != RDV_OK)
        return r;
    if (t.at[skip_newlines(&t, e.end)].kind != TOK_END || e.n_words || e.dimensions || e.ellipsis)
        return RDV_NONE;
    uint64_t budget = KEY_BUDGET;
    evaluation ev = {.t = &t, .budget = &budget};
    return tree_key(&ev, e.root, arena, key);
}

int rdv_math_key(rdv_str text, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    if (text.len > MAX_TEXT)
        return RDV_NONE;
    rdv_arena *scratch = rdv_arena_new(0);
    int r = scratch ? key_in(text, scratch, arena, key) : RDV_E_NOMEM;
    rdv_arena_free(&scratch);
    return r < 0 ? rdv_fail(err, r, "out of memory while reading an expression") : r;
}
