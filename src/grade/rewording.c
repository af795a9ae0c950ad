/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/rewording.h"

#include "answer/announcement.h"
#include "answer/degrees.h"
#include "answer/measure.h"
#include "answer/money.h"
#include "answer/number_words.h"
#include "answer/span.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/text/restated.h"
#include "language/ordinal.h"
#include "language/phrase.h"

#define LONGEST 1000 /* bytes of a text that is written otherwise */
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Digits, perhaps in groups of three and with a decimal point, at byte `i`; the byte behind them,
 * or `i`. */
static size_t number_end(rdv_str s, size_t i)
{
    size_t end = rdv_skip_digits(s, i);
    while (end > i && rdv_char_at(s, end) == ',' && rdv_skip_digits(s, end + 1) == end + 4)
        end += 4;
    bool point = end > i && rdv_char_at(s, end) == '.' && rdv_is_digit(rdv_char_at(s, end + 1));
    return point ? rdv_skip_digits(s, end + 1) : end;
}

/* Is one of its words one of these? */
static bool holds(rdv_str s, const char *const *words, size_t n)
{
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        if (end > i && rdv_is_one_of(rdv_slice(s, i, end), words, n))
            return true;
    }
    return false;
}

/* A number in digits or words at byte *i, which is moved behind it; false: there is none. */
static bool take_number(rdv_str s, size_t *i, uint64_t *value)
{
    size_t end = number_end(s, *i), begin = *i;
    *value = 0;
    for (; begin < end; begin++)
        if (rdv_is_digit(s.p[begin]) && *value < UINT64_MAX / 20)
            *value = *value * 10 + (uint64_t)(s.p[begin] - '0');
        else if (s.p[begin] != ',')
            return false;
    if (end > *i) {
        *i = end;
        return true;
    }
    end = rdv_ifind(s, RDV_STR(" to "), begin);
    end = end == RDV_NOT_FOUND ? s.len - rdv_ends(s, RDV_STR(".")) : end;
    bool words = number_words_read(rdv_slice(s, begin, end), value);
    *i = words ? end : *i;
    return words;
}

/* "four to one", "The scale is 1 to 50,000.": two or three numbers; 0: it is no such text. */
static size_t ratio_of(rdv_str s, uint64_t value[3])
{
    size_t to = rdv_ifind(s, RDV_STR(" to "), 0), is = rdv_ifind(s, RDV_STR(" is "), 0), n = 0;
    for (size_t i = is < to ? is + 4 : 0; to != RDV_NOT_FOUND && n < 3; i += 4) {
        if (!take_number(s, &i, &value[n++]))
            return 0;
        if (i + rdv_ends(s, RDV_STR(".")) == s.len)
            return n;
        if (!rdv_istarts(rdv_slice(s, i, s.len), RDV_STR(" to ")))
            return 0;
    }
    return 0;
}

/* "3 to 4" as "3:4" beside a ratio with its sign, and as (3, 4) beside the same with "to", which
 * may be a range: of two that only are in proportion nothing is said. */
static rdv_str ratio(rdv_str s, rdv_str other, rdv_arena *arena)
{
    uint64_t a[3] = {0}, b[3] = {0};
    size_t n = ratio_of(s, a), m = n ? ratio_of(other, b) : 0;
    bool colon = rdv_find_char(other, ':', 0) != RDV_NOT_FOUND;
    bool pairs =
        n == 2 && m == 2 &&
        (a[0] == b[0] || a[0] > UINT32_MAX || b[1] > UINT32_MAX || a[0] * b[1] != a[1] * b[0]);
    const char *form = colon && n == 3 ? "%llu:%llu:%llu"
                       : colon && n    ? "%llu:%llu"
                       : pairs         ? "(%llu, %llu)"
                                       : NULL;
    return form ? rdv_str_printf(arena, form, (unsigned long long)a[0], (unsigned long long)a[1],
                                 (unsigned long long)a[2])
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
    static const char *const minutes[] = {"min", "mins", "minute", "minutes"};
    size_t ends[3], n = 0, at = 0, hour = rdv_skip_digits(s, 0);
    size_t begin = rdv_skip_any(s, hour + 1, " "), end = rdv_skip_digits(s, begin);
    size_t stop = end + (rdv_char_at(s, end) == 'm'); /* "1h30", "1 h 30m" */
    if (hour && rdv_char_at(s, hour) == 'h' && end > begin && stop == s.len &&
        (stop > end || end == hour + 3) &&
        (holds(other, hours, COUNT(hours)) || holds(other, minutes, COUNT(minutes))))
        return rdv_str_printf(arena, "%.*s hours %.*s minutes", RDV_FMT(rdv_slice(s, 0, hour)),
                              RDV_FMT(rdv_slice(s, begin, end)));
    while (n < 3 && (ends[n] = rdv_skip_digits(s, at)) > at) {
        at = ends[n++] + 1;
        if (rdv_char_at(s, at - 1) != ':')
            break;
    }
    if (n < 2 || ends[n - 1] != s.len)
        return s;
    bool of_hours = holds(other, hours, COUNT(hours));
    if (!of_hours && !holds(other, seconds, COUNT(seconds)))
        return s;
    rdv_str a = rdv_slice(s, 0, ends[0]), b = rdv_slice(s, ends[0] + 1, ends[1]);
    if (n == 3)
        return rdv_str_printf(arena, "%.*s hours %.*s minutes %.*s seconds", RDV_FMT(a), RDV_FMT(b),
                              RDV_FMT(rdv_slice(s, ends[1] + 1, ends[2])));
    return rdv_str_printf(arena, of_hours ? "%.*s hours %.*s minutes" : "%.*s minutes %.*s seconds",
                          RDV_FMT(a), RDV_FMT(b));
}

