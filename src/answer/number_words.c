/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/number_words.h"

#include "answer/announcement.h"
#include "base/str.h"
#include "language/number_words.h"
#include "language/phrase.h"
#include "language/rule.h"
#include "language/word_class.h"
#include "notation/units.h"

/* A number being read: what is whole, and the part below the next scale. */
typedef struct reading {
    uint64_t sum, group;
    uint64_t scale; /* of the group before: the next must be smaller */
    unsigned room;  /* what the next word may add to the group: less than this */
    bool any, many; /* "fifteen hundred": no thousands follow */
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
    unsigned value, power;
    if (number_word(word, &value))
        return take_small(r, value, value < 20 ? 1 : 10);
    if (!scale_word(word, &power))
        return false;
    if (power == 2) {
        if (r->group == 0 || r->group > 99 || r->group % 10 == 0)
            return false;
        r->group *= 100;
        r->room = 100;
        r->many = r->group > 999;
        return true;
    }
    uint64_t scale = 1;
    if (r->group == 0 || r->many)
        return false;
    for (unsigned k = 0; k < power; k++)
        scale *= 10;
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

/* ---- counted things -------------------------------------------------------------------------- */

/* Is it a unit, or a word that multiplies the number before it? */
static bool is_measured(rdv_str s)
{
    unit_meaning m;
    size_t end = rdv_skip_letters(s, 0), behind;
    rdv_str word = rdv_slice(s, 0, end);
    return end > 1 &&
           (unit_find_in_prose(word, &m) || announcement_row_at(s, 0, 1u << EFFECT_SCALE, &behind));
}

/* Words of letters alone, none of which is a number, joins two, or says more of the first. */
static bool is_thing(rdv_str s)
{
    static phrase_list refused = {"@no-thing"};
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end);
        unsigned value;
        if (end == i || (end < s.len && s.p[end] != ' ' && s.p[end] != '-') ||
            number_word(word, &value) || fraction_word(word, &value) ||
            (i == 0 && phrase_is(word, &refused)))
            return false;
        unsigned is = word_class(word) & (WORD_BINDS_BEFORE | WORD_BINDS_AFTER | WORD_FUNCTION);
        size_t behind;
        bool times = end == s.len && rdv_str_ieq(word, RDV_STR("times"));
        if (is && !times && !announcement_row_at(s, i, 1u << EFFECT_SCALE, &behind))
            return false;
    }
    return s.len > 0;
}

/* Without "a" or "an" at the beginning. */
static bool after_article(rdv_str s, rdv_str *rest)
{
    size_t len = rdv_istarts(s, RDV_STR("a ")) ? 2 : rdv_istarts(s, RDV_STR("an ")) ? 3 : 0;
    *rest = rdv_trim(rdv_slice(s, len, s.len));
    return len > 0;
}

bool counted_words_read(rdv_str words, uint64_t *part, uint64_t *of, rdv_str *rest)
{
    rdv_str half = RDV_STR(" and a half"), thing = {0};
    size_t last = words.len < 100 ? words.len : 0;
    rdv_str first = rdv_slice(words, 0, rdv_skip_letters(words, 0));
    unsigned value;
    bool may = !first.len || rdv_str_ieq(first, RDV_STR("a")) ||
               rdv_str_ieq(first, RDV_STR("an")) || number_word(first, &value) ||
               fraction_word(first, &value);
    if (!may || number_words_read(words, part) || fraction_words_read(words, part, of))
        return false;
    bool article = last && after_article(words, &thing);
    size_t name = article ? rdv_skip_letters(thing, 0) : 0;
    bool share = fraction_word(rdv_slice(thing, 0, name), &value) &&
                 rdv_istarts(rdv_slice(thing, name, thing.len), RDV_STR(" of "));
    if (article && !share && is_measured(thing)) { /* "a quarter of a million" is none */
        bool more = thing.len > half.len &&
                    rdv_str_ieq(rdv_slice(thing, thing.len - half.len, thing.len), half);
        *rest = rdv_slice(thing, 0, thing.len - (more ? half.len : 0));
        *part = more ? 3 : 1;
        *of = more ? 2 : 1;
        return is_thing(*rest);
    }
    for (; last > 0; last--) {                     /* the longest number */
        char part_sign = rdv_char_at(words, last); /* "three-month" */
        *rest = rdv_trim(rdv_slice(words, last + (part_sign == '-'), words.len));
        if (part_sign != ' ' && !(part_sign == '-' && is_measured(*rest)))
            continue;
        rdv_str number = rdv_trim(rdv_slice(words, 0, last));
        *of = 1;
        if (number.len && !rdv_is_alnum(number.p[number.len - 1])) /* "a - b" */
            continue;
        bool whole = number_words_read(number, part);
        if (!whole && !fraction_words_read(number, part, of))
            continue;
        size_t behind;
        bool twice =
            whole && *part >= 100 && announcement_row_at(*rest, 0, 1u << EFFECT_SCALE, &behind);
        if (whole)
            return !twice && is_thing(*rest); /* "one hundred hundred" */
        share = rdv_istarts(*rest, RDV_STR("of "));
        *rest = share ? rdv_trim(rdv_slice(*rest, 3, rest->len)) : *rest;
        bool one = after_article(*rest, rest);
        return is_measured(*rest) && is_thing(*rest) && (!share || one);
    }
    return false;
}
