/* SPDX-License-Identifier: Apache-2.0 */
#include "language/number_words.h"

#include "base/str.h"
#include "language/phrase.h"

typedef struct named {
    const char *word;
    unsigned value;
} named;

static const named numbers[] = {
    {"zero", 0},     {"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},
    {"five", 5},     {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},
    {"ten", 10},     {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14},
    {"fifteen", 15}, {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19},
    {"twenty", 20},  {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},
    {"seventy", 70}, {"eighty", 80},  {"ninety", 90}};

static const named fractions[] = {
    {"half", 2},        {"halves", 2},       {"third", 3},         {"thirds", 3},
    {"quarter", 4},     {"quarters", 4},     {"fourth", 4},        {"fourths", 4},
    {"fifth", 5},       {"fifths", 5},       {"sixth", 6},         {"sixths", 6},
    {"seventh", 7},     {"sevenths", 7},     {"eighth", 8},        {"eighths", 8},
    {"ninth", 9},       {"ninths", 9},       {"tenth", 10},        {"tenths", 10},
    {"twelfth", 12},    {"twelfths", 12},    {"sixteenth", 16},    {"sixteenths", 16},
    {"fifteenth", 15},  {"fifteenths", 15},  {"twentieth", 20},    {"twentieths", 20},
    {"hundredth", 100}, {"hundredths", 100}, {"thousandth", 1000}, {"thousandths", 1000}};

static const named multiples[] = {{"twice", 2},  {"double", 2},   {"doubling", 2}, {"thrice", 3},
                                  {"triple", 3}, {"tripling", 3}, {"quadruple", 4}};

static const named scales[] = {{"hundred", 2}, {"thousand", 3}, {"lakh", 5},
                               {"lakhs", 5},   {"million", 6},  {"crore", 7},
                               {"crores", 7},  {"billion", 9},  {"trillion", 12}};

static bool find(const named *table, size_t n, rdv_str word, unsigned *out)
{
    char first = word.len ? rdv_lower(word.p[0]) : '\0';
    for (size_t i = 0; i < n; i++) {
        if (first == table[i].word[0] && rdv_str_ieq(word, rdv_str_of(table[i].word))) {
            *out = table[i].value;
            return true;
        }
    }
    return false;
}

#define COUNT(table) (sizeof(table) / sizeof *(table))

bool number_word(rdv_str word, unsigned *out)
{
    return find(numbers, COUNT(numbers), word, out);
}

bool fraction_word(rdv_str word, unsigned *out)
{
    return find(fractions, COUNT(fractions), word, out);
}

bool multiple_word(rdv_str word, unsigned *out)
{
    return find(multiples, COUNT(multiples), word, out);
}

bool scale_word(rdv_str word, unsigned *out)
{
    return find(scales, COUNT(scales), word, out);
}

unsigned scale_word_in(rdv_str text, unsigned least)
{
    static phrase_list parts = {"*hundred*;*thousand*;*lakh*;*illion*;*crore*"};
    if (!phrase_in(text, &parts)) /* as in most texts: they are read once, not for each word */
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

rdv_str number_words_at(number_words_kind kind, size_t i)
{
    static const struct {
        const named *table;
        size_t n;
    } tables[] = {[NUMBER_WORDS] = {numbers, COUNT(numbers)},
                  [FRACTION_WORDS] = {fractions, COUNT(fractions)},
                  [MULTIPLE_WORDS] = {multiples, COUNT(multiples)},
                  [SCALE_WORDS] = {scales, COUNT(scales)}};
    return i < tables[kind].n ? rdv_str_of(tables[kind].table[i].word) : (rdv_str){0};
}
