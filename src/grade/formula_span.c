/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/formula_span.h"

#include "base/str.h"
#include "base/utf8.h"
#include "grade/formal.h"
#include "language/phrase.h"
#include "notation/units.h"

#define REACH_MOST 400 /* bytes to each side */
#define WORD_MOST 12   /* bytes of a word that is looked at */

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What a piece of a text is to a formula. */
typedef enum piece { NO_PIECE, BLANK, VALUE, OPERATOR } piece;

/* Is the word of letters one of a formula: a letter, a function, two letters that are no word? */
static bool is_of_formula(rdv_str s, size_t begin, size_t end)
{
    static const char *const functions[] = {"sin", "cos", "tan", "cot", "sec", "csc", "log",
                                            "ln",  "exp", "lim", "max", "min", "gcd", "lcm",
                                            "mod", "abs", "pi",  "inf", "sqrt"};
    static phrase_list words = {"@short-of-prose"};
    rdv_str word = rdv_slice(s, begin, end);
    bool command = begin > 0 && s.p[begin - 1] == '\\';
    if (command || (word.len < 5 && rdv_is_one_of(word, functions, COUNT(functions))))
        return true;
    if (word.len == 2)
        return !phrase_is(word, &words);
    bool article = word.len == 1 && strchr("aAI", word.p[0]) && rdv_char_at(s, end) == ' ' &&
                   (begin == 0 || s.p[begin - 1] == ' ') && rdv_is_alpha(rdv_char_at(s, end + 1));
    return word.len == 1 && !article;
}

/* ASCII signs and digits that are pieces wherever they stand. */
static const unsigned char pieces[128] = {
    [' '] = BLANK,    ['0'] = VALUE,    ['1'] = VALUE,    ['2'] = VALUE,    ['3'] = VALUE,
    ['4'] = VALUE,    ['5'] = VALUE,    ['6'] = VALUE,    ['7'] = VALUE,    ['8'] = VALUE,
    ['9'] = VALUE,    [')'] = VALUE,    [']'] = VALUE,    ['}'] = VALUE,    ['!'] = VALUE,
    ['\''] = VALUE,   ['_'] = VALUE,    ['\\'] = VALUE,   ['+'] = OPERATOR, ['-'] = OPERATOR,
    ['*'] = OPERATOR, ['/'] = OPERATOR, ['^'] = OPERATOR, ['='] = OPERATOR, ['<'] = OPERATOR,
    ['>'] = OPERATOR, ['('] = OPERATOR, ['['] = OPERATOR, ['{'] = OPERATOR, ['|'] = OPERATOR};

/* The same of a letter, a point or comma, or a character beyond ASCII. */
static piece other_piece_at(rdv_str s, size_t i, size_t *end)
{
    char c = rdv_char_at(s, i);
    size_t len = 1;
    if (rdv_is_alpha(c)) {
        *end = rdv_skip_letters(s, i);
        return is_of_formula(s, i, *end) ? VALUE : NO_PIECE;
    }
    if (c == '.' || c == ',') /* within a number */
        return i > 0 && rdv_is_digit(s.p[i - 1]) && rdv_is_digit(rdv_char_at(s, i + 1)) ? VALUE
                                                                                        : NO_PIECE;
    uint32_t u = i < s.len && (c & 0x80) ? rdv_utf8_at(s, i, &len) : 0;
    *end = i + (len ? len : 1);
    if (!formal_is_sign(u) || u == 0x2248) /* nearly equal */
        return NO_PIECE;
    return u >= 0x2200 || u == 0xb7 || u == 0xb1 || u == 0xd7 || u == 0xf7 ? OPERATOR : VALUE;
}

/* The piece that begins at byte `i`, with its end. */
static inline piece piece_at(rdv_str s, size_t i, size_t *end)
{
    unsigned char c = (unsigned char)rdv_char_at(s, i);
    *end = i + 1;
    return c < 0x80 && pieces[c] ? (piece)pieces[c] : other_piece_at(s, i, end);
}

/* Where the piece that ends at byte `end` begins; `end`: there is none. */
static size_t piece_begin(rdv_str s, size_t end)
{
    size_t begin = end - (end > 0), stop;
    if (end == 0)
        return end;
    if (!(s.p[begin] & 0x80) && pieces[(unsigned char)s.p[begin]])
        return begin;
    while (begin > 0 && (s.p[begin] & 0xc0) == 0x80)
        begin--;
    while (rdv_is_alpha(s.p[begin]) && begin > 0 && rdv_is_alpha(s.p[begin - 1]) &&
           end - begin < WORD_MOST)
        begin--;
    return piece_at(s, begin, &stop) != NO_PIECE && stop == end ? begin : end;
}

/* A blank is within a formula only beside an operator: one of the pieces that begin there. */
static bool crosses(rdv_str s, size_t before, size_t after)
{
    size_t end;
    return piece_at(s, after, &end) == OPERATOR || piece_at(s, before, &end) == OPERATOR;
}

