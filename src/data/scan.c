/* SPDX-License-Identifier: Apache-2.0 */
#include "data/scan.h"
#include "base/str.h"

void rdv_scan_init(rdv_scan *s, size_t max_depth)
{
    *s = (rdv_scan){.at = RDV_AT_VALUE, .max_depth = max_depth};
}

static int wrong(rdv_scan *s, const char *reason)
{
    s->wrong = reason;
    return RDV_E_INPUT;
}

static bool in_object(const rdv_scan *s)
{
    size_t level = s->depth - 1;
    return s->object[level / 8] >> (level % 8) & 1;
}

static int open_level(rdv_scan *s, bool object)
{
    if (s->depth == s->max_depth) {
        s->wrong = "nested too deeply";
        return RDV_E_LIMIT;
    }
    unsigned char bit = (unsigned char)(1u << (s->depth % 8));
    if (object)
        s->object[s->depth / 8] |= bit;
    else
        s->object[s->depth / 8] &= (unsigned char)~bit;
    s->depth++;
    s->at = object ? RDV_AT_KEY_OR_END : RDV_AT_VALUE_OR_END;
    return RDV_OK;
}

static int close_level(rdv_scan *s, char c)
{
    if (in_object(s) != (c == '}'))
        return wrong(s, c == '}' ? "'}' closes a list" : "']' closes an object");
    s->depth--;
    s->at = s->depth ? RDV_AT_AFTER : RDV_AT_END;
    return s->depth ? RDV_OK : RDV_NONE;
}

static int begin_word(rdv_scan *s, const char *rest)
{
    s->word = rest;
    s->at = RDV_AT_WORD;
    return RDV_OK;
}

static int begin_value(rdv_scan *s, char c)
{
    if (s->depth == 0 && c != '{' && c != '[')
        return wrong(s, "a record must be a JSON object");
    switch (c) {
    case '{':
        return open_level(s, true);
    case '[':
        return open_level(s, false);
    case '"':
        s->key = false;
        s->at = RDV_AT_STRING;
        return RDV_OK;
    case '-':
        s->at = RDV_AT_MINUS;
        return RDV_OK;
    case '0':
        s->at = RDV_AT_ZERO;
        return RDV_OK;
    case 't':
        return begin_word(s, "rue");
    case 'f':
        return begin_word(s, "alse");
    case 'n':
        return begin_word(s, "ull");
    default:
        if (s->nonfinite && (c == 'N' || c == 'I'))
            return begin_word(s, c == 'N' ? "aN" : "nfinity");
        if (!rdv_is_digit(c))
            return wrong(s, "a value is missing");
        s->at = RDV_AT_DIGITS;
        return RDV_OK;
    }
}

static int after_value(rdv_scan *s, char c)
{
    if (c == ']' || c == '}')
        return close_level(s, c);
    if (c != ',')
        return wrong(s, in_object(s) ? "expected ',' or '}'" : "expected ',' or ']'");
    s->at = in_object(s) ? RDV_AT_KEY : RDV_AT_VALUE;
    return RDV_OK;
}

static int between(rdv_scan *s, char c)
{
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        return RDV_OK;
    switch (s->at) {
    case RDV_AT_VALUE_OR_END:
        return c == ']' ? close_level(s, c) : begin_value(s, c);
    case RDV_AT_KEY_OR_END:
        if (c == '}')
            return close_level(s, c);
        /* fall through */
    case RDV_AT_KEY:
        if (c != '"')
            return wrong(s, "expected a member's name in double quotes");
        s->key = true;
        s->at = RDV_AT_STRING;
        return RDV_OK;
    case RDV_AT_COLON:
        if (c != ':')
            return wrong(s, "expected ':'");
        s->at = RDV_AT_VALUE;
        return RDV_OK;
    case RDV_AT_AFTER:
        return after_value(s, c);
    default:
        return begin_value(s, c);
    }
}

