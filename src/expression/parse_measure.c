/* SPDX-License-Identifier: Apache-2.0 */
/* The unit of measurement after a number: "km/h", "square feet", "\frac{\text{m}}{\text{s}}". What
 * answers write after a number is read by answer/measure.c, from the text alone; here the tokens
 * around say whether a sign is the unit's or the calculation's. */
#include "expression/parser.h"
#include "language/word_class.h"

#define MAX_POWER 4
#define MAX_NEAR 40 /* tokens on each side that may hold a temperature */

typedef struct reader {
    const parser *p;
    size_t at;
    measure is, other; /* under the first and the second meaning of its words */
    bool letter;       /* a symbol of one letter that may be a variable */
    bool prose;        /* the last factor was a word, not a symbol */
    size_t known_at;   /* the token of a unit that was looked up already, and what it means */
    unit_meaning known;
} reader;

/* "5 pm" may be an hour; \mathrm{pm} is none. A letter with an index is no unit: "V_2" is a volume,
 * but "lb_f" a force. */
static bool find_unit(const parser *p, size_t i, unit_meaning *out)
{
    rdv_str word = tok_text(p->t, i);
    if (word.len == 1 && parse_tok(p, i + 1)->kind == TOK_UNDERSCORE)
        return false;
    return unit_find_in_prose(word, out) ||
           (parse_tok(p, i)->upright && rdv_str_eq(word, RDV_STR("pm")) && unit_find(word, out));
}

/* Is the word at token `i` a unit? */
static bool unit_at(const reader *r, size_t i, unit_meaning *out)
{
    if (r->known_at != i)
        return find_unit(r->p, i, out);
    *out = r->known;
    return true;
}

static bool word_is(const reader *r, size_t i, const char *const *words, size_t n)
{
    return parse_tok(r->p, i)->kind == TOK_WORD && rdv_named(tok_text(r->p->t, i), words, n) >= 0;
}

/* "square", "sq", "sq.", "cubic": the power, and how many tokens; 1: none. */
static int power_before(const reader *r, size_t *len)
{
    static const char *const two[] = {"square", "sq", "Square"}, *const three[] = {"cubic", "cu",
                                                                                   "Cubic"};
    int power = word_is(r, r->at, two, 3) ? 2 : word_is(r, r->at, three, 3) ? 3 : 1;
    *len = power > 1;
    const token *point = parse_tok(r->p, r->at + 1);
    if (power > 1 && point->kind == TOK_PUNCT && r->p->t->text.p[point->begin] == '.' &&
        !point->space_before && tok_text(r->p->t, r->at).len == 2)
        *len = 2;
    return power;
}

/* A whole number from 1 to 4 in token `i`, or 0. */
static int small_number(const reader *r, size_t i)
{
    const token *t = parse_tok(r->p, i);
    if (t->kind != TOK_NUMBER)
        return 0;
    if (t->vulgar) {
        unsigned num, den;
        lex_vulgar(t->vulgar, &num, &den);
        return den == 1 && num >= 1 && num <= MAX_POWER ? (int)num : 0;
    }
    rdv_str s = tok_text(r->p->t, i);
    return s.len == 1 && s.p[0] >= '1' && s.p[0] <= '0' + MAX_POWER ? s.p[0] - '0' : 0;
}

/* "^2", "^{-1}", "²", "squared": the power, and how many tokens; 0: one that is not read. */
static int power_after(const reader *r, size_t *len)
{
    static const char *const two[] = {"squared"}, *const three[] = {"cubed"};
    size_t i = r->at;
    *len = 1;
    if (word_is(r, i, two, 1))
        return 2;
    if (word_is(r, i, three, 1))
        return 3;
    *len = 0;
    if (parse_tok(r->p, i)->kind != TOK_POWER)
        return 1;
    bool braces = parse_tok(r->p, ++i)->kind == TOK_OPEN && parse_tok(r->p, i)->sign == '{';
    i += braces;
    bool below = parse_tok(r->p, i)->kind == TOK_MINUS;
    i += below;
    int power = small_number(r, i++);
    if (braces && parse_tok(r->p, i++)->kind != TOK_CLOSE)
        return 0;
    *len = i - r->at;
    return below ? -power : power;
}

