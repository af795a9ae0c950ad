/* SPDX-License-Identifier: Apache-2.0 */
/* An answer is cleaned, taken apart (sets, lists, tuples, intervals, unions, matrices, equations),
 * and its parts are compared as exact mathematics where they can be read so, else as text. */
#include "answer/value.h"

#include <rederive/math.h>

#include "answer/clean.h"
#include "answer/number.h"
#include "answer/unit.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

/* Tuples in sets in lists ... deeper ones are compared as text. */
#define DEPTH_MAX 6

typedef struct keyer {
    rdv_arena *arena;
    rdv_error *err;
} keyer;

typedef struct parts {
    rdv_str *at;
    size_t n, cap;
} parts;

static int key_of(keyer *k, rdv_str s, unsigned depth, rdv_str *key);

static int out_of_memory(keyer *k)
{
    return rdv_no_memory(k->err);
}

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '{' || c == RDV_SET_OPEN;
}

static bool closes(char c)
{
    return c == ')' || c == ']' || c == '}' || c == RDV_SET_CLOSE;
}

/* The byte of the first `what` outside brackets from byte `from` on, or RDV_NOT_FOUND. Any bracket
 * closes any other: half-open intervals mix them. */
static size_t find_outside(rdv_str s, char what, size_t from)
{
    size_t depth = 0;
    for (size_t i = from; i < s.len; i++) {
        if (depth == 0 && s.p[i] == what)
            return i;
        if (opens(s.p[i]))
            depth++;
        else if (closes(s.p[i]) && depth > 0)
            depth--;
    }
    return RDV_NOT_FOUND;
}

/* Is the whole text one pair of brackets? */
static bool is_bracketed(rdv_str s)
{
    size_t depth = 0;
    if (s.len < 2 || !opens(s.p[0]) || !closes(s.p[s.len - 1]))
        return false;
    for (size_t i = 0; i + 1 < s.len; i++) {
        depth += opens(s.p[i]);
        depth -= closes(s.p[i]);
        if (depth == 0)
            return false;
    }
    return true;
}

/* Does the comma at byte `i` group thousands: one to three digits before, exactly three after? */
static bool groups_thousands(rdv_str s, size_t i)
{
    size_t before = 0, after = 0;
    while (before < i && before < 4 && rdv_is_digit(s.p[i - before - 1]))
        before++;
    while (i + after + 1 < s.len && after < 4 && rdv_is_digit(s.p[i + after + 1]))
        after++;
    return before >= 1 && before <= 3 && after == 3;
}

/* The part separator outside brackets from `from` on; commas in "1,200" separate only in brackets.
 */
static size_t find_separator(rdv_str s, char separator, bool thousands, size_t from)
{
    size_t i = from;
    while ((i = find_outside(s, separator, i)) != RDV_NOT_FOUND) {
        if (separator != ',' || !thousands || !groups_thousands(s, i))
            return i;
        i++;
    }
    return RDV_NOT_FOUND;
}

static int add_part(keyer *k, parts *p, rdv_str s, unsigned depth)
{
    rdv_str key;
    int rc = key_of(k, s, depth + 1, &key);
    if (rc != RDV_OK)
        return rc == RDV_NONE ? RDV_OK : rc;
    if (!RDV_PUSH_ROOM(k->arena, p->at, p->n, p->cap))
        return out_of_memory(k);
    p->at[p->n++] = key;
    return RDV_OK;
}

/* The keys of the parts of `s`; empty parts are left out. */
static int read_parts(keyer *k, rdv_str s, char separator, bool thousands, unsigned depth, parts *p)
{
    int rc = RDV_OK;
    for (size_t begin = 0; begin <= s.len && rc == RDV_OK;) {
        size_t end = find_separator(s, separator, thousands, begin);
        if (end == RDV_NOT_FOUND)
            end = s.len;
        rc = add_part(k, p, rdv_slice(s, begin, end), depth);
        begin = end + 1;
    }
    return rc;
}

static int by_bytes(const void *a, const void *b)
{
    return rdv_str_cmp(*(const rdv_str *)a, *(const rdv_str *)b);
}

