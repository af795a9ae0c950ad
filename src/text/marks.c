/* SPDX-License-Identifier: Apache-2.0 */
#include "text/marks.h"

#include "base/str.h"
#include "base/utf8.h"

/* What stands before and after the number of a step. Where a letter beyond ASCII begins a word, it
 * is here in both cases. `after` alone also takes "1. WORD" and "1 WORD". */
static const struct {
    const char *before, *after;
} steps[] = {
    {"Schritt", "Schritt"}, /* German */
    {"Paso", "paso"},       /* Spanish */
    {"Passo", "passo"},     /* Portuguese, Italian */
    {"\xc3\x89tape", ""},
    {"\xc3\xa9tape", ""},
    {"Etape", ""},                                  /* French */
    {"Stap", ""},                                   /* Dutch */
    {"Steg", ""},                                   /* Swedish, Norwegian */
    {"Trinn", ""},                                  /* Norwegian */
    {"Trin", ""},                                   /* Danish */
    {"Vaihe", "vaihe"},                             /* Finnish */
    {"Krok", "krok"},                               /* Polish, Czech, Slovak */
    {"Korak", "korak"},                             /* Croatian, Serbian, Slovene */
    {"Pasul", ""},                                  /* Romanian */
    {"Pas", ""},                                    /* Catalan, Romanian */
    {"L\xc3\xa9p\xc3\xa9s", "l\xc3\xa9p\xc3\xa9s"}, /* Hungarian */
    {"Ad\xc4\xb1m", "Ad\xc4\xb1m"},
    {"", "ad\xc4\xb1m"},                                      /* Turkish */
    {"\xd0\xa8\xd0\xb0\xd0\xb3", "\xd1\x88\xd0\xb0\xd0\xb3"}, /* Russian */
    {"\xd1\x88\xd0\xb0\xd0\xb3", "\xd0\xa8\xd0\xb0\xd0\xb3"},
    {"\xd0\x9a\xd1\x80\xd0\xbe\xd0\xba", ""},                 /* Ukrainian */
    {"\xd0\xa1\xd1\x82\xd1\x8a\xd0\xbf\xd0\xba\xd0\xb0", ""}, /* Bulgarian */
    {"\xce\x92\xce\xae\xce\xbc\xce\xb1", ""},                 /* Greek */
    {"B\xc6\xb0\xe1\xbb\x9b"
     "c",
     ""},                                                     /* Vietnamese */
    {"Langkah", ""},                                          /* Indonesian, Malay */
    {"Hakbang", ""},                                          /* Tagalog */
    {"Hatua", ""},                                            /* Swahili */
    {"\xe7\xac\xac", "\xe6\xad\xa5"},                         /* Chinese: di 1 bu */
    {"\xe6\xad\xa5\xe9\xaa\xa4", ""},                         /* bu zhou 1 */
    {"\xe6\xad\xa5\xe9\xa9\x9f", ""},                         /* the same, traditional */
    {"\xe3\x82\xb9\xe3\x83\x86\xe3\x83\x83\xe3\x83\x97", ""}, /* Japanese: suteppu 1 */
    {"\xe6\x89\x8b\xe9\xa0\x86", ""},                         /* tejun 1 */
    {"\xeb\x8b\xa8\xea\xb3\x84", "\xeb\x8b\xa8\xea\xb3\x84"}, /* Korean: 1 dangye */
    {"\xd8\xa7\xd9\x84\xd8\xae\xd8\xb7\xd9\x88\xd8\xa9", ""}, /* Arabic: al-khutwa */
    {"\xd9\x85\xd8\xb1\xd8\xad\xd9\x84\xd9\x87", ""},         /* Persian: marhale */
    {"\xda\xaf\xd8\xa7\xd9\x85", ""},                         /* gam */
    {"\xd7\xa9\xd7\x9c\xd7\x91", ""},                         /* Hebrew: shlav */
    {"\xe0\xa4\x9a\xe0\xa4\xb0\xe0\xa4\xa3", ""},             /* Hindi: charan */
    {"\xe0\xa6\xa7\xe0\xa6\xbe\xe0\xa6\xaa", ""},             /* Bengali: dhap */
    {"\xe0\xb8\x82\xe0\xb8\xb1\xe0\xb9\x89\xe0\xb8\x99\xe0\xb8\x95\xe0\xb8\xad\xe0\xb8\x99\xe0\xb8"
     "\x97\xe0\xb8\xb5\xe0\xb9\x88",
     ""}, /* Thai: khantonthi */
};

