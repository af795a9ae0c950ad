/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of claims in words, with the nouns after them. */
#include "claims/verbal_reading.h"

#include "base/str.h"
#include "language/number_words.h"
#include "language/word_class.h"

#define MAX_NOUNS 2 /* words after a number that name what is counted */

bool verbal_is_one_of(const tokens *t, size_t i, const cue_words *list)
{
    if (!verbal_is_text(t, i))
        return false;
    rdv_str w = tok_text(t, i);
    if (!(list->begins & cue_begin(w)))
        return false;
    char first = rdv_lower(w.p[0]);
    for (size_t k = 0; k < list->n; k++)
        if (first == list->words[k].p[0] && cue_is_word(w, list->words[k]))
            return true;
    return false;
}

bool verbal_is_listed(const verbal_grammar *g, const tokens *t, size_t i, verbal_list list)
{
    return verbal_is_text(t, i) && word_slots_have(&g->list_slots[list], tok_slot(t, i)) &&
           verbal_is_one_of(t, i, g->list[list]);
}

bool verbal_expression(reading *r, expression *out)
{
    int status = parse_expression(r->p.t, r->p.pos, r->p.arena, out);
    r->p.nomem |= status == RDV_E_NOMEM;
    return status == RDV_OK;
}

/* May a calculation in signs begin with token `i`, and no number alone and no equation, "12 * 4 =
 * 48", which the usual reader has? */
static bool may_calculate(const tokens *t, size_t i)
{
    const unsigned operators = WORD_BINDS_BEFORE | WORD_FUNCTION | WORD_PART | WORD_OPERATION;
    const uint64_t one = 1, amounts = one << TOK_NUMBER | one << TOK_CURRENCY,
                   signs = one << TOK_PLUS | one << TOK_MINUS | one << TOK_TIMES |
                           one << TOK_DIVIDE | one << TOK_POWER | one << TOK_PERCENT;
    bool calculates = !(amounts >> t->at[i].kind & 1);
    while ((amounts | signs) >> t->at[i].kind & 1)
        calculates |= signs >> t->at[i++].kind & 1;
    switch (t->at[i].kind) {
    case TOK_EQUAL:
    case TOK_APPROX:
        return false;
    case TOK_WORD:
        return calculates || (t->at[i].word & operators);
    case TOK_COMMA:
    case TOK_PUNCT:
    case TOK_NEWLINE:
    case TOK_END:
        return calculates;
    default:
        return true;
    }
}

bool verbal_may_stand_for(const tokens *t, verbal_symbol is, size_t i)
{
    const token *at = &t->at[i], *next = at + 1;
    switch (is) {
    case VERBAL_PERCENTAGE:
        return (at->word & WORD_NUMBER) || next->kind == TOK_PERCENT ||
               (at->kind == TOK_NUMBER && tok_is_word(t, i + 1, "percent"));
    case VERBAL_FRACTION:
        return at->kind == TOK_FRAC || next->kind == TOK_DIVIDE;
    case VERBAL_BARE:
        return (at->word & WORD_NUMBER) || at->kind == TOK_NUMBER;
    case VERBAL_PART:
    case VERBAL_MULTIPLE:
        return at->word & (WORD_FRACTION | WORD_MULTIPLE);
    case VERBAL_SIGNS:
        return (t->words & WORD_RESULT) && may_calculate(t, i);
    default:
        return true;
    }
}

/* Those that begin with what is captured at token `i`. */
static void join_captured(const verbal_index *x, const tokens *t, size_t i, size_t behind,
                          verbal_set *out)
{
    bool digits = t->at[i].kind == TOK_NUMBER;
    for (unsigned rest = x->symbols; rest; rest &= rest - 1) {
        verbal_symbol is = (verbal_symbol)__builtin_ctz(rest);
        if (verbal_may_stand_for(t, is, i))
            verbal_set_join(out, &x->captured[is]);
    }
    if (behind && verbal_is_text(t, behind))
        verbal_set_join(out, &x->behind[tok_slot(t, behind)]);
    if (!digits && (t->at[i].word & WORD_NUMBER))
        verbal_set_join(out, &x->all_bare);
    if (digits && verbal_is_text(t, i + 1))
        verbal_set_join(out, &x->bare[tok_slot(t, i + 1)]);
}

verbal_set verbal_in_text(const verbal_index *x, const tokens *t)
{
    verbal_set in[VERBAL_NEEDS];
    memcpy(in, x->free, sizeof in);
    for (uint32_t k = 0; k < WORD_SLOTS / 64; k++)
        for (uint64_t rest = t->slots.bits[k] & x->words.bits[k]; rest; rest &= rest - 1)
            for (size_t n = 0; n < VERBAL_NEEDS; n++)
                verbal_set_join(&in[n], &x->needed[n][64 * k + (uint32_t)__builtin_ctzll(rest)]);
    for (size_t i = 0; (t->kinds & x->signs) && i < t->n; i++)
        if (x->signs >> t->at[i].kind & 1)
            verbal_set_join(&in[0], &x->needed[0][tok_slot(t, i)]);
    for (size_t n = 1; n < VERBAL_NEEDS; n++)
        verbal_set_keep(&in[0], &in[n]);
    return in[0];
}