/* Order does not matter, nor does naming one twice. */
static void sort_parts(parts *p)
{
    if (p->n < 2)
        return;
    qsort(p->at, p->n, sizeof *p->at, by_bytes);
    size_t kept = 1;
    for (size_t i = 1; i < p->n; i++)
        if (!rdv_str_eq(p->at[i], p->at[kept - 1]))
            p->at[kept++] = p->at[i];
    p->n = kept;
}

static int join(keyer *k, const parts *p, rdv_str open, rdv_str separator, rdv_str close,
                rdv_str *key)
{
    rdv_buf b;
    rdv_buf_init(&b, k->arena, 0);
    rdv_buf_add(&b, open);
    for (size_t i = 0; i < p->n; i++) {
        if (i > 0)
            rdv_buf_add(&b, separator);
        rdv_buf_add(&b, p->at[i]);
    }
    rdv_buf_add(&b, close);
    if (!rdv_buf_ok(&b))
        return out_of_memory(k);
    *key = rdv_buf_str(&b);
    return RDV_OK;
}

/* A set or plain list: sorted; one element is that element. */
static int key_of_set(keyer *k, parts *p, rdv_str *key)
{
    sort_parts(p);
    if (p->n == 1) {
        *key = p->at[0];
        return RDV_OK;
    }
    return join(k, p, RDV_STR("{"), RDV_STR(","), RDV_STR("}"), key);
}

/* "(1,2)", "[0,1)", "\{1,2\}", with a comma inside; RDV_NONE: it is something else. */
static int key_of_brackets(keyer *k, rdv_str s, unsigned depth, rdv_str *key)
{
    if (!is_bracketed(s))
        return RDV_NONE;
    rdv_str inner = rdv_slice(s, 1, s.len - 1);
    bool set = s.p[0] == RDV_SET_OPEN || s.p[0] == '{';
    if (!set && find_outside(inner, ',', 0) == RDV_NOT_FOUND)
        return RDV_NONE;
    parts p = {0};
    int rc = read_parts(k, inner, ',', false, depth, &p);
    if (rc != RDV_OK)
        return rc;
    return set ? key_of_set(k, &p, key)
               : join(k, &p, rdv_slice(s, 0, 1), RDV_STR(","), rdv_slice(s, s.len - 1, s.len), key);
}

/* What is between \begin{X} and \end{X} of a matrix or vector into *body. A determinant is none. */
static bool is_matrix(rdv_str s, rdv_str *body)
{
    static const char *const names[] = {"{pmatrix}", "{bmatrix}", "{matrix}"};
    rdv_str open = RDV_STR("\\begin"), close = RDV_STR("\\end");
    if (!rdv_starts(s, open))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rdv_str name = rdv_str_of(names[i]);
        size_t begin = open.len + name.len, tail = close.len + name.len;
        if (s.len < begin + tail || !rdv_starts(rdv_slice(s, open.len, s.len), name) ||
            !rdv_ends(s, name) || !rdv_ends(rdv_slice(s, 0, s.len - name.len), close))
            continue;
        *body = rdv_trim(rdv_slice(s, begin, s.len - tail));
        return true;
    }
    return false;
}

static int add_row(keyer *k, parts *rows, rdv_str s, unsigned depth)
{
    parts cells = {0};
    int rc = read_parts(k, s, '&', false, depth, &cells);
    if (rc != RDV_OK)
        return rc;
    if (!RDV_PUSH_ROOM(k->arena, rows->at, rows->n, rows->cap))
        return out_of_memory(k);
    return join(k, &cells, RDV_STR(""), RDV_STR(","), RDV_STR(""), &rows->at[rows->n++]);
}

/* "\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}": row by row. */
static int key_of_matrix(keyer *k, rdv_str s, unsigned depth, rdv_str *key)
{
    rdv_str rest;
    parts rows = {0};
    int rc = RDV_OK;
    if (!is_matrix(s, &rest))
        return RDV_NONE;
    while (rest.len > 0 && rc == RDV_OK) {
        size_t end = find_outside(rest, RDV_ROW, 0);
        end = end == RDV_NOT_FOUND ? rest.len : end;
        rc = add_row(k, &rows, rdv_slice(rest, 0, end), depth);
        rest = rdv_trim(rdv_slice(rest, end + 1, rest.len));
    }
    return rc ? rc : join(k, &rows, RDV_STR("matrix["), RDV_STR(";"), RDV_STR("]"), key);
}

