/* SPDX-License-Identifier: Apache-2.0 */
#include "report/paint.h"

#include "base/str.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <utf8proc.h>

#define DEFAULT_WIDTH 80
#define LEAST_WIDTH 30
#define WORDS 256 /* bytes of our own words that are formatted at a time */

static const char *const sgr[] = {
    [RDV_PLAIN] = "\x1b[0m",     [RDV_BOLD] = "\x1b[1m", [RDV_DIM] = "\x1b[2m",
    [RDV_GREEN] = "\x1b[32m",    [RDV_RED] = "\x1b[31m", [RDV_YELLOW] = "\x1b[33m",
    [RDV_MARKED] = "\x1b[4;31m",
};

void rdv_paint_begin(rdv_paint *p, const rdv_view_options *options, rdv_arena *arena)
{
    *p = (rdv_paint){.width = DEFAULT_WIDTH};
    if (options) {
        p->colour = options->colour;
        p->ascii = options->ascii;
        if (options->width)
            p->width = options->width < LEAST_WIDTH ? LEAST_WIDTH : options->width;
    }
    rdv_buf_init(&p->out, arena, 0);
    rdv_buf_init(&p->under, arena, 0);
}

/* Code points that control a terminal, or that hide or reorder their neighbours. */
static bool is_hostile(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || c == 0x061c || (c >= 0x2060 && c <= 0x206f) ||
           c == 0xfeff;
}

size_t rdv_shown(rdv_str s, size_t i, size_t *len, char out[16])
{
    if (s.p[i] >= ' ' && s.p[i] < 0x7f) {
        out[0] = s.p[i];
        return *len = 1;
    }
    bool utf8 = rdv_utf8_len(s, i) != 0;
    uint32_t c = rdv_utf8_at(s, i, len);
    int n;
    if (!utf8)
        n = snprintf(out, 16, "\\x%02x", (unsigned char)s.p[i]);
    else if (!is_hostile(c)) {
        memcpy(out, s.p + i, *len);
        return *len;
    } else
        n = snprintf(out, 16, c < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)c);
    return (size_t)n;
}

/* Columns of one displayed character: an escape is ASCII text, anything else is one code point. */
static size_t shown_columns(const char *shown, size_t n)
{
    size_t len;
    if ((unsigned char)shown[0] < 0x80)
        return n;
    int columns = utf8proc_charwidth((utf8proc_int32_t)rdv_utf8_at((rdv_str){shown, n}, 0, &len));
    return columns > 0 ? (size_t)columns : 0;
}

size_t rdv_columns(rdv_str s)
{
    size_t columns = 0, len;
    for (size_t i = 0; i < s.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(s, i, &len, shown);
        columns += shown_columns(shown, n);
    }
    return columns;
}

static void set_style(rdv_paint *p, rdv_style style)
{
    if (!p->colour || p->style == style)
        return;
    if (p->style != RDV_PLAIN)
        rdv_buf_add(&p->out, rdv_str_of(sgr[RDV_PLAIN]));
    if (style != RDV_PLAIN)
        rdv_buf_add(&p->out, rdv_str_of(sgr[style]));
    p->style = style;
}

static void put(rdv_paint *p, rdv_str bytes, size_t columns, rdv_style style)
{
    set_style(p, style);
    rdv_buf_add(&p->out, bytes);
    p->column += columns;
    if (p->colour)
        return;
    for (size_t i = 0; i < columns; i++)
        rdv_buf_add_char(&p->under, style == RDV_MARKED ? '^' : ' ');
    p->marked |= style == RDV_MARKED;
}

void rdv_paint_put(rdv_paint *p, rdv_str text, rdv_style style)
{
    put(p, text, rdv_columns(text), style);
}

/* Our own words in `room`; empty if the format fails. */
RDV_PRINTF(2, 0)
static rdv_str format_words(char room[WORDS], const char *fmt, va_list ap)
{
    int n = vsnprintf(room, WORDS, fmt, ap);
    return n > 0 ? rdv_str_of(room) : RDV_STR("");
}

void rdv_paint_putf(rdv_paint *p, rdv_style style, const char *fmt, ...)
{
    char room[WORDS];
    va_list ap;
    va_start(ap, fmt);
    rdv_str words = format_words(room, fmt, ap);
    va_end(ap);
    rdv_paint_put(p, words, style);
}

