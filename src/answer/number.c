/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/number.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "language/number_words.h"

/* Longest LaTeX command looked back upon. */
#define COMMAND_MAX 12

static inline bool has(rdv_str s, size_t i, rdv_str what)
{
    return rdv_starts(rdv_slice(s, i, s.len), what);
}

/* How many bytes of `what` stand at byte `i`: its length or 0. */
static size_t len_of(rdv_str s, size_t i, rdv_str what)
{
    return has(s, i, what) ? what.len : 0;
}

static size_t spaces_end(rdv_str s, size_t i)
{
    while (rdv_char_at(s, i) == ' ')
        i++;
    return i;
}

/* Are the letters before byte `i` a LaTeX command ("\times2") rather than part of a name ("x2")? */
static bool after_command(rdv_str s, size_t i)
{
    size_t from = i;
    while (from > 0 && i - from < COMMAND_MAX && rdv_is_alpha(s.p[from - 1]))
        from--;
    return from > 0 && s.p[from - 1] == '\\';
}

/* How long an escaped character of JSON is at byte `i`: "\\u00a0"; else 0. */
static size_t escape_len(rdv_str s, size_t i)
{
    if (rdv_char_at(s, i) != '\\' || rdv_char_at(s, i + 1) != 'u')
        return 0;
    for (size_t k = 2; k < 6; k++)
        if (!rdv_is_digit(rdv_char_at(s, i + k)) &&
            (rdv_lower(rdv_char_at(s, i + k)) < 'a' || rdv_lower(rdv_char_at(s, i + k)) > 'f'))
            return 0;
    return 6;
}

/* Does byte `i` begin an exponent or a subscript, perhaps behind a brace and a sign: "10^{-3}"? */
static bool is_raised_or_lowered(rdv_str s, size_t i)
{
    i -= rdv_ends(rdv_slice(s, 0, i), RDV_STR("\xe2\x88\x92")) ? 3 : 0;
    i -= i > 0 && (s.p[i - 1] == '-' || s.p[i - 1] == '+');
    i -= i > 0 && (s.p[i - 1] == '{' || s.p[i - 1] == '(');
    return i > 0 && (s.p[i - 1] == '^' || s.p[i - 1] == '_');
}

/* May a number begin at byte `i`: not in a name, a subscript, an exponent, or after a point? */
static bool may_begin(rdv_str s, size_t i)
{
    if (i == 0 || (i >= 6 && escape_len(s, i - 6)))
        return true;
    char before = s.p[i - 1];
    if (is_raised_or_lowered(s, i) || rdv_is_digit(before))
        return false;
    if (before == '.' && i > 1 && rdv_is_digit(s.p[i - 2]))
        return false;
    return !rdv_is_alpha(before) || after_command(s, i);
}

/* After a value a '-' subtracts; elsewhere it is a sign. */
static bool sign_allowed(rdv_str s, size_t i)
{
    return i == 0 || !(rdv_is_alnum(s.p[i - 1]) || s.p[i - 1] == ')' || s.p[i - 1] == '}' ||
                       s.p[i - 1] == '^' || s.p[i - 1] == '_' || s.p[i - 1] == '-');
}

/* "x = - 5", "$- 5$": is the minus at byte `i`, after which a blank stands, a sign? After words, as
 * in "Answer - 5", a hyphen may be a dash; U+2212 may not. */
static bool is_spaced_sign(rdv_str s, size_t i)
{
    size_t before = i;
    while (before > 0 && s.p[before - 1] == ' ')
        before--;
    char c = before > 0 ? s.p[before - 1] : '\0';
    return rdv_char_at(s, i) == '-'
               ? RDV_IS_IN(c, "=${([")
               : !rdv_is_digit(c) && sign_allowed(s, before) && c != '!' && c != '%';
}

/* A dash is a minus where a word or nothing stands before it and a digit touches it: "is \u20135",
 * but not "3 \u20135". */
static size_t dash_len(rdv_str s, size_t i)
{
    size_t len = len_of(s, i, RDV_STR("\xe2\x80\x93")), before = i;
    while (before > 0 && s.p[before - 1] == ' ')
        before--;
    bool number = before > 0 && rdv_is_digit(s.p[before - 1]);
    return len && !number && rdv_is_digit(rdv_char_at(s, i + len)) ? len : 0;
}

