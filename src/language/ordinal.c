/* SPDX-License-Identifier: Apache-2.0 */
#include "language/ordinal.h"

#include "base/str.h"
#include "language/number_words.h"
#include "language/phrase.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* "third", "twenty-third": the byte behind it, or `i`. */
static size_t word_end(rdv_str s, size_t i, unsigned *value)
{
    size_t end = rdv_skip_letters(s, i), begin = i;
    unsigned tens = 0, ones;
    if (rdv_char_at(s, end) == '-' && number_word(rdv_slice(s, i, end), &tens) && tens >= 20) {
        begin = end + 1;
        end = rdv_skip_letters(s, begin);
    }
    tens = begin > i ? tens : 0;
    if (!ordinal_word(rdv_slice(s, begin, end), &ones) || (tens && ones > 9))
        return i;
    *value = tens + ones;
    return end;
}

size_t ordinal_end(rdv_str s, size_t i, unsigned *value)
{
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    size_t digits = rdv_skip_digits(s, i), begin = digits;
    if (digits == i)
        return word_end(s, i, value);
    begin = rdv_skip_any(s, begin, "^{ ");
    begin += rdv_starts(rdv_slice(s, begin, s.len), RDV_STR("\\text{")) ? 6 : 0;
    size_t end = rdv_skip_letters(s, begin);
    if (digits - i > 6 || !rdv_is_one_of(rdv_slice(s, begin, end), endings, COUNT(endings)))
        return i;
    *value = 0;
    for (; i < digits; i++)
        *value = *value * 10 + (unsigned)(s.p[i] - '0');
    return rdv_skip_any(s, end, "}");
}

bool ordinal_of(rdv_str s, unsigned *value, bool *alone)
{
    static phrase_list changes = {"@changes-a-rank"};
    static phrase_list beside = {"@beside-a-rank"};
    size_t n = 0;
    *alone = true;
    for (size_t i = 0, end; i < s.len; i = end + (end == i)) {
        unsigned is, number;
        end = ordinal_end(s, i, &is);
        if (end > i) {
            *value = is;
            if (n++)
                return false;
            continue;
        }
        end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end);
        if (rdv_is_digit(s.p[i]) || s.p[i] == '=' || phrase_is(word, &changes) ||
            (word.len && (number_word(word, &number) || fraction_word(word, &number))))
            return false;
        *alone = *alone && (!word.len || phrase_is(word, &beside));
    }
    return n == 1;
}
