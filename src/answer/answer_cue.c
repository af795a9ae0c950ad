/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_cue.h"

#include "answer/announcement.h"

#include "base/str.h"

/* Boxes that are never closed, before giving up: each search goes to the end of the text. */
#define UNCLOSED_MAX 16

/* The byte of the brace that closes the one before byte `i`, or RDV_NOT_FOUND. */
static size_t closing_brace(rdv_str s, size_t i)
{
    for (size_t depth = 1; i < s.len; i++) {
        if (s.p[i] == '\\')
            i++;
        else if (s.p[i] == '{')
            depth++;
        else if (s.p[i] == '}' && --depth == 0)
            return i;
    }
    return RDV_NOT_FOUND;
}

/* The byte behind the letter with or without an index, "y_1 ", that begins at byte `i`. */
static size_t name_end(rdv_str s, size_t i)
{
    bool letter = rdv_skip_letters(s, i) == i + 1;
    return letter ? rdv_skip_any(s, i + 1, "_0123456789 ") : s.len;
}

/* Is nothing between two boxes but "and", "or", blanks, marks and names, "x ="? Then they are one
 * list. */
static bool joins(rdv_str between)
{
    static const char *const words[] = {"and",          "or",          "\\text{ and }",
                                        "\\text{ or }", "\\text{and}", "\\text{or}",
                                        "\\quad",       "\\qquad"};
    for (size_t i = 0, k; i < between.len; i++) {
        rdv_str rest = rdv_slice(between, i, between.len);
        for (k = 0; k < sizeof words / sizeof *words; k++)
            if (rdv_starts(rest, rdv_str_of(words[k])))
                break;
        if (k < sizeof words / sizeof *words)
            i += strlen(words[k]) - 1;
        else if (rdv_char_at(between, name_end(between, i)) == '=')
            i = name_end(between, i); /* "and $x = " */
        else if (!between.p[i] || !strchr(" \t\r\n$,;&\\()*", between.p[i]))
            return false;
    }
    return true;
}

/* "papers and", "} for part (a) and ": do a few words that end in "and", and no new sentence, stand
 * between two boxes? */
static bool joins_in_words(rdv_str between)
{
    static const char marks[] = " $\\(){}";
    size_t end = between.len, at = 0;
    while (end > 0 && strchr(marks, between.p[end - 1]))
        end--;
    while (at < end && !strchr(".?!=:;,\n", between.p[at]))
        at++;
    return end == at && end < 60 && rdv_ends(rdv_slice(between, 0, end), RDV_STR(" and"));
}

/* The first "\\boxed{" or "\\fbox{" at or after byte `from`, and how long it is into *len; or
 * RDV_NOT_FOUND. */
static size_t next_box(rdv_str text, size_t from, size_t *len)
{
    for (size_t at = from; (at = rdv_find_char(text, 'b', at)) != RDV_NOT_FOUND; at++) {
        if (!rdv_starts(rdv_slice(text, at, at + 3), RDV_STR("box")))
            continue;
        bool boxed =
            at > from && rdv_starts(rdv_slice(text, at - 1, text.len), RDV_STR("\\boxed{"));
        bool fbox =
            at > from + 1 && rdv_starts(rdv_slice(text, at - 2, text.len), RDV_STR("\\fbox{"));
        *len = boxed ? 7 : 6;
        if (boxed || fbox)
            return at - (boxed ? 1 : 2);
    }
    return RDV_NOT_FOUND;
}

bool answer_last_box(rdv_str text, bool lists, rdv_str *content)
{
    bool found = false, differ = false;
    unsigned unclosed = 0;
    size_t i = 0, first = 0, end = 0, len;
    rdv_str last = {0};
    while (unclosed < UNCLOSED_MAX && (i = next_box(text, i, &len)) != RDV_NOT_FOUND) {
        size_t close = closing_brace(text, i + len);
        if (close == RDV_NOT_FOUND) {
            unclosed++;
            i += len;
            continue;
        }
        rdv_str inner = rdv_slice(text, i + len, close);
        rdv_str between = found ? rdv_slice(text, end, i) : (rdv_str){0};
        bool listed = lists && found && (joins(between) || joins_in_words(between));
        differ = listed && (differ || !rdv_str_eq(rdv_trim(inner), rdv_trim(last)));
        first = listed ? first : i;
        *content = differ ? rdv_slice(text, first, close + 1) : inner;
        last = inner;
        end = close + 1;
        found = true;
        i = close;
    }
    return found;
}

bool answer_last_tag(rdv_str text, rdv_str *content)
{
    rdv_str open = RDV_STR("<answer>"), close = RDV_STR("</answer>");
    bool found = false;
    for (size_t i = 0; (i = rdv_find_char(text, '<', i)) != RDV_NOT_FOUND; i++) {
        if (!rdv_istarts(rdv_slice(text, i, text.len), open))
            continue;
        size_t begin = i + open.len, end = begin;
        while ((end = rdv_find_char(text, '<', end)) != RDV_NOT_FOUND &&
               !rdv_istarts(rdv_slice(text, end, text.len), close) &&
               !rdv_istarts(rdv_slice(text, end, text.len), open))
            end++;
        rdv_str inner = rdv_trim(rdv_slice(text, begin, end));
        if (inner.len > 0) {
            *content = inner;
            found = true;
        }
        if (end == RDV_NOT_FOUND)
            break;
        i = end - 1;
    }
    return found;
}

bool answer_last_bold(rdv_str text, rdv_str *content)
{
    rdv_str bold = RDV_STR("**");
    text = rdv_trim_end(text);
    size_t newline = rdv_find_last(text, RDV_STR("\n"));
    rdv_str line = rdv_slice(text, newline == RDV_NOT_FOUND ? 0 : newline + 1, text.len);
    bool found = false;
    for (size_t open = rdv_find(line, bold, 0); open != RDV_NOT_FOUND;) {
        size_t close = rdv_find(line, bold, open + 2);
        if (close == RDV_NOT_FOUND)
            break;
        rdv_str piece = rdv_trim(rdv_slice(line, open + 2, close));
        bool title = rdv_ends(piece, RDV_STR(":")) ||
                     rdv_starts(rdv_slice(line, close + 2, line.len), RDV_STR(":"));
        if (piece.len > 0 && !title) {
            *content = piece;
            found = true;
        }
        open = rdv_find(line, bold, close + 2);
    }
    return found;
}

static rdv_str line_from(rdv_str text, size_t begin, size_t end)
{
    size_t newline = rdv_find_char(rdv_slice(text, 0, end), '\n', begin);
    return rdv_slice(text, begin, newline == RDV_NOT_FOUND ? end : newline);
}

bool answer_prev_mark(rdv_str text, size_t *before, rdv_str *span)
{
    size_t at;
    while ((at = rdv_find_last(rdv_slice(text, 0, *before), RDV_STR("####"))) != RDV_NOT_FOUND) {
        *span = line_from(text, at + 4, *before);
        rdv_str after = rdv_slice(text, at + 4 + span->len, *before);
        *before = at;
        if (!rdv_has_letter(*span) || rdv_trim(after).len == 0 || announcement_of_none(*span))
            return true;
    }
    return false;
}
