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
        b->open = true;
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
    b->open = true;
    return at;
}

/* \begin{X} ends at the \end{X} that closes it; both are found by X with its braces, also where
 * they are nested. */
static size_t environment_end(rdv_blocks *b, size_t at)
{
    rdv_str opening = RDV_STR("\\begin"), closing = RDV_STR("\\end");
    size_t name = at + opening.len, depth = 1;
    size_t brace = rdv_find_char(rdv_slice(b->text, 0, name + 32), '}', name);
    if (brace == RDV_NOT_FOUND) {
        b->open |= b->text.len < name + 32;
        return at;
    }
    rdv_str braced = rdv_slice(b->text, name, brace + 1);
    for (size_t i = rdv_find_char(b->text, '\\', brace); i != RDV_NOT_FOUND;
         i = rdv_find_char(b->text, '\\', i + 1)) {
        rdv_str rest = rdv_slice(b->text, i, b->text.len);
        bool opens = rdv_starts(rest, opening);
        rdv_str mark = opens ? opening : closing;
        if (!rdv_starts(rest, mark) || !rdv_starts(rdv_slice(rest, mark.len, rest.len), braced))
            continue;
        depth = opens ? depth + 1 : depth - 1;
        if (depth == 0)
            return i + closing.len + braced.len;
    }
    b->unclosed++;
    b->open = true;
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

/* Does a blank line, or none, come after the newline at byte `i`? *open: as rdv_blocks.open. */
static bool ends_paragraph(rdv_str text, size_t i, bool *open)
{
    for (i++; i < text.len && text.p[i] != '\n'; i++)
        if (!rdv_is_space(text.p[i]))
            return false;
    *open |= i >= text.len;
    return true;
}

bool text_holds_words(rdv_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        size_t begin = i;
        while (i < text.len && rdv_is_alpha(text.p[i]))
            i++;
        bool command = begin > 0 && text.p[begin - 1] == '\\';
        if (!command && i - begin > 1)
            return true;
        if (command && i < text.len && text.p[i] == '{' && i - begin > 3) { /* \text, \mathrm */
            size_t closed = rdv_find_char(text, '}', i);
            i = closed == RDV_NOT_FOUND ? i : closed;
        }
    }
    return false;
}

/* May a dollar at byte `i` close mathematics? Not after a space, nor as the sign of a price. */
static bool may_close(rdv_str text, size_t i)
{
    return !rdv_is_space(text.p[i - 1]) && (i + 1 == text.len || !rdv_is_digit(text.p[i + 1]));
}

/* The byte after the dollar that closes the one at `at`, or `at`: on the same line, or in the same
 * paragraph with nothing but a formula between, which no letter follows. The prices in "$5 or $6",
 * and those that stand at the ends of lines, are not maths. */
static size_t dollar_end(rdv_str text, size_t at, bool *open)
{
    *open |= at + 1 >= text.len;
    if (at + 1 >= text.len || rdv_is_space(text.p[at + 1]))
        return at;
    bool one_line = true;
    for (size_t i = at + 1; i < text.len; i++) {
        if (text.p[i] == '\n') {
            if (ends_paragraph(text, i, open))
                return at;
            one_line = false;
        } else if (text.p[i] == '\\') {
            i++;
        } else if (text.p[i] == '$') {
            bool closes = may_close(text, i);
            *open |= i + 1 == text.len;
            if (closes && !one_line)
                closes = (i + 1 == text.len || !rdv_is_alpha(text.p[i + 1])) &&
                         !text_holds_words(rdv_slice(text, at + 1, i));
            return closes ? i + 1 : at;
        }
    }
    *open = true;
    return at;
}

/* The byte after the "\)" that closes the "\(" at `at` in the same paragraph, or `at`. */
static size_t bracket_end(rdv_str text, size_t at, bool *open)
{
    for (size_t i = at + 2; i < text.len; i++) {
        if (text.p[i] == '\n' && ends_paragraph(text, i, open))
            return at;
        if (text.p[i] != '\\' || i + 1 == text.len)
            continue;
        i++;
        if (text.p[i] == ')')
            return i + 1;
        if (text.p[i] == '(')
            return at;
    }
    *open = true;
    return at;
}

size_t text_inline_end(rdv_str text, size_t at, bool *open)
{
    bool unused = false;
    rdv_str rest = rdv_slice(text, at, text.len);
    open = open ? open : &unused;
    if (is_escaped(text, at))
        return at;
    if (rdv_starts(rest, RDV_STR("$")))
        return dollar_end(text, at, open);
    if (rdv_starts(rest, RDV_STR("\\(")))
        return bracket_end(text, at, open);
    return at;
}

bool text_next_block_line(rdv_blocks *b, size_t *at, rdv_line *line)
{
    if (*at >= b->text.len)
        return false;
    *line = (rdv_line){.begin = *at, .blank = true};
    size_t i = *at;
    while (i < b->text.len && b->text.p[i] != '\n') {
        size_t end = text_may_open(b->text.p[i]) ? text_block_end(b, i) : i;
        if (end > i && line->blank)
            line->is_block = true;
        else if (end == i && text_may_open(b->text.p[i]))
            end = text_inline_end(b->text, i, &b->open);
        line->blank = line->blank && end == i && rdv_is_space(b->text.p[i]);
        i = end > i ? end : i + 1;
    }
    line->text = rdv_slice(b->text, *at, i);
    *at = i < b->text.len ? i + 1 : i;
    return true;
}
