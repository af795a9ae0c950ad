/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a model wrote, as it meant it: Markdown and LaTeX in HTML (docs/report.md).
 *
 * Read are emphasis, code, headings, lists and tables; everything else is text, HTML and links
 * among it. Of the text only the marks of emphasis, code and tables are left out, and those of a
 * heading of the second level and below: numbers and signs of lists stay, and an asterisk between
 * two factors is no emphasis. A formula ($...$, $$...$$, \(...\), \[...\], \begin{...}) is written
 * as its source in an element of class "tex", which a script may draw. */
#include "base/buf.h"
#include "report/paint.h"

/* Append `text` as blocks: paragraphs, lists, tables. marks: byte ranges of the text that are
 * marked as wrong, in ascending order, apart from each other. */
void html_markdown(rdv_buf *b, rdv_str text, const rdv_span *marks, size_t n);
/* Append `text` for the inside of one element, such as a heading: emphasis, code and formulas. */
void html_markdown_inline(rdv_buf *b, rdv_str text);
/* Begins each formula in what these functions wrote, and nothing else. */
#define HTML_FORMULA "<span class=\"tex"
