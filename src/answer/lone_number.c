/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/lone_number.h"

#include "answer/number.h"
#include "base/str.h"
#include "math/units.h"
#include "math/words.h"

#define IS_ONE_OF(word, list) rdv_is_one_of(word, list, sizeof(list) / sizeof *(list))

/* Wherever they stand, the number is not what is answered, or not all of it. */
static const char *const denials[] = {"not",   "never",  "cannot",  "neither", "nor",
                                      "minus", "except", "without", "isn",     "wasn",
                                      "aren",  "doesn",  "negative"};
/* After the number, at any distance. */
static const char *const additions[] = {"half", "halves", "or", "quarter"};
/* Right after the number: "3 fifths", "3 crore". */
static const char *const fractions[] = {
    "third",      "thirds",      "fourths", "fifth",    "fifths",    "sixth",
    "sixths",     "sevenths",    "eighth",  "eighths",  "ninths",    "tenth",
    "tenths",     "quarters",    "twelfth", "twelfths", "hundredth", "hundredths",
    "thousandth", "thousandths", "tens",    "score",    "gross",     "lakh",
    "lakhs",      "crore",       "crores",  "doubled",  "tripled"};
/* Right before the number: "at least 3". */
static const char *const bounds[] = {"least", "most", "under",   "below", "above",
                                     "to",    "or",   "exceeds", "no"};
/* Before "of" and the number, with the words of math/words.h. */
static const char *const parts[] = {"reciprocal", "inverse", "opposite", "logarithm", "negation"};
/* Letters that are units and factors as well as names: "3 M". */
static const char *const letters[] = {"C", "K", "M"};
/* Numbers with such a word are read as mathematics: "5 million". */
static const char *const scales[] = {"hundred", "thousand", "million", "billion", "trillion",
                                     "dozen",   "dozens",   "percent", "times"};
/* What may stand at a number without a blank, but units. */
static const char *const endings[] = {"st", "nd", "rd", "th"};

static char at(rdv_str s, size_t i)
{
    return i < s.len ? s.p[i] : '\0';
}

/* How many bytes of a character that changes no number begin at byte `i`; 0: another one. */
static size_t plain_len(rdv_str s, size_t i)
{
    static const char *const beyond[] = {
        "\xc2\xa3",     "\xc2\xa5",     "\xc2\xa0",     "\xe2\x82\xac", "\xe2\x80\xaf",
        "\xe2\x80\x89", "\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x9c", "\xe2\x80\x9d"};
    char c = s.p[i];
    bool letter = i > 0 && rdv_is_alpha(s.p[i - 1]);
    if (rdv_is_alpha(c) || (c && strchr(" \t\r\n$,.;:?#\"'", c)))
        return 1;
    if (c == '!')
        return letter;
    if (c == '-')
        return i > 0 && rdv_is_alnum(s.p[i - 1]) && rdv_is_alpha(at(s, i + 1));
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(beyond[k])))
            return strlen(beyond[k]);
    return 0;
}

/* Is all from `begin` to `end` such characters? */
static bool is_plain(rdv_str s, size_t begin, size_t end)
{
    for (size_t i = begin, len; i < end; i += len)
        if (!(len = plain_len(s, i)))
            return false;
    return true;
}

/* The next word from byte *i on; *gap: are there only blanks, hyphens and points before it? Empty
 * at the end. */
static rdv_str next_word(rdv_str s, size_t *i, bool *gap)
{
    for (*gap = true; *i < s.len && !rdv_is_alpha(s.p[*i]); (*i)++)
        *gap = *gap && (rdv_is_space(s.p[*i]) || s.p[*i] == '-' || s.p[*i] == '.');
    size_t begin = *i;
    while (*i < s.len && rdv_is_alpha(s.p[*i]))
        (*i)++;
    return rdv_slice(s, begin, *i);
}

