/* SPDX-License-Identifier: Apache-2.0 */
#include "language/number_names.h"

#include "base/str.h"
#include "language/phrase.h"

typedef struct named {
    const char *word;
    unsigned value;
    unsigned kinds; /* bits: 1 << number_words_kind */
} named;

#define NUMBER (1u << NUMBER_WORDS)
#define FRACTION (1u << FRACTION_WORDS)
#define ORDINAL (1u << ORDINAL_WORDS)
#define MULTIPLE (1u << MULTIPLE_WORDS)
#define GROUP (1u << GROUP_WORDS)
#define SCALE (1u << SCALE_WORDS)

static const named numbers[] = {
    {"zero", 0, NUMBER},      {"one", 1, NUMBER},       {"two", 2, NUMBER},
    {"three", 3, NUMBER},     {"four", 4, NUMBER},      {"five", 5, NUMBER},
    {"six", 6, NUMBER},       {"seven", 7, NUMBER},     {"eight", 8, NUMBER},
    {"nine", 9, NUMBER},      {"ten", 10, NUMBER},      {"eleven", 11, NUMBER},
    {"twelve", 12, NUMBER},   {"thirteen", 13, NUMBER}, {"fourteen", 14, NUMBER},
    {"fifteen", 15, NUMBER},  {"sixteen", 16, NUMBER},  {"seventeen", 17, NUMBER},
    {"eighteen", 18, NUMBER}, {"nineteen", 19, NUMBER}, {"twenty", 20, NUMBER},
    {"thirty", 30, NUMBER},   {"forty", 40, NUMBER},    {"fifty", 50, NUMBER},
    {"sixty", 60, NUMBER},    {"seventy", 70, NUMBER},  {"eighty", 80, NUMBER},
    {"ninety", 90, NUMBER}};

/* Denominators, and places: many words are both. */
static const named parts[] = {{"first", 1, ORDINAL},
                              {"second", 2, ORDINAL},
                              {"half", 2, FRACTION},
                              {"halves", 2, FRACTION},
                              {"third", 3, FRACTION | ORDINAL},
                              {"thirds", 3, FRACTION},
                              {"quarter", 4, FRACTION},
                              {"quarters", 4, FRACTION},
                              {"fourth", 4, FRACTION | ORDINAL},
                              {"fourths", 4, FRACTION},
                              {"fifth", 5, FRACTION | ORDINAL},
                              {"fifths", 5, FRACTION},
                              {"sixth", 6, FRACTION | ORDINAL},
                              {"sixths", 6, FRACTION},
                              {"seventh", 7, FRACTION | ORDINAL},
                              {"sevenths", 7, FRACTION},
                              {"eighth", 8, FRACTION | ORDINAL},
                              {"eighths", 8, FRACTION},
                              {"ninth", 9, FRACTION | ORDINAL},
                              {"ninths", 9, FRACTION},
                              {"tenth", 10, FRACTION | ORDINAL},
                              {"tenths", 10, FRACTION},
                              {"eleventh", 11, ORDINAL},
                              {"twelfth", 12, FRACTION | ORDINAL},
                              {"twelfths", 12, FRACTION},
                              {"thirteenth", 13, ORDINAL},
                              {"fourteenth", 14, ORDINAL},
                              {"fifteenth", 15, FRACTION | ORDINAL},
                              {"fifteenths", 15, FRACTION},
                              {"sixteenth", 16, FRACTION | ORDINAL},
                              {"sixteenths", 16, FRACTION},
                              {"seventeenth", 17, ORDINAL},
                              {"eighteenth", 18, ORDINAL},
                              {"nineteenth", 19, ORDINAL},
                              {"twentieth", 20, FRACTION | ORDINAL},
                              {"twentieths", 20, FRACTION},
                              {"hundredth", 100, FRACTION},
                              {"hundredths", 100, FRACTION},
                              {"thousandth", 1000, FRACTION},
                              {"thousandths", 1000, FRACTION}};

