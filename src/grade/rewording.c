/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/rewording.h"

#include "base/arena.h"
#include "base/str.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Digits, perhaps with a decimal point, at byte `i`; the byte behind them, or `i`. */
static size_t number_end(rdv_str s, size_t i)
{
    size_t end = rdv_skip_digits(s, i);
    bool point = end > i && rdv_char_at(s, end) == '.' && rdv_is_digit(rdv_char_at(s, end + 1));
    return point ? rdv_skip_digits(s, end + 1) : end;
}

static bool holds(rdv_str s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < s.len; i++)
        for (size_t k = 0; k < n && (i == 0 || !rdv_is_alpha(s.p[i - 1])); k++) {
            if (rdv_lower(*words[k]) != rdv_lower(s.p[i]))
                continue;
            rdv_str word = rdv_str_of(words[k]);
            if (rdv_istarts(rdv_slice(s, i, s.len), word) &&
                !rdv_is_alpha(rdv_char_at(s, i + word.len)))
                return true;
        }
    return false;
}

/* "3 to 4": the byte behind " to " at byte `i`, or 0. */
static size_t to_end(rdv_str s, size_t i)
{
    return rdv_istarts(rdv_slice(s, i, s.len), RDV_STR(" to ")) ? i + 4 : 0;
}

static rdv_str ratio(rdv_str s, rdv_str other, rdv_arena *arena)
{
    size_t first = number_end(s, 0), next = to_end(s, first), second = number_end(s, next);
    bool is = first && next && second > next && rdv_find_char(other, ':', 0) != RDV_NOT_FOUND;
    if (!is)
        return s;
    size_t last = to_end(s, second), third = last ? number_end(s, last) : 0;
    rdv_str a = rdv_slice(s, 0, first), b = rdv_slice(s, next, second);
    return second == s.len ? rdv_str_printf(arena, "%.*s:%.*s", RDV_FMT(a), RDV_FMT(b))
           : third > last && third == s.len
               ? rdv_str_printf(arena, "%.*s:%.*s:%.*s", RDV_FMT(a), RDV_FMT(b),
                                RDV_FMT(rdv_slice(s, last, third)))
               : s;
}

/* The length of a sign of feet (or inches) at byte `i`, or 0. */
static size_t sign_len(rdv_str s, size_t i, bool inches)
{
    static const char *const feet[] = {"'", "\xe2\x80\xb2", "\xe2\x80\x99"};
    static const char *const inch[] = {"\"", "''", "\xe2\x80\xb3", "\xe2\x80\x9d"};
    const char *const *signs = inches ? inch : feet;
    for (size_t k = 0; k < (inches ? COUNT(inch) : COUNT(feet)); k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(signs[k])))
            return strlen(signs[k]);
    return 0;
}

static rdv_str feet(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const units[] = {"ft", "feet", "foot", "in", "inch", "inches"};
    size_t first = number_end(s, 0), sign = sign_len(s, first, false);
    size_t begin = rdv_skip_any(s, first + sign, " "), second = number_end(s, begin);
    size_t last = second + sign_len(s, second, true);
    bool is = first && sign && second > begin && last > second && last == s.len &&
              holds(other, units, COUNT(units));
    return is ? rdv_str_printf(arena, "%.*s feet %.*s inches", RDV_FMT(rdv_slice(s, 0, first)),
                               RDV_FMT(rdv_slice(s, begin, second)))
              : s;
}

static rdv_str duration(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const hours[] = {"h", "hr", "hrs", "hour", "hours"};
    static const char *const seconds[] = {"s", "sec", "secs", "second", "seconds"};
    size_t ends[3], n = 0, at = 0;
    while (n < 3 && (ends[n] = rdv_skip_digits(s, at)) > at) {
        at = ends[n++] + 1;
        if (rdv_char_at(s, at - 1) != ':')
            break;
    }
    bool of_hours = holds(other, hours, COUNT(hours)),
         to_seconds = holds(other, seconds, COUNT(seconds));
    if (n < 2 || ends[n - 1] != s.len || (!of_hours && !to_seconds))
        return s;
    rdv_str a = rdv_slice(s, 0, ends[0]), b = rdv_slice(s, ends[0] + 1, ends[1]);
    if (n == 3)
        return rdv_str_printf(arena, "%.*s hours %.*s minutes %.*s seconds", RDV_FMT(a), RDV_FMT(b),
                              RDV_FMT(rdv_slice(s, ends[1] + 1, ends[2])));
    return rdv_str_printf(arena, of_hours ? "%.*s hours %.*s minutes" : "%.*s minutes %.*s seconds",
                          RDV_FMT(a), RDV_FMT(b));
}

