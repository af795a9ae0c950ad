/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/polynomial.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "expression/print.h"

#include <flint/fmpz_mpoly_factor.h>

/* What the texts are written with. */
typedef struct writer {
    rdv_buf out;
    rdv_arena *arena;
    const letters *names;
    const fmpz_mpoly_ctx_struct *ctx;
    bool decimals;
} writer;

static void add_exponent(writer *w, ulong e)
{
    if (e > 1)
        rdv_buf_printf(&w->out, "^%lu", e);
}

/* The letters of term i. False: it has none. */
static bool add_letters(writer *w, const fmpz_mpoly_t p, slong i)
{
    bool any = false, long_name = false;
    for (size_t k = 0; k < w->names->n; k++) {
        ulong e = fmpz_mpoly_get_term_var_exp_ui(p, i, (slong)k, w->ctx);
        if (e == 0)
            continue;
        if (any && long_name) /* "\alpha x" */
            rdv_buf_add_char(&w->out, ' ');
        rdv_buf_add(&w->out, w->names->name[k]);
        add_exponent(w, e);
        any = true;
        long_name = w->names->name[k].len > 1;
    }
    return any;
}

/* Term i over `over`, with the sign that joins it to those before. */
static void add_term(writer *w, const fmpz_mpoly_t p, slong i, const fmpz_t over)
{
    fmpz_t c;
    fmpq_t value;
    fmpz_init(c);
    fmpq_init(value);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, i, w->ctx);
    fmpq_set_fmpz_frac(value, c, over);
    bool negative = fmpq_sgn(value) < 0;
    const char *sign = i == 0 ? (negative ? "-" : "") : negative ? " - " : " + ";
    rdv_buf_add(&w->out, rdv_str_of(sign));
    fmpq_abs(value, value);
    fmpz_set(c, fmpq_denref(value));
    if (!w->decimals)
        fmpz_one(fmpq_denref(value));
    rdv_str top = print_value(value, w->arena), under = {0};
    fmpz_set(fmpq_numref(value), c);
    if (!w->decimals && !fmpz_is_one(c))
        under = print_fraction(value, w->arena);
    bool constant = true;
    for (size_t k = 0; k < w->names->n; k++)
        constant &= fmpz_mpoly_get_term_var_exp_ui(p, i, (slong)k, w->ctx) == 0;
    if (constant || !rdv_str_eq(top, RDV_STR("1")))
        rdv_buf_add(&w->out, top);
    add_letters(w, p, i);
    if (under.p) {
        rdv_buf_add_char(&w->out, '/');
        rdv_buf_add(&w->out, under);
    }
    fmpz_clear(c);
    fmpq_clear(value);
}

static void add_polynomial(writer *w, const fmpz_mpoly_t p, const fmpz_t over)
{
    if (fmpz_mpoly_is_zero(p, w->ctx))
        rdv_buf_add_char(&w->out, '0');
    for (slong i = 0; i < fmpz_mpoly_length(p, w->ctx); i++)
        add_term(w, p, i, over);
}

/* The polynomial in brackets where they are wanted. */
static void add_side(writer *w, const fmpz_mpoly_t p, bool in_brackets)
{
    fmpz_t one;
    fmpz_init_set_ui(one, 1);
    if (in_brackets)
        rdv_buf_add_char(&w->out, '(');
    add_polynomial(w, p, one);
    if (in_brackets)
        rdv_buf_add_char(&w->out, ')');
    fmpz_clear(one);
}

static writer writer_of(const letters *names, const fmpz_mpoly_ctx_t ctx, rdv_arena *arena)
{
    writer w = {.arena = arena, .names = names, .ctx = ctx};
    rdv_buf_init(&w.out, arena, 0);
    return w;
}

static rdv_str written(writer *w)
{
    return rdv_buf_ok(&w->out) ? rdv_buf_str(&w->out) : (rdv_str){0};
}

rdv_str polynomial_text(const fmpz_mpoly_t p, const letters *names, const fmpz_mpoly_ctx_t ctx,
                        rdv_arena *arena)
{
    writer w = writer_of(names, ctx, arena);
    add_side(&w, p, false);
    return written(&w);
}

/* A factor; a sum stands in brackets where something stands beside it. */
static void add_factor(writer *w, const fmpz_mpoly_t p, ulong e, bool alone)
{
    add_side(w, p, fmpz_mpoly_length(p, w->ctx) > 1 && !(alone && e == 1));
    add_exponent(w, e);
}

/* Letters first, then sums. False: it cannot be factored. */
static bool add_factors(writer *w, const fmpz_mpoly_t p)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, w->ctx);
    bool ok = fmpz_mpoly_factor(f, p, w->ctx) != 0;
    for (int sums = 0; sums < 2 && ok; sums++) {
        if (sums == 0 && (!fmpz_is_one(f->constant) || f->num == 0)) {
            fmpq_t c;
            fmpq_init(c);
            fmpq_set_fmpz(c, f->constant);
            rdv_str text = print_fraction(c, w->arena);
            rdv_buf_add(&w->out, fmpz_is_pm1(f->constant) && f->num ? RDV_STR("-") : text);
            fmpq_clear(c);
        }
        for (slong i = 0; i < f->num; i++)
            if ((fmpz_mpoly_length(f->poly + i, w->ctx) > 1) == sums)
                add_factor(w, f->poly + i, fmpz_get_ui(f->exp + i),
                           f->num == 1 && fmpz_is_one(f->constant));
    }
    fmpz_mpoly_factor_clear(f, w->ctx);
    return ok;
}

rdv_str polynomial_quotient_text(const fmpz_mpoly_t num, const fmpz_mpoly_t den,
                                 polynomial_style style, const letters *names,
                                 const fmpz_mpoly_ctx_t ctx, rdv_arena *arena)
{
    writer w = writer_of(names, ctx, arena);
    w.decimals = style == POLYNOMIAL_DECIMALS;
    bool number = fmpz_mpoly_is_fmpz(den, ctx);
    fmpz_t over;
    fmpz_init(over);
    if (number)
        fmpz_mpoly_get_fmpz(over, den, ctx);
    if (!number) {
        add_side(&w, num, fmpz_mpoly_length(num, ctx) > 1);
        rdv_buf_add_char(&w.out, '/');
        add_side(&w, den, !fmpz_mpoly_is_gen(den, -1, ctx));
    } else if (style != POLYNOMIAL_FACTORED || !fmpz_is_one(over) || !add_factors(&w, num)) {
        add_polynomial(&w, num, over);
    }
    fmpz_clear(over);
    return written(&w);
}
