/* SPDX-License-Identifier: Apache-2.0 */
/* Sides joined by signs: named values, equations, inequalities, congruences. */
#include "answer/clean.h"
#include "answer/name.h"
#include "answer/split.h"
#include "answer/value.h"
#include "base/arena.h"
#include "base/str.h"
#include "algebra/key.h"
#include "algebra/difference.h"

#include <stdlib.h>

#define SIDES_MAX 16
#define NAMES_MAX 64

static const char signs[] = {
    '=', '<', '>', RDV_AT_MOST, RDV_AT_LEAST, RDV_UNEQUAL, RDV_APPROXIMATELY, RDV_IN, '\0'};

typedef struct sides {
    rdv_str at[SIDES_MAX];
    char sign[SIDES_MAX]; /* after the side */
    size_t n;
} sides;

/* RDV_NONE: there is no sign. RDV_E_LIMIT: too many. */
static int read_sides(rdv_str s, sides *out)
{
    out->n = 0;
    for (size_t begin = 0;;) {
        size_t end = split_find(s, signs, begin);
        if (out->n == SIDES_MAX)
            return RDV_E_LIMIT;
        out->at[out->n] = rdv_trim(rdv_slice(s, begin, end));
        out->sign[out->n++] = end == RDV_NOT_FOUND ? '\0' : s.p[end];
        if (end == RDV_NOT_FOUND)
            return out->n > 1 ? RDV_OK : RDV_NONE;
        begin = end + 1;
    }
}

/* "(x, y)": the names, in the arena, *count of them. RDV_NONE: it is none, or one name stands
 * twice. */
static int tuple_names(value_reader *r, rdv_str s, rdv_str **names, size_t *count)
{
    if (!split_is_bracketed(s) || s.p[0] != '(')
        return RDV_NONE;
    split_list parts = split_list_of(rdv_slice(s, 1, s.len - 1), false);
    rdv_str part, *found = NULL;
    size_t n = 0, cap = 0;
    char sign;
    while (split_next(&parts, &part, &sign)) {
        part = rdv_trim(part);
        if (!answer_is_name(part) || n == NAMES_MAX)
            return RDV_NONE;
        for (size_t i = 0; i < n; i++)
            if (rdv_str_eq(found[i], part))
                return RDV_NONE;
        if (!RDV_PUSH_ROOM(r->arena, found, n, cap))
            return rdv_no_memory(r->err);
        found[n++] = part;
    }
    *names = found;
    *count = n;
    return n > 1 ? RDV_OK : RDV_NONE;
}

/* ---- equations and inequalities -------------------------------------------------------------- */

char value_turned(char sign)
{
    switch (sign) {
    case '<':
        return '>';
    case '>':
        return '<';
    case RDV_AT_MOST:
        return RDV_AT_LEAST;
    case RDV_AT_LEAST:
        return RDV_AT_MOST;
    default:
        return sign;
    }
}

static const char *sign_name(char sign)
{
    switch (sign) {
    case '<':
        return "<";
    case '>':
        return ">";
    case RDV_AT_MOST:
        return "<=";
    case RDV_AT_LEAST:
        return ">=";
    case RDV_UNEQUAL:
        return "!=";
    case RDV_APPROXIMATELY:
        return "~";
    case RDV_IN:
        return " in ";
    default:
        return "=";
    }
}

/* "f(2)" is a value of f, not twice f: a letter of its own, "f_{2}". */
static int mask_calls(value_reader *r, rdv_str s, rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    for (size_t i = 0; i < s.len; i++) {
        bool named = s.p[i] && strchr("fghFGHPQ", s.p[i]) &&
                     (i == 0 || !rdv_is_alpha(s.p[i - 1])) && i + 1 < s.len && s.p[i + 1] == '(';
        size_t close = named ? rdv_find_char(s, ')', i) : RDV_NOT_FOUND;
        size_t nested = named ? rdv_find_char(s, '(', i + 2) : RDV_NOT_FOUND;
        if (close == RDV_NOT_FOUND || nested < close) {
            rdv_buf_add_char(&b, s.p[i]);
            continue;
        }
        rdv_buf_printf(&b, "%c_{", s.p[i]);
        for (size_t k = i + 2; k < close; k++)
            if (!rdv_is_space(s.p[k]))
                rdv_buf_add_char(&b, s.p[k]);
        rdv_buf_lit(&b, "}");
        i = close;
    }
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(r->err);
}

/* The key of one side that is no polynomial: its value's. */
static int side_key(value_reader *r, rdv_str s, unsigned depth, rdv_str *key)
{
    answer_value *v;
    int rc = value_read(r, s, depth + 1, &v);
    *key = rc == RDV_OK ? v->key : (rdv_str){"", 0};
    return rc == RDV_NONE ? RDV_OK : rc;
}

