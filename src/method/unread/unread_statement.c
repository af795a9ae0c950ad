/* SPDX-License-Identifier: Apache-2.0 */
#include "method/unread/unread_statement.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "language/assertion.h"
#include "language/number_words.h"
#include "method/number_token.h"

#include <stdio.h>
#include <stdlib.h>

#define DECIMALS 3    /* that a number may be rounded to */
#define BESIDE 24     /* bytes from a calculation to a number that goes on with it */
#define LEFT_SIDE 120 /* bytes looked at before a sign of equality */
#define SMALL 4096    /* whole numbers below are found without their keys: most are such */

typedef struct pending {
    rdv_str *at;
    size_t n, cap;
} pending;

struct given_numbers {
    rdv_arena *arena;
    uint64_t small[SMALL / 64]; /* a bit for each */
    rdv_map keys;               /* of the others */
    /* Not read yet: many steps state no number beside their calculations, and few one that these
     * have not. */
    pending calculations, texts;
};

given_numbers *given_numbers_new(rdv_arena *arena)
{
    given_numbers *g = RDV_NEW(arena, given_numbers);
    if (g) {
        g->arena = arena;
        g->small[0] = 3; /* 0 and 1 always are given */
        rdv_map_init(&g->keys, arena);
    }
    return g;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number, or the numbers of a time of day, a ratio or a fraction, "13:20", "1/6", as one. */
typedef struct stated_number {
    size_t begin, end;
    unsigned small; /* the value of a small one that has nothing beside it; SMALL: see below */
    number_token first, second;
    char key[112];
    char joined; /* the sign between the two; 0: it is one */
} stated_number;

static bool next_number(rdv_str text, size_t *at, stated_number *out)
{
    if (!number_token_next(text, at, &out->first))
        return false;
    out->begin = out->first.begin;
    out->small = SMALL;
    size_t behind = out->end = out->first.end;
    bool joins = behind + 1 < text.len && strchr(":/", text.p[behind]) &&
                 rdv_is_digit(text.p[behind + 1]) && !out->first.words;
    out->joined = joins && number_token_next(text, &behind, &out->second) ? text.p[out->end] : 0;
    if (out->joined) {
        snprintf(out->key, sizeof out->key, "%s%c%s", out->first.key, out->joined, out->second.key);
        out->end = *at = out->second.end;
    } else {
        memcpy(out->key, out->first.key, sizeof out->first.key);
    }
    return true;
}

/* Where the next number in digits from byte `from` on begins, or the end. */
static size_t digits_from(rdv_str text, size_t from)
{
    for (size_t i = from; (i = rdv_find_digit(text, i)) < text.len;) {
        bool named = i > 0 && (rdv_is_alnum(text.p[i - 1]) || text.p[i - 1] == '_');
        if (!named)
            return i - (i > from && text.p[i - 1] == '.');
        i = rdv_skip_digits(text, i);
    }
    return text.len;
}

/* Is it a word that makes a number another one, "12 million", "12 percent"? */
static bool changes_number(rdv_str word)
{
    unsigned power;
    return rdv_istarts(word, RDV_STR("percent")) || rdv_istarts(word, RDV_STR("cent")) ||
           scale_word(word, &power);
}

/* The end of the small number in digits at byte `i`, where nothing behind belongs to it; `i`: it
 * may be another number. */
static size_t small_end(rdv_str s, size_t i, unsigned *n)
{
    size_t end = i;
    for (*n = 0; end < s.len && rdv_is_digit(s.p[end]) && *n < SMALL; end++)
        *n = 10 * *n + (unsigned)(s.p[end] - '0');
    char sign = rdv_char_at(s, end);
    if (end == i || *n >= SMALL || (sign & 0x80) || sign == '.' || sign == ',' || sign == ':' ||
        sign == '/' || rdv_is_alpha(sign))
        return i;
    size_t next = end; /* number_token.h: what "%" and words of it may stand behind */
    while (next < s.len && (s.p[next] == ' ' || s.p[next] == '-' || s.p[next] == '\\'))
        next++;
    bool word = next < s.len && rdv_is_alpha(s.p[next]);
    bool other = word ? changes_number(rdv_slice(s, next, rdv_skip_letters(s, next)))
                      : next < s.len && s.p[next] == '%';
    return other ? i : end;
}

/* The next number in digits, of which words are not looked at: most texts between have none. */
static bool next_in_digits(rdv_str text, size_t *at, stated_number *out)
{
    *at = digits_from(text, *at);
    size_t end = small_end(text, *at, &out->small);
    if (end == *at)
        return *at < text.len && next_number(text, at, out);
    out->begin = *at;
    *at = out->end = end;
    return true;
}

/* ---- those that are given -------------------------------------------------------------------- */

/* The small number that the key is of, or SMALL. */
static unsigned small_of(const char *key)
{
    unsigned n = 0;
    for (; rdv_is_digit(*key) && n < SMALL; key++)
        n = 10 * n + (unsigned)(*key - '0');
    if (*key != 'E' || !rdv_is_digit(key[1]) || key[2])
        return SMALL;
    for (int zeros = key[1] - '0'; zeros > 0 && n < SMALL; zeros--)
        n *= 10;
    return n < SMALL ? n : SMALL;
}

static void put_small(given_numbers *g, unsigned n)
{
    g->small[n / 64] |= UINT64_C(1) << n % 64;
}

static bool has_small(const given_numbers *g, unsigned n)
{
    return g->small[n / 64] >> n % 64 & 1;
}

static bool has(const given_numbers *g, const char *key)
{
    unsigned n = small_of(key);
    return n < SMALL ? has_small(g, n) : rdv_map_get(&g->keys, rdv_str_of(key)) != RDV_MAP_MISSING;
}

static int put(given_numbers *g, const char *key)
{
    unsigned n = small_of(key);
    if (n < SMALL)
        put_small(g, n);
    if (n < SMALL || has(g, key))
        return RDV_OK;
    rdv_str copy = rdv_str_copy(g->arena, rdv_str_of(key));
    return copy.p ? rdv_map_put(&g->keys, copy, 1) : RDV_E_NOMEM;
}

/* The digits of a key without zeros at their end, which keys do not have. */
static int put_digits(given_numbers *g, unsigned long long digits, long exponent)
{
    char key[48];
    for (; digits && digits % 10 == 0; exponent++)
        digits /= 10;
    exponent = digits ? exponent : 0;
    size_t len = rdv_write_whole(key, digits);
    key[len++] = 'E';
    if (exponent < 0)
        key[len++] = '-';
    len += rdv_write_whole(key + len,
                           exponent < 0 ? 0ul - (unsigned long)exponent : (unsigned long)exponent);
    key[len] = '\0';
    return put(g, key);
}

/* The number rounded down and up to so many decimals and less. */
static int put_rounded(given_numbers *g, const char *key)
{
    const char *e = strchr(key, 'E');
    if (!e || e[1] != '-' || strlen(key) > 24) /* without decimals, or too long */
        return RDV_OK;
    unsigned long long digits = strtoull(key, NULL, 10);
    long exponent = strtol(e + 1, NULL, 10);
    int r = RDV_OK;
    for (; exponent < 0 && r == RDV_OK; exponent++) {
        if (exponent >= -DECIMALS - 1 || digits == 0) {
            r = put_digits(g, digits / 10, exponent + 1);
            if (r == RDV_OK)
                r = put_digits(g, digits / 10 + 1, exponent + 1);
        }
        if (digits == 0)
            break;
        digits /= 10;
    }
    return r;
}

/* What was read up to byte *at, which moves back to the second of two numbers that are joined. */
static int put_number(given_numbers *g, const stated_number *number, size_t *at)
{
    char shifted[48];
    if (number->small < SMALL) {
        put_small(g, number->small);
        return RDV_OK;
    }
    int r = put(g, number->first.key);
    if (r == RDV_OK && number->joined) { /* the parts too */
        *at = number->first.end;
        r = put(g, number->key);
    }
    if (r == RDV_OK)
        r = put_rounded(g, number->first.key);
    if (r == RDV_OK && number->first.hundredths) {
        number_token_shifted(&number->first, -2, shifted);
        r = put(g, shifted);
    }
    return r;
}

static int read_pending(given_numbers *g, pending *p,
                        bool (*next)(rdv_str, size_t *, stated_number *))
{
    stated_number number;
    int r = RDV_OK;
    for (size_t i = 0; i < p->n && r == RDV_OK; i++)
        for (size_t at = 0; r == RDV_OK && next(p->at[i], &at, &number);)
            r = put_number(g, &number, &at);
    p->n = 0;
    return r;
}

static int put_off(given_numbers *g, rdv_str text, pending *to)
{
    if (!RDV_PUSH_ROOM_LARGE(g->arena, to->at, to->n, to->cap))
        return RDV_E_NOMEM;
    to->at[to->n++] = text;
    return RDV_OK;
}

int given_numbers_add(given_numbers *g, rdv_str text)
{
    return put_off(g, text, &g->texts);
}

/* Among those that were read. A fraction of given numbers is given. */
static bool is_given(const given_numbers *g, const stated_number *number)
{
    char shifted[48];
    if (number->small < SMALL)
        return has_small(g, number->small);
    if (has(g, number->key) ||
        (number->joined == '/' && has(g, number->first.key) && has(g, number->second.key)))
        return true;
    if (!number->first.hundredths || number->joined)
        return false;
    number_token_shifted(&number->first, -2, shifted);
    return has(g, shifted);
}

/* 1: it is given; 0: it is not, or RDV_E_NOMEM. Most are numbers of calculations, which are read
 * first. */
static int find_given(given_numbers *g, const stated_number *number)
{
    if (read_pending(g, &g->calculations, next_in_digits) < 0)
        return RDV_E_NOMEM;
    if (!is_given(g, number) && read_pending(g, &g->texts, next_number) < 0)
        return RDV_E_NOMEM;
    return is_given(g, number);
}

/* ---- what states it -------------------------------------------------------------------------- */

static bool is_layout(char c)
{
    return c && strchr(" $({*~", c);
}

/* With the minus sign before it. */
static size_t signed_begin(rdv_str s, size_t begin)
{
    size_t at = begin > 0 && s.p[begin - 1] == '$' ? begin - 1 : begin;
    bool minus = at > 0 && s.p[at - 1] == '-' && (at == 1 || is_layout(s.p[at - 2]));
    return minus ? at - 1 : begin;
}

/* Does the number belong to an expression of letters or to a longer one: 2x, 3 * y, 4^n, 5th? */
static bool goes_on(rdv_str s, size_t end)
{
    static const char *const operators[] = {"\xc3\x97", "\xc3\xb7", "\xc2\xb7", "\xe2\x88\x92"};
    size_t i = end;
    if (i < s.len && (rdv_is_alpha(s.p[i]) || strchr("_^!", s.p[i])))
        return true;
    while (i < s.len && is_layout(s.p[i]))
        i++;
    if (i >= s.len)
        return false;
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(operators[k])))
            return true;
    if (s.p[i] == '\\')
        return i + 1 < s.len && rdv_is_alpha(s.p[i + 1]) &&
               !rdv_starts(rdv_slice(s, i + 1, s.len), RDV_STR("text"));
    bool letter = rdv_is_alpha(s.p[i]) && (i + 1 == s.len || !rdv_is_alnum(s.p[i + 1]));
    return strchr("+-*/^!_", s.p[i]) != NULL || (letter && !strchr("hmsgLJNWVAKC", s.p[i]));
}

