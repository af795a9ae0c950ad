/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a reply that is read, and the boundaries of its sentences. */
#include "reply/window.h"

#include "base/str.h"
#include "language/phrase.h"
#include "reply/object.h"
#include "reply/words.h"

#include <string.h>

/* ---- quotations and repetitions -------------------------------------------------------------- */

/* True if the quotation consists only of words of a conclusion. */
static bool is_conclusion(rdv_str quoted)
{
    rdv_str word;
    bool several =
        words_has_any(rdv_slice(quoted, 0, quoted.len < 3 ? 0 : quoted.len - 3), ".!?\n");
    if (several || words_has_any(quoted, "0123456789"))
        return false;
    static phrase_list words = {"@says-a-verdict;@beside-a-verdict"};
    for (size_t at = 0; words_next(quoted, &at, &word, NULL);)
        if (!phrase_is(word, &words))
            return false;
    return true;
}

/* A name in JSON: "verdict": */
static bool is_name(rdv_str s, size_t begin, size_t end)
{
    return rdv_char_at(s, end) == ':' && s.p[begin] == '"' &&
           rdv_find_char(rdv_slice(s, begin, end), ' ', 0) == RDV_NOT_FOUND;
}

/* The value of a name in JSON is the model's own text: "explanation": "Both say 5." */
static bool is_value(rdv_str s, size_t begin)
{
    while (begin > 0 && rdv_is_space(s.p[begin - 1]))
        begin--;
    return begin > 1 && s.p[begin - 1] == ':' && s.p[begin - 2] == '"';
}

static void blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

static void blank_quotes(reply_window *w)
{
    rdv_str s = {w->text, w->len};
    for (size_t i = 0; i < s.len; i++) {
        size_t end = words_quote_end(rdv_slice(s, 0, rdv_find_char(s, '\n', i)), i);
        if (end == i)
            continue;
        if (!is_conclusion(rdv_slice(s, i, end)) && !is_name(s, i, end) && !is_value(s, i)) {
            blank(w->text, i, end);
            memcpy(w->text + i, "\xc2\xa7", 2); /* "§" */
        }
        i = end - 1;
    }
}

/* The byte behind a tag that names a part of the reply, "<verdict>" or "</answer>"; `i`: there is
 * none. */
static size_t tag_end(rdv_str s, size_t i)
{
    static phrase_list names = {"@names-a-verdict"};
    size_t name = i + 1 + (rdv_char_at(s, i + 1) == '/'), end = name;
    while (rdv_is_alpha(rdv_char_at(s, end)) || rdv_char_at(s, end) == '_')
        end++;
    bool is = rdv_char_at(s, i) == '<' && rdv_char_at(s, end) == '>' &&
              phrase_is(rdv_slice(s, name, end), &names);
    return is ? end + 1 : i;
}

static void blank_tags(reply_window *w)
{
    rdv_str s = {w->text, w->len};
    for (size_t i = 0; (i = rdv_find_char(s, '<', i)) != RDV_NOT_FOUND; i++)
        blank(w->text, i, tag_end(s, i));
}

/* True for a line that repeats the text to be compared, "Solution 1: x = 3 and ...", or quotes it,
 * "> ...". A short line may still be a conclusion: "Solution 1: contradicts". */
static bool is_repetition(rdv_str line)
{
    size_t at = 0, n = 0;
    rdv_str word, gap;
    if (rdv_starts(line, RDV_STR(">")))
        return true;
    if (!words_next(line, &at, &word, NULL) || !words_in(word, "solution step information"))
        return false;
    if (!words_next(line, &at, &word, &gap) || !words_has_any(gap, ":"))
        return false;
    while (n <= 6 && words_next(line, &at, &word, NULL))
        n++;
    return n > 6;
}

/* Where the last sentence of the line begins, if it concludes: "Solution 1: it is 60 km. It
 * supports Solution 2."; else the end of the line. */
