/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in formulas: "\sin^2 2x", "\log_2 8", "max(1, 2)", "C(5, 2)", "\sum_{k=1}^{10} k^2". */
#include "algebra/formula_parser.h"

#include "base/str.h"

static const token *ahead(const formula_parser *p, size_t n)
{
    size_t i = p->pos + n;
    return &p->t->at[i < p->t->n ? i : p->t->n - 1];
}

static bool word_is(formula_parser *p, const char *name)
{
    return rdv_str_eq(formula_word(p), rdv_str_of(name));
}

static bool at_bracket(formula_parser *p)
{
    return formula_current(p)->kind == TOK_OPEN && formula_current(p)->pair != TOK_NO_PAIR;
}

/* "C(5, 2)" and "P(5, 2)": the letter, then a bracket with one comma. */
static bool at_choice(formula_parser *p)
{
    const token *open = ahead(p, 1);
    if (!(word_is(p, "C") || word_is(p, "P")) || open->kind != TOK_OPEN || open->sign != '(' ||
        open->pair == TOK_NO_PAIR)
        return false;
    size_t commas = 0;
    for (size_t i = p->pos + 2; i < open->pair; i++)
        commas += p->t->at[i].kind == TOK_COMMA;
    return commas == 1;
}

static bool at_decoration(formula_parser *p)
{
    static const char *const names[] = {"\\overline", "\\bar",   "\\vec",
                                        "\\hat",      "\\tilde", "\\overrightarrow"};
    return rdv_is_one_of(formula_word(p), names, sizeof names / sizeof *names);
}

static bool at_repetition(formula_parser *p)
{
    return word_is(p, "\\sum") || word_is(p, "\\prod");
}

bool formula_at_operator(formula_parser *p)
{
    return formula_function(formula_word(p)) == FN_MOD;
}

bool formula_at_function(formula_parser *p)
{
    rdv_str w = formula_word(p);
    return w.len > 1 && (formula_function(w) || at_decoration(p) || at_repetition(p))
               ? true
               : at_choice(p);
}

static bool is_trigonometric(function_id fn)
{
    return fn >= FN_SIN && fn <= FN_CSC;
}

static bool has_many(function_id fn)
{
    return fn == FN_GCD || fn == FN_LCM || fn == FN_MAX || fn == FN_MIN;
}

static bool has_two(function_id fn)
{
    return fn == FN_BINOMIAL || fn == FN_PERMUTATIONS || fn == FN_MOD;
}

static function_id inverse(function_id fn)
{
    switch (fn) {
    case FN_SIN:
        return FN_ASIN;
    case FN_COS:
        return FN_ACOS;
    case FN_TAN:
        return FN_ATAN;
    case FN_SINH:
        return FN_ASINH;
    case FN_COSH:
        return FN_ACOSH;
    case FN_TANH:
        return FN_ATANH;
    default:
        return FN_NONE;
    }
}

/* The arguments in brackets; those of max and its kin are nested: max(max(1, 2), 3). */
static formula *arguments(formula_parser *p, function_id fn)
{
    size_t close = formula_current(p)->pair;
    p->pos++;
    formula *a = formula_sum(p), *b = NULL;
    formula *call = NULL;
    while (a && formula_takes(p, TOK_COMMA)) {
        b = formula_sum(p);
        if (!b || (call && !has_many(fn)))
            return NULL;
        a = call = formula_apply(p, fn, a, b);
    }
    if (!a || formula_current(p) != &p->t->at[close] || (call && !has_many(fn) && !has_two(fn)))
        return NULL;
    p->pos = close + 1;
    if (!call)
        call = has_many(fn) || has_two(fn) ? NULL : formula_apply(p, fn, a, NULL);
    return call;
}

/* "2x" in "\sin 2x + 1": factors without signs, up to the next function or bracket. */
static formula *bare_argument(formula_parser *p)
{
    formula *n = formula_signed(p);
    bool number = n && n->is == F_NUMBER;
    while (n && formula_at_implicit_factor(p) && !formula_at_function(p) &&
           (number || formula_current(p)->kind != TOK_OPEN)) {
        formula *right = formula_power(p);
        number = false;
        n = right ? formula_multiply(p, n, right) : NULL;
    }
    return n;
}

/* The subscript of a logarithm: its base. */
static formula *subscript(formula_parser *p)
{
    p->pos++;
    return formula_argument(p);
}