/* One relation of two sides, in a form that turning it round and scaling it does not change. */
static int pair_key(value_reader *r, rdv_str a, char sign, rdv_str b, unsigned depth, rdv_str *key)
{
    math_zero zero = {0};
    int rc = math_zero_of(a, b, r->how.work, r->arena, &zero, r->err);
    bool scales = sign == '=' || sign == RDV_UNEQUAL || zero.whole;
    if (rc == RDV_OK && scales && sign != RDV_APPROXIMATELY) {
        *key = rdv_str_printf(r->arena, "%.*s%s0", RDV_FMT(zero.key),
                              sign_name(zero.negative ? value_turned(sign) : sign));
        return key->p ? RDV_OK : rdv_no_memory(r->err);
    }
    rdv_str left, right;
    if (rc >= 0)
        rc = side_key(r, a, depth, &left);
    if (rc == RDV_OK)
        rc = side_key(r, b, depth, &right);
    if (rc != RDV_OK)
        return rc;
    bool swap = sign == '>' || sign == RDV_AT_LEAST ||
                ((sign == '=' || sign == RDV_UNEQUAL) && rdv_str_cmp(left, right) > 0);
    *key =
        rdv_str_printf(r->arena, "(%.*s) %s (%.*s)", RDV_FMT(swap ? right : left),
                       sign_name(swap ? value_turned(sign) : sign), RDV_FMT(swap ? left : right));
    return key->p ? RDV_OK : rdv_no_memory(r->err);
}

/* All of its pairs hold, in any order: "a < b < c" is "b > a and b < c". */
static int relation_of(value_reader *r, rdv_str s, const sides *all, unsigned depth,
                       answer_value **out)
{
    answer_value v = {.is = VALUE_RELATION, .text = s};
    values items = {0};
    rdv_str keys[SIDES_MAX], masked[SIDES_MAX];
    char *between = rdv_alloc(r->arena, all->n);
    if (!between)
        return rdv_no_memory(r->err);
    for (size_t i = 0; i < all->n; i++) {
        answer_value *side;
        int rc = mask_calls(r, all->at[i], &masked[i]);
        if (rc == RDV_OK)
            rc = value_text(r, masked[i], &side);
        if (rc == RDV_OK)
            rc = value_push(r, &items, side);
        if (rc == RDV_OK && i > 0)
            rc = pair_key(r, masked[i - 1], all->sign[i - 1], masked[i], depth, &keys[i - 1]);
        if (rc != RDV_OK)
            return rc;
        between[i] = all->sign[i];
    }
    qsort(keys, all->n - 1, sizeof *keys, rdv_str_order);
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    for (size_t i = 0; i + 1 < all->n; i++) {
        if (i > 0)
            rdv_buf_lit(&b, " & ");
        rdv_buf_add(&b, keys[i]);
    }
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(r->err);
    v.key = rdv_buf_str(&b);
    v.items = items.at;
    v.n = items.n;
    v.signs = between;
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* ---- named values ---------------------------------------------------------------------------- */

/* "(x, y) = (5, 8)": RDV_NONE where the value is no tuple of as many. */
static int read_record(value_reader *r, rdv_str left, rdv_str right, unsigned depth,
                       answer_value **out)
{
    rdv_str *names;
    answer_value *v;
    size_t n;
    int rc = tuple_names(r, left, &names, &n);
    if (rc == RDV_OK)
        rc = value_read(r, right, depth + 1, &v);
    if (rc != RDV_OK)
        return rc;
    return v->is == VALUE_TUPLE && v->n == n ? value_record(r, names, v->items, n, true, out)
                                             : RDV_NONE;
}

/* Which member of "x = 5+5+1 = 11 \approx 11.2" is the value: the last exact one. */
static rdv_str value_side(const sides *all)
{
    for (size_t i = all->n; --i > 0;)
        if (all->sign[i - 1] == '=')
            return all->at[i];
    return all->at[all->n - 1];
}

static int read_named(value_reader *r, const sides *all, unsigned depth, answer_value **out)
{
    rdv_str left = all->at[0], right = value_side(all);
    bool name = left.len == 0 || answer_is_name(left), quantity = !name && answer_is_quantity(left);
    if (all->n == 2 && !name && !quantity && !answer_has_letters(left) && answer_is_name(right)) {
        right = left; /* "5 = x" */
        left = all->at[1];
        name = true;
    }
    if (!name && !quantity && all->n == 2 &&
        (answer_has_letters(left) || answer_has_letters(right)))
        return RDV_NONE; /* "2x + z = 1", "7 = 11a + c"; but "2 + 3 = 5" is 5 */
    answer_value *item;
    int rc = value_read(r, right, depth + 1, &item);
    return rc ? rc : value_named(r, left, item, quantity, out);
}

int value_relation(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    sides all;
    rdv_str *names;
    size_t count;
    int rc = read_sides(s, &all);
    if (rc != RDV_OK)
        return rc == RDV_E_LIMIT ? value_text(r, s, out) : rc;
    bool equal = true;
    for (size_t i = 0; i + 1 < all.n; i++)
        equal = equal && (all.sign[i] == '=' || all.sign[i] == RDV_APPROXIMATELY);
    bool in = all.sign[0] == RDV_IN;
    rc = !in                         ? RDV_NONE
         : answer_is_name(all.at[0]) ? RDV_OK
                                     : tuple_names(r, all.at[0], &names, &count);
    if (rc < 0)
        return rc;
    if (rc == RDV_OK) {
        size_t at = rdv_find_char(s, RDV_IN, 0);
        rc = value_read(r, rdv_slice(s, at + 1, s.len), depth + 1, out);
        if (rc == RDV_OK && answer_is_name(all.at[0]))
            (*out)->letter = all.at[0];
        return rc;
    }
    rc = equal && all.n == 2 ? read_record(r, all.at[0], all.at[1], depth, out) : RDV_NONE;
    if (rc == RDV_NONE && equal)
        rc = read_named(r, &all, depth, out);
    if (rc != RDV_NONE)
        return rc;
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].len == 0)
            return value_text(r, s, out);
    return relation_of(r, s, &all, depth, out);
}