/* "25 basis points" as percentage points, beside percents. */
static rdv_str basis_points(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const units[] = {"basis points", "basis point", "bps", "bp"};
    size_t end = number_end(s, 0);
    rdv_str name = rdv_trim(rdv_slice(s, end, s.len));
    bool percents = rdv_find_char(other, '%', 0) != RDV_NOT_FOUND ||
                    rdv_ifind(other, RDV_STR("percent"), 0) != RDV_NOT_FOUND;
    return end && percents && rdv_is_one_of(name, units, COUNT(units))
               ? rdv_str_printf(arena, "%.*s/100 percentage points", RDV_FMT(rdv_slice(s, 0, end)))
               : s;
}

/* "5 R 3", "5 remainder 3", "quotient 5, remainder 3": both numbers. */
static bool is_divided(rdv_str s, rdv_str *quotient, rdv_str *remainder)
{
    static phrase_list words = {"@names-a-rest;remainder of;remainder is;rem.;r"};
    static phrase_list before = {"and;with;a;the"};
    static const char *const names[] = {"the quotient is ", "quotient is ", "quotient "};
    for (size_t k = 0; k < COUNT(names); k++)
        s = rdv_slice(s, rdv_istarts(s, rdv_str_of(names[k])) ? strlen(names[k]) : 0, s.len);
    s = rdv_trim(rdv_ends(s, RDV_STR(".")) ? rdv_slice(s, 0, s.len - 1) : s);
    size_t end = rdv_skip_digits(s, 0);
    rdv_str rest = rdv_trim(rdv_slice(s, end, s.len));
    *quotient = rdv_slice(s, 0, end);
    rest = rdv_slice(rest, rdv_skip_any(rest, 0, " ,"), rest.len);
    for (size_t len; (len = phrase_at(rest, 0, &before));)
        rest = rdv_trim(rdv_slice(rest, len, rest.len));
    size_t len = phrase_at(rest, 0, &words);
    *remainder = rdv_trim(rdv_slice(rest, len, rest.len));
    return end && len && remainder->len && rdv_skip_digits(*remainder, 0) == remainder->len;
}

static rdv_str divided(rdv_str s, rdv_str other, rdv_arena *arena)
{
    rdv_str quotient, remainder, q, r;
    return is_divided(s, &quotient, &remainder) && is_divided(other, &q, &r)
               ? rdv_str_printf(arena, "(%.*s, %.*s)", RDV_FMT(quotient), RDV_FMT(remainder))
               : s;
}

/* "$15/h", "$15 an hour" as "15 per h", beside a number. */
static rdv_str rate(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const joins[] = {"/", " per ", " a ", " an ", " each ", " every "};
    size_t begin = 0, join = 0;
    while (begin < s.len && !rdv_is_digit(s.p[begin]))
        begin++;
    begin = begin == 1 || money_sign_len(rdv_slice(s, 0, begin)) == begin ? begin : 0; /* "$" */
    size_t end = number_end(s, begin);
    for (size_t k = 0; k < COUNT(joins) && !join; k++)
        join = rdv_istarts(rdv_slice(s, end, s.len), rdv_str_of(joins[k])) ? strlen(joins[k]) : 0;
    rdv_str thing = rdv_slice(s, end + join, s.len);
    return begin && end > begin && join && thing.len && rdv_has_digit(other) &&
                   rdv_skip_letters(thing, 0) == thing.len
               ? rdv_str_printf(arena, "%.*s per %.*s", RDV_FMT(rdv_slice(s, begin, end)),
                                RDV_FMT(thing))
               : s;
}

/* "It's a 20-hour walk." as "20 hour", beside a number. */
static rdv_str hyphenated(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static phrase_list begins = {"@before-a-noun;it's;it is;that's"};
    size_t at = 0;
    for (size_t len; (len = phrase_at(s, at, &begins)); at = rdv_skip_any(s, at + len, " ")) {
    }
    size_t end = number_end(s, at), name_at = end + 1, stop = rdv_skip_letters(s, name_at);
    bool is = end > at && rdv_char_at(s, end) == '-' && stop > name_at + 1 &&
              rdv_has_digit(other) && measure_read(rdv_slice(s, name_at, stop)).n;
    for (size_t i = stop; i < s.len && is; i++)
        is = rdv_is_alpha(s.p[i]) || strchr(" .", s.p[i] ? s.p[i] : ',');
    return is ? rdv_str_printf(arena, "%.*s %.*s", RDV_FMT(rdv_slice(s, at, end)),
                               RDV_FMT(rdv_slice(s, name_at, stop)))
              : s;
}

