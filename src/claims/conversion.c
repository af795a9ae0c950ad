/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/conversion.h"

#include "base/str.h"
#include "expression/quantity.h"
#include "language/phrase.h"
#include "notation/literal.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool word_is_same(const tokens *t, size_t a, size_t b)
{
    return tok_kind_at(t, a) == TOK_WORD && rdv_str_ieq(tok_text(t, a), tok_text(t, b));
}

static bool is_one(const tokens *t, size_t i)
{
    return tok_is_plain_number(t, i) && rdv_str_eq(tok_text(t, i), RDV_STR("1"));
}

bool conversion_unit(rdv_str word, measure *out)
{
    unit_meaning m;
    *out = (measure){0};
    return word.len > 1 && unit_find_in_prose(word, &m) && m.unit == m.other && !m.binary &&
           m.ten == m.other_ten && !(m.unit->is & (UNIT_LOOSE | UNIT_ROUNDED)) &&
           measure_add(out, m.unit, m.ten, 0, 1);
}

static bool unit_at(const tokens *t, size_t i, measure *out)
{
    *out = (measure){0};
    return tok_kind_at(t, i) == TOK_WORD && conversion_unit(tok_text(t, i), out);
}

/* Is the unit at token `small` a part of the one at token `large`? */
static bool is_part(const tokens *t, size_t small, size_t large)
{
    measure x, y;
    return unit_at(t, small, &x) && unit_at(t, large, &y) && measure_is_smaller(&x, &y);
}

/* ---- in words -------------------------------------------------------------------------------- */

static bool is_single(const tokens *t, size_t i)
{
    static phrase_list words = {"@each-one;one"};
    return is_one(t, i) || tok_is_in(t, i, &words);
}

/* "an hour", "3 hours": the token of the number, 0 for one; SIZE_MAX: neither stands at token `i`.
 */
static size_t how_many(const tokens *t, size_t i)
{
    return is_single(t, i) ? 0 : tok_is_plain_number(t, i) ? i : SIZE_MAX;
}

/* Does the statement end before token `i`? "60 minutes of class", "an hour and a half" go on. */
static bool ends(const tokens *t, size_t i)
{
    static phrase_list joining = {"@concluding;@of-a-reason"};
    switch (tok_kind_at(t, i)) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_PUNCT:
    case TOK_COMMA:
    case TOK_CLOSE:
        return true;
    case TOK_WORD:
        return tok_is_in(t, i, &joining) ||
               (tok_is_word(t, i, "and") && tok_kind_at(t, i + 1) == TOK_WORD &&
                !is_single(t, i + 1)) ||
               (tok_is_word(t, i, "and") && tok_is_plain_number(t, i + 1) &&
                tok_kind_at(t, i + 3) == TOK_WORD);
    default:
        return false;
    }
}

/* "In 1 hour there are 50 minutes" */
static bool holds_so_many(const tokens *t, size_t i, conversion *out)
{
    size_t count = tok_is_word(t, i, "in") ? how_many(t, i + 1) : SIZE_MAX;
    if (count == SIZE_MAX || !tok_is_word(t, i + 3, "there") || !tok_is_word(t, i + 4, "are") ||
        !tok_is_plain_number(t, i + 5) || !is_part(t, i + 6, i + 2) || !ends(t, i + 7))
        return false;
    *out = (conversion){.begin = i, .end = i + 7, .number = i + 5, .large = i + 2, .count = count};
    return true;
}

/* "50 minutes in an hour" after "there are", or after "and" and another such. */
static bool counted_in(const tokens *t, size_t i, size_t last_end, conversion *out)
{
    if (!tok_is_plain_number(t, i))
        return false;
    bool there = i > 1 && tok_is_word(t, i - 2, "there") &&
                 (tok_is_word(t, i - 1, "are") || tok_is_word(t, i - 1, "is"));
    bool and = last_end && i > last_end && i - last_end <= 2 && tok_is_word(t, i - 1, "and");
    size_t count = there || and ? how_many(t, i + 3) : SIZE_MAX;
    if (!tok_is_word(t, i + 2, "in") || count == SIZE_MAX || !is_part(t, i + 1, i + 4) ||
        !ends(t, i + 5))
        return false;
    *out = (conversion){.begin = i, .end = i + 5, .number = i, .large = i + 4, .count = count};
    return true;
}