static rdv_str basis_points(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const units[] = {"basis points", "basis point", "bps", "bp"};
    size_t end = number_end(s, 0);
    rdv_str unit = rdv_trim(rdv_slice(s, end, s.len));
    bool percents = rdv_find_char(other, '%', 0) != RDV_NOT_FOUND ||
                    rdv_ifind(other, RDV_STR("percent"), 0) != RDV_NOT_FOUND;
    return end && percents && rdv_is_one_of(unit, units, COUNT(units))
               ? rdv_str_printf(arena, "%.*s/100 percentage points", RDV_FMT(rdv_slice(s, 0, end)))
               : s;
}

/* "5 R 3", "5 remainder 3", "quotient 5, remainder 3": both numbers. */
static bool is_divided(rdv_str s, rdv_str *quotient, rdv_str *remainder)
{
    static const char *const words[] = {"remainder of", "remainder", "rem.", "rem", "r"};
    static const char *const before[] = {",", "and", "with", "with a", "and a"};
    rdv_str name = RDV_STR("quotient ");
    s = rdv_trim(rdv_slice(s, rdv_istarts(s, name) ? name.len : 0, s.len));
    size_t end = rdv_skip_digits(s, 0);
    rdv_str rest = rdv_trim(rdv_slice(s, end, s.len));
    *quotient = rdv_slice(s, 0, end);
    for (size_t k = COUNT(before); k-- > 0;)
        if (rdv_istarts(rest, rdv_str_of(before[k])))
            rest = rdv_trim(rdv_slice(rest, strlen(before[k]), rest.len));
    for (size_t k = 0; k < COUNT(words); k++) {
        rdv_str word = rdv_str_of(words[k]);
        if (!rdv_istarts(rest, word))
            continue;
        *remainder = rdv_trim(rdv_slice(rest, word.len, rest.len));
        return end && remainder->len && rdv_skip_digits(*remainder, 0) == remainder->len;
    }
    return false;
}

static rdv_str divided(rdv_str s, rdv_str other, rdv_arena *arena)
{
    rdv_str quotient, remainder, q, r;
    return is_divided(s, &quotient, &remainder) && is_divided(other, &q, &r)
               ? rdv_str_printf(arena, "(%.*s, %.*s)", RDV_FMT(quotient), RDV_FMT(remainder))
               : s;
}

/* "$15/h" as "$15 per h", beside a text that says "per". */
static rdv_str rate(rdv_str s, rdv_str other, rdv_arena *arena)
{
    size_t begin = rdv_starts(s, RDV_STR("\\$")) ? 2 : rdv_char_at(s, 0) == '$', end;
    end = number_end(s, begin);
    rdv_str thing = rdv_slice(s, end + 1, s.len);
    bool per = rdv_ifind(other, RDV_STR(" per "), 0) != RDV_NOT_FOUND;
    return begin && end > begin && rdv_char_at(s, end) == '/' && thing.len && per &&
                   rdv_skip_letters(thing, 0) == thing.len
               ? rdv_str_printf(arena, "%.*s per %.*s", RDV_FMT(rdv_slice(s, 0, end)),
                                RDV_FMT(thing))
               : s;
}

/* "1 in 4", "25 out of 100" as a fraction, beside a fraction, a decimal or a percentage. */
static rdv_str share(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const joins[] = {" in ", " out of "};
    size_t first = rdv_skip_digits(s, 0), next = 0;
    for (size_t k = 0; k < COUNT(joins) && !next; k++)
        if (rdv_istarts(rdv_slice(s, first, s.len), rdv_str_of(joins[k])))
            next = first + strlen(joins[k]);
    bool part = rdv_find_char(other, '/', 0) != RDV_NOT_FOUND ||
                rdv_find(other, RDV_STR("frac"), 0) != RDV_NOT_FOUND ||
                rdv_find_char(other, '%', 0) != RDV_NOT_FOUND || rdv_starts(other, RDV_STR("0."));
    return first && next && next < s.len && rdv_skip_digits(s, next) == s.len && part
               ? rdv_str_printf(arena, "%.*s/%.*s", RDV_FMT(rdv_slice(s, 0, first)),
                                RDV_FMT(rdv_slice(s, next, s.len)))
               : s;
}

