/* SPDX-License-Identifier: Apache-2.0 */
#include "reply/words.h"

#include "base/str.h"
#include "language/word_class.h"

#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

/* Length of an apostrophe at byte `i`, ' or U+2019, or 0. */
static size_t apostrophe(rdv_str s, size_t i)
{
    if (s.p[i] == '\'')
        return 1;
    return s.len - i >= 3 && memcmp(s.p + i, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

/* General punctuation (U+2000 to U+203F: dashes, quotation marks, blanks) and no-break space. */
static size_t punctuation(rdv_str s, size_t i)
{
    if (s.len - i >= 3 && s.p[i] == '\xe2' && s.p[i + 1] == '\x80')
        return 3;
    return s.len - i >= 2 && s.p[i] == '\xc2' && (unsigned char)s.p[i + 1] <= 0xbf ? 2 : 0;
}

static bool is_letter(rdv_str s, size_t i)
{
    return rdv_is_alpha(s.p[i]) || ((unsigned char)s.p[i] >= 0x80 && !punctuation(s, i));
}

bool words_next(rdv_str s, size_t *at, rdv_str *word, rdv_str *gap)
{
    size_t begin = *at;
    while (begin < s.len && !is_letter(s, begin)) {
        size_t wide = punctuation(s, begin);
        begin += wide ? wide : 1;
    }
    size_t end = begin;
    while (end < s.len) {
        size_t mark = apostrophe(s, end);
        if (mark && (end + mark >= s.len || !rdv_is_alpha(s.p[end + mark])))
            break;
        if (!mark && !is_letter(s, end))
            break;
        end += mark ? mark : 1;
    }
    if (gap)
        *gap = rdv_slice(s, *at, begin);
    *word = rdv_slice(s, begin, end);
    *at = end;
    return word->len > 0;
}

bool words_in(rdv_str word, const char *words)
{
    while (word.len > 0 && *words) {
        size_t len = 0;
        while (words[len] && words[len] != ' ')
            len++;
        if (rdv_str_ieq(word, (rdv_str){words, len}))
            return true;
        words += len + (words[len] == ' ');
    }
    return false;
}

bool words_is_not(rdv_str word)
{
    return word_denies(word) || (word_find(word) & WORD_FAILS);
}

bool words_is_any(char c, const char *bytes)
{
    return c && strchr(bytes, c);
}

bool words_has_any(rdv_str s, const char *bytes)
{
    for (size_t i = 0; i < s.len; i++)
        if (words_is_any(s.p[i], bytes))
            return true;
    return false;
}

/* ---- quotations ------------------------------------------------------------------------------ */

static const struct {
    const char *open, *close;
} quotes[] = {
    {"\"", "\""}, {"\xe2\x80\x9c", "\xe2\x80\x9d"}, {"\xe2\x80\x98", "\xe2\x80\x99"}, {"'", "'"}};

static bool may_open(rdv_str s, size_t at)
{
    return at == 0 || rdv_is_space(s.p[at - 1]) || words_is_any(s.p[at - 1], "([{*_:,");
}

size_t words_quote_end(rdv_str s, size_t at)
{
    rdv_str rest = rdv_slice(s, at, s.len);
    for (size_t k = 0; k < sizeof quotes / sizeof *quotes; k++) {
        rdv_str open = rdv_str_of(quotes[k].open), close = rdv_str_of(quotes[k].close);
        if (!rdv_starts(rest, open) || !may_open(s, at))
            continue;
        size_t end = rdv_find(s, close, at + open.len);
        while (end != RDV_NOT_FOUND && end + close.len < s.len &&
               rdv_is_alnum(s.p[end + close.len]))
            end = rdv_find(s, close, end + close.len);
        return end == RDV_NOT_FOUND ? at : end + close.len;
    }
    return at;
}

/* ---- the end of a reply ---------------------------------------------------------------------- */

bool words_prev_line(rdv_str s, size_t *before, rdv_str *line)
{
    while (*before > 0) {
        size_t end = *before, begin = end;
        while (begin > 0 && s.p[begin - 1] != '\n')
            begin--;
        *before = begin > 0 ? begin - 1 : 0;
        *line = rdv_trim(rdv_slice(s, begin, end));
        if (line->len > 0)
            return true;
    }
    return false;
}

rdv_str words_last_line(rdv_str reply)
{
    size_t before = reply.len;
    rdv_str line;
    return words_prev_line(reply, &before, &line) ? line : RDV_STR("");
}

rdv_str words_shortened(rdv_str s)
{
    size_t len = s.len < WORDS_SHORT_BYTES ? s.len : WORDS_SHORT_BYTES;
    while (len < s.len && len > 0 && ((unsigned char)s.p[len] & 0xc0) == 0x80)
        len--; /* not within a character */
    return rdv_trim(rdv_slice(s, 0, len));
}
