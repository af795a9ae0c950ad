/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/lex_number.h"

#include "base/str.h"

#include <ctype.h>

#define NEAR 500 /* bytes of the text on each side that are looked at */

/* Length of the one of `forms` that stands at byte `i`, the last of them first; 0: none. */
static size_t form_at(rdv_str s, size_t i, const char *const *forms, size_t n)
{
    rdv_str rest = rdv_slice(s, i, s.len);
    for (size_t k = n; k-- > 0;)
        if (rest.len && *rest.p == *forms[k] && rdv_starts(rest, rdv_str_of(forms[k])))
            return strlen(forms[k]);
    return 0;
}

/* Length of a thousands separator at byte i, with its group of three digits after it; or 0. */
static size_t separator(rdv_str s, size_t i)
{
    static const char *const forms[] = {",", "{,}", "\\,", ",\\!", ",\\,", "\\!,"};
    char c = rdv_char_at(s, i);
    size_t len = c == ',' || c == '{' || c == '\\' ? form_at(s, i, forms, 6) : 0;
    return len && rdv_skip_digits(s, i + len) == i + len + 3 ? len : 0;
}

/* The whole part, with its separators. */
static size_t whole_part(rdv_str s, size_t begin)
{
    size_t i = rdv_skip_digits(s, begin), len;
    if (i - begin > 3)
        return i;
    while ((len = separator(s, i)) != 0)
        i += len + 3;
    return i;
}

static size_t exponent(rdv_str s, size_t i)
{
    if (rdv_char_at(s, i) != 'e' && rdv_char_at(s, i) != 'E')
        return i;
    size_t digits = rdv_char_at(s, i + 1) == '+' || rdv_char_at(s, i + 1) == '-' ? i + 2 : i + 1;
    return rdv_is_digit(rdv_char_at(s, digits)) ? rdv_skip_digits(s, digits) : i;
}

/* "0x1F" is written in another base; "0x5" may be zero times five. */
static bool is_hexadecimal(rdv_str s, size_t i)
{
    return rdv_char_at(s, i) == '0' && rdv_char_at(s, i + 1) == 'x' &&
           isxdigit((unsigned char)rdv_char_at(s, i + 2)) &&
           isxdigit((unsigned char)rdv_char_at(s, i + 3));
}

/* "1st", "22nd": the length of the letters, or 0. */
static size_t ordinal(rdv_str s, size_t i)
{
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    rdv_str rest = rdv_slice(s, i, i + 2);
    for (size_t k = 0; rest.len && rdv_is_alpha(rest.p[0]) && k < 4; k++)
        if (rdv_str_ieq(rest, rdv_str_of(endings[k])) && !rdv_is_alnum(rdv_char_at(s, i + 2)))
            return 2;
    return 0;
}

bool lex_comma_parts(rdv_str s, size_t begin, size_t comma)
{
    static const char *const operators[] = {"\xc3\x97", "\xc3\xb7", "\xc2\xb7", "\\times",
                                            "\\cdot",   "\\div",    "x "};
    while (begin > 0 && s.p[begin - 1] == ' ')
        begin--;
    if (begin == 0 || s.p[begin - 1] != '=')
        return false;
    size_t i = rdv_skip_any(s, rdv_skip_digits(s, comma + 1), " ");
    char sign = rdv_char_at(s, i);
    bool operand = (sign && strchr("+-*/", sign)) ||
                   form_at(s, i, operators, sizeof operators / sizeof *operators);
    while (operand && i < s.len && !strchr("=,;\n", s.p[i]))
        i++;
    return operand && rdv_char_at(s, i) == '=';
}

