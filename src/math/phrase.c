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

enum { NOT_MADE, BEING_MADE, MADE };

#define ANY_SECOND 32 /* of a phrase of one byte */

static void make_index(const phrase_list *list, phrase_index *out)
{
    *out = (phrase_index){{0}};
    size_t n = 0;
    unsigned char class = 0;
    for (; n < PHRASE_LIST_MAX && list->phrases[n]; n++) {
        out->class[n + 1] = class;
        class += !list->phrases[n][0];
    }
    for (size_t k = n; k > 0; k--) {
        if (!list->phrases[k - 1][0])
            continue;
        const char *phrase = list->phrases[k - 1] + (list->phrases[k - 1][0] == '*');
        unsigned c = phrase[0] & 31;
        bool single = !phrase[1] || (phrase[1] == '*' && !phrase[2]);
        out->inside[k] = phrase != list->phrases[k - 1] || !rdv_is_alpha(phrase[0]);
        out->second[k] = single ? ANY_SECOND : phrase[1] & 31;
        uint32_t pairs = single ? UINT32_MAX : UINT32_C(1) << out->second[k];
        out->pairs[c] |= pairs;
        out->inner_pairs[c] |= out->inside[k] ? pairs : 0;
        out->next[k] = out->first[c];
        out->first[c] = (unsigned char)k;
    }
}

/* The list's index; while another thread makes it, one of the caller's own in `own`. */
static const phrase_index *index_of(phrase_list *list, phrase_index *own)
{
    if (atomic_load_explicit(&list->state, memory_order_acquire) == MADE)
        return &list->index;
    int state = NOT_MADE;
    if (!atomic_compare_exchange_strong(&list->state, &state, BEING_MADE)) {
        make_index(list, own);
        return own;
    }
    make_index(list, &list->index);
    atomic_store_explicit(&list->state, MADE, memory_order_release);
    return &list->index;
}

static bool is_inside_word(rdv_str text, size_t i)
{
    return i > 0 && rdv_is_alpha(text.p[i - 1]);
}

/* May one of them stand at byte `i`? */
static bool may_begin(const phrase_index *index, rdv_str text, size_t i)
{
    unsigned first = text.p[i] & 31, second = i + 1 < text.len ? text.p[i + 1] & 31 : 0;
    return (index->pairs[first] >> second & 1) &&
           (!is_inside_word(text, i) || (index->inner_pairs[first] >> second & 1));
}

/* The first byte from `i` on at which one of them may stand, or the text's length. */
static size_t next_place(const phrase_index *index, rdv_str text, size_t i)
{
    unsigned first = i < text.len ? text.p[i] & 31 : 0, second;
    for (; i + 1 < text.len; i++, first = second) {
        second = text.p[i + 1] & 31;
        if ((index->pairs[first] >> second & 1) && may_begin(index, text, i))
            return i;
    }
    return i < text.len && may_begin(index, text, i) ? i : text.len;
}

/* The next phrase from the `k`-th on, along its list, that may stand at byte `i`; 0: none. */
static size_t candidate(const phrase_index *index, rdv_str text, size_t i, size_t k)
{
    unsigned second = i + 1 < text.len ? text.p[i + 1] & 31 : 0;
    bool inside = is_inside_word(text, i);
    while (k && ((index->second[k] != second && index->second[k] != ANY_SECOND) ||
                 (inside && !index->inside[k])))
        k = index->next[k];
    return k;
}

/* The length of any of them at byte `i`, the first in the list; 0: none stands there. */
static size_t any_at(const phrase_list *list, const phrase_index *index, rdv_str text, size_t i)
{
    size_t k = candidate(index, text, i, index->first[text.p[i] & 31]);
    for (; k; k = candidate(index, text, i, index->next[k])) {
        size_t length = length_at(text, i, list->phrases[k - 1]);
        if (length)
            return length;
    }
    return 0;
}

bool phrase_in(rdv_str text, phrase_list *list)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    size_t i = 0;
    while ((i = next_place(index, text, i)) < text.len)
        if (any_at(list, index, text, i++))
            return true;
    return false;
}

unsigned phrase_classes_in(rdv_str text, phrase_list *list)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    unsigned classes = 0;
    for (size_t i = 0; (i = next_place(index, text, i)) < text.len; i++) {
        size_t k = candidate(index, text, i, index->first[text.p[i] & 31]);
        for (; k; k = candidate(index, text, i, index->next[k]))
            if (!(classes >> index->class[k] & 1) && length_at(text, i, list->phrases[k - 1]))
                classes |= 1u << index->class[k];
    }
    return classes;
}

size_t phrase_last_end(rdv_str text, phrase_list *list)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    for (size_t i = text.len, second = 0, first; i-- > 0; second = first) {
        first = text.p[i] & 31;
        bool may = (index->pairs[first] >> second & 1) && may_begin(index, text, i);
        size_t length = may ? any_at(list, index, text, i) : 0;
        if (length)
            return i + length;
    }
    return 0;
}