/* "27 B.C." as "27 BC", beside an era. */
static rdv_str era(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const points[] = {"B.C.E.", "B.C.E", "B.C.", "B.C", "A.D.", "A.D", "C.E."};
    static const char *const plain[] = {"BCE", "BCE", "BC", "BC", "AD", "AD", "CE"};
    bool is =
        rdv_is_digit(rdv_char_at(other, 0)) || rdv_is_digit(rdv_char_at(other, other.len - 1));
    for (size_t k = 0; k < COUNT(points) && is && rdv_has_digit(s); k++)
        if (rdv_ends(s, rdv_str_of(points[k])))
            return rdv_str_printf(arena, "%.*s%s",
                                  RDV_FMT(rdv_slice(s, 0, s.len - strlen(points[k]))), plain[k]);
    return s;
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
    size_t of = rdv_ifind(s, RDV_STR(" of the "), 0);
    uint64_t above, below;
    rdv_str thing = rdv_slice(s, of + 8, s.len);
    if (part && of < s.len && fraction_words_read(rdv_slice(s, 0, of), &above, &below) &&
        !rdv_has_digit(thing)) /* "three quarters of the cake" */
        return rdv_str_printf(arena, "%llu/%llu", (unsigned long long)above,
                              (unsigned long long)below);
    rdv_str bare = answer_trim_marks(s);
    for (size_t k = 0; k < COUNT(joins) && part && !first; k++) { /* "one in thirty-six" */
        size_t join = rdv_ifind(bare, rdv_str_of(joins[k]), 0);
        if (join != RDV_NOT_FOUND && number_words_read(rdv_slice(bare, 0, join), &above) &&
            number_words_read(rdv_slice(bare, join + strlen(joins[k]), bare.len), &below) &&
            above < below)
            return rdv_str_printf(arena, "%llu/%llu", (unsigned long long)above,
                                  (unsigned long long)below);
    }
    return first && next && next < s.len && rdv_skip_digits(s, next) == s.len && part
               ? rdv_str_printf(arena, "%.*s/%.*s", RDV_FMT(rdv_slice(s, 0, first)),
                                RDV_FMT(rdv_slice(s, next, s.len)))
               : s;
}

/* "It was five degrees Celsius below zero." as "-5 Celsius", "4 above zero" as "4", beside a
 * temperature or a number with a sign. */
