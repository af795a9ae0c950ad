/* SPDX-License-Identifier: Apache-2.0 */
#include "math/phrase.h"

#include "base/str.h"

static bool is_letter_at(rdv_str s, size_t i)
{
    return i < s.len && rdv_is_alpha(s.p[i]);
}

/* The length of the phrase at byte `i`; 0: it does not stand there. */
static size_t length_at(rdv_str text, size_t i, rdv_str phrase)
{
    bool ending = phrase.p[0] == '*', stem = phrase.p[phrase.len - 1] == '*';
    phrase = rdv_slice(phrase, ending, phrase.len - stem);
    char first = phrase.p[0], last = phrase.p[phrase.len - 1];
    if (rdv_lower(text.p[i]) != rdv_lower(first) ||
        !rdv_istarts(rdv_slice(text, i, text.len), phrase))
        return 0;
    bool inside = !ending && rdv_is_alpha(first) && i > 0 && rdv_is_alpha(text.p[i - 1]);
    bool goes_on = !stem && rdv_is_alpha(last) && is_letter_at(text, i + phrase.len);
    return inside || goes_on ? 0 : phrase.len;
}

static unsigned char first_of(const char *phrase)
{
    return (unsigned char)rdv_lower(phrase[phrase[0] == '*']);
}

/* The phrases by their first byte: most places of a text are passed over at a glance. */
typedef struct phrase_list {
    const char *const *phrases;
    size_t n;
    bool begins[256]; /* one of them */
} phrase_list;

static phrase_list list_of(const char *const *phrases, size_t n)
{
    phrase_list list = {.phrases = phrases, .n = n};
    for (size_t k = 0; k < n; k++)
        list.begins[first_of(phrases[k])] = true;
    return list;
}

/* The length of any of them at byte `i`; 0: none stands there. */
static size_t any_at(const phrase_list *list, rdv_str text, size_t i)
{
    unsigned char c = (unsigned char)rdv_lower(text.p[i]);
    for (size_t k = 0; list->begins[c] && k < list->n; k++) {
        size_t length =
            first_of(list->phrases[k]) == c ? length_at(text, i, rdv_str_of(list->phrases[k])) : 0;
        if (length)
            return length;
    }
    return 0;
}

bool phrase_in(rdv_str text, const char *const *phrases, size_t n)
{
    phrase_list list = list_of(phrases, n);
    for (size_t i = 0; i < text.len; i++)
        if (any_at(&list, text, i))
            return true;
    return false;
}

size_t phrase_last_end(rdv_str text, const char *const *phrases, size_t n)
{
    phrase_list list = list_of(phrases, n);
    for (size_t i = text.len; i-- > 0;) {
        size_t length = any_at(&list, text, i);
        if (length)
            return i + length;
    }
    return 0;
}
