/* SPDX-License-Identifier: Apache-2.0 */
#include "math/phrase.h"

#include "base/str.h"

static bool is_letter_at(rdv_str s, size_t i)
{
    return i < s.len && rdv_is_alpha(s.p[i]);
}

/* The length of the phrase at byte `i`; 0: it does not stand there. */
static size_t length_at(rdv_str text, size_t i, const char *phrase)
{
    bool ending = phrase[0] == '*';
    size_t n = 0;
    phrase += ending;
    for (; phrase[n] && (phrase[n] != '*' || phrase[n + 1]); n++)
        if (i + n >= text.len || rdv_lower(text.p[i + n]) != rdv_lower(phrase[n]))
            return 0;
    bool stem = phrase[n] == '*';
    bool inside = !ending && rdv_is_alpha(phrase[0]) && i > 0 && rdv_is_alpha(text.p[i - 1]);
    bool goes_on = !stem && rdv_is_alpha(phrase[n - 1]) && is_letter_at(text, i + n);
    return inside || goes_on ? 0 : n;
}

/* The phrases by their first two bytes: most places of a text are passed over at a glance. Five
 * bits of a byte tell letters apart, in upper or lower case. */
typedef struct phrase_list {
    const char *const *phrases;
    uint32_t pairs[32]; /* by the first byte: a bit for each second byte that one goes on with */
    unsigned char first[256]; /* the first phrase with this byte, from 1 on; 0: none */
    unsigned char next[256];  /* the next phrase with the same byte, or 0 */
} phrase_list;

static phrase_list list_of(const char *const *phrases, size_t n)
{
    phrase_list list = {.phrases = phrases};
    for (size_t k = n < 255 ? n : 255; k > 0; k--) {
        const char *phrase = phrases[k - 1] + (phrases[k - 1][0] == '*');
        unsigned char c = (unsigned char)rdv_lower(phrase[0]);
        bool single = !phrase[1] || (phrase[1] == '*' && !phrase[2]);
        list.pairs[c & 31] |= single ? UINT32_MAX : UINT32_C(1) << (phrase[1] & 31);
        list.next[k] = list.first[c];
        list.first[c] = (unsigned char)k;
    }
    return list;
}

/* May one of them stand at byte `i`? */
static bool may_begin(const phrase_list *list, rdv_str text, size_t i)
{
    unsigned second = i + 1 < text.len ? text.p[i + 1] & 31 : 0;
    return list->pairs[text.p[i] & 31] >> second & 1;
}

/* The length of any of them at byte `i`, the first in the list; 0: none stands there. */
static size_t any_at(const phrase_list *list, rdv_str text, size_t i)
{
    for (size_t k = list->first[(unsigned char)rdv_lower(text.p[i])]; k; k = list->next[k]) {
        size_t length = length_at(text, i, list->phrases[k - 1]);
        if (length)
            return length;
    }
    return 0;
}

bool phrase_in(rdv_str text, const char *const *phrases, size_t n)
{
    phrase_list list = list_of(phrases, n);
    for (size_t i = 0; i < text.len; i++)
        if (may_begin(&list, text, i) && any_at(&list, text, i))
            return true;
    return false;
}

size_t phrase_last_end(rdv_str text, const char *const *phrases, size_t n)
{
    phrase_list list = list_of(phrases, n);
    for (size_t i = text.len; i-- > 0;) {
        size_t length = may_begin(&list, text, i) ? any_at(&list, text, i) : 0;
        if (length)
            return i + length;
    }
    return 0;
}
