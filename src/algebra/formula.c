/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas by recursive descent: operands, the signs after them, products, sums. */
#include "algebra/formula.h"

#include "algebra/formula_parser.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

static unsigned height(const formula *n)
{
    return n ? n->height : 0;
}

static formula *node(formula_parser *p, formula_is is, formula *a, formula *b)
{
    unsigned below = height(a) > height(b) ? height(a) : height(b);
    if (p->n_nodes == FORMULA_MAX_NODES || below >= FORMULA_MAX_HEIGHT)
        return NULL;
    formula *n = rdv_alloc(p->arena, sizeof *n);
    if (!n) {
        p->nomem = true;
        return NULL;
    }
    p->n_nodes++;
    *n = (formula){.is = is, .height = below + 1, .a = a, .b = b};
    return n;
}

static formula *one(formula_parser *p, formula_is is, formula *a)
{
    return a ? node(p, is, a, NULL) : NULL;
}

static formula *two(formula_parser *p, formula_is is, formula *a, formula *b)
{
    return a && b ? node(p, is, a, b) : NULL;
}

formula *formula_apply(formula_parser *p, function_id fn, formula *a, formula *b)
{
    formula *n = a ? node(p, F_APPLY, a, b) : NULL;
    if (n)
        n->fn = fn;
    return n;
}

formula *formula_multiply(formula_parser *p, formula *a, formula *b)
{
    return two(p, F_MULTIPLY, a, b);
}

formula *formula_raise(formula_parser *p, formula *a, formula *exponent)
{
    return two(p, F_POWER, a, exponent);
}

formula *formula_repeated(formula_parser *p, formula_is is, rdv_str name, formula *from,
                          formula *to, formula *body)
{
    formula *n = two(p, is, from, to);
    if (!n || height(body) >= FORMULA_MAX_HEIGHT)
        return NULL;
    n->name = name;
    n->c = body;
    n->height = height(body) + 1 > n->height ? height(body) + 1 : n->height;
    return n;
}

