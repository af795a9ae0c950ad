/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/equation.h"

#include "base/str.h"

/* "$5": may the number at token `i` be an amount of money, and its sign no border of mathematics?
 */
static bool is_amount(const tokens *t, size_t i)
{
    const token *n = &t->at[i];
    return n->kind == TOK_NUMBER && t->text.p[n->begin - 1] == '$' &&
           !rdv_starts(rdv_slice(t->text, n->end, t->text.len), RDV_STR("$"));
}

/* Does mathematics begin or end within it ("step 6 $-x = 5$"), or stand "-" before it? */
static bool is_cut(const tokens *t, const equality *e)
{
    size_t begin = equation_left(e)->begin;
    for (size_t i = begin + 1; i < equation_right(e)->end; i++)
        if (t->at[i].border && !is_amount(t, i))
            return true;
    rdv_str before = rdv_trim_end(rdv_slice(t->text, 0, t->at[begin].begin));
    return rdv_ends(before, RDV_STR("-")) || rdv_ends(before, RDV_STR("\xe2\x88\x92")) ||
           rdv_ends(before, RDV_STR("\xe2\x80\x93"));
}

/* "f(1)", "Q(x)", "f^{-1}(2)": a letter before one number or letter in brackets, or with the
 * exponent -1, may name a function. */
static bool may_hold_functions(const tokens *t, const equality *e)
{
    const token *at = t->at;
    for (size_t i = equation_left(e)->begin; i + 2 < equation_right(e)->end; i++) {
        if (at[i].kind != TOK_WORD)
            continue;
        if (at[i + 1].kind == TOK_OPEN && at[i + 3].kind == TOK_CLOSE)
            return true;
        size_t exponent = i + 2 + (at[i + 2].kind == TOK_OPEN);
        if (at[i + 1].kind == TOK_POWER && at[exponent].kind == TOK_MINUS)
            return true;
    }
    return false;
}

/* "5 x x": is x a sign here, and a letter too? */
static bool multiplies_by_letter_x(const tokens *t, const equality *e)
{
    for (size_t i = equation_left(e)->begin; i < equation_right(e)->end; i++)
        if (t->at[i].kind == TOK_TIMES && rdv_str_ieq(tok_text(t, i), RDV_STR("x")))
            return true;
    return false;
}

/* "150 * x / 100 = 40 x = 2 * 40 / 3": a letter apart from its number may begin a new line. */
static bool holds_spaced_product(const tokens *t, const equality *e)
{
    for (size_t i = equation_left(e)->begin; i + 1 < equation_right(e)->end; i++) {
        tok_kind k = t->at[i].kind;
        if ((k == TOK_NUMBER || k == TOK_WORD) && t->at[i + 1].kind == TOK_WORD &&
            t->at[i + 1].space_before)
            return true;
    }
    return false;
}

/* The token after the operand at token `i`: a number, a word, or what stands in brackets. */
static size_t after_operand(const tokens *t, size_t i, size_t end)
{
    size_t depth = 0;
    do {
        depth += t->at[i].kind == TOK_OPEN;
        depth -= t->at[i].kind == TOK_CLOSE && depth > 0;
        i++;
    } while (depth > 0 && i < end);
    return i;
}

bool equation_divisor_may_go_on(const tokens *t, const equality *e)
{
    size_t end = equation_right(e)->end;
    for (size_t i = equation_left(e)->begin; i + 1 < end; i++) {
        if (t->at[i].kind != TOK_DIVIDE || !rdv_str_eq(tok_text(t, i), RDV_STR("/")))
            continue;
        size_t next = after_operand(t, i + 1, end);
        if (next < end && t->at[next].kind == TOK_TIMES)
            return true;
    }
    return false;
}

bool equation_is_plain(const tokens *t, const equality *e)
{
    const expression *l = equation_left(e), *r = equation_right(e);
    unsigned readings = l->readings | r->readings;
    for (size_t i = 1; i < e->n; i++)
        if (e->approximate[i] || (e->n > 2 && e->term[i].n_letters))
            return false;
    return e->clean_left && e->clean_right && l->n_letters + r->n_letters && !l->ellipsis &&
           !r->ellipsis && !(readings & ~(unsigned)(READ_BANG_AS_PROSE | READ_DOLLARS)) &&
           !(l->n_units | r->n_units | l->n_words | r->n_words) && !is_cut(t, e) &&
           !may_hold_functions(t, e) && !multiplies_by_letter_x(t, e) &&
           !holds_spaced_product(t, e) && !equation_divisor_may_go_on(t, e);
}
