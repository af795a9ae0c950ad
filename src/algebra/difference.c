/* SPDX-License-Identifier: Apache-2.0 */
#include "algebra/difference.h"

#include "algebra/field.h"
#include "base/arena.h"
#include "base/str.h"
#include "expression/eval.h"
#include "expression/print.h"

#include <flint/flint.h>

#define BUDGET ((uint64_t)16 << 20)
#define MAX_TEXT 20000

/* a - b as one tree. */
typedef struct difference {
    tokens t;
    node root;
    uint64_t budget;
    evaluation ev;
} difference;

/* The whole of `text` as an expression without units. */
static int parse_whole(const tokens *t, rdv_arena *scratch, expression *e)
{
    int r = parse_expression_of_letters(t, 0, scratch, e);
    bool bare =
        r == RDV_OK && t->at[e->end].kind == TOK_END && !e->n_words && !e->n_units && !e->ellipsis;
    return r == RDV_OK && !bare ? RDV_NONE : r;
}

/* Each is parsed alone first, so that no bracket of one closes one of the other. */
static int read_difference(rdv_str a, rdv_str b, rdv_arena *scratch, difference *d)
{
    rdv_str sides[] = {a, b};
    for (size_t i = 0; i < 2; i++) {
        expression e;
        tokens t;
        int r = sides[i].len > MAX_TEXT ? RDV_NONE : lex(sides[i], scratch, &t);
        r = r == RDV_OK ? parse_whole(&t, scratch, &e) : r == RDV_E_LIMIT ? RDV_NONE : r;
        if (r != RDV_OK)
            return r;
    }
    rdv_str both = rdv_str_printf(scratch, "(%.*s)-(%.*s)", RDV_FMT(a), RDV_FMT(b));
    if (!both.p)
        return RDV_E_NOMEM;
    expression e;
    int r = lex(both, scratch, &d->t);
    r = r == RDV_OK ? parse_whole(&d->t, scratch, &e) : r == RDV_E_LIMIT ? RDV_NONE : r;
    if (r != RDV_OK)
        return r;
    d->root = *e.root;
    d->budget = BUDGET;
    d->ev = (evaluation){.t = &d->t, .budget = &d->budget};
    return RDV_OK;
}

static int order_in(rdv_str a, rdv_str b, math_work *work, rdv_arena *scratch, int *sign)
{
    difference d;
    if (!math_work_take(work, MATH_WORK_STEP))
        return RDV_NONE;
    int r = read_difference(a, b, scratch, &d);
    if (r != RDV_OK)
        return r;
    if (work && work->left < d.budget)
        d.budget = work->left;
    uint64_t had = d.budget;
    fmpq_t x;
    fmpq_init(x);
    eval_is is = eval_exact(&d.ev, &d.root, x);
    bool proved = is == EVAL_OK;
    /* Balls prove that a difference is not zero, never that it is. */
    if (is == EVAL_IRRATIONAL)
        proved = real_eval(&d.ev, &d.root, x) == EVAL_OK && !fmpq_is_zero(x);
    if (proved)
        *sign = fmpq_sgn(x);
    math_work_take(work, had - d.budget);
    fmpq_clear(x);
    return proved ? RDV_OK : RDV_NONE;
}

static int report(int r, rdv_error *err)
{
    return r < 0 ? rdv_fail(err, r, "out of memory while reading an expression") : r;
}

int math_order(rdv_str a, rdv_str b, math_work *work, rdv_arena *arena, int *sign, rdv_error *err)
{
    rdv_mark mark = rdv_arena_mark(arena);
    int r = order_in(a, b, work, arena, sign);
    rdv_arena_rewind(arena, mark);
    return report(r, err);
}

/* ---- zeros ----------------------------------------------------------------------------------- */

/* Divide by the content, with the leading coefficient positive; is it negative before? */
static bool make_primitive(fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_t content, lead;
    fmpz_init(content);
    fmpz_init(lead);
    fmpz_mpoly_get_term_coeff_fmpz(lead, p, 0, ctx);
    bool negative = fmpz_sgn(lead) < 0;
    for (slong i = 0; i < fmpz_mpoly_length(p, ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(lead, p, i, ctx);
        fmpz_gcd(content, content, lead);
    }
    if (negative)
        fmpz_neg(content, content);
    fmpz_mpoly_scalar_divexact_fmpz(p, p, content, ctx);
    fmpz_clear(content);
    fmpz_clear(lead);
    return negative;
}

/* The root of a x + b. */
static int linear_root(const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx, rdv_arena *arena,
                       rdv_str *root)
{
    fmpq_t x;
    fmpq_init(x);
    fmpz_mpoly_get_term_coeff_fmpz(fmpq_denref(x), p, 0, ctx);
    if (fmpz_mpoly_length(p, ctx) > 1)
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(x), p, 1, ctx);
    fmpz_neg(fmpq_numref(x), fmpq_numref(x));
    fmpq_canonicalise(x);
    *root = print_fraction(x, arena);
    fmpq_clear(x);
    return root->p ? RDV_OK : RDV_E_NOMEM;
}

