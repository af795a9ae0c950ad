/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/parts.h"

#include "answer/announcement.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "base/str.h"
#include "grade/formal.h"
#include "grade/text/restated.h"
#include "language/phrase.h"
#include "notation/units.h"

#define PARTS_MOST 8
#define WORDS_MOST 12 /* beside one number */
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* A number with the words beside it. */
typedef struct part {
    rdv_str number, word[WORDS_MOST];
    size_t n;
} part;

typedef struct parts {
    part at[PARTS_MOST];
    size_t n;
} parts;

/* A word that says nothing of a number. */
static bool is_plain(rdv_str word)
{
    return answer_class_has(CLASS_BESIDE, word);
}

/* A word that may turn a number, or deny what is said. */
static bool may_turn(rdv_str word)
{
    return answer_class_has(CLASS_TURNING, word) || restated_doubts(word);
}

/* The byte behind what parts two numbers between bytes `i` and `end`, where there is just one such
 * sign or word; 0: there is none, or more. */
static size_t separator(rdv_str s, size_t i, size_t end)
{
    static const char *const joins[] = {", and ", "; and ", " and ", " while ", ", ",
                                        "; ",     ". ",     ",",     ";",       "\n"};
    size_t found = 0;
    while (i < end) {
        size_t len = 0;
        for (size_t k = 0; k < COUNT(joins) && !len; k++)
            len = rdv_starts(rdv_slice(s, i, end), rdv_str_of(joins[k])) ? strlen(joins[k]) : 0;
        if (len && found)
            return 0;
        found = len ? i + len : found;
        i += len ? len : 1;
    }
    return found;
}

/* The words of bytes `begin` to `end`: letters, or one letter in brackets, "(a)". False: there are
 * more than there is room for, or one that may turn the number. */
static bool words_of(rdv_str s, size_t begin, size_t end, part *p)
{
    for (size_t i = begin, stop; i < end; i = stop + 1) {
        for (stop = i; stop < end && (rdv_is_alpha(s.p[stop]) || (s.p[stop] & 0x80));)
            stop++;
        bool item = stop == i + 1 && i > 0 && s.p[i - 1] == '(' && rdv_char_at(s, stop) == ')';
        rdv_str word = rdv_slice(s, i - item, stop + item);
        char behind = rdv_char_at(s, rdv_skip_any(s, stop, " "));
        bool named = stop == i + 1 && (behind == '=' || behind == ':'); /* "a = 2" */
        if (stop == i || (!item && !named && is_plain(word)))
            continue;
        if (p->n == WORDS_MOST || may_turn(word))
            return false;
        p->word[p->n++] = word;
    }
    return true;
}

/* Two parts or more, each of one number and its words. */
static bool parts_of(rdv_str s, parts *out)
{
    rdv_str number;
    size_t at = 0, begin = 0;
    out->n = 0;
    while (answer_next_number(s, &at, &number)) {
        size_t first = (size_t)(number.p - s.p);
        if (out->n == PARTS_MOST)
            return false;
        if (out->n) {
            part *last = &out->at[out->n - 1];
            size_t behind = (size_t)(last->number.p - s.p) + last->number.len;
            size_t next = separator(s, behind, first);
            if (!next || !words_of(s, begin, behind - last->number.len, last) ||
                !words_of(s, behind, next, last))
                return false;
            begin = next;
        }
        out->at[out->n++] = (part){.number = number};
    }
    part *last = &out->at[out->n - (out->n > 0)];
    return out->n > 1 && words_of(s, begin, (size_t)(last->number.p - s.p), last) &&
           words_of(s, (size_t)(last->number.p - s.p) + last->number.len, s.len, last);
}

static bool has_word(const part *p, rdv_str word)
{
    for (size_t k = 0; k < p->n; k++)
        if (rdv_str_ieq(p->word[k], word))
            return true;
    return false;
}

