/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of answers: tuples, sets, lists and unions; matrices; named values, equations,
 * inequalities and congruences. Each holds values in turn. A part that holds none is read by
 * value_single.c. */
#include "grade/value.h"

#include "algebra/difference.h"
#include "algebra/key.h"
#include "algebra/same.h"
#include "answer/lone_number.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "answer/statement.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/grid.h"
#include "grade/name.h"
#include "grade/split.h"
#include "grade/value_build.h"
#include "grade/value_single.h"

#include <inttypes.h>
#include <stdlib.h>

/* Read a cleaned part. RDV_NONE: nothing is left of it. */
static int read_value(value_reader *r, rdv_str s, unsigned depth, answer_value **out);

/* Read a part and push it; nothing left of it is no fault. */
static int push_read(value_reader *r, rdv_str s, unsigned depth, values *list)
{
    answer_value *v;
    int rc = read_value(r, s, depth + 1, &v);
    return rc == RDV_OK ? value_push(r, list, v) : rc == RDV_NONE ? RDV_OK : rc;
}

/* ---- lists, sets, tuples --------------------------------------------------------------------- */

/* The items of a list into *list; *either: one "or" stands in it. */
static int read_items(value_reader *r, rdv_str s, bool thousands, unsigned depth, values *list,
                      bool *either)
{
    split_list parts = split_list_of(s, thousands);
    rdv_str part;
    char sign;
    int rc = RDV_OK;
    while (rc == RDV_OK && split_next(&parts, &part, &sign)) {
        rc = push_read(r, part, depth, list);
        *either = *either || sign == RDV_OR;
    }
    return rc;
}

/* "\{x \mid x > 3\}" is what stands after the bar. */
static bool such_that(rdv_str inner, rdv_str *condition)
{
    static const char signs[] = {RDV_SUCH_THAT, ':', '|', '\0'};
    size_t at = split_find(inner, signs, 0);
    if (at == RDV_NOT_FOUND || at == 0)
        return false;
    for (size_t i = 0; i < at; i++) {
        char c = inner.p[i];
        if (!rdv_is_alpha(c) && c != ' ' && c != RDV_IN && !(c && strchr("\\{}_", c)))
            return false;
    }
    rdv_str from = rdv_slice(inner, 0, at);
    size_t in = rdv_find_char(from, RDV_IN, 0);
    static const char *const reals[] = {"R", "\\R", "\\mathbb{R}", "\\mathbb R", "\\mathbf{R}"};
    if (in != RDV_NOT_FOUND && rdv_named(rdv_trim(rdv_slice(from, in + 1, at)), reals, 5) < 0)
        return false; /* whole numbers, and such */
    *condition = rdv_slice(inner, at + 1, inner.len);
    return true;
}

