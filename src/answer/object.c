/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/object.h"

#include "base/str.h"

#define OBJECT_MOST 400 /* bytes of one in brackets */
#define BEHIND_MOST 2000

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const openers[] = {"(", "[", "\\{", "{", "<", "\\langle", "\xe2\x9f\xa8"};
/* What may close one, by the same index; an interval may be open at one end. */
static const char *const closers[] = {")]", "])", "\\}", "}", ">", "\\rangle", "\xe2\x9f\xa9"};
/* What joins two objects to one, or to a list. */
static const char *const joins[] = {
    "\\cup", "\\cap", "\xe2\x88\xaa",  "\xe2\x88\xa9", "U",           ",",         ";",
    "and",   "or",    "\\text{ and }", "\\text{ or }", "\\text{and}", "\\text{or}"};

/* The opener at byte `i`: its index, and its length in *len; -1: there is none. */
static int opener_at(rdv_str s, size_t i, size_t *len)
{
    rdv_str rest = rdv_slice(s, i, s.len);
    for (size_t k = 0; k < COUNT(openers); k++) {
        if (!rdv_starts(rest, rdv_str_of(openers[k])))
            continue;
        char before = i > 0 ? s.p[i - 1] : '\0', after = rdv_char_at(s, i + 1);
        *len = strlen(openers[k]);
        if (*openers[k] == '{' && before && (rdv_is_alnum(before) || strchr("^_}", before)))
            return -1; /* "\frac{1}{2}" */
        if (*openers[k] == '<' && (rdv_is_space(after) || strchr("<=-", after)))
            return -1; /* "x < 3", "<<2+3=5>>" */
        return (int)k;
    }
    return -1;
}

static size_t closer_len(rdv_str s, size_t i, int of)
{
    if (of < 2)
        return s.p[i] == ')' || s.p[i] == ']';
    bool glued = of != 4 || (i > 0 && !rdv_is_space(s.p[i - 1]));
    rdv_str closer = rdv_str_of(closers[of]);
    return glued && rdv_starts(rdv_slice(s, i, s.len), closer) ? closer.len : 0;
}

/* Is the word of letters at bytes `begin` to `end` one that formulas have? */
static bool is_name(rdv_str s, size_t begin, size_t end)
{
    static const char *const names[] = {"pi",  "oo",  "inf", "infinity", "infty", "sqrt", "sin",
                                        "cos", "tan", "log", "ln",       "exp",   "or",   "and"};
    bool command = begin > 0 && s.p[begin - 1] == '\\';
    return end - begin < 2 || command ||
           rdv_is_one_of(rdv_slice(s, begin, end), names, COUNT(names));
}

/* Is what stands in brackets a list of formulas? "1,234" is a number. */
static bool lists_formulas(rdv_str s)
{
    size_t commas = 0, last = RDV_NOT_FOUND, depth = 0;
    bool item = false, grouped = true;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        size_t begin = i;
        while (i < s.len && rdv_is_alpha(s.p[i]))
            i++;
        if (i > begin && !is_name(s, begin, i))
            return false;
        item = item || i > begin || rdv_is_digit(c) || (c & 0x80);
        if (i > begin) {
            i--;
            continue;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth && (c == ')' || c == ']' || c == '}');
        if (depth == 0 && (c == ',' || c == ';')) {
            if (!item)
                return false;
            grouped = grouped && c == ',' && rdv_is_digit(s.p[0]) && s.p[0] != '0' &&
                      rdv_skip_digits(s, i + 1) == i + 4 && (last != RDV_NOT_FOUND || i < 4);
            commas++;
            last = i;
            item = false;
        } else if (!c || strchr("?!:\"", c)) {
            return false;
        } else {
            grouped = grouped && rdv_is_digit(c);
        }
    }
    return commas && item && !grouped;
}

/* The end of the object that opens at byte `i`; 0: there is none. */
static size_t object_end(rdv_str s, size_t i)
{
    size_t len, depth = 0;
    int of = opener_at(s, i, &len);
    rdv_str near = rdv_slice(s, 0, i + OBJECT_MOST);
    for (size_t k = i + len; of >= 0 && k < near.len && s.p[k] != '\n'; k++) {
        size_t closed = closer_len(near, k, of);
        if (closed && depth == 0)
            return lists_formulas(rdv_slice(s, i + len, k)) ? k + closed : 0;
        depth -= closed > 0;
        depth += !closed && (s.p[k] == '(' || s.p[k] == '[') && of < 2;
    }
    return 0;
}