/* The name before a sign of equality is of words, "Total cost = 9": an equality of letters is
 * derived, and says what its equations say. */
static bool is_named_in_words(rdv_str s, size_t sign)
{
    size_t words = 0;
    for (size_t i = sign; i > 0 && sign - i < LEFT_SIDE && !strchr(".,;:=\n", s.p[i - 1]); i--) {
        unsigned char c = (unsigned char)s.p[i - 1];
        if (c >= 0x80 || strchr("\\_^(", c))
            return false;
        bool alpha = rdv_is_alpha(s.p[i - 1]), before = i > 1 && rdv_is_alpha(s.p[i - 2]);
        bool behind = i < sign && rdv_is_alpha(s.p[i]);
        if (alpha && !before && !behind)
            return false;
        words += alpha && !before;
    }
    return words > 0;
}

static bool is_stated(rdv_str s, size_t begin, size_t end)
{
    size_t sign = begin;
    while (sign > 0 && is_layout(s.p[sign - 1]))
        sign--;
    bool equal = sign > 0 && s.p[sign - 1] == '=' && !(sign > 1 && strchr("<>!=", s.p[sign - 2]));
    return equal && is_named_in_words(s, sign - 1) ? !assertion_not_of_number(s, begin, end, false)
                                                   : assertion_states_number(s, begin, end);
}

