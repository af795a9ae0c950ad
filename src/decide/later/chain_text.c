/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/later/chain_text.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <math.h>

size_t chain_text_first_from(const size_t *places, size_t stride, size_t n, size_t at)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const size_t *place =
            (const size_t *)(const void *)((const char *)places + middle * stride);
        if (*place < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool begins_number(rdv_str s, size_t i)
{
    bool digit =
        rdv_is_digit(s.p[i]) || (s.p[i] == '.' && i + 1 < s.len && rdv_is_digit(s.p[i + 1]));
    return digit &&
           (i == 0 || !(rdv_is_alnum(s.p[i - 1]) || s.p[i - 1] == '.' || s.p[i - 1] == '_'));
}

/* The signed whole number at byte `i`, perhaps in braces; false: there is none. */
static bool read_exponent(rdv_str s, size_t *i, int *out)
{
    size_t k = *i;
    bool brace = k < s.len && s.p[k] == '{', minus = false;
    k += brace;
    if (k < s.len && (s.p[k] == '-' || s.p[k] == '+'))
        minus = s.p[k++] == '-';
    else if (rdv_starts(rdv_slice(s, k, s.len), RDV_STR("\xe2\x88\x92")))
        minus = true, k += 3;
    int n = 0;
    size_t first = k;
    for (; k < s.len && rdv_is_digit(s.p[k]) && k - first < 4; k++)
        n = 10 * n + (s.p[k] - '0');
    if (k == first)
        return false;
    *out = minus ? -n : n;
    *i = k + (brace && k < s.len && s.p[k] == '}');
    return true;
}

/* A power of ten behind a number: "e-15", "x 10^-15", "\times 10^{-15}". */
static size_t read_power(rdv_str s, size_t i, int *out)
{
    static const char *const signs[] = {"\\times", "\\cdot", "\xc3\x97", "\xc2\xb7", "*", "x"};
    size_t k = i;
    if (k < s.len && (s.p[k] == 'e' || s.p[k] == 'E') && ++k && read_exponent(s, &k, out))
        return k;
    for (k = i; k < s.len && s.p[k] == ' ';)
        k++;
    for (size_t n = 0; n < sizeof signs / sizeof *signs; n++) {
        if (k == s.len || s.p[k] != *signs[n])
            continue;
        rdv_str sign = rdv_str_of(signs[n]);
        if (!rdv_starts(rdv_slice(s, k, s.len), sign))
            continue;
        for (k += sign.len; k < s.len && s.p[k] == ' ';)
            k++;
        if (!rdv_starts(rdv_slice(s, k, s.len), RDV_STR("10^")))
            return i;
        k += 3;
        return read_exponent(s, &k, out) ? k : i;
    }
    return i;
}

/* "25e-1". p == NULL: out of memory. */
static rdv_str name_of(rdv_str digits, int power, rdv_arena *arena)
{
    char *p = rdv_alloc(arena, digits.len + 2 + RDV_WHOLE_MOST);
    size_t len = digits.len;
    if (!p)
        return (rdv_str){0};
    memcpy(p, digits.p, len);
    p[len++] = 'e';
    if (power < 0)
        p[len++] = '-';
    len += rdv_write_whole(p + len, power < 0 ? 0u - (unsigned)power : (unsigned)power);
    return (rdv_str){p, len};
}

/* The number that begins at byte `i`; *end becomes the byte behind it. RDV_OK or RDV_E_NOMEM. */
static int read_number(rdv_str s, size_t i, rdv_arena *arena, chain_number *out, size_t *end)
{
    char digits[40];
    size_t n = 0, k = i;
    int decimals = 0, power = 0;
    bool point = false;
    *out = (chain_number){.at = i};
    for (; k < s.len; k++) {
        bool group = s.p[k] == ',' && !point && k + 3 < s.len && rdv_is_digit(s.p[k + 1]) &&
                     rdv_is_digit(s.p[k + 2]) && rdv_is_digit(s.p[k + 3]) &&
                     !(k + 4 < s.len && rdv_is_digit(s.p[k + 4]));
        if (s.p[k] == '.' && !point && k + 1 < s.len && rdv_is_digit(s.p[k + 1])) {
            point = true;
            continue;
        }
        if (!rdv_is_digit(s.p[k]) && !group)
            break;
        if (group)
            continue;
        out->value = 10 * out->value + (s.p[k] - '0');
        decimals += point;
        out->digits += out->digits || s.p[k] != '0';
        if (n + 1 < sizeof digits && (n || s.p[k] != '0'))
            digits[n++] = s.p[k];
    }
    *end = read_power(s, k, &power);
    power -= decimals;
    out->unit = pow(10, power);
    out->value *= out->unit;
    while (n > 1 && digits[n - 1] == '0') /* 2.50 is 2.5 */
        n--, power++;
    out->power = power;
    out->name = name_of((rdv_str){digits, n}, power, arena);
    return out->name.p ? RDV_OK : RDV_E_NOMEM;
}

int chain_number_next(rdv_str s, size_t *i, rdv_arena *arena, chain_number *out)
{
    *out = (chain_number){0};
    while (*i < s.len && !begins_number(s, *i))
        ++*i;
    return *i < s.len ? read_number(s, *i, arena, out, i) : RDV_OK;
}

static int read_numbers(chain_text *t, size_t from)
{
    chain_number n;
    for (size_t i = from;;) {
        if (chain_number_next(t->text, &i, t->arena, &n) < 0)
            return RDV_E_NOMEM;
        if (!n.name.p)
            return RDV_OK;
        if (!RDV_PUSH_ROOM_LARGE(t->arena, t->numbers, t->n_numbers, t->cap_numbers) ||
            rdv_map_put(&t->last, n.name, t->n_numbers) < 0)
            return RDV_E_NOMEM;
        t->numbers[t->n_numbers++] = n;
    }
}

size_t chain_text_last(const chain_text *t, const chain_number *n)
{
    size_t i = rdv_map_get(&t->last, n->name);
    return i == RDV_MAP_MISSING ? 0 : t->numbers[i].at;
}

size_t chain_text_number_from(const chain_text *t, size_t at)
{
    return t->n_numbers
               ? chain_text_first_from(&t->numbers->at, sizeof *t->numbers, t->n_numbers, at)
               : 0;
}

size_t chain_text_step_at(const chain_text *t, size_t at)
{
    return chain_text_first_from(t->begin, sizeof *t->begin, t->n_steps, at + 1) - 1;
}

static int join_steps(const step_calcs *steps, chain_text *t)
{
    rdv_buf b;
    rdv_buf_init(&b, t->arena, 0);
    t->begin = RDV_NEW_ARRAY(t->arena, size_t, t->n_steps);
    if (!t->begin)
        return RDV_E_NOMEM;
    size_t at = 0;
    for (size_t i = 0; i < t->n_steps; i++) {
        t->begin[i] = at;
        rdv_buf_add(&b, steps[i].step);
        rdv_buf_add_char(&b, '\n');
        at += steps[i].step.len + 1;
    }
    t->text = rdv_buf_str(&b);
    return t->text.p ? RDV_OK : RDV_E_NOMEM;
}

int chain_text_read(const step_calcs *steps, size_t n, size_t first, rdv_arena *arena,
                    chain_text *out)
{
    *out = (chain_text){.arena = arena, .n_steps = n};
    rdv_map_init(&out->last, arena);
    if (join_steps(steps, out) < 0)
        return RDV_E_NOMEM;
    return first < n ? read_numbers(out, out->begin[first]) : RDV_OK;
}
