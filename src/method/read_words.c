/* SPDX-License-Identifier: Apache-2.0 */
#include "method/read_words.h"

#include "base/str.h"

#include <string.h>

/* ---- what is said aloud ---------------------------------------------------------------------- */

/* Byte offset behind the last of the two closing tags, 0 where there is none. */
static size_t thinking_end(rdv_str reply)
{
    static const char *const tags[] = {"</think>", "</thinking>"};
    size_t end = 0;
    for (size_t k = 0; k < sizeof tags / sizeof *tags; k++) {
        size_t at = rdv_find_last(reply, rdv_str_of(tags[k]));
        if (at != RDV_NOT_FOUND && at + strlen(tags[k]) > end)
            end = at + strlen(tags[k]);
    }
    return end;
}

rdv_str read_spoken(rdv_str reply)
{
    reply = rdv_slice(reply, thinking_end(reply), reply.len);
    size_t open = rdv_ifind(reply, RDV_STR("<think"), 0);
    return rdv_trim(open == RDV_NOT_FOUND ? reply : rdv_slice(reply, 0, open));
}

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

bool read_next_word(rdv_str s, size_t *at, rdv_str *word, rdv_str *gap)
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

bool read_is_one_of(rdv_str word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_str_ieq(word, rdv_str_of(words[i])))
            return true;
    return false;
}

bool read_is_not(rdv_str word)
{
    static const char *const words[] = {"not",     "cannot", "never",  "without", "fail",  "fails",
                                        "failed",  "unable", "doesnt", "isnt",    "dont",  "nor",
                                        "neither", "no",     "none",   "nothing", "hardly"};
    rdv_str tail = rdv_slice(word, word.len < 2 ? 0 : word.len - 2, word.len);
    bool contracted = rdv_str_ieq(tail, RDV_STR("'t")) || rdv_ends(word, RDV_STR("\xe2\x80\x99t"));
    return contracted || READ_IS_ONE_OF(word, words);
}

bool read_is_any(char c, const char *bytes)
{
    return c && strchr(bytes, c);
}

bool read_has_any(rdv_str s, const char *bytes)
{
    for (size_t i = 0; i < s.len; i++)
        if (read_is_any(s.p[i], bytes))
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
    return at == 0 || rdv_is_space(s.p[at - 1]) || read_is_any(s.p[at - 1], "([{*_:,");
}

size_t read_quote_end(rdv_str s, size_t at)
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

/* The line that ends before byte *before, which is moved to where it begins. */
static bool prev_line(rdv_str s, size_t *before, rdv_str *line)
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

rdv_str read_last_line(rdv_str reply)
{
    size_t before = reply.len;
    rdv_str line;
    return prev_line(reply, &before, &line) ? line : RDV_STR("");
}

/* Is the quotation made of the words of a conclusion alone? */
static bool is_conclusion(rdv_str quoted)
{
    static const char *const words[] = {
        "support", "supports", "supported", "supporting",   "contradict", "contradicts",
        "is",      "not",      "directly",  "related",      "unrelated",  "to",
        "does",    "yes",      "no",        "correct",      "wrong",      "incorrect",
        "sure",    "unsure",   "it",        "contradicted", "neither",    "nor"};
    rdv_str word;
    if (read_has_any(quoted, "0123456789"))
        return false;
    for (size_t at = 0; read_next_word(quoted, &at, &word, NULL);)
        if (!READ_IS_ONE_OF(word, words))
            return false;
    return true;
}

static void blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

static void blank_quotes(read_end *e)
{
    rdv_str s = {e->text, e->len};
    for (size_t i = 0; i < s.len; i++) {
        size_t end = read_quote_end(s, i);
        if (end == i)
            continue;
        if (!is_conclusion(rdv_slice(s, i, end)))
            blank(e->text, i, end);
        i = end - 1;
    }
}

/* "Solution 1: x = 3 and ..." repeats what was to be compared, "> ..." quotes it. A short line may
 * be a conclusion all the same: "Solution 1: contradicts". */
static bool is_repetition(rdv_str line)
{
    static const char *const first[] = {"solution", "step", "information"};
    size_t at = 0, n = 0;
    rdv_str word, gap;
    if (rdv_starts(line, RDV_STR(">")))
        return true;
    if (!read_next_word(line, &at, &word, NULL) || !READ_IS_ONE_OF(word, first))
        return false;
    if (!read_next_word(line, &at, &word, &gap) || !read_has_any(gap, ":"))
        return false;
    while (n <= 6 && read_next_word(line, &at, &word, NULL))
        n++;
    return n > 6;
}

static void blank_repetitions(read_end *e)
{
    rdv_str rest = {e->text, e->len}, line;
    while (rest.len > 0 && rdv_next_line(&rest, &line))
        if (is_repetition(rdv_trim(line)))
            blank(e->text, (size_t)(line.p - e->text), (size_t)(line.p - e->text) + line.len);
}

void read_end_of(rdv_str reply, read_end *e)
{
    rdv_str line;
    size_t begin = reply.len;
    for (size_t n = 0; n < READ_END_LINES && prev_line(reply, &begin, &line); n++)
        if (reply.len - begin > READ_END_BYTES)
            break;
    if (reply.len - begin > READ_END_BYTES)
        begin = reply.len - READ_END_BYTES;
    e->len = reply.len - begin;
    if (e->len > 0)
        memcpy(e->text, reply.p + begin, e->len);
    e->before = e->len;
    e->given = 0;
    blank_quotes(e);
    blank_repetitions(e);
}

/* Does a sentence end before byte `i`? After a full stop and its like, at a blank. */
static bool is_boundary(rdv_str s, size_t i)
{
    if (s.p[i] == '\n')
        return true;
    if (!rdv_is_space(s.p[i]))
        return false;
    while (i > 0 && read_is_any(s.p[i - 1], "\"'*_)`"))
        i--;
    return i > 0 && read_is_any(s.p[i - 1], ".!?");
}

bool read_prev_sentence(read_end *e, rdv_str *sentence)
{
    rdv_str s = {e->text, e->len}, word;
    while (e->before > 0 && e->given < READ_END_SENTENCES) {
        size_t end = e->before, begin = end - 1;
        while (begin > 0 && !is_boundary(s, begin))
            begin--;
        e->before = begin;
        *sentence = rdv_trim(rdv_slice(s, begin, end));
        size_t at = 0;
        if (!read_next_word(*sentence, &at, &word, NULL))
            continue;
        e->given++;
        return true;
    }
    return false;
}
