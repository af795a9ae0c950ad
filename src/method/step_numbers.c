/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a step, to detect listed calculations that use other numbers. */
#include "method/step_numbers.h"

#include "base/arena.h"
#include "base/str.h"
#include "language/number_words.h"
#include "reply/words.h"

#define MAX_NUMBERS 4096
#define MAX_DIGITS 64

/* ---- one number ------------------------------------------------------------------------------ */

typedef struct digits {
    char at[MAX_DIGITS + 4];
    size_t n, point; /* point: the number of digits before it */
    bool has_point;
} digits;

/* True if a group of three digits follows at `at`, as after the comma of "1,000". */
static bool is_group(rdv_str s, size_t at)
{
    for (size_t i = 0; i < 3; i++)
        if (at + i >= s.len || !rdv_is_digit(s.p[at + i]))
            return false;
    return at + 3 == s.len || !rdv_is_digit(s.p[at + 3]);
}

static bool goes_on(rdv_str s, size_t at, const digits *d)
{
    if (rdv_is_digit(s.p[at]))
        return true;
    if (s.p[at] == '.')
        return !d->has_point && at + 1 < s.len && rdv_is_digit(s.p[at + 1]);
    return s.p[at] == ',' && !d->has_point && d->n > 0 && is_group(s, at + 1);
}

/* The next number at or after *at, which is moved past it. Digits beyond a limit are dropped, so
 * two such numbers may compare equal. */
static bool next_number(rdv_str s, size_t *at, digits *d)
{
    *d = (digits){.n = 0};
    while (*at < s.len && !rdv_is_digit(s.p[*at]) &&
           !(s.p[*at] == '.' && *at + 1 < s.len && rdv_is_digit(s.p[*at + 1])))
        ++*at;
    for (; *at < s.len && goes_on(s, *at, d); ++*at) {
        char c = s.p[*at];
        if (c == '.')
            d->has_point = true;
        else if (c != ',' && d->n < MAX_DIGITS)
            d->at[d->n++] = c;
        if (c != ',' && !d->has_point)
            d->point = d->n;
    }
    return d->n > 0;
}

/* The normal form of a number: no leading zeros, no trailing zeros after the point. */
static rdv_str form_of(const digits *d, rdv_arena *arena)
{
    size_t begin = 0, end = d->n;
    while (begin < d->point && d->at[begin] == '0')
        begin++;
    while (end > d->point && d->at[end - 1] == '0')
        end--;
    rdv_str whole = {d->at + begin, d->point - begin}, part = {d->at + d->point, end - d->point};
    return rdv_str_printf(arena, "%.*s.%.*s", RDV_FMT(whole), RDV_FMT(part));
}

/* Divides by a hundred: "20%" is 0.2. */
static void shift(digits *d)
{
    while (d->point < 2) {
        memmove(d->at + 1, d->at, d->n++);
        d->at[0] = '0';
        d->point++;
    }
    d->point -= 2;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int add(step_numbers *out, rdv_str number, rdv_arena *arena)
{
    if (!number.p)
        return RDV_E_NOMEM;
    if (out->n == MAX_NUMBERS)
        return RDV_OK;
    if (!RDV_PUSH_ROOM(arena, out->at, out->n, out->cap))
        return RDV_E_NOMEM;
    out->at[out->n++] = number;
    return RDV_OK;
}

static int add_words(rdv_str text, rdv_arena *arena, step_numbers *out)
{
    rdv_str word;
    unsigned value;
    int r = RDV_OK;
    for (size_t at = 0; r == RDV_OK && words_next(text, &at, &word, NULL);)
        if (number_word(word, &value) || factor_word(word, &value))
            r = add(out, value ? rdv_str_printf(arena, "%u.", value) : RDV_STR("."), arena);
    return r;
}

static bool is_percent(rdv_str s, size_t at)
{
    while (at < s.len && (s.p[at] == ' ' || s.p[at] == '\\'))
        at++;
    return at < s.len && s.p[at] == '%';
}

int step_numbers_of(rdv_str text, bool words, rdv_arena *arena, step_numbers *out)
{
    digits d;
    int r = RDV_OK;
    *out = (step_numbers){0};
    for (size_t at = 0; r == RDV_OK && next_number(text, &at, &d);) {
        r = add(out, form_of(&d, arena), arena);
        if (r != RDV_OK || !words || !is_percent(text, at))
            continue;
        shift(&d);
        r = add(out, form_of(&d, arena), arena);
        if (r == RDV_OK)
            r = add(out, RDV_STR("100."), arena);
    }
    return r == RDV_OK && words ? add_words(text, arena, out) : r;
}

static bool holds(const step_numbers *numbers, rdv_str form)
{
    for (size_t i = 0; i < numbers->n; i++)
        if (rdv_str_eq(numbers->at[i], form))
            return true;
    return false;
}

int step_numbers_hold(const step_numbers *numbers, rdv_str text, rdv_arena *arena)
{
    digits d;
    for (size_t at = 0; next_number(text, &at, &d);) {
        rdv_str form = form_of(&d, arena);
        if (!form.p)
            return RDV_E_NOMEM;
        if (!holds(numbers, form))
            return 0;
    }
    return 1;
}
