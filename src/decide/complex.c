/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/complex.h"

#include "base/str.h"
#include "claims/equation.h"
#include "expression/print.h"
#include "language/assertion.h"
#include "language/own_sign.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define LOOKED_AT 2000 /* bytes of the question and of the text */

/* ---- is i the imaginary unit? ---------------------------------------------------------------- */

/* Is i the only letter of the tree? *any is set where it holds one. */
static bool holds_only_i(const tokens *t, const node *n, bool *any)
{
    if (!n)
        return true;
    if (n->is != N_LETTER)
        return holds_only_i(t, n->a, any) && holds_only_i(t, n->b, any);
    *any = true;
    return rdv_str_eq(rdv_slice(t->text, t->at[n->begin].begin, t->at[n->end - 1].end),
                      RDV_STR("i"));
}

/* "3i", ")i": does i stand as a factor in the text? */
static bool holds_multiple_of_i(rdv_str s)
{
    for (size_t at = 1; at < s.len; at++) {
        char before = s.p[at - 1];
        if (s.p[at] == 'i' && (rdv_is_digit(before) || before == ')') &&
            !(at + 1 < s.len && rdv_is_alpha(s.p[at + 1])))
            return true;
    }
    return false;
}

/* Is i given a value there: "i = 3"? Not in "2 + 3i = z". */
static bool gives_i_a_value(rdv_str s)
{
    for (size_t at = 0; at < s.len; at++) {
        bool alone =
            s.p[at] == 'i' && (at == 0 || !(rdv_is_alnum(s.p[at - 1]) || s.p[at - 1] == ')'));
        if (alone && rdv_starts(rdv_trim(rdv_slice(s, at + 1, s.len)), RDV_STR("=")))
            return true;
    }
    return false;
}

/* Is i an index or a name there: "x_i", "\sum_{i=1}"? */
static bool counts_with_i(rdv_str s)
{
    static const char *const signs[] = {"_i", "_{i", "\\le", "\\ge", "sum_", "prod_", "index"};
    for (size_t k = 0; k < COUNT(signs); k++)
        if (rdv_find(s, rdv_str_of(signs[k]), 0) != RDV_NOT_FOUND)
            return true;
    return gives_i_a_value(s);
}

/* Is i a unit vector there, beside j and k, or a current that is sought? */
static bool names_another_i(rdv_str s)
{
    static phrase_list words = {"@another-i"};
    return phrase_in(s, &words);
}

/* "Evaluate (1 + 2i)6 - 3i": is the question about a value that holds i, and not an equation? */
static bool asks_for_value_with_i(rdv_str question)
{
    static phrase_list tasks = {"@works-out"};
    size_t sign = rdv_find_char(rdv_trim(question), '=', 0);
    bool equation = sign != RDV_NOT_FOUND && sign + 1 < rdv_trim(question).len;
    return holds_multiple_of_i(question) && (!equation || phrase_in(question, &tasks));
}

