/* SPDX-License-Identifier: Apache-2.0 */
/* Factors: numbers, letters, brackets, LaTeX's commands, and the signs before and after them. */
#include "math/parser.h"

/* ---- primaries --------------------------------------------------------------------------------
 */

static node *group(parser *p)
{
    const token *open = parse_tok(p, p->pos);
    if (open->pair == TOK_NO_PAIR)
        return NULL;
    p->pos++;
    p->inside++;
    node *n = parse_sum(p);
    bool closed = n && parse_current(p) == parse_tok(p, open->pair);
    p->inside--;
    if (!closed)
        return NULL;
    p->pos = open->pair + 1;
    /* LaTeX's braces around one number only delimit it. */
    if (open->sign != '{' || n->is != N_NUMBER)
        n->grouped = true;
    return n;
}

node *parse_number(parser *p)
{
    size_t begin = p->pos++;
    if (parse_tok(p, p->pos)->kind == TOK_UNDERSCORE)
        return NULL; /* another base */
    p->e->ellipsis |= parse_tok(p, begin)->ellipsis;
    return parse_leaf(p, N_NUMBER, begin);
}

/* A letter with its subscript: "x", "x_1", "x_{total}". */
static node *letter(parser *p)
{
    size_t begin = p->pos++;
    if (parse_tok(p, p->pos)->kind == TOK_UNDERSCORE) {
        const token *sub = parse_tok(p, ++p->pos);
        if (sub->kind == TOK_OPEN && sub->pair != TOK_NO_PAIR)
            p->pos = sub->pair + 1;
        else if (sub->kind == TOK_NUMBER || sub->kind == TOK_WORD)
            p->pos++;
        else
            return NULL;
    }
    node *n = parse_leaf(p, N_LETTER, begin);
    if (n)
        p->e->n_letters++;
    return n;
}

/* An argument of \frac, \binom or \sqrt. */
static node *argument(parser *p)
{
    const token *t = parse_current(p);
    if (t->kind == TOK_OPEN && t->sign == '{')
        return group(p);
    if (t->kind == TOK_NUMBER)
        return parse_number(p);
    if (t->kind == TOK_PI) {
        p->pos++;
        return parse_leaf(p, N_PI, p->pos - 1);
    }
    return parse_is_letter(p, p->pos) ? letter(p) : NULL;
}

static node *two_arguments(parser *p, node_is is)
{
    p->pos++;
    node *a = argument(p);
    node *b = a ? argument(p) : NULL;
    return b ? parse_operator(p, is, a, b) : NULL;
}

static node *root(parser *p)
{
    p->pos++;
    node *index = NULL, *radicand;
    if (parse_current(p)->kind == TOK_OPEN && parse_current(p)->sign == '[') {
        index = group(p);
        if (!index)
            return NULL;
    }
    const token *t = parse_current(p);
    if (t->kind == TOK_OPEN)
        radicand = group(p);
    else
        radicand = argument(p);
    return radicand ? parse_operator(p, N_ROOT, radicand, index) : NULL;
}

/* |x|, floor and ceiling: an expression up to its closing sign. */
static node *enclosed(parser *p, node_is is, tok_kind close)
{
    p->pos++;
    p->inside++;
    node *n = parse_sum(p);
    bool closed = n && parse_current(p)->kind == close;
    p->inside--;
    if (!closed)
        return NULL;
    p->pos++;
    return parse_operator(p, is, n, NULL);
}

static node *primary_here(parser *p)
{
    const token *t = parse_current(p);
    switch (t->kind) {
    case TOK_CURRENCY:
        p->pos++;
        return parse_current(p)->kind == TOK_NUMBER ? parse_number(p) : NULL;
    case TOK_NUMBER:
        return parse_number(p);
    case TOK_OPEN:
        return group(p);
    case TOK_FRAC:
        return two_arguments(p, N_DIVIDE);
    case TOK_BINOM:
        return two_arguments(p, N_BINOMIAL);
    case TOK_SQRT:
        return root(p);
    case TOK_PI:
        p->pos++;
        return parse_leaf(p, N_PI, p->pos - 1);
    case TOK_BAR:
        return enclosed(p, N_ABS, TOK_BAR);
    case TOK_FLOOR_OPEN:
        return enclosed(p, N_FLOOR, TOK_FLOOR_CLOSE);
    case TOK_CEIL_OPEN:
        return enclosed(p, N_CEIL, TOK_CEIL_CLOSE);
    case TOK_WORD:
        return parse_is_letter(p, p->pos) || parse_is_glued_letters(p, p->pos) ? letter(p) : NULL;
    default:
        return NULL;
    }
}