/* Is the whole part from `begin` to `end` no number: a code, a broken group, repeating decimals? */
static bool odd_whole(rdv_str s, size_t begin, size_t end)
{
    bool code = end - begin > 1 && s.p[begin] == '0'; /* "0730" */
    bool broken = rdv_char_at(s, end) == ',' && rdv_is_digit(rdv_char_at(s, end + 1)) &&
                  end - begin < 4 && !lex_comma_parts(s, begin, end);
    bool repeating = rdv_starts(rdv_slice(s, end, s.len), RDV_STR(".\\overline"));
    return code || broken || repeating || is_hexadecimal(s, begin);
}

lex_literal lex_number(rdv_str s, size_t begin)
{
    static const char *const dots[] = {"...", "\xe2\x80\xa6", "\\ldots", "\\dots", "\\cdots"};
    size_t i = whole_part(s, begin), letters;
    lex_literal l = {.is_name = odd_whole(s, begin, i)};
    if (is_hexadecimal(s, begin)) { /* all of it: "10" in "0x10" is no number */
        for (l.end = begin + 2; isxdigit((unsigned char)rdv_char_at(s, l.end));)
            l.end++;
        return l;
    }
    bool point = rdv_char_at(s, i) == '.' && rdv_is_digit(rdv_char_at(s, i + 1));
    if (point)
        i = rdv_skip_digits(s, i + 1);
    l.end = exponent(s, i);
    if (point && rdv_char_at(s, l.end) == '.' &&
        rdv_is_digit(rdv_char_at(s, l.end + 1))) { /* "1.2.3" */
        while (rdv_is_digit(rdv_char_at(s, l.end)) || rdv_char_at(s, l.end) == '.')
            l.end++;
        l.is_name = true;
    } else if ((letters = ordinal(s, l.end)) != 0) {
        l.end += letters;
        l.is_name = true;
    } else if (point) {
        l.ellipsis = form_at(s, l.end, dots, 5);
    }
    return l;
}

/* Is there a number near byte `at` that programs alone write, "1.3e-7" or "3e8"? "4e+18" may stand
 * beside 17e-8 in algebra. */
static bool writes_exponents(rdv_str s, size_t at)
{
    size_t from = at > NEAR ? at - NEAR : 0, to = s.len - at > NEAR ? at + NEAR : s.len;
    for (size_t i = from; i + 1 < to; i++) {
        if (!rdv_is_digit(s.p[i]) || rdv_lower(s.p[i + 1]) != 'e')
            continue;
        size_t begin = i, end = exponent(s, i + 1);
        while (begin > from && rdv_is_digit(s.p[begin - 1]))
            begin--;
        bool sign = end > i + 1 && !rdv_is_digit(s.p[i + 2]);
        bool point = begin > from && s.p[begin - 1] == '.';
        if (end > i + 1 && !rdv_is_alnum(rdv_char_at(s, end)) && (point || !sign))
            return true;
    }
    return false;
}

/* "2e+9" may be two times a letter and nine: programs write a point or two digits, or other numbers
 * of the text have a power. "3^25^2" is LaTeX for 3^2 5^2. */
static bool odd_exponent(rdv_str s, size_t begin, size_t i, size_t end)
{
    bool sign = end > i && (s.p[i + 1] == '+' || s.p[i + 1] == '-');
    bool point = rdv_find_char(rdv_slice(s, begin, i), '.', 0) != RDV_NOT_FOUND;
    bool powers = begin > 0 && s.p[begin - 1] == '^' && i - begin > 1 && s.p[begin + 1] != '0' &&
                  rdv_char_at(s, end) == '^';
    return powers || (sign && !point && end - i == 3 && !writes_exponents(s, i));
}

/* May such a byte after digits belong to the number, or change its meaning? */
static inline bool may_go_on(char after)
{
    switch (after) {
    case '.':
    case ',':
    case '{':
    case '\\':
    case '^':
    case 'a' ... 'z':
    case 'A' ... 'Z':
        return true;
    default:
        return false;
    }
}

/* Does the number go on at byte `i`, after digits? Not with a sign after which the next word or
 * nothing follows. */