/* "A \cup B" in any order, or "1, 2" in any order. */
static int key_of_list(keyer *k, rdv_str s, unsigned depth, rdv_str *key)
{
    parts p = {0};
    bool is_union = find_outside(s, RDV_UNION, 0) != RDV_NOT_FOUND;
    if (!is_union && find_separator(s, ',', true, 0) == RDV_NOT_FOUND)
        return RDV_NONE;
    int rc = read_parts(k, s, is_union ? RDV_UNION : ',', true, depth, &p);
    if (rc != RDV_OK)
        return rc;
    if (p.n == 0)
        return RDV_NONE;
    if (!is_union)
        return key_of_set(k, &p, key);
    sort_parts(&p);
    return join(k, &p, RDV_STR(""), RDV_STR(" U "), RDV_STR(""), key);
}

/* "1 \pm 2" is the set of both. */
static int key_of_plus_minus(keyer *k, rdv_str s, unsigned depth, rdv_str *key)
{
    size_t at = rdv_find_char(s, RDV_PLUS_MINUS, 0);
    if (at == RDV_NOT_FOUND || rdv_find_char(s, RDV_PLUS_MINUS, at + 1) != RDV_NOT_FOUND)
        return RDV_NONE;
    parts p = {0};
    for (int sign = 0; sign < 2; sign++) {
        rdv_str one = rdv_str_copy(k->arena, s);
        if (!one.p)
            return out_of_memory(k);
        ((char *)one.p)[at] = sign ? '-' : '+';
        int rc = add_part(k, &p, one, depth);
        if (rc != RDV_OK)
            return rc;
    }
    return key_of_set(k, &p, key);
}

/* A name that is given a value: "x", "x_1", "\theta", "f(2)", "Area of ABC". */
static bool is_name(rdv_str s)
{
    size_t words = 0, open = rdv_find_char(s, '(', 0);
    if (open != RDV_NOT_FOUND && is_bracketed(rdv_slice(s, open, s.len)))
        s = rdv_slice(s, 0, open);
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (rdv_is_digit(c) && (i == 0 || (s.p[i - 1] != '_' && s.p[i - 1] != '{')))
            return false;
        if (!rdv_is_alnum(c) && !(c && strchr("_\\(){}' ", c)))
            return false;
        words += rdv_is_alpha(c) && (i == 0 || !rdv_is_alpha(s.p[i - 1]));
    }
    return words > 0;
}

/* "x = 5" is 5; an equation proper keeps both its sides. */
static int key_of_equation(keyer *k, rdv_str s, unsigned depth, rdv_str *key)
{
    size_t in = rdv_find(s, RDV_STR("\\in "), 0), at = find_outside(s, '=', 0);
    if (in != RDV_NOT_FOUND && is_name(rdv_trim(rdv_slice(s, 0, in))))
        return key_of(k, rdv_slice(s, in + 4, s.len), depth + 1, key);
    if (at == RDV_NOT_FOUND)
        return RDV_NONE;
    rdv_str left = rdv_slice(s, 0, at), right = rdv_slice(s, at + 1, s.len);
    if (is_name(rdv_trim(left)))
        return key_of(k, right, depth + 1, key);
    parts p = {0};
    int rc = add_part(k, &p, left, depth);
    if (rc == RDV_OK)
        rc = add_part(k, &p, right, depth);
    return rc ? rc : join(k, &p, RDV_STR(""), RDV_STR("="), RDV_STR(""), key);
}

/* Three letters or more and no sign of mathematics: words, whatever their case. */
static bool is_words(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_alpha(s.p[i]) && s.p[i] != ' ' && s.p[i] != '-' && s.p[i] != '\'')
            return false;
    return s.len >= 3;
}

static int key_of_words(keyer *k, rdv_str s, rdv_str *key)
{
    rdv_str copy = rdv_str_copy(k->arena, s);
    if (!copy.p)
        return out_of_memory(k);
    for (size_t i = 0; i < copy.len; i++)
        ((char *)copy.p)[i] = rdv_lower(copy.p[i]);
    *key = copy;
    return RDV_OK;
}

