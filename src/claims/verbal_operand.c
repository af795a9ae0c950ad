/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of claims in words, with the nouns after them. */
#include "claims/verbal_reading.h"

#include "base/str.h"
#include "language/number_words.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_NOUNS 2 /* words after a number that name what is counted */

bool verbal_word_at(const reading *r, size_t i, const char *word)
{
    return parse_word_is(&r->p, i, word);
}

bool verbal_next_is(reading *r, const char *word)
{
    if (!verbal_word_at(r, r->p.pos, word))
        return false;
    r->p.pos++;
    return true;
}

bool verbal_next_is_one_of(reading *r, const char *const *words, size_t n)
{
    const tokens *t = r->p.t;
    if (parse_tok(&r->p, r->p.pos)->kind != TOK_WORD ||
        !rdv_is_one_of(tok_text(t, r->p.pos), words, n))
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

node *verbal_number(reading *r, size_t i)
{
    node *n = parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (n) {
        n->begin = i;
        n->end = i + 1;
    }
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
    static const char *const others[] = {
        "be",         "cannot",  "does",   "did",        "do",           "may",
        "might",      "must",    "never",  "only",       "too",          "very",
        "just",       "right",   "wrong",  "false",      "true",         "correct",
        "incorrect",  "same",    "goes",   "go",         "about",        "approximately",
        "roughly",    "nearly",  "almost", "around",     "barely",       "out",
        "added",      "leaves",  "raised", "increased",  "decreased",    "reduced",
        "take",       "split",   "shared", "cut",        "separated",    "comes",
        "works",      "amounts", "adds",   "per",        "itself",       "you",
        "results",    "again",   "once",   "repeatedly", "successively", "subtracted",
        "simplifies", "reduces", "off"};
    rdv_str w = tok_text(r->p.t, i);
    return w.len > 1 && w.p[0] != '\\' && !tok_class(r->p.t, i) &&
           !(r->p.t->at[i].word & (WORD_NUMBER | WORD_RESULT)) &&
           !rdv_is_one_of(w, others, COUNT(others)) && rdv_find_char(w, '\'', 0) == RDV_NOT_FOUND;
}

/* The value of the number word at token `i`; false: there is none. */
bool verbal_number_at(const reading *r, size_t i, unsigned *value)
{
    return (parse_tok(&r->p, i)->word & WORD_NUMBER) && number_word(tok_text(r->p.t, i), value);
}

/* "twelve", "fifty-four", "fifty four" */
static size_t below_hundred(const reading *r, size_t i, unsigned *value)
{
    unsigned ones;
    if (!verbal_number_at(r, i, value))
        return 0;
    tok_kind sign = parse_tok(&r->p, i + 1)->kind;
    size_t hyphen = (sign == TOK_MINUS || sign == TOK_OPAQUE) &&
                    !parse_tok(&r->p, i + 1)->space_before &&
                    !parse_tok(&r->p, i + 2)->space_before;
    if (*value < 20 || !verbal_number_at(r, i + 1 + hyphen, &ones) || ones == 0 || ones > 9)
        return 1;
    *value += ones;
    return 2 + hyphen;
}

/* "two hundred and five", "twenty-five hundred" */
static size_t below_ten_thousand(const reading *r, size_t i, unsigned *value)
{
    unsigned rest;
    size_t n = below_hundred(r, i, value);
    if (!n || !verbal_word_at(r, i + n, "hundred"))
        return n;
    *value *= 100;
    n++;
    size_t joint = !r->in_list && verbal_word_at(r, i + n, "and");
    size_t more = below_hundred(r, i + n + joint, &rest);
    *value += more ? rest : 0;
    return more ? n + joint + more : n;
}

size_t verbal_number_words(const reading *r, size_t i, unsigned *value)
{
    unsigned rest;
    size_t n = below_ten_thousand(r, i, value);
    if (!n || !verbal_word_at(r, i + n, "thousand") || *value > 999)
        return n;
    *value *= 1000;
    n++;
    size_t joint = !r->in_list && verbal_word_at(r, i + n, "and");
    size_t more = below_ten_thousand(r, i + n + joint, &rest);
    *value += more ? rest : 0;
    return more ? n + joint + more : n;
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

/* "9/2", "\\frac{9}{2}": a quotient of two numbers. */
node *verbal_fraction(reading *r, size_t i)
{
    expression e;
    int status = parse_expression(r->p.t, i, r->p.arena, &e);
    r->p.nomem |= status == RDV_E_NOMEM;
    if (status != RDV_OK || e.root->is != N_DIVIDE || e.root->a->is != N_NUMBER ||
        e.root->b->is != N_NUMBER || e.n_units || e.n_words ||
        (parse_tok(&r->p, i)->kind == TOK_NUMBER && parse_tok(&r->p, i + 1)->space_before))
        return NULL;
    r->p.pos = e.end;
    r->p.e->n_operators++;
    return nouns(r, e.root);
}

/* "fifths" of "two fifths", "hundredths" of "12 hundredths"; no "half of" that takes a part, and no
 * "third power". */
static bool is_denominator(const reading *r, size_t i, bool one, unsigned *under)
{
    rdv_str w = tok_text(r->p.t, i);
    bool several = w.len && rdv_lower(w.p[w.len - 1]) == 's';
    return (parse_tok(&r->p, i)->word & WORD_FRACTION) && several != one &&
           fraction_word(w, under) && !verbal_word_at(r, i + 1, "of") &&
           !verbal_word_at(r, i + 1, "power") && !verbal_word_at(r, i + 1, "root");
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
    if (r->in_list || !verbal_word_at(r, r->p.pos, "and") ||
        (!verbal_word_at(r, i, "a") && !verbal_number_at(r, i, &over)) ||
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
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER && !verbal_number_at(r, i, &value))
        return NULL;
    node *n = verbal_operand(r);
    bool power = verbal_word_at(r, r->p.pos, "squared") || verbal_word_at(r, r->p.pos, "cubed") ||
                 verbal_word_at(r, r->p.pos, "to") || verbal_word_at(r, r->p.pos, "raised");
    return n && !power ? parse_node(&r->p, N_NEGATE, n, NULL) : NULL;
}

node *verbal_percentage(reading *r)
{
    size_t i = r->p.pos;
    unsigned value;
    size_t word = verbal_number_words(r, i, &value), end = i + (word ? word : 1);
    bool number = word || (parse_tok(&r->p, i)->kind == TOK_NUMBER && !parse_tok(&r->p, i)->vulgar);
    if (!number ||
        (parse_tok(&r->p, end)->kind != TOK_PERCENT && !verbal_word_at(r, end, "percent")))
        return NULL;
    node *n = word ? verbal_constant(r, value) : parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = i;
    n->end = end;
    r->p.pos = end + 1;
    return parse_node(&r->p, N_PERCENT, n, NULL);
}

/* No number that goes on as a percentage. */
node *verbal_operand(reading *r)
{
    size_t i = r->p.pos;
    if (verbal_word_at(r, i, "negative") || verbal_word_at(r, i, "minus"))
        return negative_operand(r);
    bool negative = parse_tok(&r->p, i)->kind == TOK_MINUS && i > 0 &&
                    parse_tok(&r->p, i - 1)->kind == TOK_WORD &&
                    !parse_tok(&r->p, i + 1)->space_before;
    i += negative;
    i += parse_tok(&r->p, i)->kind == TOK_CURRENCY;
    const token *t = parse_tok(&r->p, i);
    if (!negative && (t->kind == TOK_FRAC ||
                      (t->kind == TOK_NUMBER && parse_tok(&r->p, i + 1)->kind == TOK_DIVIDE)))
        return verbal_fraction(r, i);
    unsigned value;
    size_t word = verbal_number_words(r, i, &value), end = i + (word ? word : 1);
    if (!word && (t->kind != TOK_NUMBER || t->vulgar || t->ellipsis))
        return NULL;
    tok_kind next = parse_tok(&r->p, end)->kind;
    if (next == TOK_PERCENT || next == TOK_DIVIDE || next == TOK_POWER || next == TOK_BANG ||
        next == TOK_UNDERSCORE || next == TOK_NUMBER || next == TOK_OPAQUE || next == TOK_OPEN ||
        next == TOK_FRAC || next == TOK_SQRT || next == TOK_PI || next == TOK_TIMES)
        return NULL;
    if (next == TOK_WORD && !parse_tok(&r->p, end)->space_before)
        return NULL; /* "5x", "5cm" */
    unsigned second;
    if (word && verbal_number_at(r, end, &second))
        return NULL; /* "five twenty" */
    node *n = word ? verbal_constant(r, value) : parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = i;
    n->end = r->p.pos = end;
    n = with_fraction(r, n);
    if (n && n->is != N_CONSTANT && n->is != N_NUMBER) {
        nouns(r, NULL);
        r->in_words = true;
        return negative ? parse_node(&r->p, N_NEGATE, n, NULL) : n;
    }
    if (verbal_next_is_one_of(r, (const char *const[]){"dozen", "dozens"}, 2))
        n = verbal_operation(r, N_MULTIPLY, n, verbal_constant(r, 12));
    n = n ? nouns(r, n) : NULL;
    return negative && n ? parse_node(&r->p, N_NEGATE, n, NULL) : n;
}
