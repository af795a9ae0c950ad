/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_escaped(rdv_buf *b, unsigned char c)
{
    switch (c) {
    case '"':
        rdv_buf_lit(b, "\\\"");
        break;
    case '\\':
        rdv_buf_lit(b, "\\\\");
        break;
    case '\n':
        rdv_buf_lit(b, "\\n");
        break;
    case '\r':
        rdv_buf_lit(b, "\\r");
        break;
    case '\t':
        rdv_buf_lit(b, "\\t");
        break;
    default:
        rdv_buf_printf(b, "\\u%04x", c);
    }
}

/* A bit in each byte of `x` that is 0, as far as the lowest one; others above it may have theirs.
 */
static uint64_t zero_bytes(uint64_t x)
{
    return (x - 0x0101010101010101) & ~x & 0x8080808080808080;
}

/* Bytes that stand for themselves in a string; those beyond ASCII are looked at. */
static const bool is_plain[256] = {
    [' ' ... '!'] = true, ['#' ... '['] = true, [']' ... '~'] = true};

/* A bit in the byte of the lowest of eight bytes that may need a change; those above it may have
 * theirs. 0: all stand for themselves. */
static inline uint64_t not_plain(const char *p)
{
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
    eight = le64toh(eight); /* the first byte is the lowest */
    uint64_t control = (eight - 0x2020202020202020) & ~eight;
    return ((control | eight) & 0x8080808080808080) | zero_bytes(eight ^ 0x2222222222222222) |
           zero_bytes(eight ^ 0x5c5c5c5c5c5c5c5c) | zero_bytes(eight ^ 0x7f7f7f7f7f7f7f7f);
}

/* The first byte from `i` on that may need a change: a control character, a quote, a backslash, or
 * one that is not ASCII; or the end. */
static size_t skip_plain(rdv_str s, size_t i)
{
    for (; i + 8 <= s.len; i += 8) {
        uint64_t found = not_plain(s.p + i);
        if (found)
            return i + (size_t)__builtin_ctzll(found) / 8;
    }
    while (i < s.len && is_plain[(unsigned char)s.p[i]])
        i++;
    return i;
}

/* Most texts need no change. */
static void add_quoted(rdv_buf *b, rdv_str s)
{
    char *at = rdv_buf_extend(b, s.len + 2);
    if (!at)
        return;
    at[0] = at[s.len + 1] = '"';
    memcpy(at + 1, s.p, s.len);
    rdv_arena_copied(b->arena, at + 1, s.len, s.p, s.len);
}

void rdv_json_text(rdv_buf *b, rdv_str s)
{
    if (!s.p) {
        rdv_buf_lit(b, "null");
        return;
    }
    size_t plain = 0, i = skip_plain(s, 0); /* bytes plain..i need no change */
    if (i == s.len) {
        add_quoted(b, s);
        return;
    }
    rdv_buf_add_char(b, '"');
    while (i < s.len) {
        unsigned char c = (unsigned char)s.p[i];
        size_t n = c < 0x80 ? 1 : rdv_utf8_len(s, i);
        if (n > 1) {
            i = skip_plain(s, i + n);
            continue;
        }
        rdv_buf_add(b, (rdv_str){s.p + plain, i - plain});
        size_t before = b->len;
        if (n == 0)
            rdv_buf_lit(b, "\xef\xbf\xbd");
        else
            add_escaped(b, c);
        if (rdv_buf_ok(b))
            rdv_arena_copied(b->arena, b->p + before, b->len - before, s.p + i, 1);
        plain = ++i;
        i = skip_plain(s, i);
    }
    rdv_buf_add(b, (rdv_str){s.p + plain, i - plain});
    rdv_buf_add_char(b, '"');
}

/* The program may have set a locale whose decimal point is not JSON's. */
static void add_digits(rdv_buf *b, const char *digits)
{
    bool in_point = false; /* which may take several bytes */
    for (const char *p = digits; *p; p++) {
        bool plain = rdv_is_alnum(*p) || *p == '-' || *p == '+';
        if (plain)
            rdv_buf_add_char(b, *p);
        else if (!in_point)
            rdv_buf_add_char(b, '.');
        in_point = !plain;
    }
}

