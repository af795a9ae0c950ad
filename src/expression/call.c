/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/call.h"

#include "base/str.h"

#define MAX_ARGUMENTS 16

static bool is_command(const parser *p, size_t i)
{
    return parse_tok(p, i)->kind == TOK_FUNCTION;
}

static bool is_sum_command(const parser *p, size_t i)
{
    return is_command(p, i) && (rdv_str_eq(tok_text(p->t, i), RDV_STR("\\sum")) ||
                                rdv_str_eq(tok_text(p->t, i), RDV_STR("\\prod")));
}

static bool is_of_angle(call_is is)
{
    return is == CALL_SIN || is == CALL_COS || is == CALL_TAN;
}

/* "sin^2", "\\cos^{3}", "tan²", "sin^{-1}": the token of the exponent behind the name at token `i`,
 * a number of a few digits, and in *end the one behind it; 0: there is none. */
static size_t exponent_behind(const parser *p, size_t i, size_t *end, bool *minus)
{
    *end = i + 1;
    if (!is_of_angle(call_named(tok_text(p->t, i))) || parse_tok(p, i + 1)->kind != TOK_POWER)
        return 0;
    const token *open = parse_tok(p, i + 2);
    bool braces = open->kind == TOK_OPEN && open->sign == '{';
    size_t at = i + 2 + braces;
    *minus = parse_tok(p, at)->kind == TOK_MINUS;
    at += *minus;
    if (parse_tok(p, at)->kind != TOK_NUMBER ||
        parse_tok(p, at)->end - parse_tok(p, at)->begin > 2 || (braces && open->pair != at + 1))
        return 0;
    *end = at + 1 + braces;
    return at;
}

bool call_begins(const parser *p, size_t i)
{
    size_t end;
    bool minus;
    if (is_command(p, i))
        return true;
    const token *open = parse_tok(p, i + 1);
    if (open->kind == TOK_POWER && exponent_behind(p, i, &end, &minus))
        open = parse_tok(p, end);
    bool bracket = open->kind == TOK_OPEN && open->sign == '(' && !open->space_before;
    if (parse_tok(p, i)->kind != TOK_WORD || (!bracket && open->kind != TOK_UNDERSCORE))
        return false;
    call_is is = call_named(tok_text(p->t, i));
    return bracket ? is != CALL_NONE && is != CALL_PRODUCT : is == CALL_LOG;
}

size_t call_mod_sign(const parser *p)
{
    const token *t = parse_tok(p, p->pos);
    if (t->kind == TOK_WORD && t->space_before &&
        (parse_word_is(p, p->pos, "mod") || parse_word_is(p, p->pos, "modulo")))
        return 1;
    return t->kind == TOK_FUNCTION && (rdv_str_eq(tok_text(p->t, p->pos), RDV_STR("\\bmod")) ||
                                       rdv_str_eq(tok_text(p->t, p->pos), RDV_STR("\\mod")));
}

/* ---- parsing --------------------------------------------------------------------------------- */

typedef node *(*rule)(parser *);

static node *call_node(parser *p, call_is is, node *a, node *b)
{
    node *n = a ? parse_node(p, N_CALL, a, b) : NULL;
    if (n) {
        n->value = is;
        p->e->n_operators++;
    }
    return n;
}

/* "(12, 18, 30)": folded from the left. */
static node *arguments(parser *p, call_is is, rule sum)
{
    const token *open = parse_tok(p, p->pos);
    if (open->kind != TOK_OPEN || open->pair == TOK_NO_PAIR)
        return NULL;
    p->pos++;
    p->inside++;
    node *all = sum(p);
    size_t n = 1;
    while (all && parse_current(p)->kind == TOK_COMMA && n++ < MAX_ARGUMENTS) {
        p->pos++;
        node *next = sum(p);
        all = next ? call_node(p, is, all, next) : NULL;
    }
    bool closed = all && n > 1 && parse_current(p) == parse_tok(p, open->pair);
    p->inside--;
    p->pos = open->pair + 1;
    return closed ? all : NULL;
}

static bool has_degrees(const parser *p, size_t begin)
{
    for (size_t i = begin; i < p->pos; i++)
        if (parse_tok(p, i)->kind == TOK_DEGREE || parse_word_is(p, i, "degrees"))
            return true;
    return false;
}

static node *number_at(parser *p, size_t i)
{
    node *n = parse_node(p, N_NUMBER, NULL, NULL);
    if (n) {
        n->begin = i;
        n->end = i + 1;
    }
    return n;
}