static bool has_words(const part *p, const part *of)
{
    bool all = of->n > 0;
    for (size_t k = 0; k < of->n && all; k++)
        all = has_word(p, of->word[k]);
    return all;
}

/* Digits without the sign of a currency, commas of groups, and zeros at the end. */
static size_t plain_digits(rdv_str number, char *out, size_t room)
{
    size_t n = 0;
    bool point = rdv_find_char(number, '.', 0) != RDV_NOT_FOUND;
    for (size_t i = 0; i < number.len && n < room; i++)
        if (number.p[i] && !strchr("$,\\ ", number.p[i]))
            out[n++] = number.p[i];
    while (point && n && (out[n - 1] == '0' || out[n - 1] == '.'))
        point = out[--n] != '.';
    return n;
}

static bool is_one_number(rdv_str a, rdv_str b)
{
    char x[40], y[40];
    size_t n = plain_digits(a, x, sizeof x), m = plain_digits(b, y, sizeof y);
    return n == m && n < sizeof x && memcmp(x, y, n) == 0;
}

/* Are all words of the part gold's names, units, or words of the question? */
static bool says_no_more(const part *p, const part *gold, rdv_str question)
{
    unit_meaning m;
    bool is = true;
    for (size_t k = 0; k < p->n && is; k++)
        is = has_word(gold, p->word[k]) || unit_find_in_prose(p->word[k], &m) ||
             formal_holds(question, p->word[k]);
    return is;
}

bool parts_compare(rdv_str answer, rdv_str gold, rdv_str question, bool *same)
{
    parts a, g;
    bool taken[PARTS_MOST] = {false};
    if (answer.len > 1000 || gold.len > 1000 || !parts_of(gold, &g) || !parts_of(answer, &a) ||
        a.n != g.n)
        return false;
    *same = true;
    for (size_t k = 0; k < g.n; k++) {
        size_t found = a.n, n = 0;
        for (size_t j = 0; j < a.n; j++)
            if (has_words(&a.at[j], &g.at[k])) {
                found = j;
                n++;
            }
        if (n != 1 || taken[found] || !says_no_more(&a.at[found], &g.at[k], question))
            return false;
        taken[found] = true;
        *same = *same && is_one_number(a.at[found].number, g.at[k].number);
    }
    return true;
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* Two numbers alone, with a sign or "to" between them. */
static bool pair_of(rdv_str s, rdv_str *first, rdv_str *second)
{
    static const char *const joins[] = {" to ",         " - ",           "-", ":", "\xe2\x80\x93",
                                        "\xe2\x80\x94", " \xe2\x80\x93 "};
    size_t begin = 0, i;
    while (begin < s.len && !rdv_is_digit(s.p[begin]))
        begin++;
    i = rdv_skip_digits(s, begin);
    *first = rdv_slice(s, begin, i);
    for (size_t k = 0; i < s.len && k < COUNT(joins); k++) {
        size_t next = i + strlen(joins[k]), end = rdv_skip_digits(s, next);
        if (!rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(joins[k])) || end == next)
            continue;
        *second = rdv_slice(s, next, end);
        return first->len && !rdv_has_digit(rdv_slice(s, end, s.len));
    }
    return false;
}