/* A letter by itself is a name, but in "a total" and "I have". */
static bool is_article(rdv_str s, size_t begin)
{
    while (++begin < s.len && rdv_is_space(s.p[begin])) {
    }
    return rdv_is_alpha(at(s, begin));
}

static lone before_number(rdv_str s)
{
    rdv_str last = {0}, behind = {0};
    bool gap;
    size_t i = 0;
    for (rdv_str word; (word = next_word(s, &i, &gap)).len; last = word) {
        if (IS_ONE_OF(word, denials))
            return LONE_CHANGED;
        if (word.len == 1 && (!strchr("aAI", word.p[0]) || !is_article(s, i - 1)))
            return LONE_NO;
        behind = last;
    }
    for (size_t k = last.p ? (size_t)(last.p - s.p) + last.len : s.len; k < s.len; k++)
        if (!rdv_is_space(s.p[k]))
            return LONE_NUMBER; /* "The sum: 3" */
    unsigned is = word_class(last);
    if (is & WORD_FUNCTION)
        return LONE_NO;
    if ((is & (WORD_BINDS_AFTER | WORD_PART)) || IS_ONE_OF(last, bounds))
        return LONE_CHANGED;
    bool of = rdv_str_ieq(last, RDV_STR("of")) || rdv_str_ieq(last, RDV_STR("the"));
    bool part = (word_class(behind) & (WORD_BINDS_AFTER | WORD_PART | WORD_FUNCTION)) ||
                IS_ONE_OF(behind, parts);
    return of && part ? LONE_CHANGED : LONE_NUMBER;
}

/* The word right after the number; `i` is its end. */
static lone first_after(rdv_str s, rdv_str word, size_t i)
{
    bool glued = word.p == s.p, gap;
    unsigned is = word_class(word);
    if (IS_ONE_OF(word, scales))
        return LONE_NO;
    if (unit_named(word) || (glued && IS_ONE_OF(word, endings)))
        return LONE_NUMBER;
    if (rdv_named(word, letters, 3) >= 0)
        return LONE_CHANGED;
    if (glued || word.len == 1)
        return LONE_NO;
    if ((is & WORD_BINDS_BEFORE) || IS_ONE_OF(word, fractions))
        return LONE_CHANGED;
    bool of = rdv_str_ieq(next_word(s, &i, &gap), RDV_STR("of"));
    return of && (is & WORD_PART) ? LONE_CHANGED : LONE_NUMBER;
}

static lone after_number(rdv_str s)
{
    size_t i = 0;
    bool gap, first = true;
    for (rdv_str word; (word = next_word(s, &i, &gap)).len; first = false) {
        lone is = first && gap ? first_after(s, word, i) : LONE_NUMBER;
        if (is != LONE_NUMBER)
            return is;
        if (IS_ONE_OF(word, denials) || IS_ONE_OF(word, additions))
            return LONE_CHANGED;
        if (word.len == 1 && !unit_named(word) && !is_article(s, i - 1))
            return LONE_NO;
    }
    return LONE_NUMBER;
}

lone lone_number(rdv_str answer, rdv_str *number)
{
    size_t from = 0;
    rdv_str second;
    if (!answer_next_number(answer, &from, number) || answer_next_number(answer, &from, &second))
        return LONE_NO;
    size_t begin = (size_t)(number->p - answer.p);
    rdv_str before = rdv_slice(answer, 0, begin);
    rdv_str after = rdv_slice(answer, begin + number->len, answer.len);
    for (size_t i = 0; i < answer.len; i++)
        if (rdv_is_digit(answer.p[i]) && (i < begin || i >= begin + number->len))
            return LONE_NO;
    if (!is_plain(answer, 0, begin) || !is_plain(answer, begin + number->len, answer.len))
        return LONE_NO;
    lone is = before_number(before), behind = after_number(after);
    return is == LONE_CHANGED || behind == LONE_NUMBER ? is : behind;
}
