/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of expressions, by recursive descent: primaries, the signs after them, products,
 * sums. */
#include "expression/call.h"
#include "expression/parser.h"
#include "language/phrase.h"

static node *unary(parser *p);
static node *sum(parser *p);

/* ---- nodes ---------------------------------------------------------------------------------- */

static node *operator_node(parser *p, node_is is, node *a, node *b)
{
    node *n = parse_node(p, is, a, b);
    if (n)
        p->e->n_operators++;
    return n;
}

static node *leaf(parser *p, node_is is, size_t first)
{
    node *n = parse_node(p, is, NULL, NULL);
    if (n) {
        n->begin = first;
        n->end = p->pos;
    }
    return n;
}

/* ---- primaries ------------------------------------------------------------------------------ */

static node *group(parser *p)
{
    const token *open = parse_tok(p, p->pos);
    if (open->pair == TOK_NO_PAIR)
        return NULL;
    bool exponent = p->exponent;
    p->pos++;
    p->inside++;
    p->exponent = false;
    node *n = sum(p);
    bool closed = n && parse_current(p) == parse_tok(p, open->pair);
    p->exponent = exponent;
    p->inside--;
    if (!closed)
        return NULL;
    p->pos = open->pair + 1;
    /* LaTeX's braces around one number only delimit it. */
    if (open->sign != '{' || n->is != N_NUMBER)
        n->grouped = true;
    return n;
}

static node *number(parser *p)
{
    size_t begin = p->pos++;
    if (parse_tok(p, p->pos)->kind == TOK_UNDERSCORE)
        return NULL; /* another base */
    p->e->ellipsis |= parse_tok(p, begin)->ellipsis;
    return leaf(p, N_NUMBER, begin);
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
    node *n = leaf(p, N_LETTER, begin);
    if (n)
        p->e->n_letters++;
    return n;
}

static node *pi(parser *p)
{
    p->e->readings |= READ_PI_AS_3_14 | READ_PI_AS_22_7;
    p->pos++;
    return leaf(p, N_PI, p->pos - 1);
}

/* An argument of \frac, \binom or \sqrt. */
static node *argument(parser *p)
{
    const token *t = parse_current(p);
    if (t->kind == TOK_OPEN && t->sign == '{')
        return group(p);
    if (t->kind == TOK_NUMBER)
        return number(p);
    if (t->kind == TOK_PI)
        return pi(p);
    return parse_is_letter(p, p->pos) ? letter(p) : NULL;
}

static node *two_arguments(parser *p, node_is is)
{
    p->pos++;
    node *a = argument(p);
    node *b = a ? argument(p) : NULL;
    return b ? operator_node(p, is, a, b) : NULL;
}

/* "\frac{1}{2}": its line groups as brackets do. */
static node *fraction_line(parser *p)
{
    node *n = two_arguments(p, N_DIVIDE);
    if (n)
        n->grouped = true;
    return n;
}

static node *root(parser *p)
{
    unsigned sign = parse_current(p)->vulgar;
    p->pos++;
    node *index = sign ? parse_node(p, N_CONSTANT, NULL, NULL) : NULL, *radicand;
    if (sign && !index)
        return NULL;
    if (index)
        index->value = sign;
    else if (parse_current(p)->kind == TOK_OPEN && parse_current(p)->sign == '[') {
        index = group(p);
        if (!index)
            return NULL;
    }
    const token *t = parse_current(p);
    if (t->kind == TOK_OPEN)
        radicand = group(p);
    else
        radicand = argument(p);
    return radicand ? operator_node(p, N_ROOT, radicand, index) : NULL;
}

/* |x|, floor and ceiling: an expression up to its closing sign. */
static node *enclosed(parser *p, node_is is, tok_kind close)
{
    p->pos++;
    p->inside++;
    node *n = sum(p);
    bool closed = n && parse_current(p)->kind == close;
    p->inside--;
    if (!closed)
        return NULL;
    p->pos++;
    return operator_node(p, is, n, NULL);
}

