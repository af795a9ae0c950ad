/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"

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

void rdv_json_text(rdv_buf *b, rdv_str s)
{
    if (!s.p) {
        rdv_buf_lit(b, "null");
        return;
    }
    rdv_buf_add_char(b, '"');
    size_t plain = 0, i = 0; /* bytes plain..i need no change */
    while (i < s.len) {
        unsigned char c = (unsigned char)s.p[i];
        size_t n = c < 0x80 ? 1 : rdv_utf8_len(s, i);
        bool ok = n != 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
        if (ok) {
            i += n;
            continue;
        }
        rdv_buf_add(b, (rdv_str){s.p + plain, i - plain});
        if (n == 0)
            rdv_buf_lit(b, "\xef\xbf\xbd");
        else
            add_escaped(b, c);
        plain = ++i;
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

void rdv_json_number(rdv_buf *b, double x)
{
    if (!isfinite(x)) {
        rdv_buf_lit(b, "null");
        return;
    }
    if (x == trunc(x) && fabs(x) < 1e15) { /* 300, where "%g" says 3e+02 */
        rdv_buf_printf(b, "%.0f", x);
        return;
    }
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, x);
        if (strtod(digits, NULL) == x)
            break;
    }
    add_digits(b, digits);
}

void rdv_json_name(rdv_buf *b, rdv_str name)
{
    if (b->len && b->p[b->len - 1] != '{')
        rdv_buf_add_char(b, ',');
    rdv_json_text(b, name);
    rdv_buf_add_char(b, ':');
}

void rdv_json_field(rdv_buf *b, const char *name, double x)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_json_number(b, x);
}
