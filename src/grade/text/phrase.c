/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/phrase.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* How many bytes of punctuation are at byte `i`: ASCII's, or a dash, minus or quote
 * beyond it; else 0. */
static size_t punctuation_len(rdv_str s, size_t i)
{
    unsigned char c = (unsigned char)s.p[i];
    if (c == 0xe2 && i + 2 < s.len && (unsigned char)s.p[i + 1] == 0x80 &&
        (unsigned char)s.p[i + 2] >= 0x90 && (unsigned char)s.p[i + 2] <= 0x9f)
        return 3;
    if (rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x88\x92")))
        return 3;
    return c > ' ' && c < 0x7f && !rdv_is_alnum(s.p[i]);
}

/* The nearest byte that is no blank before byte `i`, or from it on; 0: none. */
static char solid_before(rdv_str s, size_t i)
{
    while (i > 0 && rdv_is_space(s.p[i - 1]))
        i--;
    return i > 0 ? s.p[i - 1] : '\0';
}

static char solid_from(rdv_str s, size_t i)
{
    while (i < s.len && rdv_is_space(s.p[i]))
        i++;
    return rdv_char_at(s, i);
}

/* Does the comma before byte `i` group digits: do three follow, and no fourth? */
static bool groups_three(rdv_str s, size_t i)
{
    size_t end = i;
    while (rdv_is_digit(rdv_char_at(s, end)))
        end++;
    return end == i + 3;
}

/* The sign that the punctuation of `len` bytes at byte `i` is, because another number, or another
 * name, stands there without it: "3.14", "-5", "x > 5", "2^3", "!p", "C++"; 0: it is punctuation
 * only. */
static char sign_at(rdv_str s, size_t i, size_t len)
{
    char c = len == 3 ? '-' : s.p[i];
    if (len == 3 && (unsigned char)s.p[i + 2] > 0x95)
        return '\0'; /* a quote */
    char before = i > 0 ? s.p[i - 1] : '\0', after = rdv_char_at(s, i + len);
    bool between = rdv_is_digit(before) && rdv_is_digit(after);
    switch (c) {
    case '<':
    case '>':
    case '+':
    case '=':
    case '|':
        return c;
    case '^':
        return rdv_is_alnum(before) ? c : '\0';
    case '*': /* no marks of bold text */
        return rdv_is_alnum(before) && rdv_is_alnum(after) ? c : '\0';
    case '~':
    case '!': /* "!p", "x != 5" */
        return after == '=' || (rdv_is_alnum(after) && !rdv_is_alnum(before)) ? c : '\0';
    case '#':
        return rdv_is_alnum(before) || rdv_is_digit(after) ? c : '\0';
    case '%':
        return rdv_is_digit(solid_before(s, i)) ? c : '\0';
    case ',':
        return between && !groups_three(s, i + 1) ? c : '\0';
    case '.':
        return rdv_is_digit(after) && !rdv_is_alpha(before) ? c : '\0';
    case '-':
        if (rdv_is_digit(after) && !rdv_is_alnum(before))
            return c;
        /* fall through */
    case '/': /* "m/s" is not "ms" */
        if (c == '/' && rdv_is_alnum(before) && rdv_is_alnum(after))
            return c;
        /* fall through */
    case ':':
        return rdv_is_digit(solid_before(s, i)) && rdv_is_digit(solid_from(s, i + len)) ? c : '\0';
    default:
        return '\0';
    }
}

/* Is it an article? "A" is one where a word follows at byte `i`: "Vitamin A" ends in a name. */
static bool is_article(rdv_str word, rdv_str s, size_t i)
{
    if (rdv_str_eq(word, RDV_STR("an")) || rdv_str_eq(word, RDV_STR("the")))
        return true;
    char next = solid_from(s, i);
    return rdv_str_eq(word, RDV_STR("a")) && rdv_is_alpha(s.p[i - 1]) &&
           (rdv_is_alnum(next) || (unsigned char)next >= 0x80 || (next && strchr("\"'(*_", next)));
}

int phrase_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    rdv_buf word, out;
    rdv_buf_init(&word, arena, 0);
    rdv_buf_init(&out, arena, 0);
    for (size_t i = 0; i <= answer.len;) {
        bool ends = i == answer.len || rdv_is_space(answer.p[i]);
        size_t punctuation = ends ? 0 : punctuation_len(answer, i);
        char sign = punctuation ? sign_at(answer, i, punctuation) : '\0';
        if (sign || (!ends && !punctuation))
            rdv_buf_add_char(&word, sign ? sign : rdv_lower(answer.p[i]));
        rdv_str text = rdv_buf_str(&word);
        if (!text.p)
            return rdv_no_memory(err);
        if (ends && text.len > 0) {
            if (!is_article(text, answer, i)) {
                if (rdv_buf_str(&out).len)
                    rdv_buf_add_char(&out, ' ');
                rdv_buf_add(&out, text);
            }
            rdv_buf_clear(&word);
        }
        i += punctuation ? punctuation : 1;
    }
    if (!rdv_buf_ok(&out))
        return rdv_no_memory(err);
    *key = rdv_buf_str(&out);
    rdv_str bare = rdv_trim(answer);
    if (key->len == 0 && bare.len > 0 && !rdv_is_alpha(bare.p[0])) /* a sign alone, such as "&" */
        *key = bare;
    return key->len ? RDV_OK : RDV_NONE;
}