/* ---- congruences ----------------------------------------------------------------------------- */

/* Where "\pmod{m}", "(\mod m)", "(mod m)" begins, and m. */
static bool modulus_of(rdv_str s, size_t *begin, rdv_str *modulus)
{
    size_t at = rdv_find(s, RDV_STR("mod"), 0);
    if (at == RDV_NOT_FOUND || at == 0)
        return false;
    rdv_str rest = rdv_slice(s, at + 3, s.len);
    bool sign = rdv_find_char(s, RDV_CONGRUENT, 0) < at;
    size_t start = at;
    while (start > 0 && s.p[start - 1] && strchr("\\pb( ", s.p[start - 1]))
        start--;
    rdv_str mark = rdv_slice(s, start, at);
    if (!sign && rdv_find_char(mark, '(', 0) == RDV_NOT_FOUND &&
        rdv_find_char(mark, 'p', 0) == RDV_NOT_FOUND)
        return false; /* "17 \bmod 5" is a number */
    rest = rdv_trim(rest);
    while (rest.len && (rest.p[0] == '{' || rest.p[0] == ' '))
        rest = rdv_slice(rest, 1, rest.len);
    while (rest.len && rest.p[rest.len - 1] && strchr("}) ", rest.p[rest.len - 1]))
        rest = rdv_slice(rest, 0, rest.len - 1);
    *begin = start;
    *modulus = rest;
    return rest.len > 0;
}

/* A whole number of at most 18 digits. */
static bool whole_number(rdv_str key, long long *out)
{
    size_t i = rdv_starts(key, RDV_STR("-"));
    long long n = 0;
    if (key.len > i + 18)
        return false;
    for (size_t k = i; k < key.len; k++) {
        if (!rdv_is_digit(key.p[k]))
            return false;
        n = n * 10 + (key.p[k] - '0');
    }
    *out = i ? -n : n;
    return true;
}

int value_congruence(value_reader *r, rdv_str s, answer_value **out)
{
    size_t begin;
    rdv_str modulus;
    if (!modulus_of(s, &begin, &modulus))
        return RDV_NONE;
    size_t sign = rdv_find_char(s, RDV_CONGRUENT, 0);
    rdv_str left = sign == RDV_NOT_FOUND ? (rdv_str){0} : rdv_trim(rdv_slice(s, 0, sign));
    rdv_str right = rdv_slice(s, sign == RDV_NOT_FOUND ? 0 : sign + 1, begin);
    long long residue, m;
    rdv_str a, b;
    if (left.len && !answer_is_name(left))
        return RDV_NONE;
    int rc = math_key(rdv_trim(right), r->how.work, r->arena, &a, r->err);
    if (rc == RDV_OK)
        rc = math_key(modulus, r->how.work, r->arena, &b, r->err);
    if (rc != RDV_OK || !whole_number(a, &residue) || !whole_number(b, &m) || m < 1)
        return rc < 0 ? rc : RDV_NONE;
    residue %= m;
    answer_value v = {.is = VALUE_CONGRUENCE, .text = s};
    v.key = rdv_str_printf(r->arena, "%lld mod %lld", residue < 0 ? residue + m : residue, m);
    if (!v.key.p)
        return rdv_no_memory(r->err);
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}