static size_t sign_len(rdv_str s, size_t i)
{
    if (!sign_allowed(s, i))
        return 0;
    size_t dash = dash_len(s, i);
    if (dash)
        return dash;
    size_t len = rdv_char_at(s, i) == '-' || rdv_char_at(s, i) == '+'
                     ? 1
                     : len_of(s, i, RDV_STR("\xe2\x88\x92"));
    bool spaced =
        len && rdv_char_at(s, i) != '+' && rdv_char_at(s, i + len) == ' ' && is_spaced_sign(s, i);
    return spaced ? spaces_end(s, i + len) - i : len;
}

static size_t currency_len(rdv_str s, size_t i)
{
    size_t len = len_of(s, i, RDV_STR("\\$"));
    len = len ? len : len_of(s, i, RDV_STR("$"));
    len = len ? len : len_of(s, i, RDV_STR("\xc2\xa3"));      /* pound */
    return len ? len : len_of(s, i, RDV_STR("\xe2\x82\xac")); /* euro */
}

/* A narrow or unbroken space, or a plain one after a currency, between the digits of a number. */
static size_t space_len(rdv_str s, size_t i, bool money)
{
    size_t len = len_of(s, i, RDV_STR("\xc2\xa0"));
    len = len ? len : len_of(s, i, RDV_STR("\xe2\x80\xaf"));
    len = len ? len : len_of(s, i, RDV_STR("\xe2\x80\x89"));
    return len || !money ? len : len_of(s, i, RDV_STR(" "));
}

/* Thousands: ",ddd" again and again, after one to three digits; LaTeX writes ",\!ddd", "{,}ddd". */
static size_t groups_end(rdv_str s, size_t begin, size_t end, bool money)
{
    if (end - begin > 3)
        return end;
    for (;;) {
        size_t comma = len_of(s, end, RDV_STR(",\\!"));
        comma = comma ? comma : space_len(s, end, money);
        comma = comma ? comma : len_of(s, end, RDV_STR("{,}"));
        comma = comma ? comma : len_of(s, end, RDV_STR(","));
        size_t group = rdv_skip_digits(rdv_slice(s, 0, end + comma + 4), end + comma);
        if (comma == 0 || group != end + comma + 3)
            return end;
        end = group;
    }
}

/* The byte after groups of `len` digits, each with the separator before it; *n counts them. */
static size_t separated_end(rdv_str s, size_t end, rdv_str separator, size_t len, size_t *n)
{
    for (*n = 0; has(s, end, separator); ++*n) {
        size_t group = end + separator.len;
        if (rdv_skip_digits(s, group) != group + len)
            break;
        end = group + len;
    }
    return end;
}

size_t answer_foreign_number_end(rdv_str s, size_t i)
{
    size_t digits = rdv_skip_digits(s, i), n, more;
    if (digits == i || digits - i > 3)
        return i;
    size_t end = separated_end(s, digits, RDV_STR("'"), 3, &n);
    if (n == 0)
        end = separated_end(s, digits, RDV_STR("\xe2\x80\x99"), 3, &n);
    if (n > 0)
        return rdv_char_at(s, end) == '.' && rdv_is_digit(rdv_char_at(s, end + 1))
                   ? rdv_skip_digits(s, end + 1)
                   : end;
    end = separated_end(s, digits, RDV_STR("."), 3, &n);
    if (n > 0) {
        size_t decimals = rdv_char_at(s, end) == ',' ? rdv_skip_digits(s, end + 1) : end;
        bool goes_on =
            rdv_char_at(s, decimals) == '.' && rdv_is_digit(rdv_char_at(s, decimals + 1));
        bool decimal = decimals > end + 1 && !goes_on;
        return decimal ? decimals : n > 1 ? end : i;
    }
    end = separated_end(s, digits, RDV_STR(","), 2, &n);
    end = separated_end(s, end, RDV_STR(","), 3, &more);
    return n > 0 && more == 1 && digits - i < 3 ? end : i;
}