score_is score_compare(rdv_str answer, rdv_str gold, rdv_str question)
{
    static phrase_list refused = {"lost;lose*;beaten;defeated"};
    rdv_str a, b, c, d;
    gold = rdv_trim(gold);
    if (!pair_of(gold, &a, &b) || a.p != gold.p || b.p + b.len != gold.p + gold.len ||
        rdv_ifind(question, RDV_STR("score"), 0) == RDV_NOT_FOUND)
        return SCORE_NOT;
    if (restated_doubts(answer) || phrase_in(answer, &refused))
        return SCORE_UNKNOWN;
    if (formal_holds(answer, RDV_STR("half")) != formal_holds(question, RDV_STR("half")))
        return SCORE_UNKNOWN; /* "3-1 at half time" */
    if (!pair_of(answer, &c, &d) || (rdv_str_eq(a, d) && rdv_str_eq(b, c) && !rdv_str_eq(a, b)))
        return SCORE_UNKNOWN;
    return rdv_str_eq(a, c) && rdv_str_eq(b, d) ? SCORE_SAME : SCORE_OTHER;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

typedef struct size {
    rdv_str number[3], unit; /* the last unit that is named */
    size_t n;
    bool sure; /* has it a unit or "by", so that it is no product? */
} size;

/* The byte behind "by" or a sign of "times" at byte `i`, over blanks; 0: there is none. */
static size_t by_end(rdv_str s, size_t i, bool *by)
{
    static const char *const signs[] = {"by ", "x", "X", "\xc3\x97", "\\times"};
    i = rdv_skip_any(s, i, " $");
    for (size_t k = 0; i < s.len && k < COUNT(signs); k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(signs[k]))) {
            *by = *by || k == 0;
            return rdv_skip_any(s, i + strlen(signs[k]), " $");
        }
    return 0;
}

/* "3 by 4", "The size is 3 cm x 4 cm.": two or three numbers with "by" between them. */
static bool size_of(rdv_str s, rdv_str question, size *out)
{
    size_t i = 0, end, stop;
    *out = (size){0};
    for (; i < s.len && !rdv_is_digit(s.p[i]); i = end + (end == i)) {
        end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end);
        if (end == i
                ? !strchr(" $:(", s.p[i] ? s.p[i] : '?')
                : !announcement_row_at(s, i, 1u << EFFECT_PLAIN, &stop) &&
                      !formal_holds(question, word) && !rdv_istarts(word, RDV_STR("dimension")) &&
                      !rdv_istarts(word, RDV_STR("measure")))
            return false;
    }
    while (i < s.len && out->n < 3) {
        end = rdv_skip_digits(s, i);
        if (rdv_char_at(s, end) == '.' && rdv_is_digit(rdv_char_at(s, end + 1)))
            end = rdv_skip_digits(s, end + 1);
        if (end == i)
            return false;
        out->number[out->n++] = rdv_slice(s, i, end);
        size_t next = by_end(s, end, &out->sure);
        size_t behind = rdv_skip_any(s, end, " $"),
               len = next ? 0 : measure_len(rdv_slice(s, behind, s.len));
        if (len && out->unit.len && !rdv_str_eq(out->unit, rdv_slice(s, behind, behind + len)))
            return false;
        out->unit = len ? rdv_slice(s, behind, behind + len) : out->unit;
        i = next ? next : by_end(s, behind + len, &out->sure);
        if (!i) {
            out->sure = out->sure || out->unit.len;
            return out->n > 1 && rdv_skip_any(s, behind + len, " .$)") == s.len;
        }
    }
    return false;
}

bool size_compare(rdv_str answer, rdv_str gold, rdv_str question, rdv_same *is)
{
    size a, g;
    if (answer.len > 200 || gold.len > 200 || !size_of(gold, question, &g) ||
        !size_of(answer, question, &a) || !(a.sure || g.sure))
        return false;
    measure of = measure_read(a.unit), of_gold = measure_read(g.unit);
    bool units = !of.n || !of_gold.n || measure_compare(&of, &of_gold) == MEASURES_SAME;
    bool same = a.n == g.n, other = false;
    for (size_t k = 0; k < a.n && k < g.n; k++) {
        bool found = false;
        same = same && is_one_number(a.number[k], g.number[k]);
        for (size_t j = 0; j < g.n; j++)
            found = found || is_one_number(a.number[k], g.number[j]);
        other = other || !found;
    }
    *is = same && units                                      ? RDV_SAME
          : other && units && a.n == g.n && a.sure && g.sure ? RDV_DIFFERENT
                                                             : RDV_CANNOT_TELL;
    return true;
}