void rdv_paint_end_line(rdv_paint *p)
{
    set_style(p, RDV_PLAIN);
    rdv_buf_add_char(&p->out, '\n');
    if (p->marked) {
        rdv_buf_add(&p->out, rdv_trim_end(rdv_buf_str(&p->under)));
        rdv_buf_add_char(&p->out, '\n');
    }
    rdv_buf_clear(&p->under);
    p->column = 0;
    p->marked = false;
}

void rdv_paint_to(rdv_paint *p, size_t column)
{
    while (p->column < column)
        put(p, RDV_STR(" "), 1, RDV_PLAIN);
}

static void wrap(rdv_paint *p)
{
    rdv_paint_end_line(p);
    rdv_paint_to(p, p->indent);
}

/* ---- wrapping -------------------------------------------------------------------------------- */

/* A text being written, with the span at the current position. */
typedef struct flow {
    rdv_str text;
    rdv_style style;
    const rdv_span *spans;
    size_t n_spans;
} flow;

static rdv_style style_at(flow *f, size_t i)
{
    while (f->n_spans && f->spans->end <= i) {
        f->spans++;
        f->n_spans--;
    }
    return f->n_spans && f->spans->begin <= i ? RDV_MARKED : f->style;
}

/* Line ends, "\r\n" included, and spaces, where lines may break; other controls are shown
 * escaped. */
static bool is_gap(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(rdv_str s, size_t i)
{
    return s.p[i] == '\n' || (s.p[i] == '\r' && i + 1 < s.len && s.p[i + 1] == '\n');
}

/* The end of the word that begins at byte `i`. */
static size_t word_end(rdv_str s, size_t i)
{
    while (i < s.len && !is_gap(s.p[i]) && !is_line_end(s, i))
        i++;
    return i;
}

static void put_gap(rdv_paint *p, flow *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && p->column < p->width; i++)
        put(p, RDV_STR(" "), 1, style_at(f, i));
}

/* Writes a word and breaks it only if it is wider than a line. */
static void put_word(rdv_paint *p, flow *f, size_t begin, size_t end)
{
    size_t len;
    for (size_t i = begin; i < end; i += len) {
        char shown[16];
        size_t n = rdv_shown(f->text, i, &len, shown), columns = shown_columns(shown, n);
        if (p->column + columns > p->width && p->column > p->indent)
            wrap(p);
        put(p, (rdv_str){shown, n}, columns, style_at(f, i));
    }
}

void rdv_paint_text(rdv_paint *p, rdv_str text, rdv_style style, const rdv_span *spans, size_t n)
{
    flow f = {text, style, spans, n};
    size_t i = 0;
    while (i < text.len) {
        if (is_line_end(text, i)) {
            wrap(p);
            i += text.p[i] == '\r' ? 2 : 1;
            continue;
        }
        size_t gap = i;
        while (i < text.len && is_gap(text.p[i]))
            i++;
        size_t end = word_end(text, i);
        if (end == i) /* spaces at the end of a line are dropped */
            continue;
        size_t columns = rdv_columns(rdv_slice(text, i, end));
        if (p->column + (i - gap) + columns > p->width && p->column > p->indent)
            wrap(p);
        else
            put_gap(p, &f, gap, i);
        put_word(p, &f, i, end);
        i = end;
    }
}

void rdv_paint_textf(rdv_paint *p, rdv_style style, const char *fmt, ...)
{
    char room[WORDS];
    va_list ap;
    va_start(ap, fmt);
    rdv_str words = format_words(room, fmt, ap);
    va_end(ap);
    rdv_paint_text(p, words, style, NULL, 0);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

rdv_str rdv_verdict_mark(rdv_verdict_kind is, bool ascii)
{
    switch (is) {
    case RDV_SUPPORT:
        return ascii ? RDV_STR("+") : RDV_STR("\xe2\x9c\x93");
    case RDV_CONTRADICT:
        return ascii ? RDV_STR("x") : RDV_STR("\xe2\x9c\x97");
    case RDV_UNRELATED:
        return ascii ? RDV_STR(".") : RDV_STR("\xc2\xb7");
    case RDV_UNKNOWN:
        break;
    }
    return RDV_STR("?");
}