/* "5 degrees below zero" as "-5", beside a number with a sign. */
static rdv_str below_zero(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const behind[] = {" below zero", " degrees below zero",
                                         "\xc2\xb0 below zero"};
    size_t end = number_end(s, 0);
    rdv_str rest = rdv_slice(s, end, s.len);
    bool is = false;
    for (size_t k = 0; k < COUNT(behind); k++)
        is = is || rdv_str_ieq(rest, rdv_str_of(behind[k]));
    return end && is && rdv_starts(other, RDV_STR("-"))
               ? rdv_str_printf(arena, "-%.*s", RDV_FMT(rdv_slice(s, 0, end)))
               : s;
}

/* "5 mod 7" as "5 \pmod{7}". */
static rdv_str modulus(rdv_str s, rdv_str other, rdv_arena *arena)
{
    rdv_str mod = RDV_STR(" mod ");
    size_t at = rdv_find(s, mod, 0), end = at == RDV_NOT_FOUND ? 0 : at + mod.len;
    bool is = end && rdv_skip_digits(s, rdv_char_at(s, 0) == '-') == at && end < s.len &&
              rdv_skip_digits(s, end) == s.len;
    return is ? rdv_str_printf(arena, "%.*s \\pmod{%.*s}", RDV_FMT(rdv_slice(s, 0, at)),
                               RDV_FMT(rdv_slice(s, end, s.len)))
              : s;
}

/* "]2;5[", "[2;5[": an interval whose open ends are written by brackets that are turned. */
static rdv_str interval(rdv_str s, rdv_str other, rdv_arena *arena)
{
    char first = rdv_char_at(s, 0), last = rdv_char_at(s, s.len - 1);
    rdv_str within = rdv_slice(s, 1, s.len - 1);
    size_t semicolon = rdv_find_char(within, ';', 0);
    size_t part = semicolon == RDV_NOT_FOUND ? rdv_find_char(within, ',', 0) : semicolon;
    bool turned = s.len > 4 && strchr("[]", first) && strchr("[]", last) &&
                  (first == ']' || last == '[') && part != RDV_NOT_FOUND;
    for (size_t i = 0; i < within.len && turned; i++)
        turned = within.p[i] && !strchr("[]()", within.p[i]);
    return turned ? rdv_str_printf(arena, "%c%.*s,%.*s%c", first == ']' ? '(' : '[',
                                   RDV_FMT(rdv_slice(within, 0, part)),
                                   RDV_FMT(rdv_slice(within, part + 1, within.len)),
                                   last == '[' ? ')' : ']')
                  : s;
}

/* "third" as "3rd", beside a number that is an ordinal too. */
static rdv_str ordinal(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const small[] = {"first",       "second",     "third",      "fourth",
                                        "fifth",       "sixth",      "seventh",    "eighth",
                                        "ninth",       "tenth",      "eleventh",   "twelfth",
                                        "thirteenth",  "fourteenth", "fifteenth",  "sixteenth",
                                        "seventeenth", "eighteenth", "nineteenth", "twentieth"};
    static const char *const tens[] = {"twenty", "thirty",  "forty",  "fifty",
                                       "sixty",  "seventy", "eighty", "ninety"};
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    size_t digits = rdv_skip_digits(other, 0), value = 0;
    rdv_str ending = rdv_slice(other, digits, digits + 2);
    rdv_str rest = rdv_slice(s, rdv_istarts(s, RDV_STR("the ")) ? 4 : 0, s.len);
    if (!digits || !rdv_is_one_of(ending, endings, COUNT(endings)))
        return s;
    for (size_t k = 0; k < COUNT(tens) && !value; k++) {
        size_t len = strlen(tens[k]);
        if (rdv_istarts(rest, rdv_str_of(tens[k])) && rdv_char_at(rest, len) == '-') {
            value = 10 * (k + 2);
            rest = rdv_slice(rest, len + 1, rest.len);
        }
    }
    size_t end = rdv_skip_letters(rest, 0);
    rdv_str word = rdv_slice(rest, 0, end);
    size_t most = value ? 9 : COUNT(small), k = 0;
    while (k < most && !rdv_str_ieq(word, rdv_str_of(small[k])))
        k++;
    return k < most ? rdv_str_printf(arena, "%zuth%.*s", value + k + 1,
                                     RDV_FMT(rdv_slice(rest, end, rest.len)))
                    : s;
}

rdv_str rewording_as(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static rdv_str (*const rewordings[])(rdv_str, rdv_str, rdv_arena *) = {
        ratio,    feet,    duration, basis_points, divided,   rate,
        interval, ordinal, modulus,  share,        below_zero};
    rdv_str out = s = rdv_trim(s);
    for (size_t k = 0; k < COUNT(rewordings) && out.p && out.p == s.p; k++)
        out = rewordings[k](s, other, arena);
    return out;
}