static rdv_str below_zero(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const places[] = {" below zero", " above zero"};
    static const char *const denials[] = {"from", "degree"};
    size_t at = RDV_NOT_FOUND, k = 0, begin = 0;
    uint64_t value = 0;
    while (k < 2 && at == RDV_NOT_FOUND)
        at = rdv_ifind(s, rdv_str_of(places[k++]), 0);
    bool heat = rdv_starts(other, RDV_STR("-")) || degrees_in(other);
    if (at == RDV_NOT_FOUND || !heat)
        return s;
    rdv_str before = rdv_slice(s, 0, at), scale = answer_trim_marks(rdv_slice(s, at + 11, s.len));
    while (begin < at && !rdv_is_digit(s.p[begin]) &&
           !(number_words_read(rdv_slice(s, begin, rdv_skip_letters(s, begin)), &value) &&
             (begin == 0 || s.p[begin - 1] == ' ')))
        begin++;
    size_t end =
        rdv_is_digit(rdv_char_at(s, begin)) ? number_end(s, begin) : rdv_skip_letters(s, begin);
    rdv_str name = degrees_skip(rdv_slice(before, end, before.len));
    name = name.len ? name : scale;
    rdv_str number = rdv_is_digit(rdv_char_at(s, begin)) ? rdv_slice(s, begin, end) : (rdv_str){0};
    if (begin == at || holds(rdv_slice(s, 0, begin), denials, COUNT(denials)) ||
        restated_doubts(before) || rdv_skip_letters(name, 0) != name.len)
        return s;
    const char *sign = k == 1 ? "-" : "", *of = name.len ? " degrees " : "";
    return number.p
               ? rdv_str_printf(arena, "%s%.*s%s%.*s", sign, RDV_FMT(number), of, RDV_FMT(name))
               : rdv_str_printf(arena, "%s%llu%s%.*s", sign, (unsigned long long)value, of,
                                RDV_FMT(name));
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

/* "(5, \\pm 3)" as "(5, 3), (5, -3)", beside several points. */
static rdv_str both_signs(rdv_str s, rdv_str other, rdv_arena *arena)
{
    size_t sign = rdv_find(s, RDV_STR("\\pm"), 0), len = 3;
    if (sign == RDV_NOT_FOUND) {
        sign = rdv_find(s, RDV_STR("\xc2\xb1"), 0);
        len = 2;
    }
    size_t second = rdv_find_char(other, '(', rdv_find_char(other, '(', 0) + 1);
    rdv_str before = rdv_trim_end(rdv_slice(s, 0, sign)), after = rdv_slice(s, sign + len, s.len);
    bool is = sign < s.len && second < other.len && rdv_starts(s, RDV_STR("(")) &&
              rdv_find_char(s, ')', 0) == s.len - 1 &&
              rdv_find(after, RDV_STR("\\pm"), 0) == RDV_NOT_FOUND &&
              rdv_find(after, RDV_STR("\xc2\xb1"), 0) == RDV_NOT_FOUND;
    bool first = is && strchr("(,", before.p[before.len - 1]);
    return is ? rdv_str_printf(arena, "%.*s%s%.*s, %.*s-%.*s", RDV_FMT(before), first ? "" : "+",
                               RDV_FMT(after), RDV_FMT(before), RDV_FMT(after))
              : s;
}

/* The base that follows the digits of a number: "_2", "_{2}", "(base 2)", "in binary"; 0: none.
 */
static unsigned base_behind(rdv_str s)
{
    static const struct {
        const char *word;
        unsigned base;
    } names[] = {{"binary", 2}, {"octal", 8}, {"decimal", 10}, {"hexadecimal", 16}, {"hex", 16}};
    unsigned base = 0;
    bool mark = rdv_starts(s, RDV_STR("_"));
    if (rdv_starts(s, RDV_STR("\xe2\x82"))) { /* digits of a subscript */
        for (size_t i = 2; i < s.len && base < 10; i += 3)
            base = base * 10 + ((unsigned char)s.p[i] & 15u);
        return base;
    }
    while (s.len && strchr(" (_{\\", s.p[0]))
        s = rdv_slice(s, 1, s.len);
    while (s.len && strchr(" )}.", s.p[s.len - 1]))
        s.len--;
    s = rdv_trim(rdv_slice(s, rdv_istarts(s, RDV_STR("text{")) ? 5 : 0, s.len));
    s = rdv_slice(s, rdv_istarts(s, RDV_STR("in ")) ? 3 : 0, s.len);
    for (size_t k = 0; k < COUNT(names); k++)
        if (rdv_str_ieq(s, rdv_str_of(names[k].word)))
            return names[k].base;
    bool named = rdv_istarts(s, RDV_STR("base "));
    s = rdv_slice(s, named ? 5 : 0, s.len);
    size_t digits = rdv_skip_digits(s, 0);
    uint64_t word;
    for (size_t i = 0; i < digits && base < 10; i++)
        base = base * 10 + (unsigned)(s.p[i] - '0');
    if (!digits && (named || mark) && number_words_read(s, &word) && word < 37)
        return (unsigned)word;
    return digits && digits == s.len && (named || mark) ? base : 0;
}

/* Does a text name the base of its number? */
static bool names_base(rdv_str s)
{
    size_t end = rdv_starts(s, RDV_STR("("));
    while (rdv_is_alnum(rdv_char_at(s, end)))
        end++;
    end += rdv_char_at(s, end) == ')';
    rdv_str behind = rdv_slice(s, end, s.len);
    return (end && base_behind(behind)) || rdv_starts(s, RDV_STR("0b")) ||
           rdv_starts(s, RDV_STR("0x")) || rdv_starts(s, RDV_STR("0o"));
}

/* "1101 (base 2)", "(1101)_2", "0b1101" as "1101_{2}", beside a number with its base. */
static rdv_str based(rdv_str s, rdv_str other, rdv_arena *arena)
{
    bool bracket = rdv_starts(s, RDV_STR("("));
    unsigned base = rdv_starts(s, RDV_STR("0b"))   ? 2
                    : rdv_starts(s, RDV_STR("0o")) ? 8
                    : rdv_starts(s, RDV_STR("0x")) ? 16
                                                   : 0;
    size_t begin = base ? 2 : bracket, end = begin;
    bool letters = false;
    for (; rdv_is_alnum(rdv_char_at(s, end)); end++)
        letters = letters || rdv_is_alpha(s.p[end]);
    size_t close = end + (bracket && rdv_char_at(s, end) == ')');
    bool is = end > begin && (!bracket || close > end) && (base ? end == s.len : close < s.len);
    if (!is || (!base && !(base = base_behind(rdv_slice(s, close, s.len)))) ||
        (letters && base != 16))
        return s;
    return names_base(other)
               ? rdv_str_printf(arena, "%.*s_{%u}", RDV_FMT(rdv_slice(s, begin, end)), base)
               : s;
}

/* "(1,250)", "($1,250)": an amount as accounts write a loss; its digits, or empty. */
static rdv_str loss_of(rdv_str s)
{
    size_t open = rdv_starts(s, RDV_STR("$")) ? 2 : rdv_starts(s, RDV_STR("($")) ? 2 : 1;
    size_t end = number_end(s, open);
    bool amount = end > rdv_skip_digits(s, open); /* "(5)" is 5 */
    bool is =
        rdv_find_char(s, '(', 0) < 2 && amount && rdv_char_at(s, end) == ')' && end + 1 == s.len;
    return is ? rdv_slice(s, open, end) : (rdv_str){0};
}

/* "(1,250)" as "-1,250", beside an amount that is a loss, or has a sign. */
static rdv_str account(rdv_str s, rdv_str other, rdv_arena *arena)
{
    rdv_str of = loss_of(s);
    bool beside = rdv_starts(other, RDV_STR("-")) || rdv_starts(other, RDV_STR("\xe2\x88\x92")) ||
                  answer_holds_class(other, CLASS_DOWN) || answer_holds_class(other, CLASS_UP);
    return of.p && beside ? rdv_str_printf(arena, "-%.*s", RDV_FMT(of)) : s;
}

/* "a loss of 12", "The price fell by 12%" as "-12", and "up 12" as "12", beside a number with a
 * sign; as "12% decrease" and "12% increase" beside such words. */
static rdv_str changed(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const denials[] = {"no", "without", "instead"};
    size_t begin = 0, end, downs_in = 0, ups_in = 0;
    bool sign = rdv_starts(other, RDV_STR("-")) || loss_of(other).p;
    bool said = rdv_has_digit(other) &&
                (answer_holds_class(other, CLASS_DOWN) != answer_holds_class(other, CLASS_UP));
    while (begin < s.len && !rdv_is_digit(s.p[begin]))
        begin++;
    begin -= begin > 0 && s.p[begin - 1] == '$';
    end = number_end(s, begin + (rdv_char_at(s, begin) == '$'));
    end += rdv_char_at(s, end) == '%';
    bool is = begin < s.len && end > begin && (sign || said) && s.p[0] != '-';
    bool sentence = s.p[0] != rdv_lower(s.p[0]) && !restated_doubts(s); /* "The price fell" */
    for (size_t i = 0, stop; i < s.len && is; i = stop + (stop == i)) {
        stop = i == begin ? end : rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, stop);
        bool down = answer_class_has(CLASS_DOWN, word);
        bool up = answer_class_has(CLASS_UP, word);
        bool subject = sentence && !(downs_in + ups_in) && i < begin &&
                       !rdv_is_one_of(word, denials, COUNT(denials));
        downs_in += down;
        ups_in += up;
        is = stop == i
                 ? strchr(" .", s.p[i]) != NULL
                 : i == begin || down || up || subject || answer_class_has(CLASS_OF_CHANGE, word);
    }
    if (!is || downs_in + ups_in != 1)
        return s;
    rdv_str number = rdv_slice(s, begin, end);
    return sign ? rdv_str_printf(arena, "%s%.*s", downs_in ? "-" : "", RDV_FMT(number))
                : rdv_str_printf(arena, "%.*s %s", RDV_FMT(number),
                                 downs_in ? "decrease" : "increase");
}

