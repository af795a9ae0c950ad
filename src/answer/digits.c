/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/digits.h"

#include "answer/announcement.h"
#include "answer/number_words.h"
#include "base/buf.h"
#include "base/str.h"
#include "language/number_words.h"
#include "language/rule.h"
#include "language/word_class.h"
#include "notation/units.h"

#define TEXT_MAX 4096 /* what is longer is left as it is */
#define WORDS_MAX 80  /* bytes of one number */

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Words within a number that none ends with. */
static bool is_within(rdv_str word)
{
    static const char *const words[] = {"and", "a", "an", "of"};
    return rdv_is_one_of(word, words, COUNT(words));
}

/* Is the word a number, a fraction or a scale? Each number in words has one. */
static bool is_counting(rdv_str s, size_t i, size_t end)
{
    const unsigned counting = WORD_NUMBER | WORD_FRACTION | WORD_SCALE;
    size_t behind;
    return (word_find(rdv_slice(s, i, end)) & counting) ||
           (announcement_row_at(s, i, 1u << EFFECT_SCALE, &behind) && behind == end);
}

/* May the word go on a number in words: "two and a half", "a quarter of a million", "half an hour"?
 */
static bool may_go_on(rdv_str s, size_t i, size_t end)
{
    rdv_str word = rdv_slice(s, i, end), before = rdv_slice(s, 0, i);
    unit_meaning m;
    bool article = rdv_ends(before, RDV_STR("a ")) || rdv_ends(before, RDV_STR("an "));
    return is_counting(s, i, end) || is_within(word) || (article && unit_find_in_prose(word, &m));
}

/* Times the factor of a word of scale, "1000". False: it is too large. */
static bool multiplied(uint64_t *part, rdv_str factor)
{
    uint64_t times = 0;
    for (size_t i = 0; i < factor.len && i < 12; i++)
        times = times * 10 + (uint64_t)(factor.p[i] - '0');
    bool fits = factor.len <= 12 && *part < 1000000;
    *part *= fits ? times : 1;
    return fits;
}

/* The value of a number in words, perhaps with a word of scale, or of a part of a quantity, "half
 * an hour", whose unit goes into *thing. */
static bool value_of(rdv_str s, uint64_t *part, uint64_t *of, rdv_str *thing)
{
    size_t end = 0;
    *of = 1;
    *thing = (rdv_str){0};
    if (number_words_read(s, part) || fraction_words_read(s, part, of))
        return true;
    if (!counted_words_read(s, part, of, thing))
        return false;
    const rule *scale = announcement_row_at(*thing, 0, 1u << EFFECT_SCALE, &end);
    if (!scale || end < thing->len)
        return *of > 1;
    *thing = (rdv_str){0};
    bool is = multiplied(part, scale->says), whole = is && *part % *of == 0;
    *part /= whole ? *of : 1;
    *of = whole ? 1 : *of;
    return is;
}

size_t digits_words_end(rdv_str s, size_t i)
{
    size_t found = i, first = rdv_skip_letters(s, i);
    rdv_str word = rdv_slice(s, i, first), thing;
    unsigned value;
    uint64_t part, of;
    bool place = fraction_word(word, &value) && !rdv_str_ieq(word, RDV_STR("half"));
    for (size_t at = i, end; at < s.len && !place && at - i < WORDS_MAX; at = end + 1) {
        end = rdv_skip_letters(s, at);
        if (end == at || !may_go_on(s, at, end))
            break;
        bool whole = !is_within(rdv_slice(s, at, end));
        found = whole && value_of(rdv_slice(s, i, end), &part, &of, &thing) ? end : found;
        if (end >= s.len || (s.p[end] != ' ' && s.p[end] != '-'))
            break;
    }
    return found;
}

/* The word that begins at byte `i`, over a blank or a hyphen. */
static rdv_str next_word(rdv_str s, size_t i)
{
    i += rdv_char_at(s, i) == ' ' || rdv_char_at(s, i) == '-';
    return rdv_slice(s, i, rdv_skip_letters(s, i));
}

/* Is there a number, with digits or in words, at byte `i`? */
static bool is_number_at(rdv_str s, size_t i)
{
    return rdv_is_digit(rdv_char_at(s, i)) || digits_words_end(s, i) > i;
}

/* How long what joins two numbers is behind byte `i`: "one in thirty-six", "six to one"; 0: nothing
 * does. */
static size_t join_len(rdv_str s, size_t i)
{
    rdv_str word = next_word(s, i), of = RDV_STR("of ");
    size_t end = i + 1 + word.len + 1;
    if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR(", ")))
        return 2;
    if (rdv_char_at(s, i) != ' ' || rdv_char_at(s, end - 1) != ' ')
        return 0;
    if (rdv_str_eq(word, RDV_STR("out")) && rdv_starts(rdv_slice(s, end, s.len), of))
        return end + of.len - i;
    return answer_class_has(CLASS_JOINING, word) ? end - i : 0;
}

/* Is the number in words from `begin` to `end` a value: no pronoun, no part of another word, and
 * nothing that a word before or behind it makes another one? */