verbal_set verbal_candidates(const verbal_index *x, const tokens *t, size_t i, size_t behind)
{
    verbal_set out = {{0}};
    if (t->at[i].kind == TOK_WORD) {
        const verbal_set *first = &x->by_word[tok_slot(t, i)];
        out = x->open;
        if (verbal_is_text(t, i + 1))
            verbal_set_join(&out, &x->by_next[tok_slot(t, i + 1)]);
        for (size_t k = 0; k < VERBAL_SET; k++)
            out.bits[k] &= first->bits[k];
    }
    if (verbal_is_captured(t, i))
        join_captured(x, t, i, behind, &out);
    return out;
}

bool verbal_next_is(reading *r, const char *word)
{
    if (!parse_word_is(&r->p, r->p.pos, word))
        return false;
    r->p.pos++;
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

node *verbal_constant(reading *r, unsigned value)
{
    node *n = parse_node(&r->p, N_CONSTANT, NULL, NULL);
    if (n)
        n->value = value;
    return n;
}

node *verbal_operation(reading *r, node_is is, node *a, node *b)
{
    bool one = is == N_ABS || is == N_ROOT || is == N_FACTORIAL || is == N_NEGATE;
    node *n = a && (b || one) ? parse_node(&r->p, is, a, b) : NULL;
    if (n)
        r->p.e->n_operators++;
    r->p.e->product |= is == N_MULTIPLY || is == N_DIVIDE;
    return n;
}

bool verbal_is_noun(const reading *r, size_t i)
{
    if (parse_tok(&r->p, i)->kind != TOK_WORD)
        return false;
    rdv_str w = tok_text(r->p.t, i);
    return w.len > 1 && w.p[0] != '\\' && !tok_class(r->p.t, i) &&
           !(parse_tok(&r->p, i)->word & (WORD_NUMBER | WORD_RESULT)) &&
           !verbal_is_in(r, i, LIST_NO_NOUN) && rdv_find_char(w, '\'', 0) == RDV_NOT_FOUND;
}

/* The value of the number word at token `i`; false: there is none. */
static bool number_at(const reading *r, size_t i, unsigned *value)
{
    return (parse_tok(&r->p, i)->word & WORD_NUMBER) && number_word(tok_text(r->p.t, i), value);
}

/* "twelve", "fifty-four", "fifty four" */
static size_t below_hundred(const reading *r, size_t i, unsigned *value)
{
    unsigned ones;
    if (!number_at(r, i, value))
        return 0;
    tok_kind sign = parse_tok(&r->p, i + 1)->kind;
    size_t hyphen = (sign == TOK_MINUS || sign == TOK_OPAQUE) &&
                    !parse_tok(&r->p, i + 1)->space_before &&
                    !parse_tok(&r->p, i + 2)->space_before;
    if (*value < 20 || !number_at(r, i + 1 + hyphen, &ones) || ones == 0 || ones > 9)
        return 1;
    *value += ones;
    return 2 + hyphen;
}

/* The tokens of number words below 10 000, or with `thousands` below ten million, and their value:
 * "two hundred and five", "twenty-five hundred". */
static size_t number_words(const reading *r, size_t i, bool thousands, unsigned *value)
{
    unsigned rest;
    size_t n = thousands ? number_words(r, i, false, value) : below_hundred(r, i, value);
    if (!n || !parse_word_is(&r->p, i + n, thousands ? "thousand" : "hundred") || *value > 999)
        return n;
    *value *= thousands ? 1000 : 100;
    n++;
    size_t joint = i + n + (!r->in_list && parse_word_is(&r->p, i + n, "and"));
    size_t more = thousands ? number_words(r, joint, false, &rest) : below_hundred(r, joint, &rest);
    *value += more ? rest : 0;
    return more ? joint + more - i : n;
}

/* Passes the symbol of a unit that is one letter, "g", behind a number; no article. */
static void symbol(reading *r)
{
    size_t i = r->p.pos;
    unit_meaning means;
    rdv_str w = tok_kind_at(r->p.t, i) == TOK_WORD ? tok_text(r->p.t, i) : (rdv_str){0};
    if (w.len != 1 || w.p[0] == 'a' || !unit_find(w, &means))
        return;
    r->units_differ |= r->symbol && r->symbol != w.p[0];
    r->symbol = w.p[0];
    r->unit = means;
    r->noun = i;
    r->named = true;
    r->p.pos++;
}

/* The words after the number `n`, which gets the unit of money among them: dollars and cents can be
 * calculated with. Numbers of other different units cannot. */
static node *nouns(reading *r, node *n)
{
    unit_meaning money = {0};
    n = n && n->is == N_NUMBER ? parse_sign_before(&r->p, n) : n;
    r->noun = verbal_is_noun(r, r->p.pos) ? r->p.pos : 0;
    r->named |= r->noun || (n && n->is == N_UNIT);
    r->money |= n && n->is == N_UNIT;
    for (size_t k = 0; k < MAX_NOUNS && verbal_is_noun(r, r->p.pos); k++) {
        rdv_str w = tok_text(r->p.t, r->p.pos++);
        unit_meaning means;
        if (!unit_find_in_prose(w, &means))
            continue;
        if (unit_is_money(means.unit)) {
            money = means;
            r->money = true;
            continue;
        }
        r->units_differ |= r->unit.unit && (r->unit.unit != means.unit || r->unit.ten != means.ten);
        r->unit = means;
    }
    if (!r->noun)
        symbol(r);
    if (parse_is_cent_sign(&r->p, r->p.pos)) {
        unit_find(RDV_STR("cent"), &money);
        r->money = true;
        r->p.pos++;
    }
    measure m[2] = {0};
    bool measured = n && money.unit && n->is != N_UNIT && measure_add(&m[0], money.unit, 0, 0, 1) &&
                    measure_add(&m[1], money.other, 0, 0, 1);
    return measured ? parse_with_unit(&r->p, n, m, false) : n;
}

static node *fraction(reading *r, bool nouns_follow)
{
    expression e;
    size_t i = r->p.pos;
    if (!verbal_expression(r, &e) || e.root->is != N_DIVIDE || e.root->a->is != N_NUMBER ||
        e.root->b->is != N_NUMBER || e.n_units || e.n_words ||
        (parse_tok(&r->p, i)->kind == TOK_NUMBER && parse_tok(&r->p, i + 1)->space_before))
        return NULL;
    r->p.pos = e.end;
    r->p.e->n_operators++;
    return nouns_follow ? nouns(r, e.root) : e.root;
}

/* "fifths" of "two fifths", "hundredths" of "12 hundredths"; no "half of" that takes a part, and no
 * "third power". */
static bool is_denominator(const reading *r, size_t i, bool one, unsigned *under)
{
    rdv_str w = tok_text(r->p.t, i);
    bool several = w.len && rdv_lower(w.p[w.len - 1]) == 's';
    return (parse_tok(&r->p, i)->word & WORD_FRACTION) && several != one &&
           fraction_word(w, under) && !parse_word_is(&r->p, i + 1, "of") &&
           !parse_word_is(&r->p, i + 1, "power") && !parse_word_is(&r->p, i + 1, "root");
}

static bool is_one(const reading *r, const node *n)
{
    return n->is == N_CONSTANT ? n->value == 1
                               : rdv_str_eq(tok_text(r->p.t, n->begin), RDV_STR("1"));
}

/* The fraction whose numerator `n` was read: "two fifths"; "two and a half", "two and three
 * quarters"; or `n` itself. */
static node *with_fraction(reading *r, node *n)
{
    unsigned under, over = 1;
    if (is_denominator(r, r->p.pos, is_one(r, n), &under)) {
        r->p.pos++;
        return verbal_operation(r, N_DIVIDE, n, verbal_constant(r, under));
    }
    size_t i = r->p.pos + 1;
    if (r->in_list || !parse_word_is(&r->p, r->p.pos, "and") ||
        (!parse_word_is(&r->p, i, "a") && !number_at(r, i, &over)) ||
        !is_denominator(r, i + 1, over == 1, &under) || over >= under)
        return n;
    r->p.pos = i + 2;
    node *part = verbal_operation(r, N_DIVIDE, verbal_constant(r, over), verbal_constant(r, under));
    return verbal_operation(r, N_ADD, n, part);
}

/* "negative three", "minus 3" */
static node *negative_operand(reading *r)
{
    unsigned value;
    size_t i = ++r->p.pos;
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER && !number_at(r, i, &value))
        return NULL;
    node *n = verbal_number(r);
    bool power = parse_word_is(&r->p, r->p.pos, "squared") ||
                 parse_word_is(&r->p, r->p.pos, "cubed") || parse_word_is(&r->p, r->p.pos, "to") ||
                 parse_word_is(&r->p, r->p.pos, "raised");
    return n && !power ? parse_node(&r->p, N_NEGATE, n, NULL) : NULL;
}