static void add_whole(rdv_buf *b, uint64_t n)
{
    if (n < 10) {
        rdv_buf_add_char(b, (char)('0' + n));
        return;
    }
    char digits[RDV_WHOLE_MOST];
    rdv_buf_add(b, (rdv_str){digits, rdv_write_whole(digits, n)});
}

void rdv_json_number(rdv_buf *b, double x)
{
    if (!isfinite(x)) {
        rdv_buf_lit(b, "null");
        return;
    }
    double size = fabs(x);
    if (size < 1e15 && size == (double)(uint64_t)size) { /* 300, where "%g" says 3e+02 */
        if (signbit(x))
            rdv_buf_add_char(b, '-');
        add_whole(b, (uint64_t)size);
        return;
    }
    /* DBL_DIG digits give back a number of no more, so the shortest; not of a subnormal number. */
    char digits[40];
    for (int precision = fabs(x) < DBL_MIN ? 1 : DBL_DIG; precision <= DBL_DECIMAL_DIG;
         precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, x);
        if (strtod(digits, NULL) == x)
            break;
    }
    add_digits(b, digits);
}

static void add_comma(rdv_buf *b, char bracket)
{
    if (b->len && b->p[b->len - 1] != bracket)
        rdv_buf_add_char(b, ',');
}

/* A name that needs no change, as all of our own. */
static void add_name(rdv_buf *b, rdv_str name)
{
    bool first = !b->len || b->p[b->len - 1] == '{';
    char *at = rdv_buf_extend(b, name.len + 3 + !first);
    if (!at)
        return;
    if (!first)
        *at++ = ',';
    at[0] = at[name.len + 1] = '"';
    at[name.len + 2] = ':';
    memcpy(at + 1, name.p, name.len);
}

static void add_own_name(rdv_buf *b, const char *name)
{
    add_name(b, rdv_str_of(name));
}

void rdv_json_name(rdv_buf *b, rdv_str name)
{
    if (name.p && skip_plain(name, 0) == name.len) {
        add_name(b, name);
        return;
    }
    add_comma(b, '{');
    rdv_json_text(b, name);
    rdv_buf_add_char(b, ':');
}

void rdv_json_flag(rdv_buf *b, int is)
{
    rdv_buf_add(b, is < 0 ? RDV_STR("null") : is ? RDV_STR("true") : RDV_STR("false"));
}

void rdv_json_item(rdv_buf *b)
{
    add_comma(b, '[');
}

void rdv_json_texts(rdv_buf *b, const rdv_str *texts, size_t n)
{
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < n; i++) {
        rdv_json_item(b);
        rdv_json_text(b, texts[i]);
    }
    rdv_buf_add_char(b, ']');
}

void rdv_json_numbers(rdv_buf *b, const double *numbers, size_t n)
{
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < n; i++) {
        rdv_json_item(b);
        rdv_json_number(b, numbers[i]);
    }
    rdv_buf_add_char(b, ']');
}

void rdv_json_put_text(rdv_buf *b, const char *name, rdv_str text)
{
    add_own_name(b, name);
    rdv_json_text(b, text);
}

void rdv_json_put_number(rdv_buf *b, const char *name, double x)
{
    add_own_name(b, name);
    rdv_json_number(b, x);
}

void rdv_json_put_count(rdv_buf *b, const char *name, uint64_t n)
{
    add_own_name(b, name);
    add_whole(b, n);
}

void rdv_json_put_flag(rdv_buf *b, const char *name, int is)
{
    add_own_name(b, name);
    rdv_json_flag(b, is);
}

void rdv_json_put_null(rdv_buf *b, const char *name)
{
    add_own_name(b, name);
    rdv_buf_lit(b, "null");
}

void rdv_json_open(rdv_buf *b, const char *name, char bracket)
{
    add_own_name(b, name);
    rdv_buf_add_char(b, bracket);
}
