/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/scan.h"

#include "base/map.h"
#include "base/utf8.h"

/* The longest word that is hashed whole; of longer ones the beginning counts. */
#define MAX_HASHED 64

static uint64_t scan_hash(rdv_str lower)
{
    return rdv_hash(rdv_slice(lower, 0, MAX_HASHED), 0);
}

static uint64_t hash_lowered(rdv_str text)
{
    char low[MAX_HASHED];
    size_t n = text.len < sizeof low ? text.len : sizeof low;
    for (size_t i = 0; i < n; i++)
        low[i] = rdv_lower(text.p[i]);
    return scan_hash((rdv_str){low, n});
}

bool scan_is_word_of(const token *t, const char *const *list)
{
    for (; *list && t->is == TOKEN_WORD; list++)
        if (is_word(t, *list))
            return true;
    return false;
}

/* Letters, with apostrophes and hyphens between them; bytes outside ASCII count as letters. */
static size_t word_end(rdv_str s, size_t i)
{
    while (i < s.len) {
        char c = s.p[i];
        bool joins = (c == '\'' || c == '-') && i + 1 < s.len && rdv_is_alpha(s.p[i + 1]);
        if (!rdv_is_alpha(c) && !(c & 0x80) && !joins)
            break;
        i++;
    }
    return i;
}

static size_t number_end(rdv_str s, size_t i, bool *decimal)
{
    while (i < s.len) {
        char c = s.p[i];
        bool digit_next = i + 1 < s.len && rdv_is_digit(s.p[i + 1]);
        if (c == '.' && digit_next && !*decimal)
            *decimal = true;
        else if (!rdv_is_digit(c) && !(c == ',' && digit_next && !*decimal))
            break;
        i++;
    }
    return i;
}

static double value_of(rdv_str digits)
{
    double value = 0, unit = 1;
    bool behind = false;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.p[i];
        if (c == '.')
            behind = true;
        else if (rdv_is_digit(c)) {
            value = value * 10 + (c - '0');
            unit *= behind ? 10 : 1;
        }
        if (value > 1e300)
            return 1e300;
    }
    return value / unit;
}

/* The same number is the same however it is written ("1,200", "1200.0"). */
static uint64_t hash_number(double value)
{
    return rdv_hash((rdv_str){(const char *)&value, sizeof value}, 1);
}

/* Bytes of a double quotation mark at `i`, straight or typographic; 0: there is none. */
static size_t quote_at(rdv_str s, size_t i)
{
    if (s.p[i] == '"')
        return 1;
    rdv_str at = rdv_slice(s, i, i + 3);
    return rdv_str_eq(at, RDV_STR("\u201c")) || rdv_str_eq(at, RDV_STR("\u201d")) ? 3 : 0;
}

static token next_token(rdv_str s, size_t i, size_t *end)
{
    token t = {.is = TOKEN_MARK};
    *end = i + 1;
    if (rdv_is_digit(s.p[i])) {
        t.is = TOKEN_NUMBER;
        *end = number_end(s, i, &t.decimal);
    } else if (rdv_is_alpha(s.p[i]) || (s.p[i] & 0x80)) {
        t.is = TOKEN_WORD;
        *end = word_end(s, i);
    }
    t.text = rdv_slice(s, i, *end);
    t.capital = s.p[i] >= 'A' && s.p[i] <= 'Z';
    t.number = t.is == TOKEN_NUMBER ? value_of(t.text) : 0;
    t.hash = t.is == TOKEN_NUMBER ? hash_number(t.number) : hash_lowered(t.text);
    return t;
}

static bool ends_sentence(const token *t)
{
    return t->is == TOKEN_MARK && strchr(".!?:;", t->text.p[0]);
}

int scan_text(rdv_str text, rdv_arena *arena, tokens *out)
{
    token *of = NULL;
    size_t n = 0, cap = 0, end;
    bool quoted = false;
    for (size_t i = 0; i < text.len && n < MAX_TOKENS; i = end) {
        size_t quote = quote_at(text, i);
        end = i + (quote ? quote : 1);
        if (quote) {
            quoted = !quoted;
            if (n && !quoted && of[n - 1].quoted)
                of[n - 1].last = true;
        }
        if (quote || rdv_is_space(text.p[i]))
            continue;
        if (!RDV_PUSH_ROOM(arena, of, n, cap))
            return RDV_E_NOMEM;
        of[n] = next_token(text, i, &end);
        of[n].quoted = quoted;
        of[n].opens = n == 0 || ends_sentence(&of[n - 1]);
        n++;
    }
    *out = (tokens){of, n};
    return RDV_OK;
}
