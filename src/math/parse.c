/* SPDX-License-Identifier: Apache-2.0 */
/* Products and sums, and the way in. */
#include "math/parser.h"

static void skip_newlines(parser *p)
{
    while (parse_tok(p, p->pos)->kind == TOK_NEWLINE)
        p->pos++;
}

/* Length in tokens of a sign or words for "times" or "divided by" at the current token, or 0. */
static size_t product_sign(parser *p, const node *left, node_is *is)
{
    const token *t = parse_current(p);
    size_t i = p->pos;
    *is = N_MULTIPLY;
    if (t->kind == TOK_TIMES)
        return 1;
    if (t->kind == TOK_DIVIDE) {
        *is = N_DIVIDE;
        return 1;
    }
    if (t->kind == TOK_FLOOR_DIVIDE) {
        *is = N_FLOOR;
        return 1;
    }
    if (t->kind != TOK_WORD)
        return 0;
    if (parse_is_times(p, i))
        return 1;
    if (parse_word_is(p, i, "multiplied") && parse_word_is(p, i + 1, "by"))
        return 2;
    if (parse_word_is(p, i, "divided") && parse_word_is(p, i + 1, "by")) {
        *is = N_DIVIDE;
        return 2;
    }
    bool part = left->is == N_PERCENT || (left->is == N_DIVIDE && left->a->is == N_NUMBER);
    if (part && parse_word_is(p, i, "of"))
        return parse_word_is(p, i + 1, "the") ? 2 : 1;
    return 0;
}

/* Can a factor begin here without a sign: 2x, 3(4), 2\sqrt{3}? */
static bool implicit_factor(parser *p, const node *left)
{
    const token *t = parse_current(p);
    if (t->border)
        return false;
    switch (t->kind) {
    case TOK_OPEN:
        return t->sign != '{' || !t->space_before;
    case TOK_FRAC:
    case TOK_BINOM:
    case TOK_SQRT:
    case TOK_PI:
    case TOK_FLOOR_OPEN:
    case TOK_CEIL_OPEN:
        return left->is != N_UNIT;
    case TOK_WORD: {
        rdv_str w = tok_text(p->t, p->pos);
        if (parse_is_glued_letters(p, p->pos))
            return true;
        if (!parse_is_letter(p, p->pos) || left->is == N_UNIT)
            return false;
        return !t->space_before || (w.p[0] != 'a' && w.p[0] != 'A' && w.p[0] != 'I');
    }
    default:
        return false;
    }
}

static bool has_bare_division(const node *n)
{
    while (n->is == N_MULTIPLY && n->implicit && !n->grouped)
        n = n->a;
    return n->is == N_DIVIDE && !n->grouped;
}

/* "1/3" written without spaces, as the divisor in "25 / 1/3". */
static bool glued_fraction_at(const parser *p, size_t i)
{
    const token *slash = parse_tok(p, i - 1), *a = parse_tok(p, i), *over = parse_tok(p, i + 1),
                *b = parse_tok(p, i + 2);
    return a->kind == TOK_NUMBER && over->kind == TOK_DIVIDE && b->kind == TOK_NUMBER &&
           !over->space_before && !b->space_before && (slash->space_before || a->space_before);
}

static node *glued_fraction(parser *p)
{
    node *a = parse_number(p);
    p->pos++;
    node *b = a ? parse_number(p) : NULL;
    return b ? parse_operator(p, N_DIVIDE, a, b) : NULL;
}

/* left // right */
static node *floor_division(parser *p, node *left, node *right)
{
    node *quotient = parse_operator(p, N_DIVIDE, left, right);
    return quotient ? parse_node(p, N_FLOOR, quotient, NULL) : NULL;
}

static node *product(parser *p)
{
    node *left = parse_unary(p);
    while (left) {
        size_t before = p->pos;
        node_is is;
        size_t sign = product_sign(p, left, &is);
        bool implicit = !sign && implicit_factor(p, left);
        if (!sign && !implicit)
            break;
        bool spaced = parse_current(p)->space_before;
        p->pos += sign;
        if (sign)
            skip_newlines(p);
        size_t operators = p->e->n_operators, letters = p->e->n_letters;
        bool fraction = is == N_DIVIDE && glued_fraction_at(p, p->pos);
        node *right = implicit ? parse_power(p) : fraction ? glued_fraction(p) : parse_unary(p);
        if (!right) {
            p->pos = before;
            p->e->n_operators = operators;
            p->e->n_letters = letters;
            break;
        }
        bool bare = implicit && has_bare_division(left);
        bool of = sign && parse_word_is(p, before, "of");
        node *n =
            is == N_FLOOR ? floor_division(p, left, right) : parse_operator(p, is, left, right);
        if (!n)
            return NULL;
        n->implicit = implicit || (is == N_DIVIDE && fraction);
        n->of = of;
        if (of)
            p->e->readings |= READ_OF_AS_PROSE;
        if (is == N_DIVIDE && fraction)
            p->e->readings |= READ_LEFT_TO_RIGHT;
        if (is == N_DIVIDE && right->is == N_PERCENT)
            p->e->readings |= READ_PERCENT_OF_FRACTION;
        n->spaced = implicit && spaced && right->grouped;
        if (n->spaced)
            p->e->readings |= READ_ASIDE;
        if (bare)
            p->e->readings |= READ_IMPLICIT_FIRST;
        p->e->product = true;
        left = n;
    }
    return left;
}

static size_t sum_sign(parser *p, node_is *is)
{
    const token *t = parse_current(p);
    if (t->kind == TOK_PLUS || parse_word_is(p, p->pos, "plus")) {
        *is = N_ADD;
        return 1;
    }
    if (t->kind == TOK_MINUS || parse_word_is(p, p->pos, "minus")) {
        *is = N_SUBTRACT;
        return 1;
    }
    return 0;
}

node *parse_sum(parser *p)
{
    node *left = product(p);
    while (left) {
        size_t before = p->pos;
        node_is is;
        size_t sign = sum_sign(p, &is);
        if (!sign)
            break;
        p->pos += sign;
        skip_newlines(p);
        size_t operators = p->e->n_operators, letters = p->e->n_letters;
        node *right = product(p);
        if (!right) {
            p->pos = before;
            p->e->n_operators = operators;
            p->e->n_letters = letters;
            break;
        }
        if (right->is == N_PERCENT && left->is != N_PERCENT)
            p->e->readings |= READ_PERCENT_OF_LEFT;
        left = parse_operator(p, is, left, right);
    }
    return left;
}

int parse_expression(const tokens *t, size_t at, rdv_arena *arena, expression *out)
{
    expression e = {.begin = at};
    parser p = {.t = t, .pos = at, .arena = arena, .e = &e};
    e.root = parse_sum(&p);
    if (p.nomem)
        return RDV_E_NOMEM;
    if (!e.root)
        return RDV_NONE;
    e.end = p.pos;
    *out = e;
    return RDV_OK;
}
