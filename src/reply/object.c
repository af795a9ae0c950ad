/* SPDX-License-Identifier: Apache-2.0 */
#include "reply/object.h"

#include "base/str.h"
#include "base/utf8.h"
#include "reply/words.h"

#include <string.h>

#define DEPTH_MOST 8
#define NAME_MOST 40 /* bytes of a name */

/* Walks along a value twice: to see whether it is whole, and to lay it out. */
typedef struct walker {
    char *text;
    size_t len, at, depth;
    bool lays_out;
} walker;

static char peek(walker *w)
{
    while (w->at < w->len && rdv_is_space(w->text[w->at]))
        w->at++;
    return w->at < w->len ? w->text[w->at] : 0;
}

static void put(const walker *w, size_t at, char c)
{
    if (w->lays_out)
        w->text[at] = c;
}

/* Pass over `mark`, in whose place `instead` comes. */
static bool take(walker *w, char mark, char instead)
{
    if (peek(w) != mark)
        return false;
    put(w, w->at++, instead);
    return true;
}

/* The value of four hexadecimal digits at byte `i`; 0: there are none. */
static uint32_t hex_at(const walker *w, size_t i)
{
    uint32_t value = 0;
    for (size_t end = i + 4; i < end; i++) {
        char c = i < w->len ? rdv_lower(w->text[i]) : 0;
        if (!rdv_is_digit(c) && (c < 'a' || c > 'f'))
            return 0;
        value = value << 4 | (uint32_t)(rdv_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return value;
}

static bool is_surrogate(uint32_t c, uint32_t first)
{
    return c >= first && c < first + 0x400;
}

/* The character that the escape at byte `i` writes by its number, "\u2019", in two halves beyond
 * U+FFFF; its length in *len. 0: it is no such escape. */
static uint32_t numbered_at(const walker *w, size_t i, size_t *len)
{
    bool first = i + 1 < w->len && w->text[i + 1] == 'u';
    bool second = i + 7 < w->len && w->text[i + 6] == '\\' && w->text[i + 7] == 'u';
    uint32_t high = first ? hex_at(w, i + 2) : 0, low = second ? hex_at(w, i + 8) : 0;
    *len = 6;
    if (is_surrogate(high, 0xd800) && is_surrogate(low, 0xdc00)) {
        *len = 12;
        return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }
    return is_surrogate(high, 0xd800) || is_surrogate(high, 0xdc00) ? 0 : high;
}

/* Write it in UTF-8 behind the word that begins at byte *word, which moves to the right, so that
 * "isn\u2019t" stays one word. */
static void put_numbered(const walker *w, uint32_t c, size_t len, size_t *word)
{
    char as[4];
    size_t n = rdv_utf8_put(c < 0x20 ? ' ' : c, as), room = len - n;
    if (w->lays_out) {
        memmove(w->text + *word + room, w->text + *word, w->at - *word);
        memset(w->text + *word, ' ', room);
        memcpy(w->text + w->at + room, as, n);
    }
    *word += room;
}

/* At a backslash: a line break ends a sentence, a character that is written by its number is that
 * one, and any other sign stands for itself. *word: where the word before it begins. */
static void take_escaped(walker *w, size_t *word)
{
    size_t len;
    uint32_t numbered = numbered_at(w, w->at, &len);
    char sign = w->at + 1 < w->len ? w->text[w->at + 1] : 0;
    if (numbered) {
        put_numbered(w, numbered, len, word);
        w->at += len;
        return;
    }
    put(w, w->at, sign == 'n' ? ';' : ' ');
    if (words_is_any(sign, "ntr"))
        put(w, w->at + 1, ' ');
    w->at += 2;
    *word = words_is_any(sign, "ntr") ? w->at : w->at - 1;
}

static bool walk_text(walker *w)
{
    if (!take(w, '"', ' '))
        return false;
    size_t word = w->at;
    while (w->at < w->len && w->text[w->at] != '"') {
        if (w->text[w->at] == '\\')
            take_escaped(w, &word);
        else if (rdv_is_space(w->text[w->at++]))
            word = w->at;
    }
    return w->at < w->len && take(w, '"', ' ');
}

static bool walk_name(walker *w)
{
    peek(w);
    size_t begin = w->at;
    if (!walk_text(w) || w->at - begin > NAME_MOST)
        return false;
    for (size_t i = begin + 1; i + 1 < w->at; i++) {
        if (!rdv_is_alnum(w->text[i]) && !words_is_any(w->text[i], "_- "))
            return false;
        if (words_is_any(w->text[i], "_-"))
            put(w, i, ' ');
    }
    return true;
}

/* A number, true, false or null. */
static bool walk_bare(walker *w)
{
    size_t begin = w->at;
    while (w->at < w->len && (rdv_is_alnum(w->text[w->at]) || words_is_any(w->text[w->at], ".+-")))
        w->at++;
    return w->at > begin;
}

static bool walk_value(walker *w);

static bool walk_member(walker *w, bool named)
{
    return (!named || (walk_name(w) && take(w, ':', ':'))) && walk_value(w);
}

/* An object, or an array: its members are sentences, but for an array of numbers. */
static bool walk_members(walker *w, bool named)
{
    char close = named ? '}' : ']';
    if (++w->depth > DEPTH_MOST || !take(w, named ? '{' : '[', named && w->depth > 1 ? ';' : ' '))
        return false;
    size_t open = w->at - 1;
    bool more = peek(w) != close;
    if (!more && !named && w->at == open + 1) { /* "errors": [] names none */
        put(w, open, 'n');
        put(w, w->at++, 'o');
        w->depth--;
        return true;
    }
    while (more) {
        char first = peek(w);
        if (!walk_member(w, named))
            return false;
        more = take(w, ',', named || first == '"' ? ';' : ',');
    }
    return take(w, close, --w->depth == 0 ? ';' : ' ');
}

static bool walk_value(walker *w)
{
    char first = peek(w);
    if (first == '{' || first == '[')
        return walk_members(w, first == '{');
    return first == '"' ? walk_text(w) : walk_bare(w);
}

void object_lay_out(char *text, size_t len)
{
    for (size_t at = 0; at < len; at++) {
        walker sees = {text, len, at, 0, false};
        walker lays_out = {text, len, at, 0, true};
        if (text[at] != '{' || !walk_members(&sees, true))
            continue;
        walk_members(&lays_out, true);
        at = sees.at - 1;
    }
}
