/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/number_words.h"

#include "base/str.h"

static const char *const small[] = {"zero",    "one",     "two",       "three",    "four",
                                    "five",    "six",     "seven",     "eight",    "nine",
                                    "ten",     "eleven",  "twelve",    "thirteen", "fourteen",
                                    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
static const char *const tens[] = {"twenty", "thirty",  "forty",  "fifty",
                                   "sixty",  "seventy", "eighty", "ninety"};
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
    if (value >= r->room || (value == 0 && (r->any || r->group)))
        return false;
    r->group += value;
    r->room = room_after;
    r->any = true;
    return true;
}

static bool take(reading *r, rdv_str word)
{
    size_t i = index_of(word, small, 20);
    if (i < 20)
        return take_small(r, i, 1);
    if ((i = index_of(word, tens, 8)) < 8)
        return take_small(r, 10 * (i + 2), 10);
    if (rdv_str_ieq(word, RDV_STR("hundred"))) {
        if (r->group == 0 || r->group > 9)
            return false;
        r->group *= 100;
        r->room = 100;
        return true;
    }
    uint64_t scale = 1;
    if ((i = index_of(word, scales, 4)) == 4 || r->group == 0)
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
        if (word.len && !joined && !take(&r, word))
            return false;
        i = end;
        if (i < words.len && words.p[i] != ' ' && words.p[i] != '-')
            return false;
        i++;
    }
    *out = r.sum + r.group;
    return r.any;
}
