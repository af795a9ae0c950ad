/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_cue.h"

#include "answer/chinese.h"
#include "base/str.h"
#include "text/block.h"

/* Boxes that are never closed, before giving up: each search goes to the end of the text. */
#define UNCLOSED_MAX 16
/* How far "is" may stand from "answer to" in "the answer to the question is". */
#define DETOUR_MAX 80
/* How long the first option of a list, "A: ...", may be. */
#define LIST_LINE_MAX 400

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

/* Is nothing between two boxes but "and", "or", blanks and marks? Then they are one list. */
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
        else if (!between.p[i] || !strchr(" \t\r\n$,;&\\()*", between.p[i]))
            return false;
    }
    return true;
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
        bool listed = lists && found && joins(rdv_slice(text, end, i));
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
        if (!rdv_has_letter(*span) || rdv_trim(after).len == 0)
            return true;
    }
    return false;
}

/* Skip characters out of `set` from byte `i` on. */
static size_t skip(rdv_str s, size_t i, const char *set)
{
    while (i < s.len && s.p[i] && strchr(set, s.p[i]))
        i++;
    return i;
}

/* The byte after `word` and the blank after it, or 0 where it does not stand at byte `i`. */
static size_t word_end(rdv_str s, size_t i, const char *word)
{
    rdv_str w = rdv_str_of(word);
    size_t end = i + w.len;
    if (!rdv_istarts(rdv_slice(s, i, s.len), w) || (end < s.len && rdv_is_alnum(s.p[end])))
        return 0;
    return end;
}

/* The byte after "is", "would be", ":" and the like at byte `i`, or 0. */
static size_t copula_end(rdv_str s, size_t i)
{
    static const char *const verbs[] = {"is",      "are",     "was",       "equals",
                                        "will be", "must be", "should be", "would be"};
    if (i < s.len && (s.p[i] == ':' || s.p[i] == '='))
        return i + 1;
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++) {
        size_t end = word_end(s, i, verbs[k]);
        if (end)
            return end;
    }
    return 0;
}

/* "(in cm) is": the byte after "is", or 0. */
static size_t aside_end(rdv_str s, size_t i)
{
    rdv_str near = rdv_slice(s, 0, i + DETOUR_MAX);
    size_t close = i < s.len && s.p[i] == '(' ? rdv_find_char(near, ')', i) : RDV_NOT_FOUND;
    return close == RDV_NOT_FOUND ? 0 : copula_end(s, skip(s, close + 1, " \t*_"));
}

/* "to the question is": the byte after "is", or 0. */
static size_t detour_end(rdv_str s, size_t i)
{
    if (!word_end(s, i, "to") && !word_end(s, i, "for"))
        return 0;
    rdv_str near = line_from(rdv_slice(s, 0, i + DETOUR_MAX), i, s.len);
    size_t is = rdv_find(near, RDV_STR(" is"), 0);
    return is == RDV_NOT_FOUND ? 0 : copula_end(s, i + is + 1);
}

/* A title "### Final answer" or "**Answer**": nothing after it in its line, a mark before it. */
static bool is_title(rdv_str s, size_t answer, size_t end)
{
    if (end < s.len && s.p[end] != '\n' && s.p[end] != '\r')
        return false;
    size_t begin = answer;
    while (begin > 0 && answer - begin < DETOUR_MAX && s.p[begin - 1] != '\n')
        begin--;
    return s.p[begin] == '#' || s.p[begin] == '*';
}

/* Where the answer begins that "answer" at byte `i` announces, or 0 where it announces none. */
static size_t announced_at(rdv_str s, size_t i)
{
    static const char *const nouns[] = {"choice", "option", "letter"};
    size_t at = i + 6;
    if (at < s.len && rdv_lower(s.p[at]) == 's')
        at++;
    at = skip(s, at, " \t*_\"'");
    for (size_t k = 0; k < sizeof nouns / sizeof *nouns; k++) {
        size_t end = word_end(s, at, nouns[k]);
        if (end)
            at = skip(s, end, " \t*_");
    }
    if (is_title(s, i, at))
        return at;
    size_t end = copula_end(s, at);
    if (end == 0)
        end = detour_end(s, at);
    if (end == 0)
        end = aside_end(s, at);
    return end ? skip(s, end, " \t*_:=") : 0;
}

/* "ans = 5", "Ans: 5": where the answer begins, or 0. */
static size_t short_word_end(rdv_str s, size_t i)
{
    size_t at = skip(s, i + 3, ".");
    at = skip(s, at, " \t*_");
    return at < s.len && (s.p[at] == '=' || s.p[at] == ':') ? skip(s, at + 1, " \t*_") : 0;
}