/* What multiplies the number behind it, and what only names a factor. */
static const named factors[] = {
    {"twice", 2, MULTIPLE},     {"double", 2, MULTIPLE}, {"doubling", 2, MULTIPLE},
    {"thrice", 3, MULTIPLE},    {"triple", 3, MULTIPLE}, {"tripling", 3, MULTIPLE},
    {"quadruple", 4, MULTIPLE}, {"halved", 2, GROUP},    {"doubled", 2, GROUP},
    {"doubles", 2, GROUP},      {"pair", 2, GROUP},      {"pairs", 2, GROUP},
    {"couple", 2, GROUP},       {"tripled", 3, GROUP},   {"triples", 3, GROUP},
    {"dozen", 12, GROUP},       {"dozens", 12, GROUP},   {"hundred", 100, GROUP}};

static const named scales[] = {
    {"hundred", 2, SCALE}, {"thousand", 3, SCALE}, {"lakh", 5, SCALE},
    {"lakhs", 5, SCALE},   {"million", 6, SCALE},  {"crore", 7, SCALE},
    {"crores", 7, SCALE},  {"billion", 9, SCALE},  {"trillion", 12, SCALE}};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct {
    const named *table;
    size_t n;
} tables[] = {
    [NUMBER_WORDS] = {numbers, COUNT(numbers)}, [FRACTION_WORDS] = {parts, COUNT(parts)},
    [ORDINAL_WORDS] = {parts, COUNT(parts)},    [MULTIPLE_WORDS] = {factors, COUNT(factors)},
    [GROUP_WORDS] = {factors, COUNT(factors)},  [SCALE_WORDS] = {scales, COUNT(scales)},
};

bool number_name(rdv_str word, unsigned kinds, unsigned *out)
{
    char first = word.len ? rdv_lower(word.p[0]) : '\0';
    for (size_t k = 0; k < COUNT(tables); k++)
        for (size_t i = 0; (kinds >> k & 1) && i < tables[k].n; i++) {
            const named *one = &tables[k].table[i];
            if (first == one->word[0] && (one->kinds >> k & 1) &&
                rdv_str_ieq(word, rdv_str_of(one->word))) {
                *out = one->value;
                return true;
            }
        }
    return false;
}

const char *number_word_of(number_words_kind kind, unsigned value)
{
    const named *table = tables[kind].table;
    for (size_t i = 0; i < tables[kind].n; i++)
        if ((table[i].kinds >> kind & 1) && table[i].value == value)
            return table[i].word;
    return NULL;
}

rdv_str number_words_at(number_words_kind kind, size_t i)
{
    for (size_t k = 0; k < tables[kind].n; k++)
        if ((tables[kind].table[k].kinds >> kind & 1) && i-- == 0)
            return rdv_str_of(tables[kind].table[k].word);
    return (rdv_str){0};
}

unsigned scale_word_in(rdv_str text, unsigned least)
{
    static phrase_list any = {"*hundred*;*thousand*;*lakh*;*illion*;*crore*"};
    if (!phrase_in(text, &any)) /* as in most texts: they are read once, not for each word */
        return 0;
    for (size_t i = 0; i < COUNT(scales); i++)
        if (scales[i].value >= least &&
            rdv_ifind(text, rdv_str_of(scales[i].word), 0) != RDV_NOT_FOUND)
            return scales[i].value;
    return 0;
}

rdv_str scale_of_letters(rdv_str letters)
{
    static const char *const words[][2] = {{"k", "thousand"},
                                           {"m", "million"},
                                           {"b", "billion"},
                                           {"bn", "billion"},
                                           {"t", "trillion"}};
    for (size_t i = 0; i < COUNT(words); i++)
        if (rdv_str_ieq(letters, rdv_str_of(words[i][0])))
            return rdv_str_of(words[i][1]);
    return (rdv_str){0};
}