static size_t repetition_end(rdv_str line)
{
    size_t begin = line.len;
    static phrase_list verdicts = {"@says-a-verdict"};
    rdv_str word;
    while (begin > 0 &&
           !(words_is_any(line.p[begin - 1], ".!?") && begin < line.len && line.p[begin] == ' '))
        begin--;
    rdv_str last = rdv_slice(line, begin, line.len);
    for (size_t at = 0; begin && words_next(last, &at, &word, NULL);)
        if (phrase_is(word, &verdicts))
            return begin;
    return line.len;
}

static void blank_repetitions(reply_window *w)
{
    rdv_str rest = {w->text, w->len}, line;
    while (rest.len > 0 && rdv_next_line(&rest, &line)) {
        size_t begin = (size_t)(line.p - w->text);
        if (is_repetition(rdv_trim(line)))
            blank(w->text, begin, begin + repetition_end(line));
    }
}

/* ---- sentence boundaries --------------------------------------------------------------------- */

/* The first non-blank byte at or after `at`. */
static size_t skip_blanks(rdv_str s, size_t at)
{
    while (at < s.len && (s.p[at] == ' ' || s.p[at] == '\t' || s.p[at] == '\r'))
        at++;
    return at;
}

/* True if the line that ends at byte `end` continues in the next one: "It is not true
 * that\nSolution 1". */
static bool goes_on(rdv_str s, size_t begin, size_t end)
{
    static phrase_list unfinished = {"@unfinished"};
    size_t next = skip_blanks(s, end + 1), last = end;
    while (last > begin && rdv_is_alpha(s.p[last - 1]))
        last--;
    if (next >= s.len || s.p[next] == '\n' || last == end || (last > begin && s.p[last - 1] == '/'))
        return false; /* "N/A" */
    return (s.p[next] >= 'a' && s.p[next] <= 'z') ||
           phrase_is(rdv_slice(s, last, end), &unfinished);
}

/* Does a shortened word end before byte `i`, which a sentence goes on behind? */
static bool is_abbreviated(rdv_str s, size_t begin, size_t i)
{
    static const char *const words[] = {"vs.", "e.g.", "i.e.", "cf.", "approx.", "resp."};
    size_t from = i;
    while (from > begin && !rdv_is_space(s.p[from - 1]) && s.p[from - 1] != '(')
        from--;
    return rdv_is_one_of(rdv_slice(s, from, i), words, sizeof words / sizeof *words);
}

/* Does it end in a full stop of Chinese or Japanese, which no blank follows? */
static bool ends_wide(rdv_str s)
{
    return rdv_ends(s, RDV_STR("\xe3\x80\x82")) || rdv_ends(s, RDV_STR("\xef\xbc\x81")) ||
           rdv_ends(s, RDV_STR("\xef\xbc\x9f"));
}

/* Does a picture end before byte `i`, behind words and before a capital letter? A picture behind a
 * colon stands before what it decorates: "Verdict: \xf0\x9f\x91\x8d Correct". */
static bool ends_in_picture(rdv_str s, size_t begin, size_t i)
{
    size_t at = 0, from = i < 4 ? 0 : i - 4;
    char next = rdv_char_at(s, skip_blanks(s, i));
    rdv_str words = rdv_trim(rdv_slice(s, begin, from)), word;
    return next >= 'A' && next <= 'Z' && from > begin &&
           rdv_starts(rdv_slice(s, from, i), RDV_STR("\xf0\x9f")) &&
           words_next(words, &at, &word, NULL) && !rdv_ends(words, RDV_STR(":"));
}

