/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/clock.h"

#include "base/str.h"
#include "claims/find.h"
#include "claims/relative.h"
#include "expression/clause.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MOST_DIGITS 4 /* of a number of hours or minutes */

/* The value of the whole number at token `i`, of at most `digits` digits. The lexer calls "05"
 * opaque. */
static bool whole_at(const tokens *t, size_t i, size_t digits, long long *out)
{
    tok_kind kind = tok_kind_at(t, i);
    rdv_str s = i < t->n ? tok_text(t, i) : (rdv_str){0};
    if ((kind != TOK_NUMBER && kind != TOK_OPAQUE) || s.len == 0 || s.len > digits)
        return false;
    *out = 0;
    for (size_t k = 0; k < s.len; k++) {
        if (!rdv_is_digit(s.p[k]))
            return false;
        *out = 10 * *out + (s.p[k] - '0');
    }
    return true;
}

/* The lexer calls a colon between numbers opaque, and one behind "09" a sign. */
static bool is_colon(const tokens *t, size_t i)
{
    tok_kind k = tok_kind_at(t, i);
    return (k == TOK_OPAQUE || k == TOK_PUNCT) && !t->at[i].space_before &&
           rdv_str_eq(tok_text(t, i), RDV_STR(":"));
}

/* "am", "pm", "a.m.", "p.m." at token `i`: how many tokens, or 0. */
static size_t half_of_day(const tokens *t, size_t i, bool *after_noon)
{
    bool am = tok_is_word(t, i, "am") || tok_is_word(t, i, "a");
    bool pm = tok_is_word(t, i, "pm") || tok_is_word(t, i, "p");
    *after_noon = pm;
    if (!(am || pm) || tok_text(t, i).len == 2)
        return am || pm;
    bool points = tok_kind_at(t, i + 1) == TOK_PUNCT && tok_is_word(t, i + 2, "m") &&
                  tok_kind_at(t, i + 3) == TOK_PUNCT;
    bool joined = points && !t->at[i + 1].space_before && !t->at[i + 2].space_before;
    /* a full stop may end the sentence too */
    return joined ? tok_kind_at(t, i + 4) == TOK_END ? 3 : 4 : 0;
}

/* The minutes behind the hours before token `i`, ":45", and the token after them; false: there are
 * none, and *end is `i`. */
static bool minutes_at(const tokens *t, size_t i, long long *minutes, size_t *end)
{
    *minutes = 0;
    *end = i;
    if (!is_colon(t, i) || t->at[i + 1].space_before || tok_text(t, i + 1).len != 2 ||
        !whole_at(t, i + 1, 2, minutes) || *minutes > 59 || is_colon(t, i + 2))
        return false;
    *end = i + 2;
    return true;
}

/* "9:45", "9:45 pm", "9 pm" */
static bool time_at(const tokens *t, size_t i, clock_value *out)
{
    long long hours, minutes;
    size_t end;
    bool after_noon;
    if (!whole_at(t, i, 2, &hours) || (i > 0 && is_colon(t, i - 1) && !t->at[i].space_before))
        return false;
    bool to_the_minute = minutes_at(t, i + 1, &minutes, &end);
    size_t half = half_of_day(t, end, &after_noon);
    if ((!to_the_minute && !half) || (half && (hours < 1 || hours > 12)))
        return false;
    hours = half ? hours % 12 + (after_noon ? 12 : 0) : hours;
    *out = (clock_value){.begin = i,
                         .end = end + half,
                         .unit = CLOCK_TIME,
                         .minutes = 60 * hours + minutes,
                         .half = half || hours < 1 || hours > 12,
                         .marked = half};
    return true;
}

static bool is_hour(const tokens *t, size_t i)
{
    static const char *const words[] = {"h", "hr", "hrs", "hour", "hours"};
    return tok_is_one_of(t, i, words, COUNT(words));
}

static bool is_minute(const tokens *t, size_t i)
{
    static const char *const words[] = {"min", "mins", "minute", "minutes"};
    return tok_is_one_of(t, i, words, COUNT(words));
}

/* "3 hours", "35 min", "3 h 35 min", "3 hours and 35 minutes" */
static bool length_at(const tokens *t, size_t i, clock_value *out)
{
    long long hours = 0, minutes = 0;
    *out = (clock_value){.begin = i, .half = true};
    if (whole_at(t, i, MOST_DIGITS, &hours) && is_hour(t, i + 1)) {
        out->unit |= CLOCK_HOURS;
        out->hours_word = tok_text(t, i + 1);
        i += 2;
    }
    size_t k = i;
    if (out->unit)
        k += tok_is_word(t, i, "and") || tok_kind_at(t, i) == TOK_COMMA;
    if (whole_at(t, k, MOST_DIGITS, &minutes) && is_minute(t, k + 1)) {
        out->unit |= CLOCK_MINUTES;
        out->minutes_word = tok_text(t, k + 1);
        i = k + 2;
    } else {
        minutes = 0;
    }
    out->end = i;
    out->minutes = (out->unit & CLOCK_HOURS ? 60 * hours : 0) + minutes;
    return out->unit;
}

static bool value_at(const tokens *t, size_t i, clock_value *out)
{
    return time_at(t, i, out) || length_at(t, i, out);
}

