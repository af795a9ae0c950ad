/* SPDX-License-Identifier: Apache-2.0 */
#include "language/phrase.h"

#include "base/str.h"
#include "language/embedded_rules.h"
#include "language/row.h"

#include <stdlib.h>
#include <string.h>

static bool is_letter_at(rdv_str s, size_t i)
{
    return i < s.len && rdv_is_alpha(s.p[i]);
}

/* The length of the k-th phrase at byte `i`, which is inside a word only where that is allowed; 0:
 * it does not stand there. */
static size_t length_at(const phrase_index *index, size_t k, rdv_str text, size_t i)
{
    rdv_str phrase = index->phrase[k];
    if (i + phrase.len > text.len)
        return 0;
    /* Most that share the first two bytes with it differ in the third. */
    if (phrase.len > 2 && rdv_lower(text.p[i + 2]) != rdv_lower(phrase.p[2]))
        return 0;
    if (!rdv_same_letters(text.p + i, phrase.p, phrase.len))
        return 0;
    bool goes_on = !index->stem[k] && rdv_is_alpha(phrase.p[phrase.len - 1]) &&
                   is_letter_at(text, i + phrase.len);
    return goes_on ? 0 : phrase.len;
}

/* Add the k-th phrase, before those with the same first bytes. One of a byte stands before any
 * second one. */
static void add(phrase_index *out, size_t k)
{
    rdv_str phrase = out->phrase[k];
    bool single = phrase.len == 1;
    unsigned first = phrase.p[0] & 31, second = single ? 0 : phrase.p[1] & 31;
    uint32_t pairs = single ? UINT32_MAX : UINT32_C(1) << second;
    for (int upper = 0; upper < 2; upper++) {
        char c = rdv_lower(phrase.p[0]);
        unsigned byte = (unsigned char)(upper && rdv_is_alpha(c) ? c - 32 : c) % PHRASE_FIRST;
        out->pairs[byte] |= pairs;
        out->inner_pairs[byte] |= out->inside[k] ? pairs : 0;
    }
    out->next[k] = out->first[first][second];
    for (unsigned i = second; i <= (single ? 31 : second); i++)
        out->first[first][i] = (uint16_t)k;
}

/* Put the k-th phrase, without its stars. A word that begins or ends with one may have any slot,
 * unless it shares three letters with it. */
static void put(phrase_index *out, size_t k, rdv_str phrase, unsigned char class)
{
    bool ending = phrase.p[0] == '*', stem = phrase.len > 1 && phrase.p[phrase.len - 1] == '*';
    phrase = rdv_slice(phrase, ending, phrase.len - stem);
    bool any = ending || (stem && phrase.len < 3);
    uint32_t slot = any ? 0 : word_slot(phrase), end = any ? WORD_SLOTS : slot + 1;
    for (; slot < end; slot++)
        word_slots_add(&out->slots, slot);
    out->phrase[k] = phrase;
    out->stem[k] = stem;
    out->inside[k] = ending || !rdv_is_alpha(phrase.p[0]);
    out->class[k] = class;
    out->longest = phrase.len > out->longest ? phrase.len : out->longest;
}

static void add_phrases(phrase_index *out, rdv_str text, unsigned char class, size_t *n);

/* Those of a row of words.rules, in its "phrases:" lines. A row that is not there is a fault of the
 * program, which tools/check_style.py finds. */
static void add_row(phrase_index *out, rdv_str id, unsigned char class, size_t *n)
{
    rdv_str rest = rules_embedded_text("words.rules"), line, key = RDV_STR("phrases:");
    size_t at = 0;
    while ((at = rdv_find(rest, id, at)) != RDV_NOT_FOUND &&
           !(rdv_ends(rdv_slice(rest, 0, at), RDV_STR("\n## ")) && rest.p[at + id.len] == '\n'))
        at++;
    if (at == RDV_NOT_FOUND)
        abort();
    rest = rdv_slice(rest, at + id.len + 1, rest.len);
    while (rdv_next_line(&rest, &line) && line.len)
        if (rdv_starts(line, key))
            add_phrases(out, rdv_slice(line, key.len, line.len), class, n);
}

/* The phrases of a class, with ";" between them. */
static void add_phrases(phrase_index *out, rdv_str text, unsigned char class, size_t *n)
{
    for (rdv_str phrase; *n < PHRASE_LIST_MAX && row_next_piece(&text, ';', &phrase);) {
        if (phrase.len > 1 && phrase.p[0] == '@') {
            add_row(out, rdv_slice(phrase, 1, phrase.len), class, n);
        } else {
            put(out, ++*n, phrase, class);
        }
    }
}

/* `out` is all zero. */
static void make_index(const phrase_list *list, phrase_index *out)
{
    size_t n = 0;
    unsigned char class = 0;
    for (rdv_str rest = rdv_str_of(list->phrases), text; row_next_piece(&rest, '\n', &text);)
        add_phrases(out, text, class++, &n);
    for (int single = 1; single >= 0; single--) /* they end the lists of all their pairs */
        for (size_t k = n; k > 0; k--)
            if ((out->phrase[k].len == 1) == single)
                add(out, k);
}

