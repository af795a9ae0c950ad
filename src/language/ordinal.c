/* SPDX-License-Identifier: Apache-2.0 */
#include "language/ordinal.h"

#include "base/str.h"
#include "language/number_words.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* "third", "twenty-third": the byte behind it, or `i`. */
static size_t word_end(rdv_str s, size_t i, unsigned *value)
{
    static const char *const small[] = {"first",       "second",     "third",      "fourth",
                                        "fifth",       "sixth",      "seventh",    "eighth",
                                        "ninth",       "tenth",      "eleventh",   "twelfth",
                                        "thirteenth",  "fourteenth", "fifteenth",  "sixteenth",
                                        "seventeenth", "eighteenth", "nineteenth", "twentieth"};
    static const char *const tens[] = {"twenty", "thirty",  "forty",  "fifty",
                                       "sixty",  "seventy", "eighty", "ninety"};
    size_t end = rdv_skip_letters(s, i), begin = i;
    bool hyphen = rdv_char_at(s, end) == '-';
    int ten = hyphen ? rdv_inamed(rdv_slice(s, i, end), tens, COUNT(tens)) : -1;
    if (ten >= 0) {
        begin = end + 1;
        end = rdv_skip_letters(s, begin);
    }
    int one = rdv_inamed(rdv_slice(s, begin, end), small, ten >= 0 ? 9 : COUNT(small));
    if (one < 0)
        return i;
    *value = (unsigned)(ten >= 0 ? 10 * (ten + 2) : 0) + (unsigned)one + 1;
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
    static const char *const changes[] = {"last", "not", "from", "before", "after", "or",     "and",
                                          "to",   "n",   "t",    "half",   "than",  "quarter"};
    static const char *const beside[] = {"the",   "a",        "in",    "on",
                                         "place", "position", "floor", "rank"};
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
        if (rdv_is_digit(s.p[i]) || s.p[i] == '=' || rdv_is_one_of(word, changes, COUNT(changes)) ||
            (word.len && number_word(word, &number)))
            return false;
        *alone = *alone && (!word.len || rdv_is_one_of(word, beside, COUNT(beside)));
    }
    return n == 1;
}