static node *primary(parser *p)
{
    if (p->depth == PARSE_MAX_DEPTH)
        return NULL;
    p->depth++;
    node *n = primary_here(p);
    p->depth--;
    return n;
}

/* ---- signs after a primary --------------------------------------------------------------------
 */

static bool is_whole_number(const parser *p, const node *n)
{
    return n->is == N_NUMBER && !n->grouped && !parse_tok(p, n->begin)->vulgar &&
           rdv_find_char(tok_text(p->t, n->end - 1), '.', 0) == RDV_NOT_FOUND;
}

/* "3 1/2", "3 \frac{1}{2}" and "3½". */
static node *mixed(parser *p, node *whole)
{
    size_t i = p->pos;
    node *part = NULL;
    if (!is_whole_number(p, whole))
        return whole;
    if (parse_tok(p, i)->kind == TOK_NUMBER && parse_tok(p, i)->vulgar &&
        parse_tok(p, i)->vulgar <= 15) {
        part = parse_number(p);
    } else if (parse_tok(p, i)->kind == TOK_NUMBER && parse_tok(p, i + 1)->kind == TOK_DIVIDE &&
               parse_tok(p, i + 2)->kind == TOK_NUMBER && !parse_tok(p, i + 1)->space_before &&
               !parse_tok(p, i + 2)->space_before && parse_tok(p, i)->space_before) {
        node *a = parse_number(p);
        p->pos++;
        node *b = a ? parse_number(p) : NULL;
        part = b ? parse_operator(p, N_DIVIDE, a, b) : NULL;
    } else if (parse_tok(p, i)->kind == TOK_FRAC) {
        part = two_arguments(p, N_DIVIDE);
        if (part && (!is_whole_number(p, part->a) || !is_whole_number(p, part->b))) {
            node *product = parse_operator(p, N_MULTIPLY, whole, part);
            if (product)
                product->implicit = true;
            return product;
        }
        if (part)
            p->e->readings |= READ_MIXED_AS_PRODUCT;
    }
    if (!part) {
        p->pos = i;
        return whole;
    }
    return parse_node(p, N_MIXED, whole, part);
}

static bool operand_follows(const parser *p, size_t i)
{
    switch (parse_tok(p, i)->kind) {
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_TIMES:
    case TOK_DIVIDE:
    case TOK_EQUAL:
    case TOK_APPROX:
    case TOK_CLOSE:
    case TOK_POWER:
        return true;
    default:
        return false;
    }
}

static node *signs_after(parser *p, node *n)
{
    while (n) {
        const token *t = parse_current(p);
        if (t->kind == TOK_BANG && !t->space_before && parse_tok(p, p->pos + 1)->kind != TOK_BANG) {
            bool prose = !operand_follows(p, p->pos + 1) && p->inside == 0;
            p->pos++;
            n = parse_operator(p, N_FACTORIAL, n, NULL);
            if (n && prose) {
                n->implicit = true;
                p->e->readings |= READ_BANG_AS_PROSE;
            }
        } else if (t->kind == TOK_PERCENT || parse_word_is(p, p->pos, "percent")) {
            p->pos++;
            n = parse_node(p, N_PERCENT, n, NULL);
            p->e->readings |= READ_PERCENT_AS_NUMBER;
        } else if (t->kind == TOK_DEGREE) {
            p->pos++;
            parse_note_unit(p, unit_named(RDV_STR("degree")));
        } else {
            break;
        }
    }
    return n;
}

node *parse_power(parser *p)
{
    node *base = primary(p);
    if (base && base->is == N_NUMBER)
        base = mixed(p, base);
    base = base ? signs_after(p, base) : NULL;
    if (!base)
        return NULL;
    if (parse_current(p)->kind == TOK_POWER) {
        size_t before = p->pos++;
        node *exponent = parse_unary(p);
        if (!exponent) {
            p->pos = before;
            return base;
        }
        base = parse_operator(p, N_POWER, base, exponent);
        base = base ? signs_after(p, base) : NULL;
    }
    return base ? parse_units(p, base) : NULL;
}

node *parse_unary(parser *p)
{
    tok_kind k = parse_current(p)->kind;
    if (k != TOK_MINUS && k != TOK_PLUS)
        return parse_power(p);
    if (p->depth == PARSE_MAX_DEPTH)
        return NULL;
    p->pos++;
    p->depth++;
    node *n = parse_unary(p);
    p->depth--;
    if (!n || k == TOK_PLUS)
        return n;
    node *negative = parse_node(p, N_NEGATE, n, NULL);
    if (negative && n->is == N_POWER && !n->grouped && n->a->is == N_NUMBER && !n->a->grouped)
        p->e->readings |= READ_NEGATIVE_BASE;
    return negative;
}