node *verbal_percentage(reading *r)
{
    node *n = verbal_bare(r);
    if (!n || (parse_tok(&r->p, r->p.pos)->kind != TOK_PERCENT &&
               !parse_word_is(&r->p, r->p.pos, "percent")))
        return NULL;
    r->p.pos++;
    return parse_node(&r->p, N_PERCENT, n, NULL);
}

/* "3/4" without what follows */
static node *plain_fraction(reading *r)
{
    node *over = verbal_bare(r), *under = NULL;
    size_t i = r->p.pos;
    if (!over || over->is != N_NUMBER || parse_tok(&r->p, i)->kind != TOK_DIVIDE ||
        parse_tok(&r->p, i)->space_before || parse_tok(&r->p, i + 1)->space_before)
        return NULL;
    r->p.pos++;
    under = verbal_bare(r);
    return under && under->is == N_NUMBER ? verbal_operation(r, N_DIVIDE, over, under) : NULL;
}

node *verbal_fraction(reading *r)
{
    return parse_tok(&r->p, r->p.pos)->kind == TOK_FRAC ? fraction(r, false) : plain_fraction(r);
}

node *verbal_bare(reading *r)
{
    unsigned value;
    size_t i = r->p.pos, word = number_words(r, i, true, &value);
    if (!word && !tok_is_plain_number(r->p.t, i))
        return NULL;
    node *n = word ? verbal_constant(r, value) : parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = (uint32_t)i;
    n->end = (uint32_t)(i + (word ? word : 1));
    r->p.pos = n->end;
    return n;
}

