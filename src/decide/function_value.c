/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/function_value.h"

#include "base/str.h"
#include "expression/compare.h"
#include "expression/print.h"
#include "expression/reading_eval.h"
#include "language/assertion.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_TEXT 4000 /* bytes of a text in which a definition is looked for */
#define MAX_VALUES 32 /* of one text; a definition is looked for each time */
#define BEFORE 40     /* bytes before a definition in which words are looked for */

/* "f(3)": the tokens of the name and the argument; the token after it. */
typedef struct place {
    size_t name, argument, end;
    bool negative;
} place;

static bool is_letter(const tokens *t, size_t i)
{
    return tok_kind_at(t, i) == TOK_WORD && tok_text(t, i).len == 1 &&
           rdv_is_alpha(tok_text(t, i).p[0]);
}

/* A letter and one argument of the kind in brackets, and a sign of equality: "f(3) =". */
static bool place_at(const tokens *t, size_t i, tok_kind kind, place *out)
{
    *out = (place){.name = i, .argument = i + 2};
    if (!is_letter(t, i) || tok_kind_at(t, i + 1) != TOK_OPEN || t->at[i + 1].sign != '(' ||
        t->at[i + 1].space_before)
        return false;
    out->negative = kind == TOK_NUMBER && tok_kind_at(t, i + 2) == TOK_MINUS;
    out->argument += out->negative;
    out->end = out->argument + 2;
    return tok_kind_at(t, out->argument) == kind &&
           (kind != TOK_WORD || is_letter(t, out->argument)) &&
           tok_kind_at(t, out->argument + 1) == TOK_CLOSE && tok_kind_at(t, out->end) == TOK_EQUAL;
}

/* Does nothing that takes part stand before the name: no factor, no sum? */
static bool stands_alone(const tokens *t, size_t i)
{
    if (i == 0)
        return true;
    const token *before = &t->at[i - 1];
    switch (before->kind) {
    case TOK_PUNCT:
    case TOK_COMMA:
    case TOK_NEWLINE:
        return true;
    case TOK_WORD:
        return before->end - before->begin > 1 && t->text.p[before->begin] != '\\';
    default:
        return false;
    }
}

/* ---- the definition -------------------------------------------------------------------------- */

/* What a function is defined by. */
typedef struct definition {
    size_t n;        /* how many there are */
    rdv_str letter;  /* its argument */
    rdv_str formula; /* its text */
} definition;

/* Does what stands at token `i` end the formula, and restrict it in no way? */
static bool formula_ends(const tokens *t, size_t i)
{
    static phrase_list goes_on = {"@concluding;@behind-a-definition"};
    tok_kind k = tok_kind_at(t, i);
    if (k == TOK_COMMA)
        return tok_kind_at(t, i + 1) == TOK_WORD ? formula_ends(t, i + 1) || is_letter(t, i + 1)
                                                 : false;
    if (k == TOK_WORD)
        return tok_is_in(t, i, &goes_on);
    bool points = k == TOK_PUNCT && rdv_starts(rdv_slice(t->text, t->at[i].begin, t->text.len),
                                               RDV_STR("..")); /* "(1 + x)(1 + x^2)..." */
    return k == TOK_END || k == TOK_NEWLINE || (k == TOK_PUNCT && !points);
}

/* Is it an equation to be solved, or one that is tried, rather than a definition? */
static bool is_sought(const tokens *t, size_t i)
{
    static phrase_list words = {"@seeks-a-value"};
    size_t begin = t->at[i].begin;
    return phrase_in(rdv_slice(t->text, begin > BEFORE ? begin - BEFORE : 0, begin), &words);
}

/* The value of the formula where its letter is `x`; RDV_NONE: it has none. */
static int value_at(rdv_calculator *c, const definition *d, const fmpq_t x, fmpq_t out)
{
    tokens t;
    expression e;
    int r = calculator_lex(c, d->formula, &t);
    r = r == RDV_OK ? parse_expression_of_letters(&t, 0, c->scratch, &e) : r;
    if (r != RDV_OK || t.at[e.end].kind != TOK_END)
        return r == RDV_E_NOMEM ? r : RDV_NONE;
    binding bound = {.name = d->letter};
    evaluation ev = {.t = &t, .budget = &c->budget, .bindings = &bound, .n_bindings = 1};
    fmpq_init(bound.value);
    fmpq_set(bound.value, x);
    r = real_eval(&ev, e.root, out) == EVAL_OK ? RDV_OK : RDV_NONE;
    fmpq_clear(bound.value);
    return r;
}