static bool is_imaginary_unit(const knowledge *k)
{
    static phrase_list words = {"@complex-numbers"};
    rdv_str question = rdv_slice(k->question, 0, LOOKED_AT);
    rdv_str text = rdv_slice(k->t->text, 0, LOOKED_AT);
    if (counts_with_i(question) || counts_with_i(text) || names_another_i(question) ||
        names_another_i(text))
        return false;
    return phrase_in(question, &words) || phrase_in(text, &words) ||
           asks_for_value_with_i(question);
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct complex {
    fmpq_t re, im;
} complex;

static void complex_init(complex *z)
{
    fmpq_init(z->re);
    fmpq_init(z->im);
}

static void complex_clear(complex *z)
{
    fmpq_clear(z->re);
    fmpq_clear(z->im);
}

/* The value of a polynomial at i. */
static bool polynomial_at_i(const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx, complex *out)
{
    fmpz_poly_t one;
    fmpz_t coeff;
    fmpz_poly_init(one);
    fmpz_init(coeff);
    fmpq_zero(out->re);
    fmpq_zero(out->im);
    bool ok = fmpz_mpoly_get_fmpz_poly(one, p, 0, ctx);
    for (slong n = 0; ok && n < fmpz_poly_length(one); n++) {
        fmpz_poly_get_coeff_fmpz(coeff, one, n);
        if (n % 4 > 1)
            fmpz_neg(coeff, coeff);
        fmpq *part = n % 2 ? out->im : out->re;
        fmpq_add_fmpz(part, part, coeff);
    }
    fmpz_poly_clear(one);
    fmpz_clear(coeff);
    return ok;
}

/* out = a / b; false: b is zero. */
static bool divide(const complex *a, const complex *b, complex *out)
{
    fmpq_t norm;
    fmpq_init(norm);
    fmpq_mul(norm, b->re, b->re);
    fmpq_addmul(norm, b->im, b->im);
    bool ok = !fmpq_is_zero(norm);
    if (ok) {
        fmpq_mul(out->re, a->re, b->re);
        fmpq_addmul(out->re, a->im, b->im);
        fmpq_div(out->re, out->re, norm);
        fmpq_mul(out->im, a->im, b->re);
        fmpq_submul(out->im, a->re, b->im);
        fmpq_div(out->im, out->im, norm);
    }
    fmpq_clear(norm);
    return ok;
}

/* The side's value into *out, and in *degree the highest power of i in it as it stands. */
static bool value_of(const knowledge *k, const expression *side, complex *out, slong *degree)
{
    const letters names = {.name = {RDV_STR("i")}, .n = 1};
    fmpz_mpoly_ctx_t ctx;
    function f;
    complex top, under;
    function_ring(1, ctx);
    function_init(&f, ctx);
    complex_init(&top);
    complex_init(&under);
    evaluation ev = {.t = k->t, .budget = k->budget};
    bool ok = function_eval(&ev, side->root, &names, ctx, &f) == EVAL_OK &&
              polynomial_at_i(f.num, ctx, &top) && polynomial_at_i(f.den, ctx, &under) &&
              divide(&top, &under, out);
    if (ok)
        *degree = fmpz_mpoly_degree_si(f.num, 0, ctx) + fmpz_mpoly_degree_si(f.den, 0, ctx);
    complex_clear(&top);
    complex_clear(&under);
    function_clear(&f, ctx);
    return ok;
}

/* "7 - 2i", "7", "-i" */
static rdv_str print_complex(const complex *z, rdv_arena *arena)
{
    if (fmpq_is_zero(z->im))
        return print_value(z->re, arena);
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, z->im);
    bool negative = fmpq_sgn(z->im) < 0;
    rdv_str shown = fmpq_is_one(size) ? RDV_STR("") : print_value(size, arena);
    fmpq_clear(size);
    if (!shown.p)
        return shown;
    if (fmpq_is_zero(z->re))
        return rdv_str_printf(arena, "%s%.*si", negative ? "-" : "", RDV_FMT(shown));
    rdv_str re = print_value(z->re, arena);
    if (!re.p)
        return re;
    return rdv_str_printf(arena, "%.*s %c %.*si", RDV_FMT(re), negative ? '-' : '+',
                          RDV_FMT(shown));
}

/* ---- the decision ---------------------------------------------------------------------------- */

/* "The conjugate of 2 + 3i = 2 - 3i": the side belongs to what is said of it. */
static bool belongs_to_words(const tokens *t, const expression *left)
{
    return tok_is_word(t, left->begin - 1, "of"); /* before the first token there is none */
}

/* Could an unknown i be sought: "2i + 3 = 7"? Not where both sides hold it, or powers of it. */
static bool may_be_sought(const expression *l, const expression *r, slong degree)
{
    return expression_is_plain(l) || (!r->n_letters && degree < 2);
}

static bool is_claimed(const knowledge *k, const equality *link)
{
    const tokens *t = k->t;
    size_t begin = t->at[equation_left(link)->begin].begin;
    size_t end = t->at[equation_right(link)->end - 1].end;
    return !assertion_not_of_equation(t->rules, t->text, begin, end) &&
           !context_hints_of(k->hints, t->text)->modulo &&
           !own_sign_in(k->question, rdv_slice(t->text, begin, end));
}

static bool has_decimals(const tokens *t, const equality *link)
{
    for (size_t i = equation_left(link)->begin; i < equation_right(link)->end; i++)
        if (t->at[i].kind == TOK_NUMBER && rdv_find_char(tok_text(t, i), '.', 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

static int say(const knowledge *k, const complex *l, const complex *r, bool equal, decision *out)
{
    *out = (decision){.is_calculation = true,
                      .kind = equal ? RDV_CALC_RIGHT : RDV_CALC_WRONG,
                      .note = RDV_STR("i as the imaginary unit")};
    out->value = print_complex(l, k->arena);
    out->claim = print_complex(r, k->arena);
    return out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
}

int complex_decide(const knowledge *k, const equality *link, decision *out)
{
    const expression *left = equation_left(link), *right = equation_right(link);
    bool any = false;
    if (!left->n_letters || !holds_only_i(k->t, left->root, &any) ||
        !holds_only_i(k->t, right->root, &any) || !any || belongs_to_words(k->t, left) ||
        !equation_is_plain(k->t, link) || !is_imaginary_unit(k))
        return RDV_NONE;
    complex l, r;
    slong degree = 0, other = 0;
    complex_init(&l);
    complex_init(&r);
    int result = RDV_NONE;
    if (value_of(k, left, &l, &degree) && value_of(k, right, &r, &other) &&
        !may_be_sought(left, right, degree)) {
        bool equal = fmpq_equal(l.re, r.re) && fmpq_equal(l.im, r.im);
        if (equal || (!has_decimals(k->t, link) && is_claimed(k, link)))
            result = say(k, &l, &r, equal, out);
    }
    complex_clear(&l);
    complex_clear(&r);
    return result;
}