/* "e3", "\times 10^3", "\times 10^{-3}", "x 10^3", "* 10^3" after a decimal. */
static size_t exponent_end(rdv_str s, size_t end)
{
    size_t i = end;
    if (rdv_char_at(s, i) == 'e' || rdv_char_at(s, i) == 'E') {
        i += 1 + (rdv_char_at(s, i + 1) == '-' || rdv_char_at(s, i + 1) == '+');
        size_t digits = rdv_skip_digits(s, i);
        return digits > i && !rdv_is_alpha(rdv_char_at(s, digits)) ? digits : end;
    }
    i = spaces_end(s, i);
    size_t times = len_of(s, i, RDV_STR("\\times"));
    times = times ? times : len_of(s, i, RDV_STR("\\cdot"));
    times = times ? times : len_of(s, i, RDV_STR("\xc3\x97"));
    times = times ? times : (size_t)(rdv_char_at(s, i) == 'x' || rdv_char_at(s, i) == '*');
    i = spaces_end(s, i + times);
    if (times == 0 || !has(s, i, RDV_STR("10^")))
        return end;
    bool braced = rdv_char_at(s, i + 3) == '{';
    i += braced ? 4 : 3;
    i += rdv_char_at(s, i) == '-';
    size_t digits = rdv_skip_digits(s, i);
    if (digits == i || (braced && rdv_char_at(s, digits) != '}'))
        return end;
    return braced ? digits + 1 : digits;
}

/* "\frac{1}{2}", "\dfrac12", or `i` if there is none. */
static size_t latex_fraction_end(rdv_str s, size_t i)
{
    size_t len = len_of(s, i, RDV_STR("\\frac"));
    len = len ? len : len_of(s, i, RDV_STR("\\dfrac"));
    len = len ? len : len_of(s, i, RDV_STR("\\tfrac"));
    if (len == 0)
        return i;
    size_t end = spaces_end(s, i + len);
    for (int part = 0; part < 2; part++) {
        bool braced = rdv_char_at(s, end) == '{';
        size_t begin = end + braced;
        begin += braced && rdv_char_at(s, begin) == '-';
        size_t digits =
            braced ? rdv_skip_digits(s, begin) : begin + rdv_is_digit(rdv_char_at(s, begin));
        if (digits == begin || (braced && rdv_char_at(s, digits) != '}'))
            return i;
        end = digits + braced;
    }
    return end;
}

/* "/4" after an integer, not the rest of a date ("5/6/2021"). */
static size_t denominator_end(rdv_str s, size_t end)
{
    if (rdv_char_at(s, end) != '/')
        return end;
    size_t digits = rdv_skip_digits(s, end + 1);
    return digits > end + 1 && rdv_char_at(s, digits) != '/' ? digits : end;
}

/* The length of a fraction that is one character: U+00BC to U+00BE, U+2150 to U+215E. */
static size_t vulgar_len(rdv_str s, size_t i)
{
    unsigned char a = (unsigned char)rdv_char_at(s, i), b = (unsigned char)rdv_char_at(s, i + 1);
    unsigned char c = (unsigned char)rdv_char_at(s, i + 2);
    if (a == 0xc2)
        return b >= 0xbc && b <= 0xbe ? 2 : 0;
    return a == 0xe2 && b == 0x85 && c >= 0x90 && c <= 0x9e ? 3 : 0;
}

/* " 1/2", "\frac{1}{2}" or U+00BD after an integer. */
static size_t mixed_end(rdv_str s, size_t end)
{
    size_t begin = spaces_end(s, end), vulgar = vulgar_len(s, begin);
    if (vulgar)
        return begin + vulgar;
    size_t fraction = latex_fraction_end(s, begin);
    if (fraction > begin)
        return fraction;
    if (begin == end)
        return end;
    size_t digits = rdv_skip_digits(s, begin), denominator = denominator_end(s, digits);
    return digits > begin && denominator > digits ? denominator : end;
}

/* The end of the unsigned number at byte `i`, or `i`. */
static size_t unsigned_end(rdv_str s, size_t i, bool money)
{
    size_t fraction = latex_fraction_end(s, i);
    if (fraction > i)
        return fraction;
    size_t foreign = answer_foreign_number_end(s, i);
    if (foreign > i)
        return foreign;
    size_t whole = groups_end(s, i, rdv_skip_digits(s, i), money), end = whole;
    if (rdv_char_at(s, end) == '.' && rdv_is_digit(rdv_char_at(s, end + 1)))
        end = rdv_skip_digits(s, end + 1);
    if (end == i)
        return i;
    size_t exponent = exponent_end(s, end);
    if (exponent > end || end > whole)
        return exponent;
    size_t denominator = denominator_end(s, end);
    return denominator > end ? denominator : mixed_end(s, end);
}

static size_t percent_end(rdv_str s, size_t end)
{
    size_t i = spaces_end(s, end);
    size_t len = len_of(s, i, RDV_STR("\\%"));
    len = len ? len : len_of(s, i, RDV_STR("%"));
    return len ? i + len : end;
}