/* "At this school, an hour ...": the sentence says where, and may have an hour of its own. */
static bool says_where(const tokens *t, size_t i)
{
    static phrase_list places = {"@of-a-place;under;by;with;for"};
    while (i > 0 && tok_kind_at(t, i - 1) != TOK_NEWLINE && tok_kind_at(t, i - 1) != TOK_PUNCT)
        i--;
    return tok_is_in(t, i, &places);
}

/* May a statement begin at token `i`? "half an hour" is another. */
static bool begins(const tokens *t, size_t i)
{
    static phrase_list joining = {"@concluding;@of-a-reason;@opens-a-statement"};
    if (i == 0)
        return true;
    tok_kind k = tok_kind_at(t, i - 1);
    if (k == TOK_COMMA && says_where(t, i))
        return false;
    return k == TOK_NEWLINE || k == TOK_PUNCT || (k == TOK_COMMA && t->at[i].space_before) ||
           k == TOK_OPEN || tok_is_in(t, i - 1, &joining);
}

/* "an hour has 60 minutes", "one hour is 60 minutes" */
static bool consists_of(const tokens *t, size_t i, conversion *out)
{
    static phrase_list verbs = {"@consists-of"};
    if (!tok_is_plain_number(t, i + 3) || !is_single(t, i) || !begins(t, i) ||
        !tok_is_in(t, i + 2, &verbs) || !is_part(t, i + 4, i + 1) || !ends(t, i + 5))
        return false;
    *out = (conversion){.begin = i, .end = i + 5, .number = i + 3, .large = i + 1};
    return true;
}

/* ---- as a factor ----------------------------------------------------------------------------- */

/* Does a sign of multiplication stand before token `i`, perhaps with a bracket between? */
static bool is_multiplied(const tokens *t, size_t i)
{
    i -= i > 0 && tok_kind_at(t, i - 1) == TOK_OPEN;
    return i > 0 && (tok_kind_at(t, i - 1) == TOK_TIMES || tok_is_word(t, i - 1, "x"));
}

/* "* 60 minutes/hour", "* (60 minutes / 1 hour)" */
static bool rate(const tokens *t, size_t i, conversion *out)
{
    if (!tok_is_plain_number(t, i) || !is_multiplied(t, i) ||
        (tok_kind_at(t, i + 2) != TOK_DIVIDE && !tok_is_word(t, i + 2, "per")))
        return false;
    size_t large = i + 3 + is_one(t, i + 3);
    if (!is_part(t, i + 1, large))
        return false;
    *out = (conversion){.begin = i, .end = large + 1, .number = i, .large = large, .factor = true};
    return true;
}

/* "3 hours * 60 minutes = 180 minutes": minutes for each of the hours. */
static bool bare_rate(const tokens *t, size_t i, conversion *out)
{
    if (i < 3 || !tok_is_plain_number(t, i) || !is_multiplied(t, i) ||
        !tok_is_plain_number(t, i - 3) || !is_part(t, i + 1, i - 2) ||
        tok_kind_at(t, i + 2) != TOK_EQUAL || !tok_is_plain_number(t, i + 3) ||
        !word_is_same(t, i + 4, i + 1))
        return false;
    *out = (conversion){.begin = i, .end = i + 2, .number = i, .large = i - 2, .factor = true};
    return true;
}