/* Does the text near token `i` have a temperature, "25 °C"? Then a K is one too. */
static bool is_near_temperature(const parser *p, size_t i)
{
    static const char *const letters[] = {"C", "F"}, *const words[] = {"celsius", "fahrenheit"};
    size_t last = i + MAX_NEAR < p->t->n ? i + MAX_NEAR : p->t->n - 1;
    for (size_t k = i > MAX_NEAR ? i - MAX_NEAR : 0; k < last; k++)
        if (tok_is_one_of(p->t, k + 1, words, 2) ||
            (parse_tok(p, k)->kind == TOK_DEGREE && tok_is_one_of(p->t, k + 1, letters, 2)))
            return true;
    return false;
}

/* "°C", "degrees Fahrenheit", "^\circ\text{C}": the scale, or NULL. */
static const unit *temperature(const reader *r, size_t *len)
{
    static const char *const degrees[] = {"degree", "degrees", "deg"};
    static const struct {
        const char *text, *name;
    } scales[] = {{"C", "celsius"}, {"F", "fahrenheit"}, {"K", "kelvin"}};
    unit_meaning m;
    bool sign = parse_tok(r->p, r->at)->kind == TOK_DEGREE;
    bool word = word_is(r, r->at, degrees, 3);
    size_t i = r->at + (sign || word);
    if (parse_tok(r->p, i)->kind != TOK_WORD)
        return NULL;
    rdv_str name = tok_text(r->p->t, i);
    for (size_t k = 0; k < 3 && (sign || word); k++)
        if (rdv_str_eq(name, rdv_str_of(scales[k].text)))
            name = rdv_str_of(scales[k].name);
    if (rdv_str_eq(name, RDV_STR("K")) && is_near_temperature(r->p, i))
        name = RDV_STR("kelvin");
    bool scale = name.p == tok_text(r->p->t, i).p ? unit_at(r, i, &m) : unit_find(name, &m);
    if (name.len < 6 || !scale || m.ten != 0 ||
        !(m.unit->power[BASE_CELSIUS] || m.unit->power[BASE_FAHRENHEIT] ||
          m.unit->power[BASE_KELVIN]))
        return NULL;
    *len = i + 1 - r->at;
    return m.unit;
}

static bool takes(reader *r, const unit *is, const unit *other, const unit_meaning *m, int power)
{
    return measure_add(&r->is, is, m->ten, 0, power) &&
           measure_add(&r->other, other, m->other_ten, m->binary, power);
}

/* "fl oz", "fluid ounces". */
static bool is_fluid(const reader *r, size_t i)
{
    static const char *const words[] = {"fluid", "fl"};
    return word_is(r, i, words, 2);
}

/* "in" and "min" are words and functions too: "15 in total", "min(2, 3)". */
static bool is_common_word(const reader *r, size_t i)
{
    rdv_str w = tok_text(r->p->t, i);
    const token *next = parse_tok(r->p, i + 1);
    bool per = parse_word_is(r->p, i + 1, "per") || parse_is_times(r->p, i + 1);
    if (rdv_str_eq(w, RDV_STR("in")))
        return (next->kind == TOK_WORD && !per) || next->kind == TOK_NUMBER ||
               next->kind == TOK_OPEN || next->kind == TOK_CURRENCY;
    if (tok_class(r->p->t, i) & WORD_BINDS_BEFORE && w.len > 1) /* "2 dozen * 3" is 72 */
        return true;
    bool function = rdv_str_eq(w, RDV_STR("min")) || rdv_str_eq(w, RDV_STR("sec"));
    return function && next->kind == TOK_OPEN;
}