static bool is_value(rdv_str s, size_t begin, size_t end, rdv_str before, bool joined, uint64_t of)
{
    static const char *const joins[] = {"of", "or"};
    unit_meaning m;
    unsigned value;
    rdv_str words = rdv_slice(s, begin, end), next = next_word(s, end);
    bool one = rdv_str_ieq(words, RDV_STR("one")), half = rdv_str_ieq(words, RDV_STR("half"));
    bool measured = next.len > 1 && unit_find_in_prose(next, &m);
    size_t join = join_len(s, end);
    if (one && (joined || (join && is_number_at(s, end + join))))
        return true;
    bool article = answer_class_has(CLASS_ARTICLE, before);
    bool sign = rdv_str_ieq(before, RDV_STR("minus")) || rdv_str_ieq(before, RDV_STR("negative"));
    if ((rdv_char_at(s, end) == '-' && !measured) || (begin && s.p[begin - 1] == '-') || half ||
        (one && !measured && !sign) || (article && !rdv_is_one_of(before, joins, COUNT(joins))) ||
        fraction_word(next, &value) || ordinal_word(next, &value) || scale_word(next, &value))
        return false;
    bool share = rdv_str_ieq(next, RDV_STR("of")) && !is_number_at(s, end + strlen(" of "));
    return of == 1 || !next.len || measured || share || answer_class_has(CLASS_BEING, next);
}

/* "point six" behind a number: adds its digits; where they end. */
static size_t add_decimals(rdv_str s, size_t end, rdv_buf *out)
{
    unsigned digit;
    if (!rdv_str_ieq(next_word(s, end), RDV_STR("point")))
        return end;
    size_t at = end + strlen(" point"), stop = end;
    for (rdv_str word; rdv_char_at(s, at) == ' '; at = stop) {
        word = next_word(s, at);
        if (!number_word(word, &digit) || digit > 9)
            break;
        rdv_buf_printf(out, stop == end ? ".%u" : "%u", digit);
        stop = at + 1 + word.len;
    }
    return stop;
}

static void add_value(rdv_buf *out, uint64_t part, uint64_t of, rdv_str thing)
{
    uint64_t scale = 1;
    while (scale < 1000 && scale % of)
        scale *= 10;
    int places = scale == 1 ? 0 : scale == 10 ? 1 : scale == 100 ? 2 : 3;
    if (part % of == 0)
        rdv_buf_printf(out, "%llu", (unsigned long long)(part / of));
    else if (part > of && scale % of == 0)
        rdv_buf_printf(out, "%llu.%0*llu", (unsigned long long)(part / of), places,
                       (unsigned long long)(part % of * (scale / of)));
    else
        rdv_buf_printf(out, "%llu/%llu", (unsigned long long)part, (unsigned long long)of);
    if (thing.len) {
        rdv_buf_add_char(out, ' ');
        rdv_buf_add(out, thing);
    }
}

/* Has the text no number in words, or a time of day, "ten past two", "five o'clock"? */
static bool stays(rdv_str s)
{
    size_t i = 0, end;
    while ((end = rdv_skip_letters(s, i)) < s.len && (end == i || !is_counting(s, i, end)))
        i = end + 1;
    return !is_counting(s, i, end) || rdv_ifind(s, RDV_STR(" past "), 0) != RDV_NOT_FOUND ||
           rdv_ifind(s, RDV_STR("clock"), 0) != RDV_NOT_FOUND;
}

rdv_str digits_of_words(rdv_str s, size_t *from, rdv_arena *arena)
{
    rdv_buf out;
    rdv_str before = {0};                    /* the word before this one */
    size_t copied = 0, number = 0, left = 0; /* where the last number ended; one left in words */
    size_t begin = *from;
    if (s.len > TEXT_MAX || stays(s))
        return s;
    rdv_buf_init(&out, arena, 0);
    for (size_t i = 0, end; i < s.len; i = end) {
        end = rdv_skip_letters(s, i);
        if (end == i) {
            before = s.p[i] == ' ' ? before : (rdv_str){0};
            number = rdv_is_digit(s.p[i]) ? i + 1 : number;
            end++;
            continue;
        }
        bool begins = i == 0 || !(rdv_is_digit(s.p[i - 1]) || strchr("'\\", s.p[i - 1]) ||
                                  (unsigned char)s.p[i - 1] >= 0x80);
        size_t stop = begins && i >= begin ? digits_words_end(s, i) : i;
        bool joined = number && join_len(s, number) == i - number, held = left == number;
        uint64_t part, of;
        rdv_str thing;
        if (stop > i && value_of(rdv_slice(s, i, stop), &part, &of, &thing) && !(joined && held) &&
            is_value(s, i, stop, before, joined, of)) {
            *from = joined && number ? *from : i;
            bool dash = rdv_ends(rdv_slice(s, copied, i), RDV_STR("\xe2\x80\x93 ")); /* no minus */
            bool mixed = joined && part < of &&
                         rdv_is_digit(s.p[number - 1]) && /* "7 and a half" */
                         rdv_str_eq(rdv_slice(s, number, i), RDV_STR(" and "));
            rdv_buf_add(&out, rdv_slice(s, copied, mixed ? number + 1 : i - (dash ? 4 : 0)));
            rdv_buf_add(&out, dash ? RDV_STR("\xe2\x80\x94 ") : RDV_STR(""));
            add_value(&out, part, of, thing);
            copied = of == 1 ? add_decimals(s, stop, &out) : stop;
        }
        left = stop > i && copied < stop ? stop : left;
        number = stop > i ? (copied > stop ? copied : stop) : number;
        before = rdv_slice(s, i, end);
        end = stop > end ? stop : end;
        end = copied > end ? copied : end;
        before = rdv_char_at(s, end) == ' ' ? before : (rdv_str){0};
    }
    if (!copied)
        return s;
    rdv_buf_add(&out, rdv_slice(s, copied, s.len));
    return rdv_buf_ok(&out) ? rdv_buf_str(&out) : (rdv_str){0};
}
