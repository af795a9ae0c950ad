/* SPDX-License-Identifier: Apache-2.0 */
#include "reply/object.h"

#include "base/str.h"
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

/* Behind a backslash: a line break ends a sentence, any other sign stands for itself. */
static void take_escaped(walker *w)
{
    bool breaks = w->at + 1 < w->len && w->text[w->at + 1] == 'n';
    put(w, w->at, breaks ? ';' : ' ');
    if (breaks)
        put(w, w->at + 1, ' ');
    w->at += 2;
}

static bool walk_text(walker *w)
{
    if (!take(w, '"', ' '))
        return false;
    while (w->at < w->len && w->text[w->at] != '"') {
        if (w->text[w->at] == '\\')
            take_escaped(w);
        else
            w->at++;
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
    bool more = peek(w) != close;
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
