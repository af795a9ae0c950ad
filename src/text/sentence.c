/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a question into sentences. Every full stop is suspect; what decides is the word before it
 * and, for words that may end a sentence, the one after it. */
#include <rederive/text.h>

#include "base/arena.h"
#include "base/str.h"
#include "text/block.h"

/* Longest word looked back upon: no abbreviation or initial is longer. */
#define WORD_MAX 24

/* Followed by what they introduce, so they never end a sentence. */
static const char *const leading[] = {"mr",  "mrs", "ms",  "dr",   "prof",   "st",  "mt", "gen",
                                      "col", "sgt", "lt",  "capt", "rev",    "hon", "vs", "fig",
                                      "eq",  "e.g", "i.e", "cf",   "approx", "sen", "gov"};

/* May end a sentence: they do before a capital letter. */
static const char *const closing[] = {"etc",  "jr",  "sr",   "inc", "ltd", "corp", "co",  "ave",
                                      "blvd", "rd",  "dept", "ft",  "in",  "yd",   "mi",  "cm",
                                      "km",   "lb",  "lbs",  "oz",  "gal", "hr",   "hrs", "min",
                                      "mins", "sec", "secs", "jan", "feb", "mar",  "apr", "jun",
                                      "jul",  "aug", "sept", "sep", "oct", "nov",  "dec", "al"};

/* Begin a sentence rather than continue a name, after "U.S." and its like. */
static const char *const starters[] = {"the",  "a",     "an",    "if",   "how",  "what", "when",
                                       "who",  "which", "where", "why",  "he",   "she",  "it",
                                       "they", "we",    "his",   "her",  "its",  "in",   "on",
                                       "at",   "each",  "there", "this", "that", "these"};

#define HAS(list, word) rdv_is_one_of((word), (list), sizeof(list) / sizeof *(list))

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static size_t skip_spaces(rdv_str s, size_t i)
{
    while (i < s.len && rdv_is_space(s.p[i]))
        i++;
    return i;
}

/* The word, of letters and inner dots, that ends before byte `end`. */
static rdv_str word_before(rdv_str s, size_t end)
{
    size_t begin = end;
    while (begin > 0 && end - begin < WORD_MAX &&
           (rdv_is_alpha(s.p[begin - 1]) || s.p[begin - 1] == '.'))
        begin--;
    return rdv_slice(s, begin, end);
}

/* The letters from byte `begin` on. */
static rdv_str word_after(rdv_str s, size_t begin)
{
    size_t end = begin;
    while (end < s.len && end - begin < WORD_MAX && rdv_is_alpha(s.p[end]))
        end++;
    return rdv_slice(s, begin, end);
}

/* Letters one by one with dots between: "a.m", "U.S.A". */
static bool is_dotted(rdv_str word)
{
    if (word.len < 3)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if ((i % 2 == 0) != rdv_is_alpha(word.p[i]))
            return false;
    return word.len % 2 == 1;
}

/* The capital before byte `end` is an initial when a capitalised word is before it ("John F.") or
 * nothing is ("J. K."); after a small word it is a name of its own ("point C."). */
static bool is_initial(rdv_str sentence, size_t end)
{
    size_t before = end - 1;
    while (before > 0 && rdv_is_space(sentence.p[before - 1]))
        before--;
    if (before == 0)
        return true;
    if (sentence.p[before - 1] == '.')
        before--;
    rdv_str word = word_before(sentence, before);
    return word.len > 0 && is_upper(word.p[0]);
}

/* "1", "12", "(a)", "b": the number of an item, when nothing else is in the sentence so far. */
static bool is_item_number(rdv_str sentence)
{
    sentence = rdv_trim(sentence);
    size_t digits = 0;
    while (digits < 4 && rdv_is_digit(rdv_char_at(sentence, digits)))
        digits++;
    return (digits == sentence.len && digits <= 3) ||
           (sentence.len == 1 && rdv_is_alpha(sentence.p[0]));
}

/* Does the single full stop after `sentence` end it, `next` being what follows white space? */
static bool full_stop_ends(rdv_str sentence, rdv_str next)
{
    if (is_item_number(sentence))
        return false;
    rdv_str word = word_before(sentence, sentence.len);
    if (rdv_str_ieq(word, RDV_STR("no")))
        return !rdv_is_digit(rdv_char_at(next, 0));
    if (HAS(leading, word))
        return false;
    if (is_dotted(word) && is_upper(word.p[0]))
        return next.len == 0 || HAS(starters, word_after(next, 0));
    if (HAS(closing, word) || is_dotted(word))
        return next.len == 0 || is_upper(rdv_char_at(next, 0));
    if (word.len == 1 && is_upper(word.p[0]) && is_upper(rdv_char_at(next, 0)))
        return !is_initial(sentence, sentence.len);
    return true;
}