static formula *number_node(formula_parser *p, size_t literal)
{
    formula *n = node(p, F_NUMBER, NULL, NULL);
    if (n)
        n->token = literal;
    return n;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static const token *tok(const formula_parser *p, size_t i)
{
    return &p->t->at[i < p->t->n ? i : p->t->n - 1];
}

const token *formula_current(formula_parser *p)
{
    while (tok(p, p->pos)->kind == TOK_NEWLINE)
        p->pos++;
    return tok(p, p->pos);
}

bool formula_takes(formula_parser *p, tok_kind kind)
{
    if (formula_current(p)->kind != kind)
        return false;
    p->pos++;
    return true;
}

rdv_str formula_word(formula_parser *p)
{
    return formula_current(p)->kind == TOK_WORD ? tok_text(p->t, p->pos) : (rdv_str){0};
}

static bool word_is(formula_parser *p, const char *name)
{
    return rdv_str_eq(formula_word(p), rdv_str_of(name));
}

static bool at_bracket(formula_parser *p, char sign)
{
    const token *t = formula_current(p);
    return t->kind == TOK_OPEN && (!sign || t->sign == sign) && t->pair != TOK_NO_PAIR;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* "n \choose k", the rest of a group after n. */
static formula *chosen(formula_parser *p, formula *n)
{
    if (!n || !word_is(p, "\\choose"))
        return n;
    p->pos++;
    formula *k = formula_sum(p);
    return k ? formula_apply(p, FN_BINOMIAL, n, k) : NULL;
}

formula *formula_group(formula_parser *p)
{
    size_t close = formula_current(p)->pair;
    bool brace = formula_current(p)->sign == '{';
    if (close == TOK_NO_PAIR)
        return NULL;
    p->pos++;
    unsigned bars = p->bars;
    p->bars = 0;
    formula *n = chosen(p, formula_sum(p));
    p->bars = bars;
    if (!n || formula_current(p) != tok(p, close))
        return NULL;
    p->pos = close + 1;
    n->grouped |= !brace || n->is != F_NUMBER; /* braces around a number only delimit it */
    return n;
}

/* The digits before "_2" or "_{16}". */
static formula *based(formula_parser *p, formula *digits)
{
    p->pos++;
    formula *base = at_bracket(p, '{') ? formula_group(p) : NULL;
    if (!base && formula_takes(p, TOK_NUMBER))
        base = number_node(p, p->pos - 1);
    return base && base->is == F_NUMBER ? formula_apply(p, FN_BASE, digits, base) : NULL;
}

static formula *number(formula_parser *p)
{
    const token *t = tok(p, p->pos);
    p->holds |= t->ellipsis ? FORMULA_DECIMAL_ENDLESS : 0;
    formula *n = number_node(p, p->pos++);
    return n && tok(p, p->pos)->kind == TOK_UNDERSCORE ? based(p, n) : n;
}

static bool is_bound(const formula_parser *p, rdv_str name)
{
    for (size_t i = 0; i < p->n_bound; i++)
        if (rdv_str_eq(p->bound[i], name))
            return true;
    return false;
}

/* The tokens from `from` to `end` as part of a name. Digits that do not touch stay apart. */
static void add_tokens(const formula_parser *p, size_t from, size_t end, rdv_buf *b)
{
    for (size_t i = from; i < end; i++) {
        if (i > from && tok(p, i)->kind == TOK_NUMBER && tok(p, i - 1)->kind == TOK_NUMBER)
            rdv_buf_add_char(b, ' ');
        rdv_buf_add(b, formula_letter_name(tok_text(p->t, i)));
    }
}

/* A letter with subscript and primes as one name: "x_1" for "x_{1}" too; "x_{k+1}" keeps its
 * braces, because "x_k+1" is a sum. */
static rdv_str letter_name(formula_parser *p)
{
    rdv_str name = formula_letter_name(formula_word(p));
    p->pos++;
    if (tok(p, p->pos)->kind != TOK_UNDERSCORE && tok(p, p->pos)->kind != TOK_PRIME)
        return name;
    rdv_buf b;
    rdv_buf_init(&b, p->arena, 0);
    rdv_buf_add(&b, name);
    while (tok(p, p->pos)->kind == TOK_PRIME) {
        rdv_buf_add_char(&b, '\'');
        p->pos++;
    }
    if (tok(p, p->pos)->kind == TOK_UNDERSCORE) {
        const token *sub = tok(p, ++p->pos);
        bool braced = sub->kind == TOK_OPEN && sub->sign == '{' && sub->pair != TOK_NO_PAIR;
        size_t end = braced ? sub->pair : p->pos + 1, from = braced ? p->pos + 1 : p->pos;
        if (!braced && sub->kind != TOK_NUMBER && sub->kind != TOK_WORD)
            return (rdv_str){0};
        for (size_t i = from; i < end; i++)
            if (is_bound(p, tok_text(p->t, i))) /* "x_k" in a sum over k is many letters */
                return (rdv_str){0};
        rdv_buf_add(&b, rdv_str_of(end > from + 1 ? "_{" : "_"));
        add_tokens(p, from, end, &b);
        rdv_buf_add(&b, rdv_str_of(end > from + 1 ? "}" : ""));
        p->pos = end + braced;
    }
    p->nomem |= !rdv_buf_ok(&b);
    return rdv_buf_ok(&b) ? rdv_buf_str(&b) : (rdv_str){0};
}

/* The values that letters alone stand for. */
static formula_is constant(rdv_str name)
{
    static const char *const infinities[] = {"\\infty", "\xe2\x88\x9e"};
    return rdv_str_eq(name, RDV_STR("e"))       ? F_E
           : rdv_str_eq(name, RDV_STR("i"))     ? F_I
           : rdv_is_one_of(name, infinities, 2) ? F_INFINITY
                                                : F_LETTER;
}

/* Is the word at the current token a letter: one of the alphabet, or a Greek one's command? */
static bool at_letter(formula_parser *p)
{
    static const char *const letters[] = {
        "\\Delta",  "\\Gamma",   "\\Lambda",     "\\Omega",    "\\Phi",   "\\Psi",
        "\\Sigma",  "\\Theta",   "\\Xi",         "\\alpha",    "\\beta",  "\\chi",
        "\\delta",  "\\ell",     "\\epsilon",    "\\eta",      "\\gamma", "\\infty",
        "\\iota",   "\\kappa",   "\\lambda",     "\\mu",       "\\nu",    "\\omega",
        "\\phi",    "\\psi",     "\\rho",        "\\sigma",    "\\tau",   "\\theta",
        "\\varphi", "\\upsilon", "\\varepsilon", "\\vartheta", "\\xi",    "\\zeta"};
    rdv_str w = formula_word(p);
    if (w.len == 1 || (w.len && (unsigned char)w.p[0] >= 0x80))
        return true;
    return w.len && rdv_is_one_of(w, letters, sizeof letters / sizeof *letters);
}

formula *formula_named(formula_parser *p, rdv_str name)
{
    bool bound = is_bound(p, name);
    formula *n = node(p, bound ? F_LETTER : constant(name), NULL, NULL);
    if (!n)
        return NULL;
    n->name = name;
    if (!bound)
        p->holds |= n->is == F_LETTER ? FORMULA_LETTERS
                    : n->is == F_E    ? FORMULA_E
                    : n->is == F_I    ? FORMULA_I
                                      : 0;
    return n;
}

/* The bracket of "f(x)", "f'(x)" and "f^{-1}(x)", where a name of a function ends; else 0. */
static size_t argument_after(const formula_parser *p, rdv_str name)
{
    static const char *const functions[] = {"f", "g", "h", "F", "G", "H", "P", "Q"};
    rdv_str letter = rdv_slice(name, 0, 1);
    size_t i = p->pos;
    if (!rdv_is_one_of(letter, functions, sizeof functions / sizeof *functions))
        return 0;
    if (tok(p, i)->kind == TOK_POWER) {
        i++;
        if (tok(p, i)->kind != TOK_OPEN)
            i++;
        else if (tok(p, i)->pair != TOK_NO_PAIR && tok(p, i)->sign == '{')
            i = tok(p, i)->pair + 1;
    }
    bool open = tok(p, i)->kind == TOK_OPEN && tok(p, i)->sign == '(';
    return open && tok(p, i)->pair != TOK_NO_PAIR && !tok(p, i)->space_before ? i : 0;
}

/* A function that is not known, of its argument: a letter of the whole name, "f(x+1)". */
static formula *unknown_call(formula_parser *p, rdv_str name, size_t open)
{
    size_t begin = p->pos, end = tok(p, open)->pair + 1;
    p->pos = open;
    if (p->n_bound > 0 || !formula_group(p))
        return NULL;
    rdv_buf b;
    rdv_buf_init(&b, p->arena, 0);
    rdv_buf_add(&b, name);
    add_tokens(p, begin, end, &b);
    p->nomem |= !rdv_buf_ok(&b);
    p->holds |= FORMULA_CALL;
    return rdv_buf_ok(&b) ? formula_named(p, rdv_buf_str(&b)) : NULL;
}

formula *formula_letter(formula_parser *p)
{
    rdv_str name = letter_name(p);
    size_t open = name.p ? argument_after(p, name) : 0;
    return open ? unknown_call(p, name, open) : name.p ? formula_named(p, name) : NULL;
}

/* An argument of \frac, \binom or \sqrt: a group, or one digit or letter. */
formula *formula_argument(formula_parser *p)
{
    const token *t = formula_current(p);
    if (t->kind == TOK_OPEN && t->sign == '{')
        return formula_group(p);
    if (t->kind == TOK_NUMBER)
        return number_node(p, p->pos++);
    if (formula_takes(p, TOK_PI))
        return node(p, F_PI, NULL, NULL);
    if (t->kind == TOK_FRAC || t->kind == TOK_SQRT)
        return formula_operand(p);
    return at_letter(p) ? formula_letter(p) : NULL;
}

static bool is_word(const formula_parser *p, size_t i, const char *name)
{
    return tok(p, i)->kind == TOK_WORD && rdv_str_eq(tok_text(p->t, i), rdv_str_of(name));
}

/* "{dy}{dx}" and "{d}{dx}": a derivative is no quotient of products. */
static bool at_differentials(const formula_parser *p)
{
    size_t i = p->pos, close = tok(p, i)->pair;
    bool brace = tok(p, i)->kind == TOK_OPEN && close != TOK_NO_PAIR && is_word(p, i + 1, "d");
    return brace && tok(p, close + 1)->kind == TOK_OPEN && is_word(p, close + 2, "d") &&
           tok(p, close + 3)->kind == TOK_WORD && tok(p, close + 1)->pair == close + 4;
}

static formula *fraction(formula_parser *p)
{
    p->pos++;
    if (at_differentials(p))
        return NULL;
    formula *a = formula_argument(p);
    return two(p, F_DIVIDE, a, a ? formula_argument(p) : NULL);
}

static formula *root(formula_parser *p)
{
    p->pos++;
    formula *index = NULL;
    if (at_bracket(p, '[')) {
        index = formula_group(p);
        if (!index)
            return NULL;
    }
    formula *radicand = at_bracket(p, 0) ? formula_group(p) : formula_argument(p);
    return radicand ? node(p, F_ROOT, radicand, index) : NULL;
}

/* |x|, floor and ceiling: an expression up to its closing sign. */
static formula *enclosed(formula_parser *p, function_id fn, tok_kind close)
{
    p->pos++;
    p->bars += close == TOK_BAR;
    formula *n = formula_sum(p);
    p->bars -= close == TOK_BAR;
    return n && formula_takes(p, close) ? formula_apply(p, fn, n, NULL) : NULL;
}

static formula *operand_here(formula_parser *p)
{
    switch (formula_current(p)->kind) {
    case TOK_CURRENCY:
        p->pos++;
        return formula_current(p)->kind == TOK_NUMBER ? number(p) : NULL;
    case TOK_NUMBER:
        return number(p);
    case TOK_OPEN:
        if (tok(p, p->pos)->sign == '{' && tok(p, p->pos)->pair == p->pos + 1) {
            p->pos += 2; /* {}_5C_2 */
            return formula_choice_before(p);
        }
        return formula_group(p);
    case TOK_UNDERSCORE:
        return formula_choice_before(p);
    case TOK_FRAC:
        return fraction(p);
    case TOK_BINOM: {
        p->pos++;
        formula *n = formula_argument(p), *k = n ? formula_argument(p) : NULL;
        return k ? formula_apply(p, FN_BINOMIAL, n, k) : NULL;
    }
    case TOK_SQRT:
        return root(p);
    case TOK_PI:
        p->pos++;
        return node(p, F_PI, NULL, NULL);
    case TOK_BAR:
        return enclosed(p, FN_ABS, TOK_BAR);
    case TOK_FLOOR_OPEN:
        return enclosed(p, FN_FLOOR, TOK_FLOOR_CLOSE);
    case TOK_CEIL_OPEN:
        return enclosed(p, FN_CEIL, TOK_CEIL_CLOSE);
    case TOK_WORD:
        if (formula_at_function(p))
            return formula_function_call(p);
        return at_letter(p) ? formula_letter(p) : NULL;
    default:
        return NULL;
    }
}

formula *formula_operand(formula_parser *p)
{
    if (p->depth == FORMULA_MAX_DEPTH)
        return NULL;
    p->depth++;
    formula *n = operand_here(p);
    p->depth--;
    return n;
}

/* ---- signs after an operand ------------------------------------------------------------------ */

static bool is_whole_number(const formula_parser *p, const formula *n)
{
    return n->is == F_NUMBER && !n->grouped && !tok(p, n->token)->vulgar &&
           rdv_find_char(tok_text(p->t, n->token), '.', 0) == RDV_NOT_FOUND;
}

/* "1/2" after a space: the fraction of a mixed number. */
static bool at_plain_fraction(const formula_parser *p)
{
    size_t i = p->pos;
    return tok(p, i)->kind == TOK_NUMBER && tok(p, i)->space_before &&
           tok(p, i + 1)->kind == TOK_DIVIDE && tok(p, i + 2)->kind == TOK_NUMBER &&
           !tok(p, i + 1)->space_before && !tok(p, i + 2)->space_before;
}

/* "3 1/2", "3\frac12" and "3½": a whole number and a fraction. "3\frac{x}{2}" is a product. */
static formula *mixed(formula_parser *p, formula *whole)
{
    const token *t = tok(p, p->pos);
    formula *part;
    if (!is_whole_number(p, whole))
        return whole;
    if (t->kind == TOK_NUMBER && t->vulgar && t->vulgar <= LEX_VULGAR_FRACTIONS) {
        part = number(p);
    } else if (at_plain_fraction(p)) {
        formula *a = number_node(p, p->pos);
        part = two(p, F_DIVIDE, a, number_node(p, p->pos + 2));
        p->pos += 3;
    } else if (t->kind == TOK_FRAC) {
        part = fraction(p);
        if (part && !(is_whole_number(p, part->a) && is_whole_number(p, part->b)))
            return two(p, F_MULTIPLY, whole, part);
    } else {
        return whole;
    }
    return two(p, F_ADD, whole, part);
}

/* A number of degrees is its number; in the argument of a trigonometric function it is an angle. */
static formula *degrees(formula_parser *p, formula *n)
{
    return p->in_angle ? node(p, F_DEGREES, n, NULL) : n;
}

static formula *signs_after(formula_parser *p, formula *n)
{
    while (n) {
        const token *t = tok(p, p->pos);
        if (t->kind == TOK_BANG && tok(p, p->pos + 1)->kind == TOK_BANG &&
            !tok(p, p->pos + 1)->space_before) {
            p->pos += 2;
            n = formula_apply(p, FN_DOUBLE_FACTORIAL, n, NULL);
        } else if (t->kind == TOK_BANG) {
            p->pos++;
            n = formula_apply(p, FN_FACTORIAL, n, NULL);
        } else if (t->kind == TOK_PERCENT) {
            p->pos++;
            n = node(p, F_PERCENT, n, NULL);
        } else if (t->kind == TOK_DEGREE) {
            p->pos++;
            n = degrees(p, n);
        } else {
            break;
        }
        if (n)
            n->grouped = true; /* "3!\frac12" is no mixed number */
    }
    return n;
}

/* "\sin^2\frac{\pi}{6}", "2^3\frac12": the exponent is no mixed number. */
static bool at_number_before_fraction(const formula_parser *p)
{
    return tok(p, p->pos)->kind == TOK_NUMBER && tok(p, p->pos + 1)->kind == TOK_FRAC;
}

formula *formula_exponent(formula_parser *p)
{
    p->pos++;
    if (p->depth == FORMULA_MAX_DEPTH)
        return NULL;
    p->depth++;
    unsigned angle = p->in_angle;
    p->in_angle = 0;
    formula *n = at_number_before_fraction(p) ? formula_operand(p) : formula_signed(p);
    p->in_angle = angle;
    p->depth--;
    return n;
}

/* "^{(2)}" after a letter: a derivative's order, or an index, but no power. */
static bool at_order(const formula_parser *p)
{
    const token *open = tok(p, p->pos + 1), *inner = tok(p, p->pos + 2);
    return open->kind == TOK_OPEN && open->sign == '{' && inner->kind == TOK_OPEN &&
           inner->sign == '(' && inner->pair == p->pos + 4 && open->pair == p->pos + 5;
}

formula *formula_power(formula_parser *p)
{
    formula *n = formula_operand(p);
    if (n && n->is == F_NUMBER)
        n = mixed(p, n);
    n = n ? signs_after(p, n) : NULL;
    while (n && tok(p, p->pos)->kind == TOK_POWER) {
        if (n->is == F_LETTER && at_order(p))
            return NULL;
        formula *exponent = formula_exponent(p);
        n = two(p, F_POWER, n, exponent);
        n = n ? signs_after(p, n) : NULL;
    }
    return n;
}

formula *formula_signed(formula_parser *p)
{
    tok_kind k = formula_current(p)->kind;
    if (k != TOK_MINUS && k != TOK_PLUS)
        return formula_power(p);
    if (p->depth == FORMULA_MAX_DEPTH)
        return NULL;
    p->pos++;
    p->depth++;
    formula *n = formula_signed(p);
    p->depth--;
    return k == TOK_PLUS ? n : one(p, F_NEGATE, n);
}

/* ---- products and sums ----------------------------------------------------------------------- */

/* "5 x 3": the letter x between numbers, with the same space on both its sides. */
static bool at_times_letter(const formula_parser *p)
{
    const token *t = tok(p, p->pos), *next = tok(p, p->pos + 1);
    return t->kind == TOK_WORD && rdv_str_eq(tok_text(p->t, p->pos), RDV_STR("x")) && p->pos > 0 &&
           tok(p, p->pos - 1)->kind == TOK_NUMBER && t->space_before == next->space_before &&
           (next->kind == TOK_NUMBER || (next->kind == TOK_OPEN && t->space_before));
}

bool formula_at_implicit_factor(formula_parser *p)
{
    const token *t = formula_current(p);
    switch (t->kind) {
    case TOK_OPEN:
    case TOK_FRAC:
    case TOK_BINOM:
    case TOK_SQRT:
    case TOK_PI:
    case TOK_FLOOR_OPEN:
    case TOK_CEIL_OPEN:
        return t->kind != TOK_OPEN || t->pair != TOK_NO_PAIR;
    case TOK_BAR:
        return p->bars == 0;
    case TOK_NUMBER: /* "2^3 3^2", but "2 3" is two numbers */
        return t->space_before && tok(p, p->pos + 1)->kind == TOK_POWER;
    case TOK_WORD:
        return at_letter(p) || (formula_at_function(p) && !formula_at_operator(p));
    default:
        return false;
    }
}

/* The next factor of a product, and how it is joined; false at the product's end. */
static bool factor(formula_parser *p, formula **left)
{
    const token *t = formula_current(p);
    formula_is is = t->kind == TOK_DIVIDE ? F_DIVIDE : F_MULTIPLY;
    if (formula_at_operator(p)) { /* a mod b */
        p->pos++;
        formula *right = formula_signed(p);
        *left = right ? formula_apply(p, FN_MOD, *left, right) : NULL;
    } else if (t->kind == TOK_TIMES || t->kind == TOK_DIVIDE || at_times_letter(p)) {
        p->pos++;
        rdv_str sign = tok_text(p->t, (size_t)(t - p->t->at));
        formula *right = formula_signed(p);
        bool cross = rdv_str_eq(sign, RDV_STR("\\times")) || rdv_str_eq(sign, RDV_STR("\xc3\x97"));
        if (cross && right && formula_joins_capitals(*left, right))
            p->holds |= FORMULA_ORDER;
        *left = two(p, is, *left, right);
    } else if (formula_at_implicit_factor(p)) {
        *left = two(p, F_MULTIPLY, *left, formula_power(p));
    } else {
        return false;
    }
    return *left != NULL;
}

formula *formula_product(formula_parser *p)
{
    formula *left = formula_signed(p);
    while (left && factor(p, &left))
        continue;
    return left;
}

formula *formula_sum(formula_parser *p)
{
    formula *left = formula_product(p);
    while (left) {
        tok_kind k = formula_current(p)->kind;
        if (k != TOK_PLUS && k != TOK_MINUS)
            break;
        p->pos++;
        left = two(p, k == TOK_PLUS ? F_ADD : F_SUBTRACT, left, formula_product(p));
    }
    return left;
}

int formula_parse(rdv_str text, rdv_arena *arena, formula_text *out)
{
    if (text.len > FORMULA_MAX_TEXT)
        return RDV_NONE;
    formula_text f = {0};
    int rc = lex_formula(text, arena, &f.t);
    if (rc < 0)
        return rc == RDV_E_LIMIT ? RDV_NONE : rc;
    formula_parser p = {.t = &f.t, .arena = arena};
    f.root = formula_sum(&p);
    if (p.nomem)
        return RDV_E_NOMEM;
    if (!f.root || formula_current(&p)->kind != TOK_END)
        return RDV_NONE;
    f.holds = p.holds | (formula_order_counts(&p, f.root) ? FORMULA_ORDER : 0);
    *out = f;
    return RDV_OK;
}
