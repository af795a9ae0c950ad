/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/number_words.h"

#include "base/str.h"
#include "language/number_words.h"

static const char *const scales[] = {"thousand", "million", "billion", "trillion"};

/* The index of the word in the list, or `n`. */
static size_t index_of(rdv_str word, const char *const *list, size_t n)
{
    size_t i = 0;
    while (i < n && !rdv_str_ieq(word, rdv_str_of(list[i])))
        i++;
    return i;
}

/* A number being read: what is whole, and the part below the next scale. */
typedef struct reading {
    uint64_t sum, group;
    uint64_t scale; /* of the group before: the next must be smaller */
    unsigned room;  /* what the next word may add to the group: less than this */
    bool any;
} reading;

static bool take_small(reading *r, uint64_t value, unsigned room_after)
{
    if (value >= r->room || (value == 0 && r->any))
        return false;
    r->group += value;
    r->room = room_after;
    r->any = true;
    return true;
}

static bool take(reading *r, rdv_str word)
{
    unsigned value;
    if (number_word(word, &value))
        return take_small(r, value, value < 20 ? 1 : 10);
    if (rdv_str_ieq(word, RDV_STR("hundred"))) {
        if (r->group == 0 || r->group > 9)
            return false;
        r->group *= 100;
        r->room = 100;
        return true;
    }
    uint64_t scale = 1;
    size_t i = index_of(word, scales, 4);
    if (i == 4 || r->group == 0)
        return false;
    for (size_t k = 0; k <= i; k++)
        scale *= 1000;
    if (r->scale && scale >= r->scale)
        return false;
    r->sum += r->group * scale;
    r->group = 0;
    r->scale = scale;
    r->room = 1000;
    return true;
}

bool number_words_read(rdv_str words, uint64_t *out)
{
    reading r = {.room = 1000};
    for (size_t i = 0; i < words.len;) {
        size_t end = i;
        while (end < words.len && rdv_is_alpha(words.p[end]))
            end++;
        rdv_str word = rdv_slice(words, i, end);
        bool joined = r.any && rdv_str_ieq(word, RDV_STR("and"));
        bool article = i == 0 && end + 1 < words.len && rdv_str_ieq(word, RDV_STR("a"));
        if (word.len && !joined && !take(&r, article ? RDV_STR("one") : word))
            return false;
        i = end;
        if (i < words.len && words.p[i] != ' ' && words.p[i] != '-')
            return false;
        i++;
    }
    *out = r.sum + r.group;
    return r.any;
}

/* Below 10^6, in digits. */
static bool digits_read(rdv_str s, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!rdv_is_digit(s.p[i]))
            return false;
        *out = *out * 10 + (uint64_t)(s.p[i] - '0');
    }
    return s.len > 0 && s.len <= 6;
}

static bool whole_read(rdv_str s, uint64_t *out)
{
    bool article = rdv_str_ieq(s, RDV_STR("a")) || rdv_str_ieq(s, RDV_STR("an"));
    *out = 1;
    return s.len == 0 || article || digits_read(s, out) ||
           (number_words_read(s, out) && *out < 1000000);
}

/* "1/2", "two thirds", "a half", "half". */
static bool part_read(rdv_str s, uint64_t *part, uint64_t *of)
{
    size_t slash = rdv_find_char(s, '/', 0);
    if (slash != RDV_NOT_FOUND)
        return digits_read(rdv_slice(s, 0, slash), part) &&
               digits_read(rdv_slice(s, slash + 1, s.len), of) && *of > 0;
    size_t begin = s.len;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    rdv_str word = rdv_slice(s, begin, s.len);
    unsigned divisor;
    *of = fraction_word(word, &divisor) ? divisor : 0;
    if (begin > 0 && s.p[begin - 1] == '-')
        begin--;
    bool coins = rdv_str_ieq(word, RDV_STR("quarters")); /* "16 quarters" are things */
    return *of > 0 && whole_read(rdv_trim(rdv_slice(s, 0, begin)), part) &&
           !(coins && *part >= *of);
}

bool fraction_words_read(rdv_str words, uint64_t *part, uint64_t *of)
{
    rdv_str and = RDV_STR(" and ");
    size_t at = RDV_NOT_FOUND;
    for (size_t i = 0; i + and.len <= words.len && i < 100; i++)
        if (rdv_istarts(rdv_slice(words, i, words.len), and))
            at = i;
    uint64_t whole = 0;
    if (at != RDV_NOT_FOUND) {
        rdv_str before = rdv_trim(rdv_slice(words, 0, at));
        if (!whole_read(before, &whole))
            return false;
        words = rdv_trim(rdv_slice(words, at + and.len, words.len));
    } else if (rdv_find_char(words, '/', 0) != RDV_NOT_FOUND) {
        return false; /* "1/2" is mathematics */
    }
    if (!part_read(words, part, of))
        return false;
    *part += whole * *of;
    return true;
}
