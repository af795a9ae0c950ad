/* SPDX-License-Identifier: Apache-2.0 */
/* Products of letters that may stand for matrices, sets or points. */
#include "algebra/formula_parser.h"

#include "base/str.h"

/* A capital of the alphabet. With a subscript it is the member of a sequence, a number. */
static bool is_capital(const formula *n)
{
    return n->is == F_LETTER && n->name.len == 1 && n->name.p[0] >= 'A' && n->name.p[0] <= 'Z';
}

/* "ABC": a product of nothing but capitals. */
static bool is_capitals(const formula *n)
{
    if (n->is == F_MULTIPLY)
        return is_capitals(n->a) && is_capitals(n->b);
    return is_capital(n);
}

static bool holds_capital_besides(const formula *n, rdv_str name)
{
    if (!n)
        return false;
    if (is_capital(n))
        return !rdv_str_eq(n->name, name);
    return holds_capital_besides(n->a, name) || holds_capital_besides(n->b, name) ||
           holds_capital_besides(n->c, name);
}

/* -1, or the letter T: the exponents of an inverse and a transpose. */
static bool inverts(const formula_parser *p, const formula *exponent)
{
    if (exponent->is == F_NEGATE)
        return exponent->a->is == F_NUMBER &&
               rdv_str_eq(tok_text(p->t, exponent->a->token), RDV_STR("1"));
    return exponent->is == F_LETTER && rdv_str_eq(exponent->name, RDV_STR("T"));
}

/* The base of an inverse that stands in the formula, or NULL. */
static const formula *inverse_in(const formula_parser *p, const formula *n)
{
    if (!n)
        return NULL;
    if (n->is == F_POWER && is_capitals(n->a) && inverts(p, n->b))
        return n->a;
    const formula *found = inverse_in(p, n->a);
    if (!found)
        found = inverse_in(p, n->b);
    return found ? found : inverse_in(p, n->c);
}

bool formula_joins_capitals(const formula *a, const formula *b)
{
    return is_capitals(a) && is_capital(b);
}

bool formula_order_counts(const formula_parser *p, const formula *root)
{
    if (root->is == F_MULTIPLY && is_capitals(root))
        return true;
    const formula *base = inverse_in(p, root);
    if (!base)
        return false;
    return base->is == F_MULTIPLY || holds_capital_besides(root, base->name);
}