/* May a decimal in the text be rounded? */
static bool holds_decimals(rdv_str text)
{
    return rdv_find_char(text, '.', 0) != RDV_NOT_FOUND;
}

/* Are the two equal as far as can be told? Roots may leave a tiny rest where zero is meant. */
static bool agree(const fmpq_t a, const fmpq_t b)
{
    if (fmpq_equal(a, b) || compare_to_50_digits(a, b))
        return true;
    fmpq_t rest, tiny;
    fmpq_init(rest);
    fmpq_init(tiny);
    fmpq_sub(rest, a, b);
    fmpq_abs(rest, rest);
    fmpq_set_ui(tiny, 10, 1);
    fmpq_pow_si(tiny, tiny, -40);
    bool near = fmpq_cmp(rest, tiny) < 0;
    fmpq_clear(rest);
    fmpq_clear(tiny);
    return near;
}

/* Have both formulas the same value at each of a few places? */
static bool are_same(rdv_calculator *c, const definition *a, const definition *b)
{
    static const slong places[] = {2, 5, 11, 40};
    fmpq_t x, u, v;
    fmpq_init(x);
    fmpq_init(u);
    fmpq_init(v);
    bool same = true;
    for (size_t i = 0; i < COUNT(places) && same; i++) {
        fmpq_set_si(x, places[i], 1);
        bool one = value_at(c, a, x, u) == RDV_OK, other = value_at(c, b, x, v) == RDV_OK;
        same = one == other && (!one || agree(u, v));
    }
    fmpq_clear(x);
    fmpq_clear(u);
    fmpq_clear(v);
    return same;
}

/* The definitions of the function in the tokens, added to `d`. */
static int definitions_in(rdv_calculator *c, const tokens *t, rdv_str name, definition *d)
{
    for (size_t i = 0; i + 5 < t->n; i++) {
        place p;
        expression e;
        if (!rdv_str_eq(tok_text(t, i), name) || !place_at(t, i, TOK_WORD, &p))
            continue;
        rdv_str letter = tok_text(t, p.argument);
        int r = parse_expression_of_letters(t, p.end + 1, c->scratch, &e);
        if (r == RDV_E_NOMEM)
            return r;
        letters all = {.n = 0};
        bool read = r == RDV_OK && stands_alone(t, i) && !is_sought(t, i) &&
                    formula_ends(t, e.end) && e.n_operators && !e.readings && !e.n_units &&
                    !e.n_words && function_letters_add(&all, t, e.root) && all.n == 1 &&
                    rdv_str_eq(all.name[0], letter);
        rdv_str formula =
            read ? rdv_slice(t->text, t->at[e.begin].begin, t->at[e.end - 1].end) : (rdv_str){0};
        definition next = {d->n + 1 + !read, letter, formula};
        if (d->n != 1 || !read || !are_same(c, d, &next))
            *d = next;
    }
    return RDV_OK;
}

/* The same in a text that is not cut into tokens yet. */
static int definitions_of(rdv_calculator *c, rdv_str text, rdv_str name, definition *d)
{
    tokens t;
    if (!text.p || text.len > MAX_TEXT || rdv_find_char(text, '=', 0) == RDV_NOT_FOUND)
        return RDV_OK;
    int r = calculator_lex(c, text, &t);
    return r == RDV_OK ? definitions_in(c, &t, name, d) : (r == RDV_E_LIMIT ? RDV_OK : r);
}

/* The only definition of the function; d->n is 1 if there is one. */
static int find_definition(rdv_calculator *c, const tokens *t, rdv_str name, definition *d)
{
    *d = (definition){0};
    int r = definitions_of(c, c->question, name, d);
    size_t n = c->n_steps < CALCULATOR_STEPS_MAX ? c->n_steps : CALCULATOR_STEPS_MAX;
    for (size_t i = 0; i < n && r == RDV_OK; i++)
        r = definitions_of(c, c->steps[i], name, d);
    return r == RDV_OK ? definitions_in(c, t, name, d) : r;
}