static int string_byte(rdv_scan *s, char c)
{
    if (c == '"')
        s->at = s->key ? RDV_AT_COLON : RDV_AT_AFTER;
    else if (c == '\\')
        s->at = RDV_AT_ESCAPE;
    else if (c == '\n' || c == '\r')
        return wrong(s, "a line ends inside a string");
    else if ((unsigned char)c < 0x20)
        return wrong(s, c ? "a control character inside a string" : "a NUL byte");
    return RDV_OK;
}

static int escape_byte(rdv_scan *s, char c)
{
    if (s->at == RDV_AT_HEX) {
        if (!rdv_is_digit(c) && !(rdv_lower(c) >= 'a' && rdv_lower(c) <= 'f'))
            return wrong(s, "\\u needs four hexadecimal digits");
        if (--s->hex == 0)
            s->at = RDV_AT_STRING;
        return RDV_OK;
    }
    s->at = RDV_AT_STRING;
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return RDV_OK;
    case 'u':
        s->at = RDV_AT_HEX;
        s->hex = 4;
        return RDV_OK;
    default:
        return wrong(s, "no such escape in a string");
    }
}

bool rdv_scan_in_number(const rdv_scan *s)
{
    return s->at >= RDV_AT_MINUS && s->at <= RDV_AT_EXPONENT;
}

/* What follows in a number when `c` is read in state `at`; RDV_AT_AFTER: `c` is not part of it. */
static rdv_scan_at number_next(rdv_scan_at at, char c)
{
    bool digit = rdv_is_digit(c), e = c == 'e' || c == 'E';
    switch (at) {
    case RDV_AT_MINUS:
        return c == '0' ? RDV_AT_ZERO : digit ? RDV_AT_DIGITS : RDV_AT_AFTER;
    case RDV_AT_ZERO:
        return c == '.' ? RDV_AT_POINT : e ? RDV_AT_E : RDV_AT_AFTER;
    case RDV_AT_DIGITS:
        return digit ? RDV_AT_DIGITS : c == '.' ? RDV_AT_POINT : e ? RDV_AT_E : RDV_AT_AFTER;
    case RDV_AT_POINT:
        return digit ? RDV_AT_FRACTION : RDV_AT_AFTER;
    case RDV_AT_FRACTION:
        return digit ? RDV_AT_FRACTION : e ? RDV_AT_E : RDV_AT_AFTER;
    case RDV_AT_E:
        return digit ? RDV_AT_EXPONENT : c == '+' || c == '-' ? RDV_AT_E_SIGN : RDV_AT_AFTER;
    default:
        return digit ? RDV_AT_EXPONENT : RDV_AT_AFTER;
    }
}

static int number_byte(rdv_scan *s, char c)
{
    rdv_scan_at next = number_next(s->at, c);
    if (s->nonfinite && s->at == RDV_AT_MINUS && c == 'I')
        return begin_word(s, "nfinity");
    if (next != RDV_AT_AFTER) {
        s->at = next;
        return RDV_OK;
    }
    bool whole = s->at == RDV_AT_ZERO || s->at == RDV_AT_DIGITS || s->at == RDV_AT_FRACTION ||
                 s->at == RDV_AT_EXPONENT;
    if (!whole)
        return wrong(s, "not a number");
    s->at = RDV_AT_AFTER;
    return between(s, c);
}

static int word_byte(rdv_scan *s, char c)
{
    if (c != *s->word)
        return wrong(s, "not a value (true, false and null are the only words)");
    if (*++s->word == '\0')
        s->at = RDV_AT_AFTER;
    return RDV_OK;
}

int rdv_scan_byte(rdv_scan *s, char c)
{
    switch (s->at) {
    case RDV_AT_STRING:
        return string_byte(s, c);
    case RDV_AT_ESCAPE:
    case RDV_AT_HEX:
        return escape_byte(s, c);
    case RDV_AT_WORD:
        return word_byte(s, c);
    case RDV_AT_END:
        return wrong(s, "something follows the value");
    default:
        return rdv_scan_in_number(s) ? number_byte(s, c) : between(s, c);
    }
}