/* The list's index. Where there is no memory for it, one of the caller's own in `own`. */
static const phrase_index *index_of(phrase_list *list, phrase_index *own)
{
    phrase_index *known = atomic_load_explicit(&list->index, memory_order_acquire);
    if (known)
        return known;
    phrase_index *made = calloc(1, sizeof *made);
    if (!made) {
        *own = (phrase_index){{0}};
        make_index(list, own);
        return own;
    }
    make_index(list, made);
    if (atomic_compare_exchange_strong(&list->index, &known, made))
        return made;
    free(made); /* another thread was first */
    return known;
}

static bool is_inside_word(rdv_str text, size_t i)
{
    return i > 0 && rdv_is_alpha(text.p[i - 1]);
}

/* May one of them stand at byte `i`? */
static bool may_begin(const phrase_index *index, rdv_str text, size_t i)
{
    unsigned first = (unsigned char)text.p[i] % PHRASE_FIRST,
             second = i + 1 < text.len ? text.p[i + 1] & 31 : 0;
    return (index->pairs[first] >> second & 1) &&
           (!is_inside_word(text, i) || (index->inner_pairs[first] >> second & 1));
}

/* The first byte from `i` on at which one of them may stand, or the text's length. */
static size_t next_place(const phrase_index *index, rdv_str text, size_t i)
{
    for (; i + 1 < text.len; i++)
        if ((index->pairs[(unsigned char)text.p[i] % PHRASE_FIRST] >> (text.p[i + 1] & 31) & 1) &&
            may_begin(index, text, i))
            return i;
    return i < text.len && may_begin(index, text, i) ? i : text.len;
}

/* The next phrase from the `k`-th on, along its list, that may stand at byte `i`; 0: none. */
static size_t candidate(const phrase_index *index, rdv_str text, size_t i, size_t k)
{
    bool inside = is_inside_word(text, i);
    while (k && inside && !index->inside[k])
        k = index->next[k];
    return k;
}

/* The first phrase with the two bytes that stand at byte `i`; 0: none. */
static size_t first_candidate(const phrase_index *index, rdv_str text, size_t i)
{
    unsigned second = i + 1 < text.len ? text.p[i + 1] & 31 : 0;
    return candidate(index, text, i, index->first[text.p[i] & 31][second]);
}

/* The length of any of them at byte `i`, the first in the list; 0: none stands there. */
static size_t any_at(const phrase_index *index, rdv_str text, size_t i)
{
    size_t k = first_candidate(index, text, i);
    for (; k; k = candidate(index, text, i, index->next[k])) {
        size_t length = length_at(index, k, text, i);
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
        if (any_at(index, text, i++))
            return true;
    return false;
}

/* Is the text the k-th phrase, or a word that begins so? */
static bool is_whole(const phrase_index *index, size_t k, rdv_str text)
{
    size_t length = length_at(index, k, text, 0);
    return length && (length == text.len || index->stem[k]);
}

bool phrase_is(rdv_str text, phrase_list *list)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    size_t k = text.len && may_begin(index, text, 0) ? first_candidate(index, text, 0) : 0;
    while (k && !is_whole(index, k, text))
        k = candidate(index, text, 0, index->next[k]);
    return k;
}

bool phrase_may_be_among(const word_slots *words, phrase_list *list)
{
    phrase_index own;
    return word_slots_share(words, &index_of(list, &own)->slots);
}

/* The length of the longest at byte `i`, where one may begin; 0: none stands there. */
static size_t longest_at(const phrase_index *index, rdv_str text, size_t i)
{
    size_t longest = 0, k = first_candidate(index, text, i);
    for (; k; k = candidate(index, text, i, index->next[k])) {
        size_t length = length_at(index, k, text, i);
        longest = length > longest ? length : longest;
    }
    return longest;
}

size_t phrase_at(rdv_str text, size_t i, phrase_list *list)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    return i < text.len && may_begin(index, text, i) ? longest_at(index, text, i) : 0;
}

size_t phrase_find(rdv_str text, size_t from, phrase_list *list, size_t *end)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    for (size_t i = from, length; (i = next_place(index, text, i)) < text.len; i++)
        if ((length = longest_at(index, text, i))) {
            *end = i + length;
            return i;
        }
    return *end = text.len;
}

size_t phrase_before(rdv_str text, phrase_list *list)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    size_t i = text.len > index->longest ? text.len - index->longest : 0;
    while ((i = next_place(index, text, i)) < text.len &&
           i + longest_at(index, text, i) != text.len)
        i++;
    return i;
}

unsigned phrase_classes_near(rdv_str text, size_t from, size_t to, unsigned anywhere,
                             phrase_list *list)
{
    phrase_index own;
    const phrase_index *index = index_of(list, &own);
    unsigned classes = 0;
    for (size_t i = 0; (i = next_place(index, text, i)) < text.len; i++) {
        size_t k = first_candidate(index, text, i);
        for (; k; k = candidate(index, text, i, index->next[k])) {
            unsigned class = 1u << index->class[k];
            size_t length = classes & class ? 0 : length_at(index, k, text, i);
            if (length && ((anywhere & class) || (i >= from && i + length <= to)))
                classes |= class;
        }
    }
    return classes;
}

unsigned phrase_classes_in(rdv_str text, phrase_list *list)
{
    return phrase_classes_near(text, 0, text.len, UINT32_MAX, list);
}