/* Length in bytes of a closing quote, bracket or emphasis mark at byte `i`, 0 if there is none. */
static size_t closer_len(rdv_str s, size_t i)
{
    char c = rdv_char_at(s, i);
    if (c && strchr("\"')]}*_", c))
        return 1;
    rdv_str rest = rdv_slice(s, i, s.len);
    bool curly = rdv_starts(rest, RDV_STR("\xe2\x80\x9d")) || /* right quotes */
                 rdv_starts(rest, RDV_STR("\xe2\x80\x99"));
    return curly ? 3 : 0;
}

/* The run of . ! ? and ellipses at byte `i`. */
static size_t stops_end(rdv_str s, size_t i)
{
    for (;;) {
        if (rdv_char_at(s, i) == '.' || rdv_char_at(s, i) == '!' || rdv_char_at(s, i) == '?')
            i++;
        else if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\xa6")))
            i += 3;
        else
            return i;
    }
}

/* "apples.How": no space between two sentences, as typed in haste; not "1.5" or "www.x". */
static bool space_forgotten(rdv_str s, size_t stop, size_t end)
{
    return is_upper(rdv_char_at(s, end)) &&
           (is_lower(rdv_char_at(s, end + 1)) || s.p[stop] != '.') && stop >= 2 &&
           is_lower(s.p[stop - 1]) && is_lower(s.p[stop - 2]);
}

/* The byte where the sentence that began at `begin` ends because of the stop at `i`; 0 where it
 * does not end, *past being where to look on. */
static size_t end_at_stop(rdv_str s, size_t begin, size_t i, size_t *past)
{
    size_t stops = stops_end(s, i), end = stops;
    for (size_t len; (len = closer_len(s, end)) > 0;)
        end += len;
    *past = stops;
    if (end < s.len && !rdv_is_space(s.p[end]))
        return space_forgotten(s, i, end) ? end : 0;
    rdv_str next = rdv_slice(s, skip_spaces(s, end), s.len);
    bool plain = end == i + 1 && s.p[i] == '.';
    if (plain)
        return full_stop_ends(rdv_slice(s, begin, i), next) ? end : 0;
    bool asked = s.p[stops - 1] == '?' || s.p[stops - 1] == '!';
    bool open = (stops > i + 1 && !asked) || end > stops; /* "wait... he", "Really?" he asked */
    return open && is_lower(rdv_char_at(next, 0)) ? 0 : end;
}

/* Does a list item ("- ", "2) ", "(b) ") begin at byte `i`? */
static bool begins_item(rdv_str s, size_t i)
{
    size_t mark = i;
    if (rdv_char_at(s, i) == '-' || rdv_char_at(s, i) == '*')
        return rdv_char_at(s, i + 1) == ' ';
    if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\xa2")))
        return true;
    if (rdv_char_at(s, i) == '(')
        mark++;
    size_t end = mark + 1;
    while (rdv_is_digit(rdv_char_at(s, mark)) && rdv_is_digit(rdv_char_at(s, end)) &&
           end - mark < 3)
        end++;
    return rdv_is_alnum(rdv_char_at(s, mark)) &&
           (rdv_char_at(s, end) == ')' || (rdv_char_at(s, end) == '.' && mark == i)) &&
           rdv_char_at(s, end + 1) == ' ';
}

/* Does the newline at byte `i` end a sentence: by a blank line, or an item that begins after it? */
static bool newline_ends(rdv_str s, size_t i)
{
    size_t next = i + 1;
    while (rdv_char_at(s, next) == ' ' || rdv_char_at(s, next) == '\t' ||
           rdv_char_at(s, next) == '\r')
        next++;
    return next >= s.len || s.p[next] == '\n' || begins_item(s, next);
}

/* The end of the sentence that begins at byte `begin`. */
static size_t sentence_end(rdv_blocks *blocks, size_t begin)
{
    rdv_str s = blocks->text;
    for (size_t i = begin; i < s.len;) {
        size_t past = text_block_end(blocks, i);
        if (past == i)
            past = text_inline_end(blocks->text, i, NULL);
        if (past > i) {
            i = past;
            continue;
        }
        past = i + 1;
        size_t end = stops_end(s, i) > i ? end_at_stop(s, begin, i, &past) : 0;
        if (s.p[i] == '\n' && newline_ends(s, i))
            end = i;
        if (end > begin)
            return end;
        i = past;
    }
    return s.len;
}

int rdv_split_sentences(rdv_str text, rdv_arena *arena, rdv_str **out, size_t *n, rdv_error *err)
{
    rdv_blocks blocks = {.text = text};
    rdv_str *sentences = NULL;
    size_t count = 0, cap = 0;
    for (size_t begin = skip_spaces(text, 0); begin < text.len; begin = skip_spaces(text, begin)) {
        size_t end = count + 1 < RDV_SENTENCES_MAX ? sentence_end(&blocks, begin) : text.len;
        if (!RDV_PUSH_ROOM(arena, sentences, count, cap))
            return rdv_no_memory(err);
        sentences[count++] = rdv_trim(rdv_slice(text, begin, end));
        begin = end;
    }
    *out = sentences;
    *n = count;
    return RDV_OK;
}