static size_t end_of(rdv_str s, size_t at)
{
    size_t next, most = at + REACH_MOST;
    while (at < s.len && at < most) {
        piece is = piece_at(s, at, &next);
        if (is == NO_PIECE)
            break;
        size_t behind = next;
        if (is == BLANK &&
            (piece_at(s, next, &behind) < VALUE || !crosses(s, piece_begin(s, at), next)))
            break;
        at = is == BLANK ? behind : next;
    }
    return at;
}

static size_t begin_of(rdv_str s, size_t at)
{
    size_t least = at > REACH_MOST ? at - REACH_MOST : 0;
    while (at > least) {
        size_t begin = piece_begin(s, at);
        if (begin == at)
            break;
        size_t before = begin;
        if (s.p[begin] == ' ') {
            before = piece_begin(s, begin);
            if (before == begin || s.p[before] == ' ' || !crosses(s, before, at))
                break;
        }
        at = before;
    }
    return at;
}

/* Without signs at its ends that join it to nothing; empty where its brackets do not fit. */
static rdv_str trimmed(rdv_str s)
{
    s = rdv_trim(s);
    while (s.len && strchr("=*/^,<>)]}!'", s.p[0]))
        s = rdv_trim(rdv_slice(s, 1, s.len));
    while (s.len && strchr("=*/^,<>+-([{\\|_", s.p[s.len - 1]))
        s = rdv_trim(rdv_slice(s, 0, s.len - 1));
    int depth = 0;
    for (size_t i = 0; i < s.len && depth >= 0; i++)
        depth += RDV_IS_IN(s.p[i], "([{") - RDV_IS_IN(s.p[i], ")]}");
    return depth == 0 ? s : (rdv_str){0};
}

bool formula_span_with(rdv_str text, size_t begin, size_t end, rdv_str *out)
{
    size_t from = begin_of(text, begin), to = end_of(text, end);
    rdv_str found = trimmed(rdv_slice(text, from, to));
    if (!found.len || found.len <= end - begin || found.p > text.p + begin ||
        found.p + found.len < text.p + end)
        return false;
    *out = found;
    return true;
}

rdv_str formula_span_result(rdv_str formula)
{
    size_t equals = rdv_find_last(formula, RDV_STR("="));
    bool bound = equals != RDV_NOT_FOUND && equals > 0 && strchr("<>!", formula.p[equals - 1]);
    return equals == RDV_NOT_FOUND || bound ? formula
                                            : rdv_trim(rdv_slice(formula, equals + 1, formula.len));
}

/* The end of `s` without blanks and what opens an aside. */
static rdv_str without_opening(rdv_str s)
{
    while (s.len && strchr(" (,$~", s.p[s.len - 1]) && s.p[s.len - 1])
        s.len--;
    return s;
}

/* Without the last of the words, where `s` ends in one; *any: it does. */
static rdv_str without_last(rdv_str s, phrase_list *words, bool *any)
{
    size_t begin = phrase_before(s, words);
    *any = begin < s.len;
    return rdv_slice(s, 0, begin);
}

/* Without a unit at its end, "cubic units"; *any: there was one. */
static rdv_str without_unit(rdv_str s, bool *any)
{
    static const char *const parts[] = {"square", "cubic", "unit", "units"};
    size_t begin = s.len;
    unit_meaning m;
    while (begin > 0 && s.len - begin < WORD_MOST && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    rdv_str word = rdv_slice(s, begin, s.len);
    *any = begin > 0 && s.p[begin - 1] == ' ' &&
           (rdv_is_one_of(word, parts, COUNT(parts)) || unit_find_in_prose(word, &m));
    return *any ? rdv_slice(s, 0, begin) : s;
}

bool formula_span_rounded(rdv_str text, size_t begin, rdv_str *exact)
{
    static phrase_list near = {"@about;approximately;roughly;nearly;\u2248;\\approx;\\simeq"};
    static phrase_list joins = {"@says-again;is;equals;so;which"};
    bool any, more = true;
    rdv_str before = without_opening(rdv_slice(text, 0, begin));
    bool tilde = before.len < begin && memchr(before.p + before.len, '~', begin - before.len);
    before = without_last(before, &near, &any);
    if (!any && !tilde)
        return false;
    while (more) {
        before = without_opening(before);
        before = without_last(before, &joins, &more);
    }
    for (more = true; more;)
        before = without_unit(without_opening(before), &more);
    size_t end = before.len, from = piece_begin(before, end);
    if (from == end || (rdv_is_alpha(before.p[from]) && end - from > 1 &&
                        !(from > 0 && before.p[from - 1] == '\\')))
        return false;
    if (!formula_span_with(before, from, end, exact))
        *exact = rdv_slice(before, from, end);
    *exact = formula_span_result(*exact);
    return exact->len > 0;
}
