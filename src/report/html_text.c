/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html_text.h"

#include "base/str.h"
#include "report/paint.h"

#define MAX_ANCHOR 120

static const char *reference_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* The end of the bytes from `i` on that stand for themselves. */
static size_t ordinary(rdv_str s, size_t i)
{
    while (i < s.len && ((unsigned char)s.p[i] >= ' ' || s.p[i] == '\n' || s.p[i] == '\t') &&
           (unsigned char)s.p[i] < 0x7f && !reference_of(s.p[i]))
        i++;
    return i;
}

static void escape(rdv_buf *b, rdv_str text, bool marked)
{
    for (size_t i = 0, len; i < text.len; i += len) {
        size_t end = ordinary(text, i);
        len = end - i;
        if (len) {
            rdv_buf_add(b, rdv_slice(text, i, end));
            continue;
        }
        char shown[16];
        const char *reference = reference_of(text.p[i]);
        size_t n = rdv_shown(text, i, &len, shown);
        bool itself = n == len && memcmp(shown, text.p + i, n) == 0;
        if (reference)
            rdv_buf_add(b, rdv_str_of(reference));
        else if (!itself && text.p[i] == '\r' && i + 1 < text.len && text.p[i + 1] == '\n')
            continue; /* a line end of two bytes is one line end */
        else if (itself || !marked)
            rdv_buf_add(b, (rdv_str){shown, n});
        else
            rdv_buf_printf(b, "<span class=\"esc\">%.*s</span>", (int)n, shown);
    }
}

void html_text(rdv_buf *b, rdv_str text)
{
    escape(b, text, false);
}

void html_prose(rdv_buf *b, rdv_str text)
{
    escape(b, text, true);
}

/* The end of the printable ASCII from byte `i` on. */
static size_t printable(rdv_str s, size_t i)
{
    while (i < s.len && s.p[i] >= ' ' && s.p[i] < 0x7f)
        i++;
    return i;
}

bool html_is_plain(rdv_str text)
{
    for (size_t i = 0, len; (i = printable(text, i)) < text.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown);
        if (!rdv_is_space(text.p[i]) && (n != len || memcmp(shown, text.p + i, n) != 0))
            return false;
    }
    return true;
}

void html_anchor(rdv_buf *b, rdv_str text)
{
    for (size_t i = 0; i < text.len && i < MAX_ANCHOR; i++) {
        char c = text.p[i];
        if (rdv_is_alnum(c) || (c && strchr("._-/", c)))
            rdv_buf_add_char(b, c);
        else
            rdv_buf_printf(b, "~%02x", (unsigned char)c);
    }
}

void html_percent(rdv_buf *b, rdv_str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.p[i];
        if (rdv_is_alnum(c) || (c && strchr("._-~", c)))
            rdv_buf_add_char(b, c);
        else
            rdv_buf_printf(b, "%%%02X", (unsigned char)c);
    }
}

void html_plain(rdv_buf *b, rdv_str text)
{
    for (size_t i = 0, len; i < text.len; i += len) {
        size_t end = printable(text, i);
        rdv_buf_add(b, rdv_slice(text, i, end));
        if ((i = end) == text.len)
            break;
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown);
        if (rdv_is_space(text.p[i]))
            rdv_buf_add_char(b, ' ');
        else
            rdv_buf_add(b, (rdv_str){shown, n});
    }
}