static formula *call(formula_parser *p, function_id fn)
{
    formula *base = NULL, *exponent = NULL, *n;
    if (fn == FN_LOG && formula_current(p)->kind == TOK_UNDERSCORE && !(base = subscript(p)))
        return NULL;
    if (formula_current(p)->kind == TOK_POWER) {
        if (!(exponent = formula_exponent(p)))
            return NULL;
        bool minus_one = exponent->is == F_NEGATE && exponent->a->is == F_NUMBER &&
                         rdv_str_eq(tok_text(p->t, exponent->a->token), RDV_STR("1"));
        if (minus_one && inverse(fn)) {
            fn = inverse(fn);
            exponent = NULL;
        }
    }
    unsigned angle = p->in_angle;
    p->in_angle = is_trigonometric(fn);
    if (at_bracket(p)) {
        n = arguments(p, fn);
    } else {
        formula *a = has_many(fn) || has_two(fn) ? NULL : bare_argument(p);
        n = a ? formula_apply(p, fn, a, NULL) : NULL;
    }
    p->in_angle = angle;
    if (n && base)
        n->b = base;
    if (n && fn == FN_LOG && !base)
        p->holds |= FORMULA_LOG;
    return n && exponent ? formula_raise(p, n, exponent) : n;
}

/* "\overline{AB}" is a name; of anything but letters it is the conjugate. */
static formula *decorated(formula_parser *p)
{
    bool bar = word_is(p, "\\overline") || word_is(p, "\\bar");
    size_t begin = p->pos++;
    if (!at_bracket(p))
        return NULL;
    size_t close = formula_current(p)->pair;
    bool letters = true;
    for (size_t i = p->pos + 1; i < close; i++)
        letters &= p->t->at[i].kind == TOK_WORD;
    if (letters) {
        rdv_str text = p->t->text;
        p->pos = close + 1;
        return formula_named(p, rdv_slice(text, p->t->at[begin].begin, p->t->at[close].end));
    }
    formula *n = bar ? formula_group(p) : NULL;
    return n ? formula_apply(p, FN_CONJUGATE, n, NULL) : NULL;
}

/* "{k=1}" after the underscore of a sum: the letter into *name. */
static formula *lower_bound(formula_parser *p, rdv_str *name)
{
    if (!at_bracket(p))
        return NULL;
    size_t close = formula_current(p)->pair;
    p->pos++;
    rdv_str w = formula_word(p);
    if (w.len != 1)
        return NULL;
    *name = w;
    p->pos++;
    formula *from = formula_takes(p, TOK_EQUAL) ? formula_sum(p) : NULL;
    if (!from || formula_current(p) != &p->t->at[close])
        return NULL;
    p->pos = close + 1;
    return from;
}

/* "\sum_{k=1}^{10} k^2" and "\prod": what is repeated is a product. */
static formula *repetition(formula_parser *p)
{
    formula_is is = word_is(p, "\\sum") ? F_SUM : F_PRODUCT;
    formula *from = NULL, *to = NULL;
    rdv_str name = {0};
    p->pos++;
    for (int i = 0; i < 2; i++) {
        if (formula_takes(p, TOK_UNDERSCORE))
            from = lower_bound(p, &name);
        else if (formula_takes(p, TOK_POWER))
            to = formula_argument(p);
    }
    if (!from || !to || p->n_bound == FORMULA_MAX_BOUND)
        return NULL;
    p->bound[p->n_bound++] = name;
    formula *body = formula_product(p);
    p->n_bound--;
    return body ? formula_repeated(p, is, name, from, to, body) : NULL;
}

formula *formula_function_call(formula_parser *p)
{
    if (at_decoration(p))
        return decorated(p);
    if (at_repetition(p))
        return repetition(p);
    function_id fn = formula_function(formula_word(p));
    if (at_choice(p))
        fn = word_is(p, "C") ? FN_BINOMIAL : FN_PERMUTATIONS;
    p->pos++;
    return call(p, fn);
}

formula *formula_choice_before(formula_parser *p)
{
    if (!formula_takes(p, TOK_UNDERSCORE))
        return NULL;
    formula *n = formula_argument(p);
    function_id fn = word_is(p, "C") ? FN_BINOMIAL : word_is(p, "P") ? FN_PERMUTATIONS : FN_NONE;
    if (!n || !fn)
        return NULL;
    p->pos++;
    formula *k = formula_takes(p, TOK_UNDERSCORE) ? formula_argument(p) : NULL;
    return k ? formula_apply(p, fn, n, k) : NULL;
}
