/* SPDX-License-Identifier: Apache-2.0 */
#include "method/number_token.h"

#include "answer/number_words.h"
#include "base/str.h"
#include "language/number_words.h"
#include "language/word_class.h"

#include <stdio.h>

#define MAX_DIGITS 40

/* ---- digits ---------------------------------------------------------------------------------- */

/* The length of the digit at `i`, plain or full-width ("３"); 0: there is none. */
static inline size_t digit_len(rdv_str s, size_t i)
{
    if (i < s.len && rdv_is_digit(s.p[i]))
        return 1;
    bool wide = i + 2 < s.len && s.p[i] == '\xef' && s.p[i + 1] == '\xbc' &&
                (unsigned char)s.p[i + 2] >= 0x90 && (unsigned char)s.p[i + 2] <= 0x99;
    return wide ? 3 : 0;
}

static char digit_of(rdv_str s, size_t i, size_t len)
{
    return len == 1 ? s.p[i] : (char)('0' + ((unsigned char)s.p[i + 2] - 0x90));
}

static inline bool digit_at(rdv_str s, size_t i)
{
    return digit_len(s, i) > 0;
}

/* A comma between a digit and exactly three of them. */
static bool groups_at(rdv_str s, size_t i)
{
    return i > 0 && s.p[i] == ',' && rdv_is_digit(s.p[i - 1]) && digit_at(s, i + 1) &&
           digit_at(s, i + 2) && digit_at(s, i + 3) && !digit_at(s, i + 4);
}

/* Behind the digits of a key. Without printf: most of the time for a number would go there. */
static void put_exponent(char *at, int exponent)
{
    char digits[12];
    size_t n = 0;
    unsigned left = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;
    *at++ = 'E';
    if (exponent < 0)
        *at++ = '-';
    do
        digits[n++] = (char)('0' + left % 10);
    while (left /= 10);
    while (n > 0)
        *at++ = digits[--n];
    *at = 0;
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
    if (from == n) {
        memcpy(out->key, "0E0", sizeof "0E0");
        return;
    }
    _Static_assert(sizeof out->key >= MAX_DIGITS + sizeof "E-99999", "for the longest key");
    memcpy(out->key, digits + from, n - from);
    put_exponent(out->key + (n - from), exponent);
}

/* The power of ten at *at, which moves behind it: "e3", "E-2"; 0: there is none. */
static int read_power(rdv_str s, size_t *at)
{
    size_t i = *at;
    int power = 0;
    if (i >= s.len || rdv_lower(s.p[i]) != 'e')
        return 0;
    i++;
    bool negative = i < s.len && s.p[i] == '-';
    i += i < s.len && strchr("+-", s.p[i]);
    size_t digits = i;
    for (; i < s.len && rdv_is_digit(s.p[i]) && i - digits < 4; i++)
        power = 10 * power + (s.p[i] - '0');
    if (i == digits || (i < s.len && rdv_is_alnum(s.p[i])))
        return 0;
    *at = i;
    return negative ? -power : power;
}

/* The number that begins at `begin` with a digit, or with a point before one. */
static void read_digits(rdv_str s, size_t begin, number_token *out)
{
    char digits[MAX_DIGITS];
    size_t i = begin, n = 0;
    int exponent = 0;
    bool point = false, long_one = false;
    for (size_t len = 1; i < s.len; i += len) {
        size_t digit = digit_len(s, i);
        len = digit ? digit : 1;
        if (s.p[i] == '.' && !point && digit_at(s, i + 1)) {
            point = true;
        } else if (digit) {
            long_one |= n == MAX_DIGITS;
            if (n < MAX_DIGITS)
                digits[n++] = digit_of(s, i, digit);
            exponent -= point;
        } else if (point || !groups_at(s, i)) {
            break;
        }
    }
    exponent += read_power(s, &i);
    *out = (number_token){.begin = begin, .end = i};
    if (long_one) /* no other number has it: it is never found */
        snprintf(out->key, sizeof out->key, "long %p", (const void *)(s.p + begin));
    else
        put_key(out, digits, n, exponent);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* May a number in words begin with the word? Most do not. */
static bool may_begin_number(rdv_str word)
{
    const unsigned begins = WORD_NUMBER | WORD_FRACTION | WORD_MULTIPLE | WORD_GROUP;
    return (word_find(word) & begins) || rdv_str_ieq(word, RDV_STR("a"));
}

/* The end of the longest number in words that begins at `begin`: "ninety-six", "two thousand",
 * "a hundred and five". `begin`: there is none. */
static size_t cardinal_end(rdv_str s, size_t begin, uint64_t *value)
{
    enum { MOST_WORDS = 16 };
    size_t found = begin, last = begin;
    for (size_t n = 0, i = begin; n < MOST_WORDS; n++) {
        size_t end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end);
        uint64_t more;
        bool joins = rdv_str_ieq(word, RDV_STR("and"));
        unsigned power;
        if (joins && (n == 0 || !scale_word(rdv_slice(s, last, found), &power)))
            break; /* "two hundred and five", but not "thirty and five" */
        bool article = n == 0 && rdv_str_ieq(word, RDV_STR("a"));
        if (!joins && !article) {
            if (!word.len || !number_words_read(rdv_slice(s, begin, end), &more))
                break;
            *value = more;
            found = end;
            last = i;
        }
        i = end;
        if (i >= s.len || (s.p[i] != ' ' && s.p[i] != '-'))
            break;
        i++;
    }
    return found < s.len && rdv_is_alnum(s.p[found]) ? begin : found;
}