/* Where the object at byte `i` begins, with the name that it is an argument of, "gcd(12, 18)", and
 * "\left". */
static size_t with_name(rdv_str s, size_t i)
{
    while (i > 0 && rdv_is_alpha(s.p[i - 1]))
        i--;
    return i > 0 && s.p[i - 1] == '\\' ? i - 1 : i;
}

/* Where the matrix at byte `i` begins, with the factor that stands directly before it: "2",
 * "\\frac{1}{2}". */
static size_t with_factor(rdv_str s, size_t i)
{
    size_t begin = i;
    while (begin > 0 && s.p[begin - 1] && !strchr(" $=,;:([\n", s.p[begin - 1]))
        begin--;
    for (size_t k = begin, from; k < i; k++) {
        for (from = k; k < i && rdv_is_alpha(s.p[k]);)
            k++;
        if (k > from + 1 && !(from > 0 && s.p[from - 1] == '\\'))
            return i; /* a word */
    }
    return begin;
}

static size_t blanks_end(rdv_str s, size_t i)
{
    while (i < s.len && RDV_IS_IN(s.p[i], " $"))
        i++;
    return i;
}

/* With the parts behind byte `end` that are joined to it: "(0, 1) ∪ (2, 3)", "(1, 2) and (3, 4)".
 */
static size_t with_joined(rdv_str s, size_t end)
{
    for (size_t k = 0; k < COUNT(joins); k++) {
        rdv_str sign = rdv_str_of(joins[k]);
        size_t at = blanks_end(s, end);
        bool joined = rdv_starts(rdv_slice(s, at, s.len), sign);
        size_t part = joined ? object_end(s, blanks_end(s, at + sign.len)) : 0;
        if (part) {
            end = part;
            k = SIZE_MAX; /* from the first sign again */
        }
    }
    return end;
}

/* The end of the matrix that begins at byte `i`, with its environment; 0: there is none. */
static size_t matrix_end(rdv_str s, size_t i)
{
    rdv_str rest = rdv_slice(s, i, i + OBJECT_MOST), begin = RDV_STR("\\begin{");
    if (!rdv_starts(rest, begin))
        return 0;
    rdv_str name = rdv_slice(rest, begin.len, rdv_find_char(rest, '}', 0));
    size_t end = rdv_find(rest, RDV_STR("\\end{"), 0);
    return end == RDV_NOT_FOUND || !rdv_ends(name, RDV_STR("matrix")) ? 0 : i + end + name.len + 6;
}

/* The end of the object or union that begins at byte `i`; 0: there is none. */
static size_t whole_end(rdv_str s, size_t i)
{
    char c = s.p[i];
    bool may = RDV_IS_IN(c, "([{<\\") || (c & 0x80);
    size_t end = may ? object_end(s, i) : 0;
    return end ? with_joined(s, end) : may ? matrix_end(s, i) : 0;
}

bool object_with(rdv_str text, rdv_str number, rdv_str *out)
{
    size_t begin = (size_t)(number.p - text.p), end = begin + number.len, found = 0, from = 0;
    size_t first = begin > OBJECT_MOST ? begin - OBJECT_MOST : 0;
    size_t last = end + BEHIND_MOST < text.len ? end + BEHIND_MOST : text.len;
    size_t factor = rdv_starts(number, RDV_STR("\\begin{")) ? with_factor(text, begin) : begin;
    if (factor < begin) {
        *out = rdv_slice(text, factor, end);
        return true;
    }
    for (size_t i = first; i < last; i++) {
        size_t stop = begin <= i && i < end ? 0 : whole_end(text, i);
        if (stop == 0)
            continue;
        if (stop >= end) {
            from = i;
            found = stop;
        }
        i = stop - 1;
    }
    bool matrix = rdv_starts(rdv_slice(text, from, text.len), RDV_STR("\\begin"));
    if (found)
        *out = rdv_slice(text, matrix ? with_factor(text, from) : with_name(text, from), found);
    return found;
}
