/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/literal.h"

#include "base/str.h"

#include <stdlib.h>

#define MAX_DIGITS 4900
#define MAX_EXPONENT 4000

bool literal_small(const tokens *t, size_t at, uint64_t *num, uint64_t *den, long *decimals)
{
    rdv_str s = tok_text(t, at);
    uint64_t digits = 0, scale = 1;
    size_t i = 0;
    *decimals = 0;
    if (t->at[at].whole) { /* most numbers */
        *num = t->at[at].value;
        *den = 1;
        return true;
    }
    if (t->at[at].vulgar || s.len > 18)
        return false;
    for (; i < s.len && s.p[i] != '.'; i++) {
        if (rdv_is_digit(s.p[i]))
            digits = digits * 10 + (uint64_t)(s.p[i] - '0');
        else if (s.p[i] != ',')
            return false;
    }
    for (i++; i < s.len; i++) {
        if (s.p[i] == ',')
            continue;
        if (!rdv_is_digit(s.p[i]))
            return false;
        digits = digits * 10 + (uint64_t)(s.p[i] - '0');
        scale *= 10;
        ++*decimals;
    }
    *num = digits;
    *den = scale;
    return true;
}

/* Digits without separators into `digits`, the count after the point, and the exponent. */
static bool read_digits(rdv_str s, char *digits, size_t *n, long *decimals, long *exponent)
{
    bool point = false;
    *n = 0;
    *decimals = 0;
    *exponent = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (rdv_is_digit(c)) {
            if (*n == MAX_DIGITS)
                return false;
            digits[(*n)++] = c;
            *decimals += point;
        } else if (c == '.') {
            point = true;
        } else if (c == 'e' || c == 'E') {
            rdv_str e = rdv_slice(s, i + 1, s.len);
            if (e.len > 6)
                return false;
            char text[8] = {0};
            memcpy(text, e.p, e.len);
            *exponent = strtol(text, NULL, 10);
            return labs(*exponent) <= MAX_EXPONENT;
        } /* else a separator */
    }
    return true;
}

static bool large_value(rdv_str s, fmpq_t out, long *decimals)
{
    char digits[MAX_DIGITS + 1];
    size_t n;
    long exponent;
    if (!read_digits(s, digits, &n, decimals, &exponent))
        return false;
    digits[n] = '\0';
    fmpz_set_str(fmpq_numref(out), digits, 10);
    long scale = *decimals - exponent;
    fmpz_t ten;
    fmpz_init(ten);
    fmpz_set_ui(ten, 10);
    fmpz_pow_ui(ten, ten, (ulong)labs(scale));
    if (scale >= 0) {
        fmpz_set(fmpq_denref(out), ten);
        fmpq_canonicalise(out);
    } else {
        fmpz_mul(fmpq_numref(out), fmpq_numref(out), ten);
        fmpz_one(fmpq_denref(out));
    }
    fmpz_clear(ten);
    *decimals = scale > 0 ? scale : 0;
    return true;
}

bool literal_is_decimal(rdv_str s, long *scale)
{
    char digits[MAX_DIGITS + 1];
    size_t n;
    long decimals, exponent;
    if (!read_digits(s, digits, &n, &decimals, &exponent) || decimals == 0)
        return false;
    *scale = decimals - exponent;
    return true;
}

bool literal_value(const tokens *t, size_t i, fmpq_t out, long *decimals)
{
    if (t->at[i].vulgar) {
        unsigned num, den;
        lex_vulgar(t->at[i].vulgar, &num, &den);
        fmpq_set_ui(out, num, den);
        *decimals = 0;
        return true;
    }
    uint64_t num, den;
    if (!literal_small(t, i, &num, &den, decimals))
        return large_value(tok_text(t, i), out, decimals);
    if (den > 1) {
        fmpq_set_ui(out, num, den);
    } else { /* which is in lowest terms */
        fmpz_set_ui(fmpq_numref(out), num);
        fmpz_one(fmpq_denref(out));
    }
    return true;
}

size_t literal_find(rdv_str text, rdv_str number, size_t from)
{
    for (size_t i = from; (i = rdv_find(text, number, i)) != RDV_NOT_FOUND; i++) {
        size_t end = i + number.len;
        bool begins = i == 0 || !(rdv_is_digit(text.p[i - 1]) || text.p[i - 1] == '.');
        size_t next = end + (end < text.len && text.p[end] == '.');
        bool goes_on = next < text.len && rdv_is_digit(text.p[next]);
        if (begins && !goes_on)
            return i;
    }
    return RDV_NOT_FOUND;
}

bool literal_stands_in(rdv_str text, rdv_str number)
{
    return literal_find(text, number, 0) != RDV_NOT_FOUND;
}