/* Does the text speak of choosing, or calculate with factorials? */
static bool is_about_choosing(rdv_str text)
{
    static phrase_list choosing = {"@of-choosing"};
    for (size_t i = 1; i < text.len; i++)
        if (text.p[i] == '!' && (rdv_is_digit(text.p[i - 1]) || text.p[i - 1] == ')'))
            return true;
    return phrase_in(text, &choosing);
}

/* The token after "C(6, 2)" or "6C2" at token `i`, where the text is about choosing; else `i`. A
 * point or a cost may be written so too. */
static size_t after_combination(const parser *p, size_t i)
{
    size_t name = i + (parse_tok(p, i)->kind == TOK_NUMBER);
    if (!parse_word_is(p, name, "C") || tok_text(p->t, name).p[0] != 'C')
        return i;
    size_t open = i + 1, end = i + 6;
    bool called = name == i && parse_tok(p, open)->kind == TOK_OPEN &&
                  !parse_tok(p, open)->space_before && tok_is_plain_number(p->t, i + 2) &&
                  parse_tok(p, i + 3)->kind == TOK_COMMA && tok_is_plain_number(p->t, i + 4) &&
                  parse_tok(p, open)->pair == i + 5;
    bool between = name > i && tok_is_plain_number(p->t, i) && tok_is_plain_number(p->t, i + 2) &&
                   !parse_tok(p, i + 1)->space_before && !parse_tok(p, i + 2)->space_before;
    if (!(called || between) || !is_about_choosing(p->t->text))
        return i;
    return called ? end : i + 3;
}

/* "C(6, 2)", "6C2": up to token `end`. */
static node *combination(parser *p, size_t end)
{
    bool called = parse_current(p)->kind != TOK_NUMBER;
    p->pos += called ? 2 : 0;
    node *n = number(p);
    p->pos = called ? end - 2 : end - 1;
    node *k = n ? number(p) : NULL;
    p->pos = end;
    return k ? operator_node(p, N_BINOMIAL, n, k) : NULL;
}