/* "2.5 million": the key takes the word behind the number. */
static void read_scale(rdv_str s, number_token *out)
{
    unsigned power;
    size_t i = out->end;
    char key[sizeof out->key];
    if (i >= s.len || (s.p[i] != ' ' && s.p[i] != '-'))
        return;
    size_t end = rdv_skip_letters(s, i + 1);
    if (!scale_word(rdv_slice(s, i + 1, end), &power))
        return;
    number_token_shifted(out, (int)power, key);
    memcpy(out->key, key, sizeof key);
    out->end = end;
}

/* What "½" and its like divide by; 0: there is none at `i`. */
static unsigned part_at(rdv_str s, size_t i, size_t *len)
{
    static const struct {
        const char *sign;
        unsigned of;
    } parts[] = {{"½", 2}, {"⅓", 3}, {"⅔", 3}, {"¼", 4}, {"¾", 4}, {"⅕", 5}, {"⅖", 5}, {"⅗", 5},
                 {"⅘", 5}, {"⅙", 6}, {"⅚", 6}, {"⅛", 8}, {"⅜", 8}, {"⅝", 8}, {"⅞", 8}};
    for (size_t k = 0; (unsigned char)s.p[i] >= 0x80 && k < sizeof parts / sizeof *parts; k++) {
        *len = strlen(parts[k].sign);
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(parts[k].sign)))
            return parts[k].of;
    }
    return 0;
}

static bool in_word(rdv_str s, size_t i)
{
    unsigned char c = i < s.len ? (unsigned char)s.p[i] : 0;
    bool script = c >= 0xe2 && c < 0xf0; /* signs that divide no words, and Chinese */
    return i < s.len && (rdv_is_alnum(s.p[i]) || (c >= 0x80 && !script) ||
                         (s.p[i] == '-' && i + 1 < s.len && rdv_is_alnum(s.p[i + 1])));
}

/* "%", "percent", "cents" behind the number that ends at out->end. */
static void read_hundredths(rdv_str text, number_token *out)
{
    rdv_str rest = rdv_slice(text, out->end, text.len);
    while (rest.len && (rest.p[0] == ' ' || rest.p[0] == '\\' || rest.p[0] == '-'))
        rest = rdv_slice(rest, 1, rest.len);
    out->percent = rdv_starts(rest, RDV_STR("%")) || rdv_istarts(rest, RDV_STR("percent"));
    out->hundredths = out->percent || rdv_istarts(rest, RDV_STR("cent"));
}

/* ---- both ------------------------------------------------------------------------------------ */

static void put_words(rdv_str text, size_t begin, size_t end, uint64_t value, bool factor,
                      number_token *out)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    *out = (number_token){.begin = begin, .end = end, .words = true, .factor = factor};
    put_key(out, digits, (size_t)n, 0);
    read_hundredths(text, out);
}

/* The number in words at `begin`, where a word begins. *end: of the word. */
static bool read_words(rdv_str text, size_t begin, size_t *end, number_token *out)
{
    uint64_t value = 0;
    unsigned factor;
    size_t letters = rdv_skip_letters(text, begin);
    bool may = may_begin_number(rdv_slice(text, begin, letters));
    size_t i = may ? cardinal_end(text, begin, &value) : begin;
    if (i > begin) { /* "fifty-dollar" too */
        *end = i;
        put_words(text, begin, i, value, false, out);
        return true;
    }
    size_t hyphen =
        RDV_NOT_FOUND; /* two parts at most: a run of hyphens is not read once for each */
    for (i = letters; in_word(text, i) && (text.p[i] != '-' || hyphen == RDV_NOT_FOUND); i++)
        if (text.p[i] == '-')
            hyphen = i;
    *end = i;
    bool read = may && factor_word(rdv_slice(text, begin, i), &factor);
    if (!read && hyphen != RDV_NOT_FOUND) {
        read = may && factor_word(rdv_slice(text, begin, hyphen), &factor);
        *end = hyphen;
    }
    if (read)
        put_words(text, begin, *end, factor, true, out);
    return read;
}

bool number_token_next(rdv_str text, size_t *at, number_token *out)
{
    size_t i = *at, len;
    while (i < text.len) {
        size_t begin = i;
        unsigned part;
        if (rdv_is_alpha(text.p[i])) {
            if (read_words(text, begin, &i, out)) {
                *at = i;
                return true;
            }
            continue;
        }
        bool point = text.p[i] == '.' && digit_at(text, i + 1) && !(i && in_word(text, i - 1));
        if (point || digit_at(text, i)) {
            read_digits(text, i, out);
            read_scale(text, out);
            read_hundredths(text, out);
            *at = out->end;
            return true;
        }
        if ((part = part_at(text, i, &len)) > 0) {
            put_words(text, begin, begin + len, part, true, out);
            *at = out->end;
            return true;
        }
        i++;
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