/* A set whose only element is a set is not that set: "\{\emptyset\}" has an element. */
static int set_of_set(value_reader *r, const values *items, answer_value **out)
{
    answer_value v = {.is = VALUE_LIST, .open = RDV_SET_OPEN, .items = items->at, .n = items->n};
    int rc = value_join(r, items, false, RDV_STR("{"), RDV_STR(","), RDV_STR("}"), &v.key);
    v.text = v.key;
    return rc ? rc : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

static int read_set(value_reader *r, rdv_str s, rdv_str inner, unsigned depth, answer_value **out)
{
    static const char nested[] = {RDV_SET_OPEN, RDV_EMPTY_SET, '\0'};
    values items = {0};
    bool either = false;
    rdv_str condition;
    if (s.p[0] == RDV_SET_OPEN && such_that(inner, &condition))
        return read_value(r, condition, depth + 1, out);
    int rc = read_items(r, inner, false, depth, &items, &either);
    rdv_str first = rdv_trim(inner);
    bool of_set = items.n == 1 && strchr(nested, first.p[0]);
    if (rc == RDV_OK && of_set && s.p[0] == RDV_SET_OPEN)
        return set_of_set(r, &items, out);
    return rc ? rc : value_list_of(r, items, s.p[0], false, out);
}

/* "(1,2)", "[0,1)", "\{1,2\}". */
static int read_brackets(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    if (!split_is_bracketed(s))
        return RDV_NONE;
    rdv_str inner = rdv_slice(s, 1, s.len - 1);
    if (s.p[0] == RDV_SET_OPEN || s.p[0] == '{')
        return read_set(r, s, inner, depth, out);
    if (!split_is_list(inner, false)) {
        static const char sets[] = {RDV_UNION, RDV_WITHOUT, RDV_INTERSECTION, '\0'};
        bool inside = rdv_starts(rdv_trim(inner), RDV_STR("\\begin")) ||
                      split_find(inner, sets, 0) != RDV_NOT_FOUND;
        return inside ? read_value(r, inner, depth + 1, out) : RDV_NONE;
    }
    values items = {0};
    bool either = false;
    int rc = read_items(r, inner, false, depth, &items, &either);
    answer_value v = {.is = VALUE_TUPLE, .text = s, .open = s.p[0], .close = s.p[s.len - 1]};
    if (rc == RDV_OK)
        rc = value_join(r, &items, false, rdv_slice(s, 0, 1), RDV_STR(","),
                        rdv_slice(s, s.len - 1, s.len), &v.key);
    v.items = items.at;
    v.n = items.n;
    return rc ? rc : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* The key of sets that are not only united: in their order. */
static int mixed_key(value_reader *r, const values *items, const char *signs, rdv_str *key)
{
    rdv_buf raw, clean;
    rdv_buf_init(&raw, r->arena, 0);
    rdv_buf_init(&clean, r->arena, 0);
    for (size_t i = 0; i < items->n; i++) {
        if (i > 0)
            rdv_buf_add_char(&raw, signs[i - 1]);
        rdv_buf_add(&raw, items->at[i]->key);
    }
    if (rdv_buf_ok(&raw))
        clean_squeeze(rdv_buf_str(&raw), &clean);
    if (!rdv_buf_ok(&raw) || !rdv_buf_ok(&clean))
        return rdv_no_memory(r->err);
    *key = rdv_buf_str(&clean);
    return RDV_OK;
}

/* "A \cup B \setminus C". */
static int read_union(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    static const char signs[] = {RDV_UNION, RDV_WITHOUT, RDV_INTERSECTION, '\0'};
    size_t end = split_find(s, signs, 0);
    if (end == RDV_NOT_FOUND)
        return RDV_NONE;
    values items = {0};
    rdv_buf between;
    rdv_buf_init(&between, r->arena, 0);
    bool joined = true; /* by \cup alone: in any order */
    int rc = RDV_OK;
    for (size_t begin = 0; rc == RDV_OK; begin = end + 1) {
        end = split_find(s, signs, begin);
        size_t before = items.n;
        rc = push_read(r, rdv_slice(s, begin, end), depth, &items);
        if (items.n == before)
            return rc ? rc : RDV_NONE;
        if (end == RDV_NOT_FOUND)
            break;
        joined = joined && s.p[end] == RDV_UNION;
        rdv_buf_add_char(&between, s.p[end]);
    }
    answer_value v = {.is = VALUE_UNION, .text = s, .items = items.at, .n = items.n};
    if (rc == RDV_OK && !rdv_buf_ok(&between))
        rc = rdv_no_memory(r->err);
    v.signs = rdv_buf_str(&between).p;
    if (rc == RDV_OK && joined)
        rc = value_join(r, &items, true, RDV_STR(""), RDV_STR(" U "), RDV_STR(""), &v.key);
    else if (rc == RDV_OK)
        rc = mixed_key(r, &items, v.signs, &v.key);
    return rc ? rc : (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* "1, 2" in any order. */
static int read_list(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    size_t sign = rdv_starts(s, RDV_STR("-"));
    bool foreign = rdv_find_char(s, '.', 0) < rdv_find_char(s, ',', 0) && s.len > sign &&
                   answer_foreign_number_end(s, sign) == s.len; /* "1.500,00" */
    if (foreign || !split_is_list(s, true))
        return RDV_NONE;
    values items = {0};
    bool either = false;
    int rc = read_items(r, s, true, depth, &items, &either);
    return rc ? rc : items.n == 0 ? RDV_NONE : value_list_of(r, items, '\0', either, out);
}

/* Does byte `i` belong to an item of a set, "S = {0, \\pm 1}", and not to all of it? */
static bool is_of_item(rdv_str s, size_t i)
{
    size_t begin = i, depth = 0;
    while (begin > 0 && s.p[begin - 1] != '{' && s.p[begin - 1] != RDV_SET_OPEN)
        begin--;
    bool item = false;
    for (size_t k = begin; begin && k < s.len && !item; k++) {
        depth += s.p[k] && strchr("({[", s.p[k]);
        if ((strchr(")}]", s.p[k]) || s.p[k] == RDV_SET_CLOSE) && depth-- == 0)
            break;
        item = s.p[k] == ',' && depth == 0;
    }
    return item;
}

/* "1 \pm 2 \mp x" is the list of both. */
static int read_plus_minus(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    size_t at = rdv_find_char(s, RDV_PLUS_MINUS, 0), other = rdv_find_char(s, RDV_MINUS_PLUS, 0);
    if (at == RDV_NOT_FOUND || rdv_find_char(s, RDV_PLUS_MINUS, at + 1) != RDV_NOT_FOUND ||
        is_of_item(s, at) ||
        (other != RDV_NOT_FOUND && rdv_find_char(s, RDV_MINUS_PLUS, other + 1) != RDV_NOT_FOUND))
        return RDV_NONE;
    values items = {0};
    for (int sign = 0; sign < 2; sign++) {
        rdv_str one = rdv_str_copy(r->arena, s);
        if (!one.p)
            return rdv_no_memory(r->err);
        ((char *)one.p)[at] = sign ? '-' : '+';
        if (other != RDV_NOT_FOUND)
            ((char *)one.p)[other] = sign ? '+' : '-';
        int rc = push_read(r, one, depth, &items);
        if (rc != RDV_OK)
            return rc;
    }
    int rc = value_list_of(r, items, '\0', true, out);
    answer_value *list = rc != RDV_OK ? NULL : (*out)->is == VALUE_NAMED ? (*out)->items[0] : *out;
    if (list && list->is == VALUE_LIST)
        list->spread = true;
    return rc;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static int matrix_of(value_reader *r, const grid *g, unsigned depth, rdv_str s, answer_value **out)
{
    answer_value v = {.is = VALUE_MATRIX, .text = s, .columns = g->columns};
    values items = {0};
    rdv_buf key;
    rdv_buf_init(&key, r->arena, 0);
    rdv_buf_lit(&key, "matrix[");
    for (size_t i = 0; i < g->n; i++) {
        answer_value *cell;
        int rc = read_value(r, g->at[i], depth + 1, &cell);
        if (rc == RDV_NONE) {
            cell = value_new(r, (answer_value){.is = VALUE_WORDS});
            rc = cell ? RDV_OK : RDV_E_NOMEM;
        }
        if (rc == RDV_OK)
            rc = value_push(r, &items, cell);
        if (rc != RDV_OK)
            return rc;
        if (i > 0)
            rdv_buf_add_char(&key, i % g->columns ? ',' : ';');
        rdv_buf_add(&key, cell->key);
    }
    rdv_buf_lit(&key, "]");
    if (!rdv_buf_ok(&key))
        return rdv_no_memory(r->err);
    v.key = rdv_buf_str(&key);
    v.items = items.at;
    v.n = items.n;
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* The rows of a system are a list. */
static int read_cases(value_reader *r, rdv_str body, unsigned depth, answer_value **out)
{
    static const char row[] = {RDV_ROW, '\0'};
    values items = {0};
    int rc = split_find(body, "&", 0) == RDV_NOT_FOUND ? RDV_OK : RDV_NONE;
    for (size_t begin = 0; begin <= body.len && rc == RDV_OK;) {
        size_t end = split_find(body, row, begin);
        rc = push_read(r, rdv_slice(body, begin, end), depth, &items);
        begin = end == RDV_NOT_FOUND ? body.len + 1 : end + 1;
    }
    return rc ? rc : items.n == 0 ? RDV_NONE : value_list_of(r, items, '\0', false, out);
}

static int read_matrix(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    rdv_str name, body;
    size_t end;
    grid g;
    if (!grid_is_in(s))
        return RDV_NONE;
    if (grid_block(s, &name, &body, &end) && end == s.len && rdv_str_eq(name, RDV_STR("cases")))
        return read_cases(r, body, depth, out);
    int rc = grid_read(r, s, &g);
    return rc ? rc : matrix_of(r, &g, depth, s, out);
}

/* ---- relations ------------------------------------------------------------------------------- */

#define SIDES_MAX 16
#define NAMES_MAX 64

static const char relation_signs[] = {
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
        size_t end = split_find(s, relation_signs, begin);
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
        if (!name_is_plain(part) || n == NAMES_MAX)
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
    int rc = read_value(r, s, depth + 1, &v);
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
        rc = read_value(r, right, depth + 1, &v);
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

/* Is a larger than b by at most half a digit at so many places? */
static int is_within_half(value_reader *r, rdv_str a, rdv_str b, int places, bool *is)
{
    int order = 1, rc;
    rdv_str gap = rdv_str_printf(r->arena, "(%.*s)-(%.*s)", RDV_FMT(a), RDV_FMT(b));
    rdv_str half = rdv_str_printf(r->arena, "0.%0*d5", places, 0);
    rc = !gap.p || !half.p ? rdv_no_memory(r->err)
                           : math_order(gap, half, r->how.work, r->arena, &order, r->err);
    *is = rc == RDV_OK && order <= 0;
    return rc == RDV_NONE ? RDV_OK : rc;
}

/* Does a value lie within half a digit of the decimal that is shown for it? */
static int is_rounded(value_reader *r, rdv_str value, rdv_str shown, bool *is)
{
    size_t point = rdv_find_char(shown, '.', 0), end = rdv_skip_digits(shown, point + 1);
    int places = (int)(end - point - 1);
    int rc = is_within_half(r, value, shown, places, is);
    return rc == RDV_OK && *is ? is_within_half(r, shown, value, places, is) : rc;
}

/* Are both sides without letters, and proved to be two values: "7 = 8", "2 + 2 = 5"? A decimal may
 * be rounded: "1/3 = 0.33". */
static int is_false(value_reader *r, rdv_str left, rdv_str right, bool *is)
{
    math_sameness s = {0};
    size_t point = rdv_find_char(right, '.', 0);
    bool decimal = point != RDV_NOT_FOUND && rdv_is_digit(rdv_char_at(right, point + 1)) &&
                   right.len - point < 100,
         rounded = false;
    int rc = left.len && !name_has_letters(left) && !name_has_letters(right)
                 ? math_same(left, right, r->how.work, &s, r->err)
                 : RDV_NONE;
    *is = rc == RDV_OK && s.is == MATH_DIFFERENT;
    if (*is && decimal && rdv_find_char(left, '.', 0) == RDV_NOT_FOUND) {
        rc = is_rounded(r, left, right, &rounded);
        *is = !rounded;
    }
    return rc == RDV_NONE ? RDV_OK : rc;
}

/* Are its letters i and e, the constants, alone? */
static bool has_constants_alone(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        size_t begin = i;
        while (i < s.len && rdv_is_alpha(s.p[i]))
            i++;
        bool command = begin > 0 && s.p[begin - 1] == '\\';
        if (i > begin && !command && (i > begin + 1 || !strchr("ie", s.p[begin])))
            return false;
    }
    return true;
}

/* Is an equation of constants, "i^2 = -1", proved: is it its right side? */
static int is_proved(value_reader *r, rdv_str left, rdv_str right, bool *is)
{
    math_sameness s = {0};
    int rc = has_constants_alone(left) && has_constants_alone(right)
                 ? math_same(left, right, r->how.work, &s, r->err)
                 : RDV_NONE;
    bool imaginary = s.assumption && strncmp(s.assumption, "i ", 2) == 0;
    *is = rc == RDV_OK && s.is == MATH_SAME && (!s.assumption || imaginary) && !s.narrower;
    return rc == RDV_NONE ? RDV_OK : rc;
}

static int read_named(value_reader *r, const sides *all, unsigned depth, answer_value **out)
{
    rdv_str left = all->at[0], right = value_side(all);
    bool name = left.len == 0 || name_is_plain(left), quantity = !name && name_is_quantity(left);
    if (all->n == 2 && !name && !quantity && !name_has_letters(left) && name_is_plain(right)) {
        right = left; /* "5 = x" */
        left = all->at[1];
        name = true;
    }
    bool proved = true, false_sum = false;
    int rc = RDV_OK;
    if (!name && !quantity && all->n == 2 && (name_has_letters(left) || name_has_letters(right)))
        rc = is_proved(r, left, right, &proved);
    if (rc != RDV_OK || !proved)
        return rc ? rc : RDV_NONE; /* "2x + z = 1", "7 = 11a + c"; but "2 + 3 = 5" is 5 */
    answer_value *item;
    rc =
        all->n == 2 && all->sign[0] == '=' && !name ? is_false(r, left, right, &false_sum) : RDV_OK;
    if (rc != RDV_OK || false_sum)
        return rc ? rc : RDV_NONE; /* "7 = 8" is no 8 */
    rc = read_value(r, right, depth + 1, &item);
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
    rc = !in                        ? RDV_NONE
         : name_is_plain(all.at[0]) ? RDV_OK
                                    : tuple_names(r, all.at[0], &names, &count);
    if (rc < 0)
        return rc;
    if (rc == RDV_OK) {
        size_t at = rdv_find_char(s, RDV_IN, 0);
        rc = read_value(r, rdv_slice(s, at + 1, s.len), depth + 1, out);
        if (rc == RDV_OK && name_is_plain(all.at[0]))
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

static int read_congruence(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    (void)depth;
    size_t begin;
    rdv_str modulus;
    if (!modulus_of(s, &begin, &modulus))
        return RDV_NONE;
    size_t sign = rdv_find_char(s, RDV_CONGRUENT, 0);
    rdv_str left = sign == RDV_NOT_FOUND ? (rdv_str){0} : rdv_trim(rdv_slice(s, 0, sign));
    rdv_str right = rdv_slice(s, sign == RDV_NOT_FOUND ? 0 : sign + 1, begin);
    long long residue, m;
    rdv_str a, b;
    if (left.len && !name_is_plain(left))
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

/* ---- a part, and the whole ------------------------------------------------------------------- */

static int read_value(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    static int (*const forms[])(value_reader *, rdv_str, unsigned, answer_value **) = {
        read_brackets,   read_matrix,    read_congruence, read_list,
        read_plus_minus, value_relation, read_union};
    s = rdv_trim(s);
    while (s.len && s.p[s.len - 1] && strchr(".,;", s.p[s.len - 1]))
        s = rdv_trim(rdv_slice(s, 0, s.len - 1));
    if (s.len == 0)
        return RDV_NONE;
    if (depth >= VALUE_DEPTH_MAX)
        return value_text(r, s, out);
    int rc = value_number_words(r, s, out);
    for (size_t i = 0; rc == RDV_NONE && i < sizeof forms / sizeof *forms; i++)
        rc = forms[i](r, s, depth, out);
    if (rc != RDV_NONE)
        return rc;
    return value_single(r, s, out);
}

/* "42" and "$-42$", as most answers are written: the number is its own text and key. */
static int plain_whole(value_reader *r, rdv_str s, answer_value **out)
{
    s = rdv_trim(s);
    if (s.len > 2 && s.p[0] == '$' && s.p[s.len - 1] == '$')
        s = rdv_trim(rdv_slice(s, 1, s.len - 1));
    size_t first = s.len > 1 && s.p[0] == '-';
    if (s.len == first || (s.p[first] == '0' && s.len > 1))
        return RDV_NONE;
    for (size_t i = first; i < s.len; i++)
        if (!rdv_is_digit(s.p[i]))
            return RDV_NONE;
    answer_value v = {.is = VALUE_EXPRESSION, .text = s, .key = s};
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* "negative 5" and "minus 5 cm" are -5; "$1.5M" is $1.5 million; "two weeks" are 2 weeks. Other
 * words are as they are. */
static int spelled_out(rdv_str answer, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_str s = rdv_trim(answer);
    size_t word = rdv_istarts(s, RDV_STR("negative ")) ? 9
                  : rdv_istarts(s, RDV_STR("minus "))  ? 6
                                                       : 0;
    rdv_str rest = rdv_trim(rdv_slice(s, word, s.len)), factor = {0};
    bool below = word && (rdv_is_digit(rest.p[0]) || rest.p[0] == '.');
    uint64_t part, of;
    rdv_str thing;
    int rc = measure_sum(s, arena, out, err);
    if (rc != RDV_NONE)
        return rc;
    bool mixed = rest.len && rdv_is_digit(rest.p[0]) && !below &&
                 rdv_find(rest, RDV_STR(" and "), 0) != RDV_NOT_FOUND; /* "3 and 1/2 hours" */
    if (!below && rest.len && (rdv_is_alpha(rest.p[0]) || mixed) &&
        counted_words_read(rest, &part, &of, &thing)) {
        *out = of == 1 ? rdv_str_printf(arena, "%s%" PRIu64 " %.*s", word ? "-" : "", part,
                                        RDV_FMT(thing))
                       : rdv_str_printf(arena, "%s%" PRIu64 "/%" PRIu64 " %.*s", word ? "-" : "",
                                        part, of, RDV_FMT(thing));
        return out->p ? RDV_OK : rdv_no_memory(err);
    }
    size_t digits = answer_amount_factor(s, &factor);
    *out = answer;
    if (below)
        *out = rdv_str_printf(arena, "-%.*s", RDV_FMT(rest));
    else if (factor.p)
        *out =
            rdv_str_printf(arena, "%.*s %.*s", RDV_FMT(rdv_slice(s, 0, digits)), RDV_FMT(factor));
    return out->p || !answer.p ? RDV_OK : rdv_no_memory(err);
}

int value_read(rdv_str answer, answer_reading how, rdv_arena *arena, const answer_value **out,
               rdv_error *err)
{
    value_reader r = {.arena = arena, .err = err, .how = how};
    answer_value *v;
    rdv_buf cleaned;
    bool deep = answer.len > RDV_VALUE_MAX || statement_is_prose(answer);
    int rc = deep ? RDV_NONE : plain_whole(&r, answer, &v);
    if (rc == RDV_OK)
        *out = v;
    if (rc != RDV_NONE)
        return rc;
    if (!deep && spelled_out(answer, arena, &answer, err))
        return RDV_E_NOMEM;
    rdv_buf_init(&cleaned, arena, 0);
    if (!deep)
        clean_answer(answer, how.shares, &cleaned, &deep);
    if (!rdv_buf_ok(&cleaned))
        return rdv_no_memory(err);
    rc = deep ? RDV_NONE : value_number_words(&r, rdv_trim(answer), &v); /* with "and" */
    if (rc == RDV_NONE)
        rc = deep ? value_raw(&r, answer, &v) : read_value(&r, rdv_buf_str(&cleaned), 0, &v);
    if (rc == RDV_OK)
        *out = v;
    return rc;
}

int value_read_number(rdv_str answer, answer_reading how, rdv_arena *arena,
                      const answer_value **out, rdv_error *err)
{
    rdv_str number;
    uint64_t part, of;
    if (answer.len <= RDV_VALUE_MAX && spelled_out(answer, arena, &answer, err))
        return RDV_E_NOMEM;
    if (fraction_words_read(rdv_trim(answer), &part, &of))
        return value_read(rdv_trim(answer), how, arena, out, err);
    lone is = answer.len > RDV_VALUE_MAX ? LONE_NO : lone_number(answer, &number);
    if (is == LONE_NO)
        return value_read(answer, how, arena, out, err);
    answer_value *v;
    if (is == LONE_CHANGED) {
        value_reader r = {.arena = arena, .err = err, .how = how};
        int code = value_raw(&r, answer, &v);
        if (code == RDV_OK)
            v->text = (rdv_str){0}; /* as a formula, "3 M" would be a product */
        *out = code == RDV_OK ? v : *out;
        return code;
    }
    const answer_value *read;
    int rc = value_read(number, how, arena, &read, err);
    if (rc != RDV_OK)
        return rc;
    if (!(v = RDV_NEW(arena, answer_value)))
        return rdv_no_memory(err);
    *v = *read;
    v->unit = rdv_slice(answer, (size_t)(number.p - answer.p) + number.len, answer.len);
    *out = v;
    return RDV_OK;
}

int value_key(rdv_str answer, answer_reading how, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    const answer_value *v = NULL;
    int rc = value_read(answer, how, arena, &v, err);
    if (rc == RDV_OK)
        *key = v->key;
    return rc;
}

int value_number_key(rdv_str answer, answer_reading how, rdv_arena *arena, rdv_str *key,
                     rdv_error *err)
{
    const answer_value *v;
    int rc = value_read_number(answer, how, arena, &v, err);
    if (rc == RDV_OK)
        *key = v->key;
    return rc;
}
