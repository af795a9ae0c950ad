/* SPDX-License-Identifier: Apache-2.0 */
#include "text/block.h"

#include "base/str.h"

/* Openings without an end that are searched for to the end of the text, before giving up. */
#define UNCLOSED_MAX 16

/* The byte after the next `closer` from `from` on, or `at` (noted as unclosed) if there is none. */
static size_t close_with(rdv_blocks *b, size_t at, size_t from, rdv_str closer)
{
    size_t end = rdv_find(b->text, closer, from);
    if (end == RDV_NOT_FOUND) {
        b->unclosed++;
        return at;
    }
    return end + closer.len;
}

static bool begins_line(rdv_str text, size_t at)
{
    while (at > 0 && (text.p[at - 1] == ' ' || text.p[at - 1] == '\t'))
        at--;
    return at == 0 || text.p[at - 1] == '\n';
}

/* A fence ends with the line that begins with the same three marks. */
static size_t fence_end(rdv_blocks *b, size_t at)
{
    rdv_str marks = rdv_slice(b->text, at, at + 3);
    size_t close = at;
    while ((close = rdv_find(b->text, marks, close + 3)) != RDV_NOT_FOUND)
        if (begins_line(b->text, close))
            return close + 3;
    b->unclosed++;
    return at;
}

/* \begin{X} ends at the next \end{X}; both are found by X with its braces. */
static size_t environment_end(rdv_blocks *b, size_t at)
{
    rdv_str opening = RDV_STR("\\begin{"), closing = RDV_STR("\\end");
    size_t name = at + opening.len - 1;
    size_t brace = rdv_find_char(rdv_slice(b->text, 0, name + 32), '}', name);
    if (brace == RDV_NOT_FOUND)
        return at;
    rdv_str braced = rdv_slice(b->text, name, brace + 1);
    size_t end = brace;
    while ((end = rdv_find(b->text, closing, end)) != RDV_NOT_FOUND) {
        end += closing.len;
        if (rdv_starts(rdv_slice(b->text, end, b->text.len), braced))
            return end + braced.len;
    }
    b->unclosed++;
    return at;
}

/* "\\[2pt]" breaks a line and "\$" is a price: after a backslash nothing opens. */
static bool is_escaped(rdv_str text, size_t at)
{
    return at > 0 && text.p[at - 1] == '\\';
}

size_t text_block_end(rdv_blocks *b, size_t at)
{
    if (b->unclosed >= UNCLOSED_MAX || is_escaped(b->text, at))
        return at;
    rdv_str rest = rdv_slice(b->text, at, b->text.len);
    if (rdv_starts(rest, RDV_STR("\\[")))
        return close_with(b, at, at + 2, RDV_STR("\\]"));
    if (rdv_starts(rest, RDV_STR("$$")))
        return close_with(b, at, at + 2, RDV_STR("$$"));
    if (rdv_starts(rest, RDV_STR("[asy]")))
        return close_with(b, at, at + 5, RDV_STR("[/asy]"));
    if (rdv_starts(rest, RDV_STR("\\begin{")))
        return environment_end(b, at);
    if ((rdv_starts(rest, RDV_STR("```")) || rdv_starts(rest, RDV_STR("~~~"))) &&
        begins_line(b->text, at))
        return fence_end(b, at);
    return at;
}

/* The dollar that closes the one at `at`: on the same line, no space inside next to either, and no
 * digit after it, so that the prices in "$5 or $6" are not maths. */
static size_t dollar_end(rdv_str text, size_t at)
{
    if (at + 1 >= text.len || rdv_is_space(text.p[at + 1]))
        return at;
    for (size_t i = at + 1; i < text.len && text.p[i] != '\n'; i++) {
        if (text.p[i] == '\\')
            i++;
        else if (text.p[i] == '$')
            return rdv_is_space(text.p[i - 1]) || (i + 1 < text.len && rdv_is_digit(text.p[i + 1]))
                       ? at
                       : i + 1;
    }
    return at;
}

size_t text_inline_end(rdv_blocks *b, size_t at)
{
    rdv_str rest = rdv_slice(b->text, at, b->text.len);
    if (is_escaped(b->text, at))
        return at;
    if (rdv_starts(rest, RDV_STR("$")))
        return dollar_end(b->text, at);
    if (b->unclosed < UNCLOSED_MAX && rdv_starts(rest, RDV_STR("\\(")))
        return close_with(b, at, at + 2, RDV_STR("\\)"));
    return at;
}

bool text_next_block_line(rdv_blocks *b, size_t *at, rdv_line *line)
{
    if (*at >= b->text.len)
        return false;
    *line = (rdv_line){.begin = *at, .blank = true};
    size_t i = *at;
    while (i < b->text.len && b->text.p[i] != '\n') {
        size_t end = text_block_end(b, i);
        if (end > i && line->blank)
            line->is_block = true;
        line->blank = line->blank && end == i && rdv_is_space(b->text.p[i]);
        i = end > i ? end : i + 1;
    }
    line->text = rdv_slice(b->text, *at, i);
    *at = i < b->text.len ? i + 1 : i;
    return true;
}
