/* SPDX-License-Identifier: Apache-2.0 */
/* Reading words one after another: the small grammar of the rule-based verifiers. */
#include "task/follow.h"

#include "base/str.h"
#include "language/number_words.h"

bool follow_scan_end(scan *c)
{
    while (c->at < c->s.len && rdv_is_space(c->s.p[c->at]))
        c->at++;
    return c->at >= c->s.len;
}

char follow_scan_peek(scan *c)
{
    return follow_scan_end(c) ? '\0' : c->s.p[c->at];
}

bool follow_scan_char(scan *c, char wanted)
{
    if (follow_scan_end(c) || c->s.p[c->at] != wanted)
        return false;
    c->at++;
    return true;
}

static bool in_word(const scan *c, size_t i)
{
    char x = c->s.p[i];
    bool inside = i > c->at && i + 1 < c->s.len && rdv_is_alnum(c->s.p[i + 1]);
    return rdv_is_alnum(x) || (unsigned char)x >= 0x80 || x == '\'' || (x == '-' && inside);
}

bool follow_scan_word(scan *c, rdv_str *word)
{
    if (follow_scan_end(c))
        return false;
    size_t end = c->at;
    while (end < c->s.len && in_word(c, end))
        end++;
    if (end == c->at)
        return false;
    *word = rdv_slice(c->s, c->at, end);
    c->at = end;
    return true;
}

/* A hyphen counts as a space: "second-to-last", "third-most expensive". */
bool follow_scan_phrase(scan *c, const char *phrase)
{
    follow_scan_end(c);
    size_t at = c->at;
    for (const char *p = phrase; *p; p++) {
        char x = at < c->s.len ? c->s.p[at] : '\0';
        bool gap = *p == ' ' && (x == '-' || rdv_is_space(x));
        if (!gap && rdv_lower(x) != *p)
            return false;
        at++;
        while (gap && at < c->s.len && rdv_is_space(c->s.p[at]))
            at++;
    }
    char next = at < c->s.len ? c->s.p[at] : ' ', last = c->s.p[at - 1];
    if (rdv_is_alnum(last) && (rdv_is_alnum(next) || (unsigned char)next >= 0x80))
        return false;
    c->at = at;
    return true;
}

size_t follow_scan_one_of(scan *c, const char *const *phrases)
{
    for (size_t i = 0; phrases[i]; i++)
        if (follow_scan_phrase(c, phrases[i]))
            return i;
    return RDV_NOT_FOUND;
}

/* The letters that stand next; empty: none do, or the word goes on behind them. */
static rdv_str next_letters(scan *c)
{
    follow_scan_end(c);
    size_t end = rdv_skip_letters(c->s, c->at);
    char behind = rdv_char_at(c->s, end);
    bool goes_on = rdv_is_alnum(behind) || (unsigned char)behind >= 0x80;
    return rdv_slice(c->s, c->at, goes_on ? c->at : end);
}

bool follow_scan_ordinal(scan *c, size_t *k)
{
    unsigned tens = 0, ones;
    scan at = *c;
    rdv_str word = next_letters(&at);
    if (number_word(word, &tens) && tens == 20) {
        at.at += word.len;
        at.at += rdv_char_at(at.s, at.at) == '-';
        word = next_letters(&at);
    }
    if (!ordinal_word(word, &ones) || (tens && ones > 9))
        return false;
    *k = tens + ones;
    c->at = at.at + word.len;
    return true;
}

bool follow_scan_count(scan *c, size_t *k)
{
    unsigned value = 0;
    rdv_str word = next_letters(c);
    if (rdv_str_ieq(word, RDV_STR("no")) || (number_word(word, &value) && value)) {
        *k = value;
        c->at += word.len;
        return true;
    }
    size_t begin = c->at;
    *k = 0;
    while (c->at < c->s.len && rdv_is_digit(c->s.p[c->at]) && c->at - begin < 6)
        *k = *k * 10 + (size_t)(c->s.p[c->at++] - '0');
    return c->at > begin;
}

bool follow_scan_same(rdv_str a, rdv_str b)
{
    return rdv_str_ieq(rdv_trim(a), rdv_trim(b));
}