/* How many parts a vector has by its commas, or by the ends of its lines; 0: it is none. */
static size_t parts_of(rdv_str s)
{
    static const char *const signs[] = {"(", "\\langle", "\xe2\x9f\xa8", "[",
                                        "<", "\\begin",  "\\left"};
    bool vector = false;
    size_t commas = 0, lines = 0;
    for (size_t k = 0; k < COUNT(signs); k++)
        vector = vector || rdv_starts(s, rdv_str_of(signs[k]));
    for (size_t i = 0; i < s.len && vector; i++) {
        commas += s.p[i] == ',';
        lines += rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\\\\"));
    }
    return vector ? (commas ? commas : lines) + 1 : 0;
}

/* The unit vector, 1 to 3, that is written at byte `i`, and its length; 0: there is none. */
static size_t unit_vector_at(rdv_str s, size_t i, size_t *len)
{
    static const char *const styles[] = {"\\mathbf{", "\\hat{",    "\\vec{", "\\boldsymbol{",
                                         "\\bold{",   "\\mathbf ", "\\hat ", "\\vec ",
                                         "\\hat",     "\\vec"};
    static const char *const letters[] = {"i",       "j",        "k",       "\\imath",
                                          "\\jmath", "\\imath ", "\\jmath "};
    static const size_t places[] = {1, 2, 3, 1, 2, 1, 2};
    size_t style = 0, place = 0, at;
    for (size_t k = 0; s.p[i] == '\\' && k < COUNT(styles) && !style; k++)
        style = rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(styles[k])) ? strlen(styles[k]) : 0;
    at = i + style;
    for (size_t k = 0; k < COUNT(letters) && !place; k++) {
        if (rdv_char_at(s, at) != *letters[k])
            continue;
        size_t end = at + strlen(letters[k]);
        if (!rdv_starts(rdv_slice(s, at, s.len), rdv_str_of(letters[k])) ||
            rdv_is_alpha(rdv_char_at(s, end)))
            continue;
        place = places[k];
        at = end;
    }
    *len = at - i + (style && s.p[i + style - 1] == '{' && rdv_char_at(s, at) == '}');
    return place;
}

/* How many parts a vector has; 3 where it is written with two unit vectors or more. */
static size_t dimension_of(rdv_str s)
{
    size_t len, in = 0;
    for (size_t i = 0; i < s.len; i++)
        if (i == 0 || !rdv_is_alpha(s.p[i - 1]))
            in |= (size_t)1 << unit_vector_at(s, i, &len);
    in &= ~(size_t)1;
    return in & (in - 1) ? 3 : parts_of(s);
}

/* "v = 2i - 3k" as "(2, 0, -3)", beside a vector. */
static rdv_str of_unit_vectors(rdv_str s, rdv_str other, rdv_arena *arena)
{
    rdv_str part[3] = {{0}};
    size_t n = dimension_of(other), equals = rdv_find_char(s, '=', 0), last = 0, len;
    size_t begin = equals == RDV_NOT_FOUND ? 0 : equals + 1;
    if (n < 2 || n > 3)
        return s;
    for (size_t i = begin; i < s.len;) {
        size_t place = unit_vector_at(s, i, &len);
        if (!place && rdv_is_alpha(s.p[i]))
            return s;
        if (!place) {
            i = s.p[i] == '\\' ? rdv_skip_letters(s, i + 1) : i + 1;
            continue;
        }
        if (place > n || part[place - 1].p)
            return s;
        part[place - 1] = rdv_trim(rdv_slice(s, begin, i));
        begin = i += len;
        last = place;
        if (begin < s.len && !strchr("+- ", s.p[begin]))
            return s;
    }
    if (!last || rdv_trim(rdv_slice(s, begin, s.len)).len)
        return s;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t k = 0; k < n; k++) {
        rdv_str of = part[k];
        bool plus = rdv_starts(of, RDV_STR("+")),
             one = of.p && of.len <= 1 && !rdv_is_digit(rdv_char_at(of, 0));
        rdv_buf_printf(&b, "%s%.*s%s", k ? ", " : "(", RDV_FMT(rdv_slice(of, plus, of.len)),
                       one     ? "1"
                       : !of.p ? "0"
                               : "");
    }
    rdv_buf_add_char(&b, ')');
    return rdv_buf_str(&b);
}