/* The end of the number, with what belongs to it, that begins at byte `i`, or `i`. */
static size_t number_end(rdv_str s, size_t i)
{
    size_t begin = i + sign_len(s, i);
    size_t money = currency_len(s, begin);
    begin += money;
    if (money)
        begin = spaces_end(s, begin) + sign_len(s, spaces_end(s, begin));
    if (!money && !may_begin(s, begin))
        return i;
    size_t end = unsigned_end(s, begin, money > 0);
    return end > begin ? percent_end(s, end) : i;
}

/* The end of a time of day, "6:30", "18:30:00", "6:30 p.m.", at byte `i`, or `i`. */
static size_t clock_end(rdv_str s, size_t i)
{
    size_t end = rdv_skip_digits(s, i);
    if (end == i || end - i > 2 || (i > 0 && rdv_is_alnum(s.p[i - 1])))
        return i;
    size_t parts = 0;
    while (rdv_char_at(s, end) == ':' && rdv_skip_digits(s, end + 1) == end + 3) {
        parts++;
        end += 3;
    }
    if (parts == 0 || parts > 2)
        return i;
    size_t half = spaces_end(s, end), point = half + 1 + (rdv_char_at(s, half + 1) == '.');
    char first = rdv_lower(rdv_char_at(s, half));
    bool named = (first == 'a' || first == 'p') && rdv_lower(rdv_char_at(s, point)) == 'm' &&
                 !rdv_is_alnum(rdv_char_at(s, point + 1));
    return named ? point + 1 + (rdv_char_at(s, half + 1) == '.' && rdv_char_at(s, point + 1) == '.')
                 : end;
}

/* Can a number, its sign or its currency begin with the byte? */
static bool may_open(char c)
{
    static const bool ascii[128] = {['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true,
                                    ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true,
                                    ['8'] = true, ['9'] = true, ['-'] = true, ['+'] = true,
                                    ['.'] = true, ['$'] = true, ['\\'] = true};
    return (c & 0x80) || ascii[c & 127];
}

/* Do digits behind the byte begin a number, of which it is no sign? */
static bool parts_digits(char c)
{
    return c == ' ' || c == '=' || c == '<' || c == '>' || c == '*' || c == '\n';
}

/* May digits before it go on with the byte, directly or over blanks: "5 x 10^3", "5 1/2", "5 %"? */
static bool may_follow_blanks(char c)
{
    return rdv_is_digit(c) || c == 'x' || c == '*' || c == '\\' || c == '%' || (c & 0x80);
}

/* The same, directly alone. */
static bool may_follow_digits(rdv_str s, size_t i)
{
    char c = rdv_char_at(s, i);
    return c == ',' || c == '\'' || c == ':' || c == '/' || c == '{' || c == 'e' || c == 'E' ||
           (c == '.' && rdv_is_digit(rdv_char_at(s, i + 1)));
}

/* Most numbers are digits and nothing else: their end, where what stands at byte `i` is one; else
 * `i`. */
static size_t plain_end(rdv_str s, size_t i)
{
    size_t end = rdv_skip_digits(s, i);
    if (end == i || (i > 0 && !parts_digits(s.p[i - 1])) || may_follow_digits(s, end))
        return i;
    size_t next = spaces_end(s, end);
    char c = rdv_char_at(s, next);
    bool product = c == '*' && !has(s, spaces_end(s, next + 1), RDV_STR("10^"));
    return product || !may_follow_blanks(c) ? end : i;
}

bool answer_next_number(rdv_str s, size_t *from, rdv_str *out)
{
    for (size_t i = *from; i < s.len; i++) {
        bool joins = s.p[i] == '.' || s.p[i] == '+'; /* a number, without a blank */
        if (!may_open(s.p[i]) || (joins && !may_open(rdv_char_at(s, i + 1))))
            continue;
        size_t plain = plain_end(s, i);
        if (plain > i) {
            *out = rdv_slice(s, i, plain);
            *from = plain;
            return true;
        }
        size_t escape = escape_len(s, i);
        if (escape) {
            i += escape - 1;
            continue;
        }
        size_t clock = clock_end(s, i);
        size_t end = clock > i ? clock : number_end(s, i);
        if (end > i) {
            bool dollars = s.p[i] == '$' && rdv_char_at(s, end) == '$'; /* maths, not money */
            *out = rdv_slice(s, i + dollars, end);
            *from = end;
            return true;
        }
        if (rdv_is_digit(s.p[i])) /* the digits of a name: none of them begins a number */
            i = rdv_skip_digits(s, i) - 1;
    }
    *from = s.len;
    return false;
}

bool answer_last_number(rdv_str text, rdv_str *out)
{
    bool found = false;
    for (size_t at = 0; answer_next_number(text, &at, out);)
        found = true;
    return found;
}

rdv_str answer_without_separators(rdv_str s, rdv_arena *arena)
{
    size_t begin = 0;
    while (begin < s.len && !rdv_is_digit(s.p[begin]))
        begin++;
    if (begin == s.len || answer_foreign_number_end(s, begin) != s.len)
        return s;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_slice(s, 0, begin));
    bool points = true; /* is the point a separator? */
    for (size_t i = begin; i < s.len; i++)
        points = points && (rdv_is_digit(s.p[i]) || s.p[i] == '.' || s.p[i] == ',');
    points = points && rdv_find_char(s, '.', begin) != RDV_NOT_FOUND;
    for (size_t i = begin; i < s.len; i++)
        if (rdv_is_digit(s.p[i]) || (s.p[i] == '.' && !points))
            rdv_buf_add_char(&b, s.p[i]);
        else if (s.p[i] == ',' && points)
            rdv_buf_add_char(&b, '.');
    return rdv_buf_str(&b);
}