/* Which sign of comparison may stand before byte `at`: the rows say which signs are. */
typedef enum sign_before { SIGN_NONE, SIGN_ORDER, SIGN_OTHER } sign_before;

static sign_before sign_at(rdv_str s, size_t at)
{
    while (at > 0 && is_layout(s.p[at - 1]))
        at--;
    rdv_str before = rdv_slice(s, 0, at);
    size_t begin = at;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    if (rdv_ends(before, RDV_STR("<")) || rdv_ends(before, RDV_STR("\xe2\x89\xa4")) ||
        rdv_ends(before, RDV_STR("\xe2\x89\xa5")))
        return SIGN_ORDER;
    if (rdv_ends(before, RDV_STR(">"))) /* not of a mark: "<<3+4=7>>7" */
        return rdv_ends(before, RDV_STR(">>")) ? SIGN_NONE : SIGN_ORDER;
    if (begin < at && begin > 0 && s.p[begin - 1] == '\\')
        return strchr("lg", s.p[begin]) ? SIGN_ORDER : SIGN_OTHER;
    return at > 0 && ((unsigned char)s.p[at - 1] >= 0x80 || s.p[at - 1] == '=') ? SIGN_OTHER
                                                                                : SIGN_NONE;
}

/* Is what stands there compared with the number before it: "7 < 3 + 1 = 4"? */
static bool is_compared(rdv_str s, size_t begin, size_t end)
{
    return sign_at(s, begin) == SIGN_ORDER && assertion_relates_number(s, begin, end);
}

