/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a reply that is read, and the boundaries of its sentences. */
#include "reply/sentences.h"

#include "base/str.h"
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
    for (size_t at = 0; words_next(quoted, &at, &word, NULL);)
        if (!words_in(word, "support supports supported supporting contradict contradicts "
                            "contradicted is not directly related unrelated to does yes no correct "
                            "wrong incorrect sure unsure it neither nor the solution relevant"))
            return false;
    return true;
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
        size_t end = words_quote_end(s, i);
        if (end == i)
            continue;
        if (!is_conclusion(rdv_slice(s, i, end)))
            blank(w->text, i, end);
        i = end - 1;
    }
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

static void blank_repetitions(reply_window *w)
{
    rdv_str rest = {w->text, w->len}, line;
    while (rest.len > 0 && rdv_next_line(&rest, &line))
        if (is_repetition(rdv_trim(line)))
            blank(w->text, (size_t)(line.p - w->text), (size_t)(line.p - w->text) + line.len);
}

static void take(reply_window *w, rdv_str reply, size_t begin, size_t end)
{
    *w = (reply_window){.reply = reply, .begin = begin, .len = end - begin};
    if (w->len > 0)
        memcpy(w->text, reply.p + begin, w->len);
    blank_quotes(w);
    blank_repetitions(w);
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
    size_t next = skip_blanks(s, end + 1), last = end;
    while (last > begin && rdv_is_alpha(s.p[last - 1]))
        last--;
    if (next >= s.len || s.p[next] == '\n' || last == end)
        return false;
    return (s.p[next] >= 'a' && s.p[next] <= 'z') ||
           words_in(rdv_slice(s, last, end),
                    "that if whether not when unless says said and or the a "
                    "of to no is would claims because than whether");
}

/* True if a sentence ends before byte `i`: after a full stop or similar, at a blank. */
static bool is_boundary(rdv_str s, size_t begin, size_t i)
{
    if (s.p[i] == '\n')
        return !goes_on(s, begin, i);
    if (i > begin && s.p[i - 1] == '?')
        return !words_is_any(s.p[i], "?!\"'*_)`");
    if (!rdv_is_space(s.p[i]))
        return false;
    while (i > begin && words_is_any(s.p[i - 1], "\"'*_)`"))
        i--;
    return i > begin && words_is_any(s.p[i - 1], ".!?");
}

static bool has_word(rdv_str s)
{
    size_t at = 0;
    rdv_str word;
    return words_next(s, &at, &word, NULL);
}

/* Gives the sentence at *at, which is moved past it; the sentence has a word. */
static bool cut_sentence(rdv_str s, size_t *at, rdv_str *sentence)
{
    while (*at < s.len) {
        size_t begin = *at, end = begin + 1;
        while (end < s.len && !is_boundary(s, begin, end))
            end++;
        *at = end;
        *sentence = rdv_trim(rdv_slice(s, begin, end));
        if (has_word(*sentence))
            return true;
    }
    return false;
}

void window_at_end(reply_window *w, rdv_str reply)
{
    rdv_str line;
    size_t begin = reply.len, least = reply.len;
    least -= least < WINDOW_BYTES ? least : WINDOW_BYTES;
    for (size_t n = 0; n < WINDOW_LINES && begin > least; n++)
        if (!words_prev_line(rdv_slice(reply, 0, begin), &begin, &line))
            break;
    take(w, reply, begin < least ? least : begin, reply.len);
    size_t begins[WINDOW_SENTENCES], n = 0, at = 0;
    rdv_str sentence, text = {w->text, w->len};
    while (cut_sentence(text, &at, &sentence))
        begins[n++ % WINDOW_SENTENCES] = (size_t)(sentence.p - w->text);
    w->at = n < WINDOW_SENTENCES ? 0 : begins[n % WINDOW_SENTENCES];
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

bool window_cut_sentence(reply_window *w, rdv_str *sentence)
{
    return cut_sentence((rdv_str){w->text, w->len}, &w->at, sentence);
}