/* "10" of "10th"; 0: it is none. */
static unsigned ordinal_in_digits(rdv_str s)
{
    static const char *const ends[] = {"th", "rd", "nd", "st"};
    unsigned value = 0;
    size_t i = 0;
    for (; i < s.len && i < 4 && rdv_is_digit(s.p[i]); i++)
        value = value * 10 + (unsigned)(s.p[i] - '0');
    return rdv_is_one_of(rdv_slice(s, i, s.len), ends, sizeof ends / sizeof *ends) ? value : 0;
}

node *verbal_ordinal(reading *r)
{
    const token *t = parse_tok(&r->p, r->p.pos);
    rdv_str text = tok_text(r->p.t, r->p.pos);
    unsigned value = t->kind == TOK_OPAQUE ? ordinal_in_digits(text) : 0;
    if (!value && (!(t->word & WORD_FRACTION) || !fraction_word(text, &value) || value == 2))
        return NULL;
    r->p.pos++;
    return verbal_constant(r, value);
}

/* No number that goes on as a percentage. */
node *verbal_number(reading *r)
{
    size_t i = r->p.pos;
    if (parse_word_is(&r->p, i, "negative") || parse_word_is(&r->p, i, "minus"))
        return negative_operand(r);
    bool negative = parse_tok(&r->p, i)->kind == TOK_MINUS && i > 0 &&
                    parse_tok(&r->p, i - 1)->kind == TOK_WORD &&
                    !parse_tok(&r->p, i + 1)->space_before;
    i += negative;
    i += parse_tok(&r->p, i)->kind == TOK_CURRENCY;
    const token *t = parse_tok(&r->p, i);
    if (!negative && (t->kind == TOK_FRAC ||
                      (t->kind == TOK_NUMBER && parse_tok(&r->p, i + 1)->kind == TOK_DIVIDE))) {
        r->p.pos = i;
        return fraction(r, true);
    }
    r->p.pos = i;
    node *n = verbal_bare(r);
    size_t end = r->p.pos;
    tok_kind next = parse_tok(&r->p, end)->kind;
    if (!n || next == TOK_PERCENT || next == TOK_DIVIDE || next == TOK_POWER || next == TOK_BANG ||
        next == TOK_UNDERSCORE || next == TOK_NUMBER || next == TOK_OPAQUE || next == TOK_OPEN ||
        next == TOK_FRAC || next == TOK_SQRT || next == TOK_PI || next == TOK_TIMES)
        return NULL;
    if (next == TOK_WORD && !parse_tok(&r->p, end)->space_before)
        return NULL; /* "5x", "5cm" */
    unsigned second;
    if (n->is == N_CONSTANT && number_at(r, end, &second))
        return NULL; /* "five twenty" */
    n = with_fraction(r, n);
    if (n && n->is != N_CONSTANT && n->is != N_NUMBER) {
        nouns(r, NULL);
        r->in_words = true;
        return negative ? parse_node(&r->p, N_NEGATE, n, NULL) : n;
    }
    if (verbal_next_is(r, "dozen") || verbal_next_is(r, "dozens"))
        n = verbal_operation(r, N_MULTIPLY, n, verbal_constant(r, 12));
    n = n ? nouns(r, n) : NULL;
    return negative && n ? parse_node(&r->p, N_NEGATE, n, NULL) : n;
}