#define N_STEPS (sizeof steps / sizeof *steps)

const char *marks_step_word(size_t i)
{
    return i >= N_STEPS ? NULL : *steps[i].before ? steps[i].before : steps[i].after;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The digit at byte `i` and its length in bytes; -1: there is none. */
static int digit_at(rdv_str s, size_t i, size_t *len)
{
    static const uint32_t zeros[] = {'0', 0xff10, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50};
    if (i >= s.len)
        return -1;
    uint32_t c = rdv_utf8_at(s, i, len);
    for (size_t k = 0; k < sizeof zeros / sizeof *zeros; k++)
        if (c >= zeros[k] && c <= zeros[k] + 9)
            return (int)(c - zeros[k]);
    return -1;
}

/* A Chinese numeral from 1 to 99: 三, 十二, 二十. */
static bool chinese_number(rdv_str s, size_t *number, size_t *len)
{
    static const uint32_t numerals[] = {0x4e00, 0x4e8c, 0x4e09, 0x56db, 0x4e94,
                                        0x516d, 0x4e03, 0x516b, 0x4e5d};
    size_t value = 0, at = 0, tens = 0, ones = 0, n = 0;
    while (at < s.len && n < 3) {
        size_t one = 0;
        uint32_t c = rdv_utf8_at(s, at, &one);
        size_t digit = 0;
        for (size_t k = 0; k < 9; k++)
            digit = numerals[k] == c ? k + 1 : digit;
        if (c == 0x5341 && !tens) { /* ten */
            tens = ones ? ones : 1;
            ones = 0;
        } else if (digit && !ones) {
            ones = digit;
        } else {
            break;
        }
        at += one;
        n++;
    }
    value = 10 * tens + ones;
    *number = value;
    *len = at;
    return value > 0;
}

bool marks_number(rdv_str text, size_t *number, size_t *len)
{
    size_t value = 0, at = 0, one = 0, n = 0;
    int digit;
    while (n < 7 && (digit = digit_at(text, at, &one)) >= 0) {
        value = value * 10 + (size_t)digit;
        at += one;
        n++;
    }
    if (n == 0)
        return chinese_number(text, number, len);
    *number = value;
    *len = at;
    return n <= 6;
}

/* ---- steps ----------------------------------------------------------------------------------- */

size_t marks_blanks(rdv_str s, size_t at)
{
    return rdv_skip_any(s, at, " \t#");
}

bool marks_take(rdv_str s, size_t *at, const char *word)
{
    rdv_str rest = rdv_slice(s, *at, s.len), what = rdv_str_of(word);
    if (!what.len || !rdv_istarts(rest, what))
        return false;
    *at += what.len;
    return true;
}

/* "BEFORE 3", or "BEFORE 3 AFTER" where the row has both and they are not the same word. */
static bool word_first(rdv_str s, size_t row, step_mark *out)
{
    size_t at = 0, len;
    bool closed = *steps[row].after && (unsigned char)steps[row].before[0] == 0xe7;
    if (!marks_take(s, &at, steps[row].before))
        return false;
    at = marks_blanks(s, at);
    if (!marks_number(rdv_slice(s, at, s.len), &out->number, &len))
        return false;
    at += len;
    if (closed && !marks_take(s, &at, steps[row].after))
        return false;
    out->len = at;
    out->closed = closed;
    return true;
}

/* The byte at which the word of "3. AFTER", "3 AFTER", "3AFTER" stands; 0: no number is first. */
static size_t behind_number(rdv_str s, size_t *number)
{
    size_t at;
    if (!marks_number(s, number, &at))
        return 0;
    return marks_blanks(s, at + (rdv_char_at(s, at) == '.'));
}

bool marks_step(rdv_str text, step_mark *out)
{
    size_t number, behind = behind_number(text, &number);
    char first = rdv_lower(rdv_char_at(text, 0));
    for (size_t i = 0; i < N_STEPS; i++) {
        if (rdv_lower(*steps[i].before) == first && word_first(text, i, out))
            return true;
        size_t at = behind;
        if (at && marks_take(text, &at, steps[i].after)) {
            *out = (step_mark){.number = number, .len = at};
            return true;
        }
    }
    return false;
}