/* "50 ¢" */
bool parse_is_cent_sign(const parser *p, size_t i)
{
    return parse_tok(p, i)->kind == TOK_CURRENCY &&
           rdv_str_eq(tok_text(p->t, i), RDV_STR("\xc2\xa2"));
}

bool parse_is_money_behind(const parser *p, size_t i)
{
    const token *sign = parse_tok(p, i), *next = parse_tok(p, i + 1);
    return sign->kind == TOK_CURRENCY && !rdv_str_eq(tok_text(p->t, i), RDV_STR("$")) &&
           (next->kind != TOK_NUMBER || next->space_before);
}

/* What the sign of a currency behind its number means: "5 €"; NULL: it is none, or a "¢". */
static const unit *money_behind(const reader *r)
{
    return parse_is_money_behind(r->p, r->at) ? unit_of_currency(tok_text(r->p->t, r->at)) : NULL;
}

/* A symbol of one letter that means more things than a unit, "A", "C": a unit only where a product
 * of such units comes to the dimension of the other side. */
static bool is_rare_letter(rdv_str word, unit_meaning *m)
{
    return word.len == 1 && memchr("ACFHT", word.p[0], 5) && unit_find(word, m);
}

/* What the word or sign at r->at means as a unit; false: nothing. *rare: it is a rare letter. */
static bool is_meant(const reader *r, unit_meaning *m, bool *rare)
{
    const token *t = parse_tok(r->p, r->at);
    rdv_str word = t->kind == TOK_WORD               ? tok_text(r->p->t, r->at)
                   : parse_is_cent_sign(r->p, r->at) ? RDV_STR("cent")
                                                     : (rdv_str){0};
    m->unit = m->other = money_behind(r);
    if (m->unit || !word.len)
        return m->unit;
    if (rdv_str_eq(word, RDV_STR("\\Omega")))
        word = RDV_STR("ohm");
    bool as_written = word.p == tok_text(r->p->t, r->at).p;
    bool known = as_written ? unit_at(r, r->at, m) : unit_find_in_prose(word, m);
    *rare = !known && r->is.n == 0 && is_rare_letter(word, m);
    return (known || *rare) && !is_common_word(r, r->at);
}

/* One unit with its power, at r->at; false: there is none. `sign`: 1, or -1 below a line. */
static bool factor(reader *r, int sign)
{
    size_t begin = r->at, len;
    unit_meaning m = {0};
    const unit *scale = temperature(r, &len);
    bool rare = false;
    int before = 1;
    if (scale) {
        m.unit = m.other = scale;
        r->at += len;
        r->prose = false;
    } else {
        before = power_before(r, &len);
        r->at += len;
        bool fluid = is_fluid(r, r->at);
        r->at += fluid;
        const token *t = parse_tok(r->p, r->at);
        if (!is_meant(r, &m, &rare) ||
            (fluid && !(m.unit->power[BASE_GRAM] && m.other->power[BASE_METRE]))) {
            r->at = begin;
            return false;
        }
        if (fluid)
            m.unit = m.other;
        size_t letters = t->end - t->begin;
        r->letter |= t->kind == TOK_WORD && letters == 1 && !t->upright;
        r->prose = letters > 3;
        r->at++;
    }
    int after = power_after(r, &len);
    if (after == 0 || (before > 1 && after != 1) ||
        !takes(r, m.unit, m.other, &m, before * after * sign)) {
        r->at = begin;
        return false;
    }
    r->is.is |= rare ? UNIT_RARE : 0;
    r->at += len;
    return true;
}

/* Is the word at `i` a time, as in "60 miles an hour"? */
static bool is_time(const reader *r, size_t i)
{
    unit_meaning m;
    return parse_tok(r->p, i)->kind == TOK_WORD && unit_find_in_prose(tok_text(r->p->t, i), &m) &&
           (m.unit->power[BASE_SECOND] == 1 || m.unit->power[BASE_MONTH] == 1);
}