/* "A: 5" at the beginning of a line, unless the next line is "B: ...", as in a list of options. */
static size_t letter_end(rdv_str s, size_t i)
{
    size_t at = skip(s, i + 1, "*");
    bool begins = i == 0 || (s.p[i - 1] && strchr("\n*", s.p[i - 1]));
    if (s.p[i] != 'A' || !begins || at >= s.len || s.p[at] != ':')
        return 0;
    size_t newline = rdv_find_char(rdv_slice(s, 0, at + LIST_LINE_MAX), '\n', at);
    size_t next = newline == RDV_NOT_FOUND ? s.len : skip(s, newline, " \t\r\n*");
    return next + 1 < s.len && s.p[next] == 'B' && s.p[next + 1] == ':' ? 0 : at + 1;
}

/* Does a label open the text at byte `i`, as "Answer:" does: with nothing but marks before it? */
static bool opens_text(rdv_str s, size_t i)
{
    /* Backwards: the marks before one announcement are not those before another, so reading all
     * of them is linear. */
    while (i > 0 && s.p[i - 1] && strchr(" \t\r\n*_#\"'", s.p[i - 1]))
        i--;
    return i == 0;
}

/* Where the answer begins that the word at byte `i` announces, or 0. A member of JSON counts when
 * its name ends in "answer". */
static size_t word_announces(rdv_str s, size_t i, size_t before)
{
    rdv_str rest = rdv_slice(s, i, before);
    if (i > 0 && rdv_is_alpha(s.p[i - 1]))
        return 0;
    if (rdv_istarts(rest, RDV_STR("answer")))
        return announced_at(s, i);
    if (rdv_istarts(rest, RDV_STR("ans")) && rest.len > 3 && !rdv_is_alpha(rest.p[3]))
        return short_word_end(s, i);
    return letter_end(s, i);
}

rdv_str answer_without_wish(rdv_str line)
{
    rdv_str wish = RDV_STR("I hope it is correct");
    size_t at = rdv_find_last(line, wish);
    return at == RDV_NOT_FOUND || at + wish.len + 1 < line.len ? line
                                                               : rdv_trim(rdv_slice(line, 0, at));
}

/* The rest of the line at `begin`; where nothing is left of it, or it ends in a colon, the next,
 * without the hyphen that makes it an item of a list. */
static rdv_str announced(rdv_str text, size_t begin, size_t end)
{
    rdv_blocks blocks = {.text = rdv_slice(text, 0, end)};
    rdv_line line = {.text = rdv_slice(text, begin, begin)};
    size_t first = begin;
    while (text_next_block_line(&blocks, &begin, &line))
        if (!line.blank && !rdv_ends(rdv_trim_end(line.text), RDV_STR(":")))
            break;
    rdv_str rest = rdv_trim(line.text);
    if (line.begin > first && rdv_starts(rest, RDV_STR("- ")))
        rest = rdv_trim(rdv_slice(rest, 2, rest.len));
    return answer_without_wish(rest);
}

/* The value at byte `begin` of a member of JSON whose name ends with the "answer" at byte `word`: a
 * string without its quotes, or a number; p == NULL: it is none. */
static rdv_str json_value(rdv_str text, size_t word, size_t begin, size_t end)
{
    size_t name = word + 6;
    if (name >= text.len || text.p[name] != '"' || begin >= end ||
        !rdv_istarts(rdv_slice(text, word, end), RDV_STR("answer")))
        return (rdv_str){0};
    bool string = text.p[begin] == '"';
    if (!string && !rdv_is_digit(text.p[begin]) && text.p[begin] != '-')
        return (rdv_str){0};
    for (size_t i = begin + string; i < end; i++) {
        if (text.p[i] == '\\')
            i++;
        else if (string ? text.p[i] == '"' : text.p[i] && strchr(",}\n", text.p[i]))
            return rdv_trim(rdv_slice(text, begin + string, i));
    }
    return (rdv_str){0};
}

bool answer_prev_phrase(rdv_str text, size_t *before, rdv_str *span, bool *opens)
{
    for (size_t i = *before; i-- > 0;) {
        bool chinese = text.p[i] == '\xe7'; /* the first byte of U+7B54 */
        if (rdv_lower(text.p[i]) != 'a' && !chinese)
            continue;
        size_t begin = chinese ? chinese_announced(rdv_slice(text, 0, *before), i)
                               : word_announces(text, i, *before);
        if (begin == 0)
            continue;
        *span = json_value(text, i, begin, *before);
        if (!span->p)
            *span = announced(text, begin, *before);
        *opens = opens_text(text, i);
        *before = i;
        return true;
    }
    *before = 0;
    return false;
}
