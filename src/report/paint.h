/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Text for a terminal: wrapped to a width behind a hanging indent, styled, hostile bytes escaped.
 * A style never crosses a line end, so a cut output leaves the terminal as it was. */
#include "report/report.h"

#include "base/buf.h"

typedef enum rdv_style {
    RDV_PLAIN,
    RDV_BOLD,
    RDV_DIM,
    RDV_GREEN,
    RDV_RED,
    RDV_YELLOW,
    RDV_MARKED /* red and underlined; without colours, ^ on a line of its own below */
} rdv_style;

typedef struct rdv_span {
    size_t begin, end; /* bytes of the text that are painted RDV_MARKED */
} rdv_span;

typedef struct rdv_paint {
    rdv_buf out;
    rdv_buf
        under; /* of the line being written: '^' or ' ' for each column, if there are no colours */
    size_t width, indent, column;
    bool colour, ascii, marked; /* marked: `under` has a '^' */
    rdv_style style;            /* in force at the end of `out` */
} rdv_paint;

void rdv_paint_begin(rdv_paint *p, const rdv_view_options *options, rdv_arena *arena);
/* Our own words: not wrapped, not escaped. */
void rdv_paint_put(rdv_paint *p, rdv_str text, rdv_style style);
void rdv_paint_putf(rdv_paint *p, rdv_style style, const char *fmt, ...) RDV_PRINTF(3, 4);
#define rdv_paint_lit(p, literal, style) rdv_paint_put((p), RDV_STR(literal), (style))
/* Words from outside, wrapped and escaped; their line ends are kept. spans: in rising order. */
void rdv_paint_text(rdv_paint *p, rdv_str text, rdv_style style, const rdv_span *spans, size_t n);
/* End the line; the next one begins at column 0, and after wrapping at `indent`. */
void rdv_paint_end_line(rdv_paint *p);
/* Fill with spaces up to `column`; at or past it, nothing. */
void rdv_paint_to(rdv_paint *p, size_t column);

/* How the character at byte `i` is shown: its bytes in `out`, their number returned; *len is how
 * many bytes of `s` it takes. Line ends and tabs are shown escaped too. */
size_t rdv_shown(rdv_str s, size_t i, size_t *len, char out[16]);
/* Columns of text as rdv_shown() shows it, or of our own words. */
size_t rdv_columns(rdv_str s);
/* Mark, name and style of a verdict; the mark takes one column. */
rdv_str rdv_verdict_mark(rdv_verdict_kind is, bool ascii);
rdv_style rdv_verdict_style(rdv_verdict_kind is);