/* "/", "per", "an" before a unit: how many tokens, or 0. */
static size_t division(const reader *r)
{
    static const char *const per[] = {"per"}, *const article[] = {"a", "an"};
    bool slash = parse_tok(r->p, r->at)->kind == TOK_DIVIDE &&
                 !rdv_str_eq(tok_text(r->p->t, r->at), RDV_STR("\xc3\xb7")); /* no "÷ days" */
    if (slash || word_is(r, r->at, per, 1))
        return 1;
    return word_is(r, r->at, article, 2) && is_time(r, r->at + 1);
}

/* "(kg K)" after a line. */
static bool bracket(reader *r, int sign)
{
    const token *open = parse_tok(r->p, r->at);
    if (open->kind != TOK_OPEN || open->pair == TOK_NO_PAIR)
        return false;
    size_t begin = r->at++, end = open->pair;
    while (r->at < end && factor(r, sign))
        if (parse_tok(r->p, r->at)->kind == TOK_TIMES)
            r->at++;
    bool whole = r->at == end && end > begin + 1;
    r->at = whole ? end + 1 : begin;
    return whole;
}

/* \frac{\text{m}}{\text{s}} */
static bool fraction(reader *r)
{
    if (parse_tok(r->p, r->at)->kind != TOK_FRAC)
        return false;
    size_t begin = r->at++;
    if (bracket(r, 1) && bracket(r, -1))
        return true;
    r->at = begin;
    return false;
}

/* Does a product of units go on at r->at: "kg·m", "N m", "m s^{-1}"? The token of the next unit, or
 * 0. */
static size_t product(const reader *r)
{
    const token *t = parse_tok(r->p, r->at), *next = parse_tok(r->p, r->at + 1);
    if (t->kind == TOK_TIMES)
        return next->kind == TOK_WORD ? r->at + 1 : 0;
    bool symbol = t->kind == TOK_WORD && tok_text(r->p->t, r->at).len <= 2 && !r->prose;
    return symbol || (t->kind == TOK_WORD && t->upright && !r->prose) ? r->at : 0;
}

static void factors(reader *r)
{
    size_t len;
    int sign = 1;
    while ((len = division(r)) != 0 || product(r) != 0) {
        reader before = *r;
        sign = len ? -1 : sign;
        r->at = len ? r->at + len : product(r);
        if (!factor(r, sign) && !(len && bracket(r, sign))) {
            *r = before;
            break;
        }
    }
}

/* May a unit begin with the word at `i`, which is none itself? */
static bool may_begin_unit(const parser *p, size_t i)
{
    rdv_str w = tok_text(p->t, i);
    unit_meaning m;
    return w.p[0] == '\\' || (parse_tok(p, i)->word & WORD_MEASURE) || is_rare_letter(w, &m) ||
           rdv_str_eq(w, RDV_STR("K"));
}

size_t parse_measure(const parser *p, size_t i, bool rate, measure meanings[2], bool *letter)
{
    tok_kind first = parse_tok(p, i)->kind; /* most numbers have no unit */
    *letter = false;
    if (first != TOK_WORD && first != TOK_DEGREE && first != (rate ? TOK_DIVIDE : TOK_FRAC) &&
        !parse_is_money_behind(p, i))
        return i;
    if (rate && first == TOK_WORD && !(parse_tok(p, i)->word & WORD_PER))
        return i;
    unit_meaning known;
    bool is_known = !rate && first == TOK_WORD && find_unit(p, i, &known);
    if (!rate && first == TOK_WORD && !is_known && !may_begin_unit(p, i))
        return i;
    reader r = {.p = p, .at = i, .known_at = SIZE_MAX};
    if (is_known) {
        r.known_at = i;
        r.known = known;
    }
    if (rate) {
        size_t len = division(&r);
        r.at += len;
        if (!len || !factor(&r, -1))
            return i;
    } else if (!fraction(&r) && !factor(&r, 1)) {
        return i;
    }
    factors(&r);
    meanings[0] = r.is;
    meanings[1] = r.other;
    *letter = r.letter;
    return r.at;
}
