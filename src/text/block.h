/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Pieces of text that are never cut: code fences, display maths, and inline maths. A block that is
 * never closed, or inline maths that is not closed in its paragraph, is ordinary text. */
#include <rederive/base.h>

/* Zero-initialise except for `text`. Remembers openings that were never closed, so that scanning a
 * text from left to right takes linear time: after a few of them no more blocks are looked for. */
typedef struct rdv_blocks {
    rdv_str text;
    unsigned unclosed;
    bool open; /* set where it depended on the end of the text whether something opens, or where it
                  ends: if more of the text came, that could be otherwise */
} rdv_blocks;

/* May a block or inline maths open with such a byte? Most do not. */
static inline bool text_may_open(char c)
{
    return c == '\\' || c == '$' || c == '[' || c == '`' || c == '~';
}

/* The byte after the block that opens at byte `at`, or `at` if none does. */
size_t text_block_end(rdv_blocks *blocks, size_t at);
/* The same for inline maths: $...$ (not the dollars of prices) and \(...\). *open is set as
 * rdv_blocks.open; NULL: not wanted. */
size_t text_inline_end(rdv_str text, size_t at, bool *open);

/* Are there words of two letters or more in it, outside of \text{...} and the names of commands?
 * Then it is prose, and no formula. */
bool text_holds_words(rdv_str text);

/* A line that contains its blocks and inline maths whole, and so may have newlines within. */
typedef struct rdv_line {
    rdv_str text; /* without the newline that ends it */
    size_t begin; /* byte of the text where it begins */
    bool blank;
    bool is_block; /* begins with a block, apart from white space */
} rdv_line;

/* The line that begins at byte *at, which is moved past it. False at the end of the text. */
bool text_next_block_line(rdv_blocks *blocks, size_t *at, rdv_line *line);