/* A bound in words at the begin of a text, "at least 7": its sign, which NULL says there is none
 * of, the number, and the byte behind it. */
static const char *bound_at(rdv_str s, char number[24], size_t *end)
{
    static const struct {
        const char *words, *sign;
    } bounds[] = {{"greater than or equal to", "\\ge"},
                  {"less than or equal to", "\\le"},
                  {"at least", "\\ge"},
                  {"at most", "\\le"},
                  {"no less than", "\\ge"},
                  {"no more than", "\\le"},
                  {"greater than", ">"},
                  {"more than", ">"},
                  {"larger than", ">"},
                  {"bigger than", ">"},
                  {"less than", "<"},
                  {"smaller than", "<"},
                  {"not equal to", "\\ne"}};
    for (size_t k = 0; k < COUNT(bounds); k++) {
        size_t begin = rdv_skip_any(s, strlen(bounds[k].words), " ");
        size_t stop = number_end(s, begin + (rdv_char_at(s, begin) == '-'));
        uint64_t value; /* "at least ten" */
        if (!rdv_istarts(s, rdv_str_of(bounds[k].words)))
            continue;
        rdv_str digits = rdv_slice(s, begin, stop);
        size_t all = s.len - rdv_ends(s, RDV_STR(".")), and = rdv_ifind(s, RDV_STR(" and "), begin);
        rdv_str word = rdv_slice(s, begin, all);
        if (!number_words_read(word, &value) && and != RDV_NOT_FOUND)
            word = rdv_slice(s, begin, and);
        *end = begin + word.len;
        if (rdv_has_digit(digits) && digits.len < 24 && rdv_skip_letters(s, stop) == stop) {
            snprintf(number, 24, "%.*s", RDV_FMT(digits));
            *end = stop;
            return bounds[k].sign;
        }
        if (!word.len || !number_words_read(word, &value))
            return NULL;
        snprintf(number, 24, "%llu", (unsigned long long)value);
        return bounds[k].sign;
    }
    return NULL;
}

/* The only letter of a relation; 0: there is none, or several. */
static char letter_of_relation(rdv_str s)
{
    char letter = 0;
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        bool command = i > 0 && s.p[i - 1] == '\\';
        end = rdv_skip_letters(s, i);
        if (end == i || command)
            continue;
        if (end > i + 1 || (letter && letter != s.p[i]))
            return 0;
        letter = s.p[i];
    }
    return letter;
}

/* Are all words of the text such as may stand beside a bound: "works" of "at least 5 works"? */
static bool are_of_bound(rdv_str s)
{
    for (size_t i = 0, end; i < s.len; i = end + (end == i)) {
        end = rdv_skip_letters(s, i);
        if (end == i ? s.p[i] != ' ' && s.p[i] != '.'
                     : !answer_class_has(CLASS_OF_BOUND, rdv_slice(s, i, end)))
            return false;
    }
    return true;
}

/* "n must be at least 7" as "n \\ge 7", "x greater than -1 and at most 4" as "(-1, 4]", beside a
 * relation or an interval. Where no letter is named, "any number that is at least 5", it is gold's.
 */
static rdv_str bounded(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const marks[] = {"<",
                                        ">",
                                        "\\le",
                                        "\\ge",
                                        "\xe2\x89\xa4",
                                        "\xe2\x89\xa5",
                                        "\\infty",
                                        "\xe2\x88\x9e",
                                        "\\ne",
                                        "\xe2\x89\xa0"};
    bool relation = rdv_holds_any(other, marks, COUNT(marks)), any = false;
    bool interval = other.len > 4 && strchr("[(", other.p[0]) &&
                    strchr("])", other.p[other.len - 1]) &&
                    rdv_find_char(other, ',', 0) != RDV_NOT_FOUND;
    char letter = 0, first[24], second[24];
    for (size_t i = 0, end; (relation || interval) && i < s.len; i = end + 1) {
        rdv_str rest = rdv_slice(s, i, s.len), and = RDV_STR(" and ");
        const char *one = bound_at(rest, first, &end), *two = NULL;
        letter = one && !letter && any ? letter_of_relation(other) : letter;
        if (one && (letter || interval)) {
            rdv_str behind = rdv_slice(rest, end, rest.len);
            if (rdv_starts(behind, and) &&
                (two = bound_at(rdv_slice(behind, and.len, behind.len), second, &end)))
                behind = rdv_slice(behind, and.len + end, behind.len);
            bool open = two && (*one == '>' || strcmp(one, "\\ge") == 0) &&
                        (*two == '<' || strcmp(two, "\\le") == 0);
            if (!are_of_bound(behind) || (two && !open) || (!two && !letter))
                return s;
            return two ? rdv_str_printf(arena, "%c%s, %s%c", *one == '>' ? '(' : '[', first, second,
                                        *two == '<' ? ')' : ']')
                       : rdv_str_printf(arena, "%c %s %s", letter, one, first);
        }
        end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end);
        bool named = end == i + 1 && (!letter || letter == s.p[i]);
        any = any || rdv_str_ieq(word, RDV_STR("any")) || rdv_str_ieq(word, RDV_STR("all"));
        if (!named && !answer_class_has(CLASS_OF_BOUND, word))
            return s;
        letter = named ? s.p[i] : letter;
    }
    return s;
}