/* "9:45 + 3:35 = 13:20": a sum or difference whose left side has a time. */
static bool calculated_at(const tokens *t, size_t i, clock_claim *out)
{
    clock_claim c = {.begin = i};
    if (!value_at(t, i, &c.a))
        return false;
    tok_kind sign = tok_kind_at(t, c.a.end);
    c.is = sign == TOK_PLUS ? CLOCK_SUM : CLOCK_DIFFERENCE;
    if ((sign != TOK_PLUS && sign != TOK_MINUS) || !value_at(t, c.a.end + 1, &c.b) ||
        !((c.a.unit | c.b.unit) & CLOCK_TIME) || tok_kind_at(t, c.b.end) != TOK_EQUAL ||
        !value_at(t, c.b.end + 1, &c.said) || !find_is_whole_before(t, i) ||
        !find_is_whole_after(t, c.said.end) || !relative_ends(t, c.said.end) ||
        (c.said.unit == CLOCK_TIME && tok_kind_at(t, c.said.end) == TOK_WORD))
        return false;
    c.left_end = c.b.end;
    c.end = c.said.end;
    *out = c;
    return true;
}

/* Does the claim at token `i` begin its clause? Words before it say what is counted of the time:
 * "twice the time from", "not counting the break, from". */
static bool begins_claim(const tokens *t, size_t i)
{
    i -= i > 0 && (tok_is_word(t, i - 1, "and") || tok_is_word(t, i - 1, "then"));
    return clause_begins(t, i) && (i == 0 || t->at[i - 1].kind != TOK_COMMA);
}

/* "Susan works" before token `i`: words alone, of which none changes how long it is? */
static bool follows_plain_words(const tokens *t, size_t i)
{
    static phrase_list changes = {"@changes-a-length"};
    const unsigned turns = WORD_DENIES | WORD_FAILS | WORD_MULTIPLE | WORD_FRACTION | WORD_NUMBER;
    for (; i > 0 && t->at[i - 1].kind == TOK_WORD; i--)
        if ((t->at[i - 1].word & turns) || tok_is_in(t, i - 1, &changes))
            return false;
    return i == 0 || t->at[i - 1].kind == TOK_PUNCT || t->at[i - 1].kind == TOK_NEWLINE;
}

/* The token behind "is", "there are", ", which is a total of" at token `i`; `i`: there is no such
 * verb. *aside: behind "which". */
static size_t verb_end(const tokens *t, size_t i, bool *aside)
{
    static const char *const verbs[] = {"is", "are"};
    static const char *const amounts[] = {"total", "span", "period"};
    size_t verb = i + (tok_kind_at(t, i) == TOK_COMMA);
    *aside = verb > i && tok_is_word(t, verb, "which");
    verb = *aside ? verb + 1 : i + tok_is_word(t, i, "there");
    if (tok_kind_at(t, verb) != TOK_EQUAL && !tok_is_one_of(t, verb, verbs, COUNT(verbs)))
        return i;
    bool amount = tok_is_word(t, verb + 1, "a") &&
                  tok_is_one_of(t, verb + 2, amounts, COUNT(amounts)) &&
                  tok_is_word(t, verb + 3, "of");
    return verb + (amount ? 4 : 1);
}

/* "from 9:45 to 13:20 is 3 hours 35 minutes", "between 9:45 and 13:20 there are 215 minutes" */
static bool stated_at(const tokens *t, size_t i, clock_claim *out)
{
    static const char *const until[] = {"to", "until", "till"};
    bool between = tok_is_word(t, i, "between");
    clock_claim c = {.is = CLOCK_BETWEEN, .begin = i};
    if ((!between && !tok_is_word(t, i, "from")) || !time_at(t, i + 1, &c.a))
        return false;
    bool joined =
        between ? tok_is_word(t, c.a.end, "and") : tok_is_one_of(t, c.a.end, until, COUNT(until));
    if (!joined || !time_at(t, c.a.end + 1, &c.b))
        return false;
    c.left_end = c.b.end;
    size_t said = verb_end(t, c.b.end, &c.aside);
    bool begins = begins_claim(t, i) || (c.aside && follows_plain_words(t, i));
    if (said == c.b.end || !begins || !length_at(t, said, &c.said) || !relative_ends(t, c.said.end))
        return false;
    c.end = c.said.end;
    *out = c;
    return true;
}

bool clock_find(const tokens *t, size_t from, clock_claim *out)
{
    for (size_t i = from; i + 4 < t->n; i++) {
        tok_kind k = t->at[i].kind;
        bool number = k == TOK_NUMBER || k == TOK_OPAQUE;
        if ((number && calculated_at(t, i, out)) || (k == TOK_WORD && stated_at(t, i, out)))
            return true;
    }
    return false;
}

/* Does a digit stand before byte `i`, perhaps with a blank between? */
static bool is_behind_digit(rdv_str text, size_t i)
{
    i -= i > 0 && text.p[i - 1] == ' ';
    return i > 0 && rdv_is_digit(text.p[i - 1]);
}

bool clock_may_be_in(rdv_str text)
{
    static const bool begins[256] = {
        [':'] = true, ['a'] = true, ['A'] = true, ['p'] = true, ['P'] = true};
    for (size_t i = 1; i + 1 < text.len; i++) {
        if (!begins[(unsigned char)text.p[i]])
            continue;
        char next = text.p[i + 1];
        bool half = next == 'm' || next == 'M' || next == '.';
        if (text.p[i] == ':' ? rdv_is_digit(text.p[i - 1]) && rdv_is_digit(next)
                             : half && is_behind_digit(text, i))
            return true;
    }
    return false;
}

bool clock_may_be_among(const tokens *t)
{
    for (size_t i = 0; i + 1 < t->n; i++) {
        const token *number = &t->at[i], *next = number + 1;
        if (number->kind != TOK_NUMBER && number->kind != TOK_OPAQUE)
            continue;
        char first = next->kind == TOK_WORD ? rdv_lower(t->text.p[next->begin]) : 0;
        if (first == 'a' || first == 'p' || is_colon(t, i + 1))
            return clock_may_be_in(t->text);
    }
    return false;
}