static node *primary_here(parser *p)
{
    const token *t = parse_current(p);
    if (t->kind == TOK_WORD || parse_tok(p, p->pos + 1)->kind == TOK_WORD) {
        size_t end = after_combination(p, p->pos);
        if (end > p->pos)
            return combination(p, end);
    }
    switch (t->kind) {
    case TOK_CURRENCY:
        p->pos++;
        return parse_current(p)->kind == TOK_NUMBER ? number(p) : NULL;
    case TOK_NUMBER:
        return number(p);
    case TOK_OPEN:
        return group(p);
    case TOK_FRAC:
        return fraction_line(p);
    case TOK_BINOM:
        return two_arguments(p, N_BINOMIAL);
    case TOK_SQRT:
        return root(p);
    case TOK_PI:
        return pi(p);
    case TOK_BAR:
        return enclosed(p, N_ABS, TOK_BAR);
    case TOK_FLOOR_OPEN:
        return enclosed(p, N_FLOOR, TOK_FLOOR_CLOSE);
    case TOK_CEIL_OPEN:
        return enclosed(p, N_CEIL, TOK_CEIL_CLOSE);
    case TOK_FUNCTION:
        return call_parse(p, sum, unary);
    case TOK_WORD:
        if (call_begins(p, p->pos))
            return call_parse(p, sum, unary);
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

/* ---- signs after a primary ------------------------------------------------------------------ */

static bool is_whole_number(const parser *p, const node *n)
{
    return n->is == N_NUMBER && !n->grouped && !parse_tok(p, n->begin)->vulgar &&
           rdv_find_char(tok_text(p->t, n->end - 1), '.', 0) == RDV_NOT_FOUND;
}

/* "3 1/2", "3 \frac{1}{2}" and "3½". "2^3\frac{1}{2}" is a product. */
static node *mixed(parser *p, node *whole)
{
    size_t i = p->pos;
    node *part = NULL;
    tok_kind next = parse_tok(p, i)->kind; /* few numbers go on so */
    if ((next != TOK_NUMBER && next != TOK_FRAC) || !is_whole_number(p, whole) ||
        (next == TOK_FRAC && p->exponent))
        return whole;
    if (parse_tok(p, i)->kind == TOK_NUMBER && parse_tok(p, i)->vulgar &&
        parse_tok(p, i)->vulgar <= LEX_VULGAR_FRACTIONS) {
        part = number(p);
    } else if (parse_tok(p, i)->kind == TOK_NUMBER && parse_tok(p, i + 1)->kind == TOK_DIVIDE &&
               parse_tok(p, i + 2)->kind == TOK_NUMBER && !parse_tok(p, i + 1)->space_before &&
               !parse_tok(p, i + 2)->space_before && parse_tok(p, i)->space_before) {
        node *a = number(p);
        p->pos++;
        node *b = a ? number(p) : NULL;
        part = b ? operator_node(p, N_DIVIDE, a, b) : NULL;
        if (part)
            p->e->readings |= READ_MIXED_AS_PRODUCT;
    } else if (parse_tok(p, i)->kind == TOK_FRAC && !parse_is_unit(p, i)) {
        part = two_arguments(p, N_DIVIDE);
        if (part && (!is_whole_number(p, part->a) || !is_whole_number(p, part->b))) {
            node *times = operator_node(p, N_MULTIPLY, whole, part);
            if (times)
                times->implicit = true;
            return times;
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

node *parse_plain_number(parser *p)
{
    node *n = parse_tok(p, p->pos)->kind == TOK_NUMBER ? number(p) : NULL;
    return n ? mixed(p, n) : NULL;
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

static node *factorial(parser *p, node *n)
{
    p->pos++;
    bool prose = !operand_follows(p, p->pos) && !call_mod_sign(p) && p->inside == 0;
    n = operator_node(p, N_FACTORIAL, n, NULL);
    if (n && prose) {
        n->implicit = true;
        p->e->readings |= READ_BANG_AS_PROSE;
    }
    return n;
}

static node *percent(parser *p, node *n)
{
    p->pos++;
    p->e->readings |= READ_PERCENT_AS_NUMBER;
    return parse_node(p, N_PERCENT, n, NULL);
}

/* Does a sign after a primary stand here? Most primaries have none. */
static bool sign_follows(parser *p)
{
    const token *t = parse_current(p);
    switch (t->kind) {
    case TOK_BANG:
        return !t->space_before && parse_tok(p, p->pos + 1)->kind != TOK_BANG;
    case TOK_PERCENT:
        return true;
    case TOK_WORD:
        return parse_word_is(p, p->pos, "percent");
    case TOK_DEGREE:
        return !parse_is_unit(p, p->pos);
    default:
        return false;
    }
}

static node *signs_after(parser *p, node *n)
{
    while (n && sign_follows(p)) {
        tok_kind sign = parse_current(p)->kind;
        if (sign == TOK_BANG) {
            n = factorial(p, n);
        } else if (sign == TOK_DEGREE) {
            p->pos++;
            p->e->n_units++;
        } else {
            n = percent(p, n);
        }
    }
    return n;
}

/* Does a number stand here, and a token after it with which no unit and no sign begins? Most
 * operands are such a number. */
static inline bool is_number_alone(const parser *p)
{
    return parse_tok(p, p->pos)->kind == TOK_NUMBER &&
           parse_ends_factor(parse_tok(p, p->pos + 1)->kind) && p->depth < PARSE_MAX_DEPTH;
}

static node *number_alone(parser *p)
{
    node *n = number(p);
    return n ? parse_sign_before(p, n) : NULL;
}

static node *power(parser *p)
{
    if (is_number_alone(p))
        return number_alone(p);
    node *base = primary(p);
    if (base && parse_ends_factor(parse_tok(p, p->pos)->kind)) /* most do */
        return parse_sign_before(p, base);
    if (base && base->is == N_NUMBER)
        base = mixed(p, base);
    base = base ? signs_after(p, base) : NULL;
    if (!base)
        return NULL;
    if (parse_current(p)->kind == TOK_POWER) {
        size_t before = p->pos++;
        bool outer = p->exponent;
        p->exponent = true;
        node *exponent = unary(p);
        p->exponent = outer;
        if (!exponent) {
            p->pos = before;
            return base;
        }
        base = operator_node(p, N_POWER, base, exponent);
        base = base ? signs_after(p, base) : NULL;
    }
    return base ? parse_units(p, base) : NULL;
}

static node *unary(parser *p)
{
    tok_kind k = parse_current(p)->kind;
    if (k != TOK_MINUS && k != TOK_PLUS)
        return power(p);
    if (p->depth == PARSE_MAX_DEPTH)
        return NULL;
    p->pos++;
    p->depth++;
    node *n = unary(p);
    p->depth--;
    if (!n || k == TOK_PLUS)
        return n;
    node *negative = parse_node(p, N_NEGATE, n, NULL);
    if (negative && node_is_power_of_number(n))
        p->e->readings |= READ_NEGATIVE_BASE;
    return negative;
}

/* The same; most are a number alone. */
static inline node *operand(parser *p)
{
    return is_number_alone(p) ? number_alone(p) : unary(p);
}

/* ---- products and sums ---------------------------------------------------------------------- */

static void skip_newlines(parser *p)
{
    while (parse_tok(p, p->pos)->kind == TOK_NEWLINE)
        p->pos++;
}

/* Length in tokens of words for "times", "divided by" or "of" at the current token, or 0; *is is
 * set where it is no product. */
static size_t product_words(parser *p, const node *left, node_is *is)
{
    size_t i = p->pos;
    if (call_mod_sign(p)) {
        *is = N_MOD;
        return 1;
    }
    if (parse_is_times(p, i))
        return 1;
    if (parse_word_is(p, i, "multiplied") && parse_word_is(p, i + 1, "by"))
        return 2;
    if (parse_word_is(p, i, "divided") && parse_word_is(p, i + 1, "by")) {
        *is = N_DIVIDE;
        return 2;
    }
    const node *over = left->is == N_DIVIDE ? left->a : NULL;
    bool fraction = over && (over->is == N_NUMBER || (over->is == N_UNIT && over->sign));
    bool part = left->is == N_PERCENT || fraction;
    if (!part || !parse_word_is(p, i, "of"))
        return 0;
    size_t n = parse_word_is(p, i + 1, "the") ? 2 : 1;
    tok_kind next = parse_tok(p, i + n)->kind; /* "of the + 3": of what was not read */
    return next == TOK_PLUS || next == TOK_MINUS ? 0 : n;
}

/* The same for signs and words. */
static size_t product_sign(parser *p, const node *left, node_is *is)
{
    *is = N_MULTIPLY;
    switch (parse_current(p)->kind) {
    case TOK_TIMES:
        return 1;
    case TOK_DIVIDE:
        *is = N_DIVIDE;
        return 1;
    case TOK_FLOOR_DIVIDE:
        *is = N_FLOOR;
        return 1;
    case TOK_FUNCTION:
        if (!call_mod_sign(p))
            return 0;
        *is = N_MOD;
        return 1;
    case TOK_WORD:
        return product_words(p, left, is);
    default:
        return 0;
    }
}

/* Can a factor begin here without a sign: 2x, 3(4), 2\sqrt{3}? */
static bool implicit_factor(parser *p, const node *left)
{
    const token *t = parse_current(p);
    if (t->border)
        return false;
    switch (t->kind) {
    case TOK_OPEN:
        if (t->sign == '[' && !t->space_before && p->pos > 0 && t[-1].kind == TOK_WORD &&
            t[1].kind != TOK_END && t[2].kind == TOK_CLOSE)
            return false; /* "E[6]": an index */
        return t->sign != '{' || !t->space_before;
    case TOK_NUMBER: /* "2!3!" */
        return left->is == N_FACTORIAL && !left->grouped && !t->space_before;
    case TOK_FUNCTION: /* "2\sin 30^\circ" */
        return left->is != N_UNIT && !call_mod_sign(p);
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
        if (call_begins(p, p->pos)) /* "5 log10(20)" */
            return left->is == N_NUMBER;
        if (!parse_is_letter(p, p->pos) || left->is == N_UNIT)
            return false;
        return !t->space_before || (w.p[0] != 'a' && w.p[0] != 'A' && w.p[0] != 'I');
    }
    default:
        return false;
    }
}

bool node_is_power_of_ten(const tokens *t, const node *n)
{
    while (n->is == N_UNIT)
        n = n->a;
    return n->is == N_POWER && n->a->is == N_NUMBER &&
           rdv_str_eq(tok_text(t, n->a->end - 1), RDV_STR("10"));
}

bool node_is_percents(const node *n)
{
    while (n->is == N_ADD || n->is == N_SUBTRACT) {
        if (n->b->is != N_PERCENT)
            return false;
        n = n->a;
    }
    return n->is == N_PERCENT;
}

bool expression_is_scientific(const tokens *t, const expression *e)
{
    const node *n = e->root->is == N_UNIT ? e->root->a : e->root;
    const node *power = n->is == N_MULTIPLY ? n->b : NULL;
    power = power && power->is == N_UNIT ? power->a : power;
    const node *digits = power && n->a->is == N_NEGATE ? n->a->a : n->a;
    return power && digits->is == N_NUMBER && node_is_power_of_ten(t, power);
}

/* "6 / 3 x 10^2": the bit that reads the divisor and the power of ten as one number, or 0. */
static unsigned scientific_divisor(const parser *p, const node *n)
{
    bool may = n->is == N_MULTIPLY && !n->implicit && n->a->is == N_DIVIDE && !n->a->grouped &&
               !n->a->implicit && n->a->b->is == N_NUMBER && !n->a->b->grouped &&
               node_is_power_of_ten(p->t, n->b);
    rdv_str number = may ? tok_text(p->t, n->a->b->end - 1) : (rdv_str){0};
    bool decimal = number.len > 2 && number.p[1] == '.' && number.p[0] != '0';
    const node *over = may ? n->a->a : NULL;
    bool alike = may && over->is == N_MULTIPLY && node_is_power_of_ten(p->t, over->b);
    return !may ? 0 : decimal || alike ? READ_PLAINLY_SCIENTIFIC : READ_SCIENTIFIC;
}

/* "7 (1/4)", "6 x 7 (1/4)%": a whole number, and a fraction below one in brackets. */
static bool is_mixed_in_bracket(const parser *p, const node *left, const node *part)
{
    const node *whole = node_last_factor(left);
    while (part->is == N_UNIT || part->is == N_PERCENT)
        part = part->a;
    return whole->is == N_NUMBER && !whole->grouped && part->is == N_DIVIDE && part->grouped &&
           part->a->is == N_NUMBER && part->b->is == N_NUMBER && is_whole_number(p, whole) &&
           is_whole_number(p, part->a) && is_whole_number(p, part->b);
}

/* The digit that a number of one digit is, or 0. */
static int digit_of(const parser *p, const node *n)
{
    rdv_str s = n->is == N_NUMBER && !n->grouped ? tok_text(p->t, n->end - 1) : (rdv_str){0};
    return s.len == 1 && rdv_is_digit(s.p[0]) ? s.p[0] - '0' : 0;
}

/* "1.2 x 8^1/3": a power that ends before the sign at token `sign`, where a digit touches it that
 * makes a fraction in lowest terms of its exponent. */
static bool may_be_in_exponent(const parser *p, const node *left, size_t sign, const node *right)
{
    const node *power = left->is == N_DIVIDE ? left : node_last_factor(left);
    bool touches = power->is == N_POWER && !power->grouped && digit_of(p, power->b) &&
                   power->b->end == sign && !parse_tok(p, sign)->space_before &&
                   !parse_tok(p, sign + 1)->space_before;
    int over = touches ? digit_of(p, power->b) : 0, under = over ? digit_of(p, right) : 0;
    for (int i = 2; i <= under; i++)
        if (over % i == 0 && under % i == 0)
            return false;
    return under > 1 && (power->a->is != N_NUMBER ||
                         !rdv_str_eq(tok_text(p->t, power->a->end - 1), RDV_STR("10")));
}

/* Does it end in a division that could take a factor behind it into its divisor? */
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
    node *a = number(p);
    p->pos++;
    node *b = a ? number(p) : NULL;
    return b ? operator_node(p, N_DIVIDE, a, b) : NULL;
}

/* "1/2%": two digits that touch, of which the first is the smaller. */
static bool is_small_fraction(const parser *p, const node *over, const node *under)
{
    if (over->is != N_NUMBER || under->is != N_NUMBER || over->grouped || under->grouped)
        return false;
    const token *a = parse_tok(p, over->end - 1), *b = parse_tok(p, under->end - 1);
    return a->end - a->begin == 1 && b->end - b->begin == 1 && b->begin == a->end + 1 &&
           p->t->text.p[a->begin] < p->t->text.p[b->begin];
}

/* "1/10(30)": does the bracket at token `at` touch a fraction of two numbers without a blank? */
static bool touches_fraction(const parser *p, const node *fraction, size_t at)
{
    const token *open = parse_tok(p, at);
    return open->kind == TOK_OPEN && !open->space_before && fraction->is == N_DIVIDE &&
           fraction->a->is == N_NUMBER && fraction->b->is == N_NUMBER && !fraction->a->grouped &&
           !fraction->b->grouped && fraction->b->end == at &&
           !parse_tok(p, fraction->b->end - 1)->space_before &&
           !parse_tok(p, fraction->b->begin - 1)->space_before;
}

/* As what the bracket from token `at` on may be left out. */
static reading_bit aside_of(const parser *p, size_t at, const node *inside)
{
    size_t close = parse_tok(p, at)->pair;
    if (inside->is == N_UNIT && !inside->sign)
        return READ_AMOUNT_ASIDE;
    for (size_t i = at + 1; close != TOK_NO_PAIR && i < close; i++)
        if (parse_tok(p, i)->kind == TOK_WORD && tok_text(p->t, i).len > 1 &&
            tok_text(p->t, i).p[0] != '\\')
            return READ_WORDS_ASIDE;
    return READ_ASIDE;
}

/* left // right */
static node *floor_division(parser *p, node *left, node *right)
{
    node *quotient = operator_node(p, N_DIVIDE, left, right);
    return quotient ? parse_node(p, N_FLOOR, quotient, NULL) : NULL;
}

/* Does a product end before such a token? Most tokens after a factor are such. */
static inline bool ends_product(tok_kind kind)
{
    return kind != TOK_TIMES && parse_ends_factor(kind);
}

static node *product(parser *p)
{
    node *left = operand(p);
    bool bare = left && has_bare_division(left); /* kept, since looking for it takes linear time */
    while (left && !ends_product(parse_tok(p, p->pos)->kind)) {
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
        node *right = implicit ? power(p) : fraction ? glued_fraction(p) : operand(p);
        if (!right) {
            p->pos = before;
            p->e->n_operators = operators;
            p->e->n_letters = letters;
            break;
        }
        bool of = sign && parse_word_is(p, before, "of");
        node *n =
            is == N_FLOOR ? floor_division(p, left, right) : operator_node(p, is, left, right);
        if (!n) { /* over the limit: the expression ends here, and what follows is no part of it */
            p->pos = before;
            break;
        }
        n->implicit = implicit || (is == N_DIVIDE && fraction);
        n->of = of;
        n->scientific = scientific_divisor(p, n);
        p->e->readings |= n->scientific;
        if (of)
            p->e->readings |= READ_OF_AS_PROSE;
        if (is == N_DIVIDE && fraction)
            p->e->readings |= READ_LEFT_TO_RIGHT;
        if (is == N_DIVIDE && right->is == N_PERCENT)
            p->e->readings |=
                is_small_fraction(p, left, right->a) ? READ_PERCENT_OF_FRACTION : READ_PERCENT_OVER;
        bool bracket = parse_tok(p, before)->kind == TOK_OPEN && right->grouped;
        n->aside = implicit && spaced && bracket ? aside_of(p, before, right) : 0;
        n->mixed = implicit && is_mixed_in_bracket(p, left, right);
        n->exponent = is == N_DIVIDE && sign && may_be_in_exponent(p, left, before, right);
        p->e->readings |= n->aside | (n->mixed ? READ_MIXED_IN_BRACKET : 0) |
                          (n->exponent ? READ_EXPONENT_FRACTION : 0);
        if (implicit && bare && !touches_fraction(p, left, before))
            p->e->readings |= READ_IMPLICIT_FIRST;
        if (!implicit)
            bare = n->is == N_DIVIDE;
        p->e->product = true;
        left = n;
    }
    return left;
}

static size_t sum_sign(parser *p, node_is *is)
{
    tok_kind kind = parse_current(p)->kind;
    bool plus = kind == TOK_PLUS || (kind == TOK_WORD && parse_word_is(p, p->pos, "plus"));
    bool minus = kind == TOK_MINUS || (kind == TOK_WORD && parse_word_is(p, p->pos, "minus"));
    *is = minus ? N_SUBTRACT : N_ADD;
    return plus || minus;
}

/* May an expression end before such a token, whatever stands before it? */
static inline bool ends_sum(tok_kind kind)
{
    const uint64_t kinds = UINT64_C(1) << TOK_EQUAL | UINT64_C(1) << TOK_APPROX |
                           UINT64_C(1) << TOK_CLOSE | UINT64_C(1) << TOK_COMMA |
                           UINT64_C(1) << TOK_PUNCT | UINT64_C(1) << TOK_END;
    return kinds >> kind & 1;
}

static node *sum(parser *p)
{
    /* Most sides on the right, and most arguments of fractions. */
    if (ends_sum(parse_tok(p, p->pos + 1)->kind) && is_number_alone(p))
        return number_alone(p);
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
        if (right->is == N_PERCENT && !node_is_percents(left))
            p->e->readings |= READ_PERCENT_OF_LEFT;
        node *n = operator_node(p, is, left, right);
        if (!n) { /* over the limit, as in product() */
            p->pos = before;
            break;
        }
        left = n;
    }
    return left;
}

static bool word_may_begin(const tokens *t, size_t at)
{
    parser p = {.t = t, .at = t->at, .pos = at};
    return call_begins(&p, at) || parse_is_letter(&p, at) || parse_is_glued_letters(&p, at);
}

bool parse_may_begin_at(const tokens *t, size_t at)
{
    switch (t->at[at].kind) {
    case TOK_WORD:
        return word_may_begin(t, at);
    case TOK_CURRENCY:
    case TOK_NUMBER:
    case TOK_OPEN:
    case TOK_FRAC:
    case TOK_BINOM:
    case TOK_SQRT:
    case TOK_PI:
    case TOK_BAR:
    case TOK_FLOOR_OPEN:
    case TOK_CEIL_OPEN:
    case TOK_FUNCTION:
    case TOK_PLUS:
    case TOK_MINUS:
        return true;
    default:
        return false;
    }
}

static int parse(const tokens *t, size_t at, bool letters, rdv_arena *arena, expression *out)
{
    parser p = {.t = t, .at = t->at, .pos = at, .arena = arena, .e = out, .letters = letters};
    *out = (expression){.begin = at};
    out->root = sum(&p);
    out->end = p.pos;
    if (p.nomem)
        return RDV_E_NOMEM;
    return out->root ? RDV_OK : RDV_NONE;
}

int parse_expression(const tokens *t, size_t at, rdv_arena *arena, expression *out)
{
    return parse(t, at, false, arena, out);
}

int parse_expression_of_letters(const tokens *t, size_t at, rdv_arena *arena, expression *out)
{
    return parse(t, at, true, arena, out);
}
