/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/conversion_amount.h"

#include "base/str.h"
#include "claims/conversion.h"
#include "expression/quantity.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_LINKS 4 /* "= 5/50 = 1/10 hours" */

static bool unit_at(const tokens *t, size_t i)
{
    measure m;
    return tok_kind_at(t, i) == TOK_WORD && conversion_unit(tok_text(t, i), &m);
}

/* The token after the number or fraction at token `i`, or `i`. */
static size_t after_value(const tokens *t, size_t i)
{
    if (!tok_is_plain_number(t, i))
        return i;
    bool fraction = tok_kind_at(t, i + 1) == TOK_DIVIDE && tok_is_plain_number(t, i + 2) &&
                    !t->at[i + 2].space_before;
    return fraction ? i + 3 : i + 1;
}

static bool is_sign(const tokens *t, size_t i)
{
    tok_kind k = tok_kind_at(t, i);
    return k == TOK_TIMES || k == TOK_DIVIDE ||
           (k == TOK_WORD && rdv_str_ieq(tok_text(t, i), RDV_STR("x")));
}

/* Does a sign before token `i` make it a part of a larger calculation? */
static bool is_part_of_more(const tokens *t, size_t i)
{
    if (i == 0)
        return false;
    switch (t->at[i - 1].kind) {
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_TIMES:
    case TOK_DIVIDE:
    case TOK_POWER:
    case TOK_OPEN:
    case TOK_CURRENCY:
    case TOK_NUMBER:
    case TOK_FRAC:
    case TOK_OPAQUE:
        return true;
    case TOK_WORD:
        return tok_is_word(t, i - 1, "x") || tok_class(t, i - 1) & WORD_BINDS_AFTER;
    default:
        return false;
    }
}

/* "hours per day", "hours/day": another unit. */
static bool goes_on(const tokens *t, size_t i)
{
    static phrase_list per = {"@each-one;of"};
    return tok_kind_at(t, i) == TOK_DIVIDE || tok_kind_at(t, i) == TOK_POWER ||
           tok_kind_at(t, i) == TOK_TIMES || tok_is_in(t, i, &per) || tok_is_plain_number(t, i);
}

/* The unit of the result behind the equality sign at token `i`, or 0. */
static size_t unit_of_result(const tokens *t, size_t i)
{
    for (size_t link = 0; link < MAX_LINKS; link++) {
        if (tok_kind_at(t, i) != TOK_EQUAL && tok_kind_at(t, i) != TOK_APPROX)
            return 0;
        size_t end = after_value(t, i + 1);
        if (end == i + 1)
            return 0;
        if (unit_at(t, end))
            return goes_on(t, end + 1) ? 0 : end;
        i = end;
    }
    return 0;
}

/* The conversion whose amount begins at token `i`, a number. */
static bool conversion_at(const tokens *t, size_t i, conversion_amount *out)
{
    size_t end = after_value(t, i);
    if (!is_sign(t, end)) /* "5/50 = 0.1 hours": what divides is no part of a fraction given */
        end = i + 1;
    size_t amount_end = end;
    end += is_sign(t, end + 1) && unit_at(t, end);
    if (!is_sign(t, end) || !tok_is_plain_number(t, end + 1))
        return false;
    *out = (conversion_amount){.begin = i,
                               .amount_end = amount_end,
                               .number = end + 1,
                               .divided = tok_kind_at(t, end) == TOK_DIVIDE};
    if (end > amount_end)
        out->amount_unit = tok_text(t, amount_end);
    size_t after = end + 2;
    bool bracket = i > 0 && t->at[i - 1].kind == TOK_OPEN && tok_kind_at(t, after) == TOK_CLOSE &&
                   t->at[i - 1].pair == after;
    after += bracket;
    bool own = out->divided && unit_at(t, after) && !bracket; /* "1200 / 50 minutes = 24 hours" */
    size_t to = is_part_of_more(t, i) ? 0 : unit_of_result(t, after + own);
    if (to && own && rdv_str_ieq(tok_text(t, after), tok_text(t, to)))
        to = 0;
    if (!to && out->divided && unit_at(t, after) && !goes_on(t, after + 1))
        to = after; /* "24/50 hours" */
    out->to = to;
    out->end = to + 1;
    return to;
}

bool conversion_amount_find(const tokens *t, size_t from, conversion_amount *out)
{
    bool calculated = tok_holds(t, TOK_TIMES) || tok_holds(t, TOK_DIVIDE) ||
                      (t->words & WORD_BINDS_BEFORE);            /* "x" */
    if (!calculated || (!t->counts && !tok_holds(t, TOK_CLOSE))) /* a unit stands after these */
        return false;
    size_t last = t->n - 1; /* word: the unit of the result, at least three tokens on */
    while (last > 0 && t->at[last].kind != TOK_WORD)
        last--;
    for (size_t i = from; i + 3 <= last; i++) {
        if (t->at[i].kind != TOK_NUMBER)
            continue;
        tok_kind after = t->at[i + 1].kind;
        bool goes_on = after == TOK_TIMES || after == TOK_DIVIDE || after == TOK_WORD;
        if (goes_on && conversion_at(t, i, out))
            return true;
    }
    return false;
}

static bool is_inside_number(rdv_str text, size_t begin)
{
    return begin > 0 && (rdv_is_alnum(text.p[begin - 1]) || text.p[begin - 1] == '.' ||
                         text.p[begin - 1] == ',' || text.p[begin - 1] == '/');
}

/* Are the two measures of one dimension, and of different sizes? */
static bool differ_in_size(const measure *a, const measure *b)
{
    return measure_is_smaller(a, b) || measure_is_smaller(b, a);
}

rdv_str conversion_amount_unit_in(const tokens *t, const conversion_amount *found, rdv_str text,
                                  bool *same)
{
    measure to, of;
    rdv_str amount_unit = {0};
    rdv_str amount =
        rdv_slice(t->text, t->at[found->begin].begin, t->at[found->amount_end - 1].end);
    conversion_unit(tok_text(t, found->to), &to);
    for (size_t i = 0; (i = rdv_find(text, amount, i)) != RDV_NOT_FOUND; i++) {
        rdv_str word = conversion_word(text, i + amount.len);
        if (is_inside_number(text, i) || !conversion_unit(word, &of))
            continue;
        if (differ_in_size(&of, &to))
            amount_unit = word;
        else if (memcmp(of.power, to.power, sizeof of.power) == 0)
            *same = true;
    }
    return amount_unit;
}

bool conversion_amount_ratio(const tokens *t, const conversion_amount *found, rdv_str of,
                             fmpq_t out)
{
    measure from, to;
    if (!conversion_unit(of, &from) || !conversion_unit(tok_text(t, found->to), &to) ||
        !differ_in_size(&from, &to))
        return false;
    measure_ratio(&from, &to, out);
    return true;
}