static int key_of_text(keyer *k, rdv_str s, rdv_str *key)
{
    rdv_buf b;
    rdv_buf_init(&b, k->arena, 0);
    answer_squeeze(s, &b);
    if (!rdv_buf_ok(&b))
        return out_of_memory(k);
    *key = rdv_buf_str(&b);
    return key->len ? RDV_OK : RDV_NONE;
}

/* A number in another base, "52_8" and "52_{8}" alike, is its digits with the base. */
static bool is_based(rdv_str s, rdv_str *digits, rdv_str *base)
{
    size_t mark = rdv_find_char(s, '_', 0);
    if (mark == RDV_NOT_FOUND || mark == 0 || !rdv_is_digit(s.p[0]))
        return false;
    *digits = rdv_slice(s, 0, mark);
    *base = rdv_slice(s, mark + 1, s.len);
    if (is_bracketed(*base))
        *base = rdv_slice(*base, 1, base->len - 1);
    for (size_t i = 0; i < base->len; i++)
        if (!rdv_is_digit(base->p[i]))
            return false;
    for (size_t i = 0; i < mark; i++)
        if (!rdv_is_alnum(s.p[i]) && s.p[i] != '.')
            return false;
    return base->len > 0;
}

/* One value, its unit taken off. */
static int key_of_value(keyer *k, rdv_str s, rdv_str *key)
{
    s = answer_without_unit(s);
    if (is_words(s))
        return key_of_words(k, s, key);
    rdv_str digits, base;
    if (is_based(s, &digits, &base)) {
        *key = rdv_str_printf(k->arena, "%.*s_%.*s", RDV_FMT(digits), RDV_FMT(base));
        return key->p ? RDV_OK : out_of_memory(k);
    }
    int rc = rdv_math_key(s, k->arena, key, k->err);
    return rc == RDV_NONE ? key_of_text(k, s, key) : rc;
}

static int key_of(keyer *k, rdv_str s, unsigned depth, rdv_str *key)
{
    static int (*const forms[])(keyer *, rdv_str, unsigned, rdv_str *) = {
        key_of_brackets, key_of_matrix, key_of_list, key_of_plus_minus, key_of_equation};
    s = rdv_trim(s);
    while (s.len && (s.p[s.len - 1] == '.' || s.p[s.len - 1] == ','))
        s = rdv_trim(rdv_slice(s, 0, s.len - 1));
    if (s.len == 0)
        return RDV_NONE;
    if (depth >= DEPTH_MAX)
        return key_of_text(k, s, key);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int rc = forms[i](k, s, depth, key);
        if (rc != RDV_NONE)
            return rc;
    }
    return key_of_value(k, s, key);
}

int answer_value_key(rdv_str answer, bool keep_percent, rdv_arena *arena, rdv_str *key,
                     rdv_error *err)
{
    keyer k = {arena, err};
    rdv_buf cleaned;
    bool deep = answer.len > RDV_VALUE_MAX;
    rdv_buf_init(&cleaned, arena, 0);
    if (!deep)
        answer_clean(answer, keep_percent, &cleaned, &deep);
    if (!rdv_buf_ok(&cleaned))
        return out_of_memory(&k);
    return deep ? key_of_text(&k, answer, key) : key_of(&k, rdv_buf_str(&cleaned), 0, key);
}

/* The only number of an answer that is a number among words, not part of a formula. */
static bool only_number(rdv_str answer, rdv_str *number)
{
    size_t at = 0;
    rdv_str second;
    if (!answer_next_number(answer, &at, number) || answer_next_number(answer, &at, &second))
        return false;
    size_t begin = (size_t)(number->p - answer.p);
    for (size_t i = 0; i < answer.len; i++) {
        char c = answer.p[i];
        bool outside = i < begin || i >= begin + number->len;
        if (outside && c && (strchr("\\^=_(){}+*/", c) || rdv_is_digit(c)))
            return false;
    }
    return true;
}

int answer_number_key(rdv_str answer, bool keep_percent, rdv_arena *arena, rdv_str *key,
                      rdv_error *err)
{
    rdv_str number;
    if (answer.len <= RDV_VALUE_MAX && only_number(answer, &number))
        answer = number;
    return answer_value_key(answer, keep_percent, arena, key, err);
}
