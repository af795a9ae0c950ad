/* SPDX-License-Identifier: Apache-2.0 */
#include "method/number_token.h"

#include "answer/number_words.h"
#include "base/str.h"

#include <stdio.h>

#define MAX_DIGITS 40

/* ---- digits ---------------------------------------------------------------------------------- */

static bool digit_at(rdv_str s, size_t i)
{
    return i < s.len && rdv_is_digit(s.p[i]);
}

/* A comma between a digit and exactly three of them. */
static bool groups_at(rdv_str s, size_t i)
{
    return i > 0 && s.p[i] == ',' && rdv_is_digit(s.p[i - 1]) && digit_at(s, i + 1) &&
           digit_at(s, i + 2) && digit_at(s, i + 3) && !digit_at(s, i + 4);
}

static void put_key(number_token *out, const char *digits, size_t n, int exponent)
{
    size_t from = 0;
    while (from < n && digits[from] == '0')
        from++;
    while (n > from && digits[n - 1] == '0') {
        n--;
        exponent++;
    }
    if (from == n)
        snprintf(out->key, sizeof out->key, "0E0");
    else
        snprintf(out->key, sizeof out->key, "%.*sE%d", (int)(n - from), digits + from, exponent);
}

/* The number that begins at `begin` with a digit, or with a point before one. */
static void read_digits(rdv_str s, size_t begin, number_token *out)
{
    char digits[MAX_DIGITS];
    size_t i = begin, n = 0;
    int exponent = 0;
    bool point = false, long_one = false;
    for (; i < s.len; i++) {
        if (s.p[i] == '.' && !point && digit_at(s, i + 1)) {
            point = true;
        } else if (rdv_is_digit(s.p[i])) {
            long_one |= n == MAX_DIGITS;
            if (n < MAX_DIGITS)
                digits[n++] = s.p[i];
            exponent -= point;
        } else if (point || !groups_at(s, i)) {
            break;
        }
    }
    *out = (number_token){.begin = begin, .end = i};
    if (long_one) /* no other number has it: it is never found */
        snprintf(out->key, sizeof out->key, "long %p", (const void *)(s.p + begin));
    else
        put_key(out, digits, n, exponent);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool read_word(rdv_str word, uint64_t *value, bool *factor)
{
    static const struct {
        const char *word;
        uint64_t value;
    } shares[] = {
        {"half", 2},      {"halves", 2},  {"halved", 2},  {"twice", 2},    {"double", 2},
        {"doubled", 2},   {"doubles", 2}, {"pair", 2},    {"pairs", 2},    {"couple", 2},
        {"third", 3},     {"thirds", 3},  {"triple", 3},  {"tripled", 3},  {"triples", 3},
        {"thrice", 3},    {"fourth", 4},  {"fourths", 4}, {"quarter", 4},  {"quarters", 4},
        {"quadruple", 4}, {"fifth", 5},   {"fifths", 5},  {"sixth", 6},    {"sixths", 6},
        {"seventh", 7},   {"eighth", 8},  {"eighths", 8}, {"ninth", 9},    {"tenth", 10},
        {"tenths", 10},   {"dozen", 12},  {"dozens", 12}, {"hundred", 100}};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        if (rdv_str_ieq(word, rdv_str_of(shares[i].word))) {
            *value = shares[i].value;
            *factor = true;
            return true;
        }
    *factor = false;
    return word.len > 2 && word.len < 24 && number_words_read(word, value) && *value < 1000;
}

static bool in_word(rdv_str s, size_t i)
{
    return i < s.len && (rdv_is_alnum(s.p[i]) || (unsigned char)s.p[i] >= 0x80 ||
                         (s.p[i] == '-' && i + 1 < s.len && rdv_is_alnum(s.p[i + 1])));
}

static bool hundredths_follow(rdv_str text, size_t at)
{
    rdv_str rest = rdv_slice(text, at, text.len);
    while (rest.len && (rest.p[0] == ' ' || rest.p[0] == '\\' || rest.p[0] == '-'))
        rest = rdv_slice(rest, 1, rest.len);
    return rdv_starts(rest, RDV_STR("%")) || rdv_istarts(rest, RDV_STR("percent")) ||
           rdv_istarts(rest, RDV_STR("cent"));
}

/* ---- both ------------------------------------------------------------------------------------ */

bool number_token_next(rdv_str text, size_t *at, number_token *out)
{
    size_t i = *at;
    while (i < text.len) {
        uint64_t value;
        size_t begin = i;
        bool point = text.p[i] == '.' && digit_at(text, i + 1) && !(i && in_word(text, i - 1));
        if (point || rdv_is_digit(text.p[i])) {
            read_digits(text, i, out);
            out->hundredths = hundredths_follow(text, out->end);
            *at = out->end;
            return true;
        }
        if (!rdv_is_alnum(text.p[i])) {
            i++;
            continue;
        }
        while (in_word(text, i))
            i++;
        size_t hyphen = rdv_find_char(rdv_slice(text, 0, i), '-', begin);
        bool factor, read = read_word(rdv_slice(text, begin, i), &value, &factor);
        if (!read && hyphen != RDV_NOT_FOUND) { /* "fifty-dollar" */
            i = hyphen;
            read = read_word(rdv_slice(text, begin, i), &value, &factor);
        }
        if (!read)
            continue;
        *out = (number_token){.begin = begin, .end = i, .words = true, .factor = factor};
        char digits[24];
        int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
        put_key(out, digits, (size_t)n, 0);
        out->hundredths = hundredths_follow(text, i);
        *at = i;
        return true;
    }
    *at = i;
    return false;
}

void number_token_shifted(const number_token *number, int power, char out[48])
{
    const char *e = strchr(number->key, 'E');
    int exponent = 0;
    if (!e || sscanf(e + 1, "%d", &exponent) != 1 || strcmp(number->key, "0E0") == 0)
        snprintf(out, 48, "%s", number->key);
    else
        snprintf(out, 48, "%.*sE%d", (int)(e - number->key), number->key, exponent + power);
}