/* The only letter of the polynomial, which is linear; FIELD_FULL: it is not so. */
static size_t only_letter(const field *f, const fmpz_mpoly_t p)
{
    size_t only = FIELD_FULL;
    if (fmpz_mpoly_total_degree_si(p, f->ctx) != 1)
        return FIELD_FULL;
    for (size_t i = f->first; i < FIELD_MAX; i++)
        if (fmpz_mpoly_degree_si(p, (slong)i, f->ctx) > 0) {
            if (only != FIELD_FULL)
                return FIELD_FULL;
            only = i;
        }
    return only;
}

static int print_zero(field *f, quotient *q, rdv_arena *arena, math_zero *out)
{
    math_zero z = {.whole = fmpz_mpoly_is_fmpz(q->den, f->ctx)};
    const char *names[FIELD_MAX];
    if (!field_letter_names(f, arena, names))
        return RDV_E_NOMEM;
    bool below = make_primitive(q->num, f->ctx);
    z.negative = below != make_primitive(q->den, f->ctx);
    char *num = fmpz_mpoly_get_str_pretty(q->num, names, f->ctx);
    char *den = fmpz_mpoly_get_str_pretty(q->den, names, f->ctx);
    z.key =
        z.whole ? rdv_str_printf(arena, "%s", num) : rdv_str_printf(arena, "(%s)/(%s)", num, den);
    flint_free(num);
    flint_free(den);
    if (!z.key.p)
        return RDV_E_NOMEM;
    int r = RDV_OK;
    size_t letter = z.whole ? only_letter(f, q->num) : FIELD_FULL;
    if (letter != FIELD_FULL) {
        z.letter = rdv_str_of(names[letter]);
        r = linear_root(q->num, f->ctx, arena, &z.root);
    }
    if (r == RDV_OK)
        *out = z;
    return r;
}

static int zero_in_field(field *f, const formula_text *a, const formula_text *b, rdv_arena *arena,
                         math_zero *out)
{
    quotient x;
    quotient_open(f, &x);
    eval_is is = field_difference(f, a, b, &x);
    if (is == EVAL_OK)
        is = quotient_reduce(f, &x);
    bool known = is == EVAL_OK && !f->positive && !quotient_holds(f, &x, generator_is_no_letter) &&
                 !fmpz_mpoly_is_fmpz(x.num, f->ctx);
    int r = known ? print_zero(f, &x, arena, out) : RDV_NONE;
    quotient_close(f, &x);
    return r;
}

static int zero_in(rdv_str a, rdv_str b, math_work *work, rdv_arena *scratch, rdv_arena *arena,
                   math_zero *out)
{
    formula_text fa, fb;
    int r = formula_parse(a, scratch, &fa);
    if (r == RDV_OK)
        r = formula_parse(b, scratch, &fb);
    if (r != RDV_OK)
        return r;
    unsigned holds = fa.holds | fb.holds;
    if (!(holds & FORMULA_LETTERS) ||
        (holds & (FORMULA_DECIMAL_ENDLESS | FORMULA_LOG | FORMULA_ORDER)))
        return RDV_NONE;
    formula_scope scope = {.work = work};
    field f;
    if (!field_open(&f, &scope, false, fa.root, fb.root))
        return RDV_NONE;
    f.complex = holds & FORMULA_I;
    r = zero_in_field(&f, &fa, &fb, arena, out);
    field_close(&f);
    return r;
}

int math_zero_of(rdv_str a, rdv_str b, math_work *work, rdv_arena *arena, math_zero *out,
                 rdv_error *err)
{
    rdv_arena *scratch = rdv_arena_new(0);
    int r = scratch ? zero_in(a, b, work, scratch, arena, out) : RDV_E_NOMEM;
    rdv_arena_free(&scratch);
    return report(r, err);
}