static inline bool goes_on(rdv_str s, size_t i)
{
    return i < s.len && s.p[i] != ' ' && may_go_on(s.p[i]) &&
           !((s.p[i] == '.' || s.p[i] == ',') && (i + 1 == s.len || rdv_is_space(s.p[i + 1])));
}

/* Do decimals begin at byte `i`, after which nothing goes on? The byte after them, or 0. */
static size_t plain_decimals(rdv_str s, size_t i)
{
    if (s.p[i] != '.' || !rdv_is_digit(rdv_char_at(s, i + 1)))
        return 0;
    size_t end = rdv_skip_digits(s, i + 1);
    bool dots = end < s.len && (unsigned char)s.p[end] >= 128; /* "0.333\u2026" */
    return dots || goes_on(s, end) ? 0 : end;
}

size_t lex_plain_number(rdv_str s, size_t begin, uint32_t *value)
{
    size_t end = begin;
    uint32_t number = 0;
    for (; end < s.len && rdv_is_digit(s.p[end]); end++)
        number = number * 10 + (uint32_t)(s.p[end] - '0');
    bool power = begin > 0 && s.p[begin - 1] == '^';
    bool code = end - begin > 1 && s.p[begin] == '0'; /* "0730" */
    if (end == begin || power || code)
        return 0;
    *value = number;
    if (!goes_on(s, end))
        return end;
    *value = UINT32_MAX;
    return plain_decimals(s, end);
}

lex_literal lex_prose_number(rdv_str s, size_t begin)
{
    lex_literal l = lex_number(s, begin);
    size_t i = begin; /* to its exponent, or its end */
    while (i < l.end && rdv_lower(s.p[i]) != 'e')
        i++;
    bool alone = begin == 0 && l.end == s.len; /* no text around it: a number that is given */
    l.is_name |= !alone && odd_exponent(s, begin, i, l.end);
    return l;
}

/* Digits in `open` and `close` at byte `i`, into *digits; returns the byte after them, or 0. */
static size_t enclosed_digits(rdv_str s, size_t i, const char *open, char close, rdv_str *digits)
{
    rdv_str mark = rdv_str_of(open);
    size_t begin = i + mark.len;
    if (!rdv_starts(rdv_slice(s, i, s.len), mark))
        return 0;
    size_t end = rdv_skip_digits(s, begin);
    *digits = rdv_slice(s, begin, end);
    return end > begin && rdv_char_at(s, end) == close ? end + 1 : 0;
}

/* The byte after the repeating digits that begin at byte `i`, or 0. */
static size_t repetition(rdv_str s, size_t i, rdv_str *digits)
{
    static const char *const bars[] = {"\\overline{", "\\bar{", "\\dot{"};
    size_t end = 0;
    for (size_t k = 0; k < sizeof bars / sizeof *bars && !end; k++)
        end = enclosed_digits(s, i, bars[k], '}', digits);
    return !end && i > 0 && s.p[i - 1] == '.' ? enclosed_digits(s, i, "(", ')', digits) : end;
}

lex_literal lex_formula_number(rdv_str s, size_t begin)
{
    while (rdv_char_at(s, begin) == '0' && rdv_is_digit(rdv_char_at(s, begin + 1))) /* "004" */
        begin++;
    lex_literal l = lex_number(s, begin);
    size_t end = l.end + (rdv_char_at(s, l.end) == '.');
    rdv_str digits;
    if (rdv_find_char(rdv_slice(s, begin, end), '.', 0) == RDV_NOT_FOUND)
        return l;
    size_t after = repetition(s, end, &digits);
    return after ? (lex_literal){.end = after} : l;
}

bool lex_repeating(rdv_str number, size_t *begin, rdv_str *digits)
{
    size_t point = rdv_find_char(number, '.', 0);
    *begin = point == RDV_NOT_FOUND ? number.len : rdv_skip_digits(number, point + 1);
    return *begin < number.len && repetition(number, *begin, digits) == number.len;
}