/* What is stated of the number behind a calculation that ends at `from`: "3 + 4 = 7 > 9", "x = 2
 * and x = 4"? given: it is no news, but a comparison with it is. */
static bool is_beside(rdv_str s, size_t from, size_t begin, size_t end, bool given)
{
    return from && begin - from < BESIDE && (!given || sign_at(s, begin) != SIGN_NONE) &&
           assertion_relates_number(s, begin, end);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Where the clause begins that the number stands in, behind the calculation before it. */
static size_t clause_begin(rdv_str s, size_t from, size_t number)
{
    size_t begin = number;
    while (begin > from && (!(strchr(".,;:\n", s.p[begin - 1]) && rdv_is_space(s.p[begin])) ||
                            rdv_ends(rdv_slice(s, 0, begin), RDV_STR("i.e."))))
        begin--;
    while (begin < number && rdv_is_space(s.p[begin]))
        begin++;
    return begin;
}

/* The first statement from `at` to `end`, between calculations. */
static int look_between(given_numbers *g, rdv_str step, size_t at, size_t end,
                        unread_calculation *out)
{
    stated_number number;
    rdv_str text = rdv_slice(step, 0, end);
    size_t from = at; /* of the first number; 0: of no calculation */
    for (size_t i = at; next_in_digits(text, &i, &number);) {
        if (goes_on(step, number.end))
            continue;
        int given = find_given(g, &number);
        if (given < 0)
            return given;
        size_t begin = signed_begin(step, number.begin);
        bool news = is_beside(step, from, begin, number.end, given) ||
                    (!given && is_stated(step, begin, number.end));
        from = 0;
        if (!news)
            continue;
        *out = (unread_calculation){.begin = clause_begin(step, at, number.begin),
                                    .end = number.end,
                                    .reason = RDV_UNREAD_WORDS};
        return RDV_OK;
    }
    return RDV_NONE;
}

int unread_statement(given_numbers *g, rdv_str step, calc_list *calcs, unread_calculation *out)
{
    size_t at = 0;
    int r = RDV_OK;
    for (size_t i = 0; i < calcs->n && r == RDV_OK; i++) {
        const rdv_calc *calc = calc_list_see(calcs, i);
        r = put_off(g, rdv_slice(step, calc->begin, calc->end), &g->calculations);
    }
    for (size_t i = 0; i <= calcs->n && r >= 0; i++) {
        const rdv_calc *calc = i < calcs->n ? calc_list_see(calcs, i) : NULL;
        size_t end = calc ? calc->begin : step.len;
        r = end > at ? look_between(g, step, at, end, out) : RDV_NONE;
        if (r != RDV_NONE)
            return r;
        if (calc && calc->begin >= at && is_compared(step, calc->begin, calc->end)) {
            *out = (unread_calculation){.begin = clause_begin(step, at, calc->begin),
                                        .end = calc->end,
                                        .reason = RDV_UNREAD_WORDS};
            return RDV_OK;
        }
        if (calc && calc->end > at)
            at = calc->end;
    }
    return r;
}

int unread_statement_list(given_numbers *given, rdv_str step, calc_list *calcs, rdv_arena *arena,
                          unread_calculation **unread, size_t *n_unread)
{
    unread_calculation statement;
    int r = unread_statement(given, step, calcs, &statement);
    if (r != RDV_OK)
        return r == RDV_NONE ? RDV_OK : r;
    *unread = RDV_NEW(arena, unread_calculation);
    if (!*unread)
        return RDV_E_NOMEM;
    **unread = statement;
    *n_unread = 1;
    return RDV_OK;
}