/* True if a sentence ends before byte `i`: after a full stop or similar, at a blank. */
static bool is_boundary(rdv_str s, size_t begin, size_t i)
{
    if (s.p[i] == '\n')
        return !goes_on(s, begin, i);
    if (s.p[i - 1] == ';' || (s.p[i] == '|' && i > begin && s.p[i - 1] == ' '))
        return true; /* a table has bars */
    if (ends_wide(rdv_slice(s, begin, i)))
        return true;
    if (i > begin && s.p[i - 1] == '?')
        return !words_is_any(s.p[i], "?!\"'*_)`");
    if (!rdv_is_space(s.p[i]))
        return false;
    if (i == begin + 3 && rdv_istarts(rdv_slice(s, begin, i), RDV_STR("no.")) &&
        rdv_is_digit(rdv_char_at(s, i + 1))) /* "No. 1" */
        return false;
    size_t next = skip_blanks(s, i); /* "5! = 120" */
    if ((words_is_any(rdv_char_at(s, next), "=+*/") && rdv_char_at(s, next + 1) == ' ') ||
        is_abbreviated(s, begin, i))
        return false;
    if (ends_in_picture(s, begin, i))
        return true;
    while (i > begin && words_is_any(s.p[i - 1], "\"'*_)`"))
        i--;
    return i > begin && words_is_any(s.p[i - 1], ".!?");
}

/* "1." at the beginning of a line numbers what follows there: the byte behind it, or `begin`. */
static size_t skip_numbering(rdv_str s, size_t begin)
{
    bool starts = begin == 0 || s.p[begin - 1] == '\n';
    size_t end = rdv_skip_digits(s, begin);
    bool numbers = starts && end > begin && words_is_any(rdv_char_at(s, end), ".)") &&
                   rdv_char_at(s, end + 1) == ' ';
    size_t next = numbers ? skip_blanks(s, end + 1) : begin;
    return next < s.len && s.p[next] != '\n' ? next : begin;
}

static bool has_word(rdv_str s)
{
    size_t at = 0;
    rdv_str word;
    bool digit = false;
    for (size_t i = 0; i < s.len && !digit; i++)
        digit = rdv_is_digit(s.p[i]);
    return digit || words_next(s, &at, &word, NULL);
}

/* Of too many sentences the first half goes: the time stays linear. */
static void cut(reply_window *w)
{
    rdv_str s = {w->text, w->len};
    for (size_t begin = 0, end; begin < s.len; begin = end) {
        while (begin < s.len && rdv_is_space(s.p[begin]))
            begin++;
        begin = skip_numbering(s, begin);
        end = begin + 1;
        while (end < s.len && !is_boundary(s, begin, end))
            end++;
        rdv_str sentence = rdv_trim(rdv_slice(s, begin, end));
        if (!has_word(sentence))
            continue;
        if (w->n == WINDOW_SENTENCES) {
            w->n /= 2;
            memmove(w->sentences, w->sentences + w->n, w->n * sizeof *w->sentences);
        }
        w->sentences[w->n++] = sentence;
    }
}

/* ":)" is no colon. */
static void blank_smileys(reply_window *w)
{
    for (size_t i = 1; i + 1 < w->len; i++)
        if (w->text[i] == ':' && w->text[i + 1] == ')' && rdv_is_space(w->text[i - 1]))
            blank(w->text, i, i + 2);
}

static void take(reply_window *w, rdv_str reply, size_t begin, size_t end)
{
    w->reply = reply;
    w->begin = begin;
    w->len = end - begin;
    w->n = 0;
    if (w->len > 0)
        memcpy(w->text, reply.p + begin, w->len);
    blank_tags(w);
    blank_smileys(w);
    object_lay_out(w->text, w->len);
    blank_quotes(w);
    blank_repetitions(w);
    cut(w);
}

void window_of_tail(reply_window *w, rdv_str reply)
{
    take(w, reply, reply.len < WINDOW_BYTES ? 0 : reply.len - WINDOW_BYTES, reply.len);
}

void window_at_front(reply_window *w, rdv_str reply)
{
    take(w, reply, 0, reply.len < WINDOW_BYTES ? reply.len : WINDOW_BYTES);
}

rdv_str window_in_reply(const reply_window *w, rdv_str first, rdv_str last)
{
    size_t begin = w->begin + (size_t)(first.p - w->text);
    size_t end = w->begin + (size_t)(last.p - w->text) + last.len;
    return words_shortened(rdv_slice(w->reply, begin, end));
}