/* "between 10 and 20 inclusive" as "[10, 20]", "strictly between" as "(10, 20)". */
static rdv_str between(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const begins[] = {"between ", "from ", "strictly between "};
    static const char *const joins[] = {" and ", " to ", " and "};
    static const char *const ends[] = {" inclusive", ", inclusive", " exclusive", ", exclusive"};
    size_t k = 0, first, second, from, end, by = 0;
    s = rdv_ends(s, RDV_STR(".")) ? rdv_slice(s, 0, s.len - 1) : s;
    while (k < 3 && !rdv_istarts(s, rdv_str_of(begins[k])))
        k++;
    if (k == 3 || !other.len || !strchr("[(", other.p[0]))
        return s;
    from = strlen(begins[k]);
    first = number_end(s, from + (rdv_char_at(s, from) == '-'));
    if (!rdv_starts(rdv_slice(s, first, s.len), rdv_str_of(joins[k])))
        return s;
    second = first + strlen(joins[k]);
    end = number_end(s, second + (rdv_char_at(s, second) == '-'));
    rdv_str behind = rdv_slice(s, end, s.len);
    while (by < 4 && !rdv_str_ieq(behind, rdv_str_of(ends[by])))
        by++;
    bool is = first > from && end > second && (k == 2 ? !behind.len : by < 4);
    return is ? rdv_str_printf(arena, "%c%.*s, %.*s%c", k == 2 || by > 1 ? '(' : '[',
                               RDV_FMT(rdv_slice(s, from, first)),
                               RDV_FMT(rdv_slice(s, second, end)), k == 2 || by > 1 ? ')' : ']')
              : s;
}

/* "all real numbers except 0" as a union of intervals, and "the origin" as its coordinates. */
static rdv_str named_set(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static phrase_list all = {"@all-numbers"}, joins = {"except;other than;but;excluding"};
    rdv_str origin = rdv_slice(s, rdv_istarts(s, RDV_STR("the ")) ? 4 : 0, s.len), of = {0};
    rdv_str bare = rdv_ends(origin, RDV_STR(".")) ? rdv_slice(origin, 0, origin.len - 1) : origin;
    if (rdv_str_ieq(bare, RDV_STR("origin")) && rdv_starts(other, RDV_STR("(")))
        return rdv_find_char(other, ',', 0) == rdv_find_last(other, RDV_STR(","))
                   ? RDV_STR("(0,0)")
                   : RDV_STR("(0,0,0)");
    size_t begin = rdv_skip_any(s, phrase_at(s, 0, &all), " "), len = phrase_at(s, begin, &joins);
    of = rdv_slice(s, begin && len ? begin + len : s.len, s.len);
    of = rdv_trim(rdv_slice(of, rdv_istarts(of, RDV_STR(" for ")) ? 5 : 0, of.len));
    of = rdv_trim(rdv_slice(of, rdv_istarts(of, RDV_STR("x =")) ? 3 : 0, of.len));
    size_t end = number_end(of, rdv_starts(of, RDV_STR("-")));
    bool is = end && rdv_is_digit(of.p[end - 1]) && end + rdv_ends(of, RDV_STR(".")) == of.len;
    of = rdv_slice(of, 0, end);
    return is ? rdv_str_printf(arena, "(-\\infty,%.*s)\\cup(%.*s,\\infty)", RDV_FMT(of),
                               RDV_FMT(of))
              : s;
}

/* Does the letter stand alone, as a name? */
static bool has_name(rdv_str s, char letter)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == letter && (i == 0 || (!rdv_is_alpha(s.p[i - 1]) && s.p[i - 1] != '\\')) &&
            !(rdv_is_alpha(rdv_char_at(s, i + 1))))
            return true;
    return false;
}

/* "1 + j" as "1 + i", where both write j. */
static rdv_str imaginary(rdv_str s, rdv_str other, rdv_arena *arena)
{
    bool is =
        has_name(s, 'j') && has_name(other, 'j') && !has_name(s, 'i') && !has_name(other, 'i');
    rdv_str copy = is ? rdv_str_copy(arena, s) : s;
    for (size_t i = 0; is && i < copy.len; i++)
        if (s.p[i] == 'j' && has_name(rdv_slice(s, i - (i > 0), i + 2), 'j'))
            ((char *)copy.p)[i] = 'i';
    return copy;
}

/* The word or the number at byte *i of a text, over blanks; empty: its end, or another sign. */
static rdv_str next_token(rdv_str s, size_t *i)
{
    size_t begin = rdv_skip_any(s, *i, " "), end = number_end(s, begin);
    *i = end > begin ? end : rdv_skip_letters(s, begin);
    return rdv_slice(s, begin, *i);
}

/* Append a number, in digits or as one word, a letter or pi. */
static bool add_operand(rdv_str word, rdv_buf *b)
{
    uint64_t value;
    bool number = rdv_is_digit(rdv_char_at(word, 0));
    if (rdv_str_ieq(word, RDV_STR("pi")))
        rdv_buf_lit(b, "\\pi ");
    else if (number || word.len == 1)
        rdv_buf_add(b, word);
    else if (number_words_read(word, &value))
        rdv_buf_printf(b, "%llu", (unsigned long long)value);
    else
        return false;
    return word.len > 0;
}

