/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Text for a terminal: wrapped to a width behind a hanging indent, styled, with hostile bytes
 * escaped. A style never crosses a line end, so truncated output does not change the terminal's
 * state. */
#include "report/report.h"
#include "report/style.h"

#include "base/buf.h"

typedef struct rdv_span {
    size_t begin, end; /* bytes of the text that are painted RDV_MARKED */
} rdv_span;

typedef struct rdv_paint {
    rdv_buf out;
    rdv_buf under; /* the marks below the current line: '^' or ' ' for each column; used without
                      colours */
    size_t width, indent, column;
    bool colour, ascii, marked; /* marked: `under` has a '^' */
    rdv_style style;            /* in force at the end of `out` */
} rdv_paint;

void rdv_paint_begin(rdv_paint *p, const rdv_view_options *options, rdv_arena *arena);
/* Writes fixed text, neither wrapped nor escaped. */
void rdv_paint_put(rdv_paint *p, rdv_str text, rdv_style style);
void rdv_paint_putf(rdv_paint *p, rdv_style style, const char *fmt, ...) RDV_PRINTF(3, 4);
#define rdv_paint_lit(p, literal, style) rdv_paint_put((p), RDV_STR(literal), (style))
/* Writes untrusted text, wrapped and escaped; its line ends are kept. spans: in ascending order. */
void rdv_paint_text(rdv_paint *p, rdv_str text, rdv_style style, const rdv_span *spans, size_t n);
/* Writes our own words from a printf() format (at most 255 bytes), wrapped as text is. */
void rdv_paint_textf(rdv_paint *p, rdv_style style, const char *fmt, ...) RDV_PRINTF(3, 4);
/* Ends the line; the next one begins at column 0, or at `indent` after wrapping. */
void rdv_paint_end_line(rdv_paint *p);
/* Fills with spaces up to `column`; does nothing at or past it. */
void rdv_paint_to(rdv_paint *p, size_t column);

/* Writes the displayed form of the character at byte `i` to `out` and returns its length; *len is
 * the number of bytes of `s` that it takes. Line ends and tabs are escaped too. */
size_t rdv_shown(rdv_str s, size_t i, size_t *len, char out[16]);
/* Columns of text in the form of rdv_shown(), or of fixed text. */
size_t rdv_columns(rdv_str s);
/* The mark of a verdict, in one column. */
rdv_str rdv_verdict_mark(rdv_verdict_kind is, bool ascii);