/* ---- values that are well formed ------------------------------------------------------------- */

static bool is_hex(char c)
{
    return rdv_is_digit(c) || (rdv_lower(c) >= 'a' && rdv_lower(c) <= 'f');
}

/* The byte after the escape at byte `i`. */
static size_t scan_escape(rdv_str s, size_t i)
{
    char c = rdv_char_at(s, i + 1);
    if (c != 'u')
        return c && strchr("\"\\/bfnrt", c) ? i + 2 : RDV_NOT_FOUND;
    for (size_t k = i + 2; k < i + 6; k++)
        if (!is_hex(rdv_char_at(s, k)))
            return RDV_NOT_FOUND;
    return i + 6;
}

size_t rdv_scan_escaped(rdv_str s, size_t i)
{
    for (; i < s.len; i = rdv_scan_plain(s, i)) {
        if (s.p[i] == '"')
            return i + 1;
        if (s.p[i] != '\\' || (i = scan_escape(s, i)) == RDV_NOT_FOUND)
            return RDV_NOT_FOUND;
    }
    return RDV_NOT_FOUND;
}

/* The byte after the digits at byte `i`; RDV_NOT_FOUND: there are none. */
static size_t scan_digits(rdv_str s, size_t i)
{
    return rdv_is_digit(rdv_char_at(s, i)) ? rdv_skip_digits(s, i) : RDV_NOT_FOUND;
}

static size_t scan_number(rdv_str s, size_t i)
{
    i += rdv_char_at(s, i) == '-';
    i = rdv_char_at(s, i) == '0' ? i + 1 : scan_digits(s, i);
    if (i != RDV_NOT_FOUND && rdv_char_at(s, i) == '.')
        i = scan_digits(s, i + 1);
    if (i != RDV_NOT_FOUND && rdv_lower(rdv_char_at(s, i)) == 'e') {
        bool sign = rdv_char_at(s, i + 1) == '-' || rdv_char_at(s, i + 1) == '+';
        i = scan_digits(s, i + 1 + sign);
    }
    return i;
}

static size_t scan_word(rdv_str s, size_t i, rdv_str word)
{
    return rdv_starts(rdv_slice(s, i, s.len), word) ? i + word.len : RDV_NOT_FOUND;
}

/* The byte after the list or object at byte `i`. */
static size_t scan_items(rdv_str s, size_t i, size_t depth)
{
    bool object = s.p[i] == '{';
    char close = object ? '}' : ']';
    i = rdv_skip_blanks(s, i + 1);
    if (rdv_char_at(s, i) == close)
        return i + 1;
    for (;;) {
        if (object) {
            if (rdv_char_at(s, i) != '"' || (i = rdv_scan_text(s, i)) == RDV_NOT_FOUND)
                return RDV_NOT_FOUND;
            i = rdv_skip_blanks(s, i);
            if (rdv_char_at(s, i) != ':')
                return RDV_NOT_FOUND;
            i = rdv_skip_blanks(s, i + 1);
        }
        i = rdv_scan_value(s, i, depth);
        if (i == RDV_NOT_FOUND)
            return RDV_NOT_FOUND;
        i = rdv_skip_blanks(s, i);
        if (rdv_char_at(s, i) == close)
            return i + 1;
        if (rdv_char_at(s, i) != ',')
            return RDV_NOT_FOUND;
        i = rdv_skip_blanks(s, i + 1);
    }
}

size_t rdv_scan_value(rdv_str s, size_t i, size_t depth)
{
    switch (rdv_char_at(s, i)) {
    case '"':
        return rdv_scan_text(s, i);
    case '{':
    case '[':
        return depth > 0 ? scan_items(s, i, depth - 1) : RDV_NOT_FOUND;
    case 't':
        return scan_word(s, i, RDV_STR("true"));
    case 'f':
        return scan_word(s, i, RDV_STR("false"));
    case 'n':
        return scan_word(s, i, RDV_STR("null"));
    default:
        return scan_number(s, i);
    }
}