/* What a calculation in words has had: what could take more in than is meant ends it. */
typedef struct calculation {
    bool operand, sum, product, root, quotient, signs;
} calculation;

/* Append one term of a calculation in words, "times", "the cube root of 2", "squared"; false: it is
 * none, or it may be read in two ways, "root 2 plus 1". */
static bool add_term(rdv_str s, rdv_str word, size_t *i, calculation *c, rdv_buf *b)
{
    static const char *const signs[] = {"times", "multiplied", "over", "divided", "plus", "minus"};
    static const char *const written[] = {"\\cdot ", "\\cdot ", "/", "/", "+", "-"};
    static const char *const powers[] = {"squared", "cubed", "to"};
    static const char *const roots[] = {"square", "cube", "root"};
    int sign = rdv_named(word, signs, COUNT(signs)), power = rdv_named(word, powers, 3);
    int root = rdv_named(word, roots, 3);
    if (sign >= 0) {
        bool by = sign % 2 == 0 || sign == 5 || rdv_str_eq(next_token(s, i), RDV_STR("by"));
        bool clear = c->operand && by && !c->quotient && !c->sum && (sign < 2 || !c->root) &&
                     (sign < 4 || !c->product);
        rdv_buf_add(b, rdv_str_of(written[sign]));
        c->quotient = c->quotient || sign / 2 == 1;
        c->sum = sign > 3;
        c->product = c->product || sign < 2;
        c->operand = false;
        c->signs = true;
        return clear;
    }
    if (power >= 0) { /* "to the power of 3" */
        static const char *const of[] = {"the", "power", "of"};
        rdv_buf_add(b, power ? power == 1 ? RDV_STR("^3") : RDV_STR("^{") : RDV_STR("^2"));
        c->signs = true;
        for (size_t k = 0; k < COUNT(of) && power == 2; k++)
            if (!rdv_str_eq(next_token(s, i), rdv_str_of(of[k])))
                return false;
        bool ends = power < 2 || (add_operand(next_token(s, i), b) && *i == s.len);
        rdv_buf_add(b, power == 2 ? RDV_STR("}") : (rdv_str){0});
        return c->operand && !c->root && !c->sum && ends;
    }
    if (rdv_str_eq(word, RDV_STR("twice"))) {
        rdv_buf_lit(b, "2\\cdot ");
        c->product = c->signs = true;
        return !c->operand;
    }
    if (c->operand) /* "6 root 2", but not "6 2" */
        rdv_buf_lit(b, "\\cdot ");
    bool number = root < 0 && (rdv_is_digit(rdv_char_at(word, 0)) || word.len > 2);
    bool apart = !c->operand || !(number || c->quotient);
    c->operand = true;
    c->signs = c->signs || root >= 0;
    if (root < 0)
        return apart && add_operand(word, b);
    rdv_buf_add(b, root == 1 ? RDV_STR("\\sqrt[3]{") : RDV_STR("\\sqrt{"));
    bool is = root == 2 || rdv_str_eq(next_token(s, i), RDV_STR("root"));
    size_t behind = *i;
    if (!rdv_str_eq(next_token(s, i), RDV_STR("of")))
        *i = behind;
    is = is && add_operand(next_token(s, i), b);
    rdv_buf_lit(b, "}");
    c->root = true;
    return is && apart;
}

/* "5 times the cube root of 2" as "5\\cdot \\sqrt[3]{2}". */
static rdv_str calculated(rdv_str s, rdv_str other, rdv_arena *arena)
{
    static const char *const articles[] = {"the", "a", "exactly"};
    (void)other;
    calculation c = {0};
    rdv_buf b;
    rdv_str word, text = rdv_ends(s, RDV_STR(".")) ? rdv_slice(s, 0, s.len - 1) : s;
    if (rdv_find_char(s, ' ', 0) == RDV_NOT_FOUND || !rdv_has_letter(s))
        return s;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < text.len;) {
        word = next_token(text, &i);
        if (!word.len ||
            (!rdv_is_one_of(word, articles, COUNT(articles)) && !add_term(text, word, &i, &c, &b)))
            return rdv_buf_ok(&b) ? s : (rdv_str){0};
    }
    return (c.operand && c.signs) || !rdv_buf_ok(&b) ? rdv_buf_str(&b) : s;
}

rdv_str rewording_as(rdv_str s, rdv_str other, rdv_arena *arena, bool *words)
{
    static rdv_str (*const rewordings[])(rdv_str, rdv_str, rdv_arena *) = {
        ratio,   feet,       duration,   basis_points, divided,   rate,       interval,
        share,   below_zero, account,    between,      based,     changed,    of_unit_vectors,
        bounded, named_set,  hyphenated, era,          imaginary, both_signs, calculated};
    rdv_str out = s = rdv_trim(s);
    *words = false;
    if (s.len > LONGEST || other.len > LONGEST)
        return s;
    for (size_t k = 0; k < COUNT(rewordings) && out.p && out.p == s.p; k++) {
        out = rewordings[k](s, other, arena);
        *words = out.p != s.p && (rewordings[k] == rate || rewordings[k] == era ||
                                  (rewordings[k] == changed && rdv_ends(out, RDV_STR("crease"))));
    }
    return out;
}