/* "* 1 hour / 60 minutes" */
static bool inverse_rate(const tokens *t, size_t i, conversion *out)
{
    if (!is_one(t, i) || !is_multiplied(t, i) || tok_kind_at(t, i + 2) != TOK_DIVIDE ||
        !tok_is_plain_number(t, i + 3) || !is_part(t, i + 4, i + 1))
        return false;
    *out = (conversion){.begin = i, .end = i + 5, .number = i + 3, .large = i + 1, .factor = true};
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Most tokens have another kind of token behind them than these statements. */
static bool may_begin_at(const tokens *t, size_t i)
{
    tok_kind kind = t->at[i].kind, second = t->at[i + 2].kind;
    return kind == TOK_WORD
               ? second == TOK_WORD
               : kind == TOK_NUMBER && t->at[i + 1].kind == TOK_WORD &&
                     (second == TOK_WORD || second == TOK_DIVIDE || second == TOK_EQUAL);
}

/* Is something counted at token `from` or after it where a unit may be: after a word, "there are 60
 * minutes", or in a product or quotient, "* 60 minutes"? Each of these statements has such a place.
 */
static bool counts_something(const tokens *t, size_t from)
{
    if (!t->counts)
        return false;
    for (size_t i = from > 0 ? from : 1; i + 1 < t->n; i++) {
        if (t->at[i].kind != TOK_NUMBER || t->at[i + 1].kind != TOK_WORD)
            continue;
        tok_kind before = t->at[i - 1].kind;
        if (before == TOK_WORD || before == TOK_TIMES || before == TOK_DIVIDE || before == TOK_OPEN)
            return true;
    }
    return false;
}

/* The statement that begins with the number or word at token `i`. */
static bool statement_at(const tokens *t, size_t i, size_t from, conversion *out)
{
    if (tok_kind_at(t, i) == TOK_WORD) /* most have no number where these need one */
        return (t->at[i + 5].kind == TOK_NUMBER && holds_so_many(t, i, out)) ||
               (t->at[i + 3].kind == TOK_NUMBER && consists_of(t, i, out));
    return tok_kind_at(t, i) == TOK_NUMBER && tok_kind_at(t, i + 1) == TOK_WORD && /* a unit */
           (counted_in(t, i, from, out) || consists_of(t, i, out) || rate(t, i, out) ||
            bare_rate(t, i, out) || inverse_rate(t, i, out));
}

bool conversion_find(const tokens *t, size_t from, conversion *out)
{
    if (!counts_something(t, from))
        return false;
    for (size_t i = from; i + 3 < t->n; i++)
        if (may_begin_at(t, i) && statement_at(t, i, from, out))
            return true;
    return false;
}

void conversion_ratio(const tokens *t, const conversion *c, fmpq_t out)
{
    measure small, large;
    unit_at(t, c->number + 1, &small);
    unit_at(t, c->large, &large);
    measure_ratio(&large, &small, out);
    fmpq_t count;
    long decimals;
    fmpq_init(count);
    if (c->count && literal_value(t, c->count, count, &decimals))
        fmpq_mul(out, out, count);
    fmpq_clear(count);
}

rdv_str conversion_word(rdv_str text, size_t i)
{
    i += i < text.len && (text.p[i] == ' ' || text.p[i] == '-');
    return rdv_slice(text, i, rdv_skip_letters(text, i));
}

static bool is_measure(rdv_str word, const measure *m)
{
    measure other = {0};
    unit_meaning meaning;
    return word.len > 1 && unit_find_in_prose(word, &meaning) &&
           measure_add(&other, meaning.unit, meaning.ten, 0, 1) &&
           memcmp(&other, m, sizeof other) == 0;
}

bool conversion_is_given(const tokens *t, const conversion *c, rdv_str text)
{
    rdv_str number = tok_text(t, c->number);
    measure m;
    unit_at(t, c->number + 1, &m);
    for (size_t i = 0; (i = rdv_find(text, number, i)) != RDV_NOT_FOUND; i++) {
        bool inside = i > 0 && (rdv_is_digit(text.p[i - 1]) || text.p[i - 1] == '.');
        if (!inside && is_measure(conversion_word(text, i + number.len), &m))
            return true;
    }
    return false;
}

/* Does a word come right after a number, perhaps behind what vanishes between them? */
static bool has_counted_word(rdv_str s)
{
    size_t i = 0;
    while (i < s.len) {
        if (!rdv_is_digit(s.p[i++]))
            continue;
        bool dots = rdv_starts(rdv_slice(s, i, s.len), RDV_STR("..."));
        i += dots ? 3 : 0;
        while (i < s.len && ((rdv_is_space(s.p[i]) && s.p[i] != '\n') || s.p[i] == '$' ||
                             s.p[i] == '*' || s.p[i] == '&' || (unsigned char)s.p[i] >= 0x80))
            i++;
        if (i < s.len && rdv_is_alpha(s.p[i]))
            return true;
    }
    return false;
}

bool conversion_may_be_in(rdv_str text)
{
    static phrase_list units = {"@common-unit"}, signs = {"@consists-of;there are;there is;/"};
    return has_counted_word(text) && phrase_in(text, &units) && phrase_in(text, &signs);
}