/* The base of a logarithm, "_2" or "_{10}". */
static node *subscript(parser *p, rule sum, rule factor)
{
    if (parse_current(p)->kind != TOK_UNDERSCORE)
        return NULL;
    p->pos++;
    const token *t = parse_current(p);
    if (t->kind != TOK_NUMBER && !(t->kind == TOK_OPEN && t->sign == '{'))
        return NULL;
    if (t->kind == TOK_OPEN)
        return factor(p);
    return number_at(p, p->pos++);
}

static node *one_argument(parser *p, call_is is, rule sum, rule factor)
{
    node *base = is == CALL_LOG ? subscript(p, sum, factor) : NULL;
    size_t begin = p->pos;
    node *a = factor(p);
    if (is == CALL_LOG && !base)
        p->e->readings |= READ_LOG_OF_TEN;
    if (a && is_of_angle(is) && has_degrees(p, begin))
        is = (call_is)(is + CALL_SIN_DEGREES - CALL_SIN);
    return call_node(p, is, a, base);
}

/* How often letters other than `name` stand in the tree. */
static size_t other_letters(const parser *p, const node *n, rdv_str name)
{
    if (!n)
        return 0;
    if (n->is == N_LETTER)
        return !rdv_str_eq(
            name, rdv_slice(p->t->text, p->t->at[n->begin].begin, p->t->at[n->end - 1].end));
    return other_letters(p, n->a, name) + other_letters(p, n->b, name);
}

/* "_{i=1}^{3}": the bounds, and the token of the letter. */
static node *bounds(parser *p, rule sum, rule factor, size_t *letter)
{
    const token *open = parse_tok(p, p->pos + 1);
    if (parse_tok(p, p->pos)->kind != TOK_UNDERSCORE || open->kind != TOK_OPEN ||
        open->pair == TOK_NO_PAIR)
        return NULL;
    *letter = p->pos + 2;
    if (!parse_is_letter(p, *letter) || parse_tok(p, *letter + 1)->kind != TOK_EQUAL)
        return NULL;
    p->pos = *letter + 2;
    node *from = sum(p);
    if (!from || parse_tok(p, p->pos) != parse_tok(p, open->pair) ||
        parse_tok(p, p->pos + 1)->kind != TOK_POWER)
        return NULL;
    p->pos += 2;
    const token *t = parse_tok(p, p->pos);
    if (t->kind != TOK_NUMBER && t->kind != TOK_OPEN)
        return NULL;
    node *to = factor(p);
    return to ? parse_node(p, N_SUM, from, to) : NULL;
}

/* "\sum_{i=1}^{3} i^2": its body is the product that follows. */
static node *big_operator(parser *p, rule sum, rule factor)
{
    bool product = rdv_str_eq(tok_text(p->t, p->pos), RDV_STR("\\prod"));
    size_t before_it = p->e->n_letters, letter;
    p->pos++;
    node *range = bounds(p, sum, factor, &letter);
    node *body = range ? factor(p) : NULL;
    while (body) {
        size_t before = p->pos;
        const token *t = parse_current(p);
        bool sign = t->kind == TOK_TIMES;
        bool goes_on = sign || t->kind == TOK_OPEN || t->kind == TOK_FRAC ||
                       (t->kind == TOK_WORD && parse_is_letter(p, p->pos) && !t->border);
        p->pos += sign;
        node *next = goes_on ? factor(p) : NULL;
        if (!next) {
            p->pos = before;
            break;
        }
        body = parse_node(p, N_MULTIPLY, body, next);
    }
    node *n = body ? parse_node(p, N_SUM, range, body) : NULL;
    if (!n)
        return NULL;
    n->begin = letter;
    n->end = letter + 1;
    n->value = product ? CALL_PRODUCT : CALL_NONE;
    p->e->n_operators++;
    rdv_str name = tok_text(p->t, letter);
    p->e->n_letters = before_it + other_letters(p, range, name) + other_letters(p, body, name);
    return n;
}

node *call_parse(parser *p, rule sum, rule factor)
{
    if (is_sum_command(p, p->pos))
        return big_operator(p, sum, factor);
    call_is is = call_named(tok_text(p->t, p->pos));
    bool minus = false;
    size_t exponent = exponent_behind(p, p->pos, &p->pos, &minus);
    if (minus) { /* "sin^{-1} 0.5" is an angle, and "sin^{-2}" is not read */
        bool one = rdv_str_eq(tok_text(p->t, exponent), RDV_STR("1"));
        is = one ? (call_is)(is + CALL_ASIN - CALL_SIN) : CALL_NONE;
        exponent = 0;
    }
    if (call_takes_several(is))
        return arguments(p, is, sum);
    node *n = is == CALL_NONE || is == CALL_PRODUCT ? NULL : one_argument(p, is, sum, factor);
    node *to = n && exponent ? number_at(p, exponent) : NULL;
    p->e->n_operators += to != NULL;
    return to ? parse_node(p, N_POWER, n, to) : exponent ? NULL : n;
}