/* "1.5M" at the beginning: where the digits end, and what the letters at the end stand for. */
static size_t factor_of_letters(rdv_str s, size_t begin, rdv_str *factor)
{
    size_t end = rdv_skip_digits(s, begin);
    if (end == begin)
        return 0;
    if (rdv_char_at(s, end) == '.' && rdv_is_digit(rdv_char_at(s, end + 1)))
        end = rdv_skip_digits(s, end + 1);
    *factor = scale_of_letters(rdv_slice(s, end, s.len));
    return factor->p ? end : 0;
}

size_t answer_amount_factor(rdv_str s, rdv_str *factor)
{
    size_t sign = rdv_char_at(s, 0) == '-', money = currency_len(s, sign);
    return money ? factor_of_letters(s, sign + money, factor) : 0;
}

int answer_lengthened(rdv_str s, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_str factor;
    size_t sign = rdv_char_at(s, 0) == '-', digits = sign;
    while (rdv_is_digit(rdv_char_at(s, digits)) || rdv_char_at(s, digits) == '.')
        digits++;
    size_t letter = rdv_skip_any(s, digits, " "), last = rdv_skip_letters(s, letter), stop = last;
    rdv_str names = rdv_slice(s, last, s.len), bare = s; /* "dollars a year" */
    while (stop < s.len && (rdv_is_alpha(s.p[stop]) || s.p[stop] == ' '))
        stop++;
    bool named = names.len && names.p[0] == ' ' && stop == s.len;
    if (named && letter > digits && last == letter + 1 && s.p[letter] == 'k') /* "55 k dollars" */
        bare = rdv_str_printf(arena, "%.*sk", RDV_FMT(rdv_slice(s, 0, digits)));
    else if (named)
        bare = rdv_slice(s, 0, last);
    size_t end = factor_of_letters(bare, sign, &factor);
    *out = (rdv_str){0};
    if (end)
        *out = rdv_str_printf(arena, "%.*s %.*s%.*s", RDV_FMT(rdv_slice(s, 0, end)),
                              RDV_FMT(factor), named ? (int)names.len : 0, names.p);
    return !end || out->p ? RDV_OK : rdv_no_memory(err);
}

rdv_str answer_ungrouped(rdv_str s, rdv_arena *arena, bool *full)
{
    rdv_buf b;
    *full = false;
    while (s.len && RDV_IS_IN(s.p[0], "{$ "))
        s = rdv_slice(s, 1, s.len);
    while (s.len && RDV_IS_IN(s.p[s.len - 1], "}$ ."))
        s.len--;
    size_t size = 0, groups = 0, begin = rdv_char_at(s, 0) == '-';
    for (size_t i = begin;; groups++) {
        size_t end = rdv_skip_digits(s, i), len = end - i;
        bool last = end == s.len;
        size = groups == 1 ? len : size; /* of all groups but the first and the last */
        bool fits = last          ? groups > 0 && len == 3
                    : groups == 0 ? len > 0 && len < 4
                                  : (len == 2 || len == 3) && len == size;
        if (!fits || (!last && s.p[end] != ','))
            return (rdv_str){0};
        if (last)
            break;
        i = end + 1;
    }
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] != ',')
            rdv_buf_add_char(&b, s.p[i]);
    *full = !rdv_buf_ok(&b);
    return rdv_buf_str(&b);
}
