/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rdv_buf_init(rdv_buf *b, rdv_arena *arena, size_t max)
{
    *b = (rdv_buf){.arena = arena, .max = max ? max : SIZE_MAX / 4};
}

/* Room for `n` more bytes at the end and one to spare, for the terminator that vsnprintf() writes;
 * or NULL and the sticky failure. */
static char *reserve(rdv_buf *b, size_t n)
{
    if (b->failed || n > b->max - b->len) {
        b->failed = true;
        return NULL;
    }
    if (b->cap - b->len <= n) {
        size_t cap = b->cap ? b->cap * 2 : 64;
        if (cap <= b->len + n)
            cap = b->len + n + 1;
        char *p = rdv_regrow_large(b->arena, b->p, b->len, cap);
        if (!p) {
            b->failed = b->no_memory = true;
            return NULL;
        }
        b->p = p;
        b->cap = cap;
    }
    return b->p + b->len;
}

char *rdv_buf_extend_(rdv_buf *b, size_t n)
{
    char *at = reserve(b, n);
    b->len += at ? n : 0;
    return at;
}

void rdv_buf_add(rdv_buf *b, rdv_str s)
{
    char *at = s.len ? rdv_buf_extend(b, s.len) : NULL;
    if (!at)
        return;
    memcpy(at, s.p, s.len);
    rdv_arena_copied(b->arena, at, s.len, s.p, s.len);
}

void rdv_buf_add_lines(rdv_buf *b, const rdv_str *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i)
            rdv_buf_add_char(b, '\n');
        rdv_buf_add(b, texts[i]);
    }
}

#define DIGITS_MOST 20 /* of a size */

/* What the conversion at `*fmt`, which is moved behind it, prints, where it is %s, %zu or %.*s:
 * `digits` has room for a size. p == NULL: it is another. */
static rdv_str convert(const char **fmt, va_list *ap, char *digits)
{
    rdv_str out = {0};
    if ((*fmt)[1] == 's') {
        out.p = va_arg(*ap, const char *);
        out.len = out.p ? strlen(out.p) : 0;
        *fmt += 2;
    } else if (strncmp(*fmt, "%.*s", 4) == 0) {
        int most = va_arg(*ap, int);
        out.p = va_arg(*ap, const char *);
        out.len = out.p ? strnlen(out.p, most < 0 ? SIZE_MAX : (size_t)most) : 0;
        *fmt += 4;
    } else if ((*fmt)[1] == 'z' && (*fmt)[2] == 'u') {
        size_t n = va_arg(*ap, size_t), i = DIGITS_MOST;
        do
            digits[--i] = (char)('0' + n % 10);
        while (n /= 10);
        out = (rdv_str){digits + i, DIGITS_MOST - i};
        *fmt += 3;
    }
    return out;
}

/* Append what vsnprintf() would, at a sixth of its time, where the format has no other conversions;
 * false: it has, and nothing is appended. */
static bool print_texts(rdv_buf *b, const char *fmt, va_list *ap)
{
    char digits[DIGITS_MOST];
    size_t begin = b->len;
    while (*fmt) {
        rdv_str piece = {fmt, strcspn(fmt, "%")};
        if (piece.len)
            fmt += piece.len;
        else
            piece = convert(&fmt, ap, digits);
        char *at = piece.p ? reserve(b, piece.len) : NULL;
        if (!at) {
            b->len = begin;
            return b->failed;
        }
        memcpy(at, piece.p, piece.len);
        b->len += piece.len;
    }
    if (reserve(b, 0))
        b->p[b->len] = '\0'; /* as vsnprintf() does */
    return true;
}

static void print(rdv_buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    bool printed = print_texts(b, fmt, &again);
    va_end(again);
    if (printed)
        return;
    size_t room = b->failed ? 0 : b->cap - b->len;
    va_copy(again, ap);
    int n = vsnprintf(room ? b->p + b->len : NULL, room, fmt, again);
    va_end(again);
    char *at = n < 0 ? NULL : reserve(b, (size_t)n);
    if (!at) {
        b->failed = true;
        return;
    }
    if ((size_t)n >= room) /* it was cut off */
        vsnprintf(at, (size_t)n + 1, fmt, ap);
    b->len += (size_t)n;
}

void rdv_buf_printf(rdv_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print(b, fmt, ap);
    va_end(ap);
}

rdv_str rdv_buf_str(const rdv_buf *b)
{
    if (b->failed)
        return (rdv_str){0};
    return (rdv_str){b->p ? b->p : "", b->len};
}

rdv_str rdv_str_printf(rdv_arena *arena, const char *fmt, ...)
{
    rdv_buf b;
    va_list ap;
    rdv_buf_init(&b, arena, 0);
    va_start(ap, fmt);
    print(&b, fmt, ap);
    va_end(ap);
    return rdv_buf_str(&b);
}

void rdv_buf_clear(rdv_buf *b)
{
    b->len = 0;
    b->failed = b->no_memory = false;
}