/* ---- the value ------------------------------------------------------------------------------- */

static bool argument_value(const tokens *t, const place *p, fmpq_t out)
{
    long decimals;
    bool read = literal_value(t, p->argument, out, &decimals);
    if (p->negative)
        fmpq_neg(out, out);
    return read;
}

static rdv_str shown(const fmpq_t x, rdv_arena *arena)
{
    return reading_eval_is_real(x) ? print_real(x, arena) : print_value(x, arena);
}

static int add_value(rdv_calculator *c, calc_list *out, const tokens *t, size_t offset,
                     const place *p, const expression *e, const fmpq_t value, const fmpq_t said)
{
    bool right = agree(value, said);
    size_t begin = t->at[p->name].begin, end = t->at[e->end - 1].end;
    rdv_calc calc = {.begin = offset + begin,
                     .end = offset + end,
                     .lhs = rdv_slice(t->text, begin, t->at[p->end - 1].end),
                     .rhs = rdv_slice(t->text, t->at[e->begin].begin, end),
                     .kind = right ? RDV_CALC_RIGHT : RDV_CALC_WRONG,
                     .note = RDV_STR("from the definition of the function")};
    if (!right) {
        calc.value = shown(value, c->arena);
        calc.claim = shown(said, c->arena);
    }
    return !right && (!calc.value.p || !calc.claim.p) ? RDV_E_NOMEM
                                                      : calc_list_put(out, c->arena, &calc);
}

/* Does the expression after the sign stand alone, as a value or as the first link of a chain? */
static bool is_whole(const tokens *t, const expression *e)
{
    tok_kind k = tok_kind_at(t, e->end);
    return !e->n_letters && !e->n_units && !e->n_words && !e->readings &&
           (k == TOK_END || k == TOK_EQUAL || k == TOK_COMMA || k == TOK_NEWLINE ||
            k == TOK_PUNCT || (k == TOK_WORD && tok_text(t, e->end).len > 1));
}

/* "Consider the function defined by f(1) = 2": values that define another function. */
static bool defines(rdv_str text)
{
    static phrase_list words = {"@defines-another"};
    return phrase_in(text, &words);
}

static int check_one(rdv_calculator *c, const tokens *t, size_t offset, const place *p,
                     calc_list *out)
{
    expression e;
    definition d;
    int r = parse_expression(t, p->end + 1, c->scratch, &e);
    if (r != RDV_OK || !is_whole(t, &e) || defines(t->text) ||
        assertion_not(t->rules, t->text, t->at[p->name].begin, t->at[e.end - 1].end))
        return r == RDV_E_NOMEM ? r : RDV_OK;
    r = find_definition(c, t, tok_text(t, p->name), &d);
    if (r != RDV_OK || d.n != 1)
        return r;
    fmpq_t x, value, said;
    fmpq_init(x);
    fmpq_init(value);
    fmpq_init(said);
    evaluation ev = {.t = t, .budget = &c->budget};
    r = argument_value(t, p, x) ? value_at(c, &d, x, value) : RDV_NONE;
    if (r == RDV_OK && real_eval(&ev, e.root, said) == EVAL_OK) {
        bool right = agree(value, said);
        rdv_str text = rdv_slice(t->text, t->at[p->name].begin, t->at[e.end - 1].end);
        if (right || !(holds_decimals(text) || holds_decimals(d.formula)))
            r = add_value(c, out, t, offset, p, &e, value, said);
    }
    fmpq_clear(x);
    fmpq_clear(value);
    fmpq_clear(said);
    return r == RDV_NONE ? RDV_OK : r;
}

int function_value_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out)
{
    if (!t->calls || !tok_holds(t, TOK_EQUAL) || !tok_holds(t, TOK_NUMBER))
        return RDV_OK;
    place p;
    size_t n = 0;
    for (size_t i = 0; i + 5 < t->n && n < MAX_VALUES; i++) {
        if (!place_at(t, i, TOK_NUMBER, &p) || !stands_alone(t, i))
            continue;
        int r = check_one(c, t, offset, &p, out);
        n++;
        if (r < 0)
            return r;
    }
    return RDV_OK;
}
