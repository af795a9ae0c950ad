/* SPDX-License-Identifier: Apache-2.0 */
/* An answer is cleaned and taken apart: tuples, sets, lists, unions, and what other files read. */
#include "answer/value.h"

#include "answer/clean.h"
#include "answer/lone_number.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "answer/split.h"
#include "base/arena.h"
#include "base/str.h"

answer_value *value_new(value_reader *r, answer_value from)
{
    answer_value *v = rdv_alloc(r->arena, sizeof *v);
    if (v)
        *v = from;
    else
        rdv_no_memory(r->err);
    return v;
}

int value_push(value_reader *r, values *list, answer_value *v)
{
    if (!RDV_PUSH_ROOM(r->arena, list->at, list->n, list->cap))
        return rdv_no_memory(r->err);
    list->at[list->n++] = v;
    return RDV_OK;
}

int value_push_read(value_reader *r, rdv_str s, unsigned depth, values *list)
{
    answer_value *v;
    int rc = value_read(r, s, depth + 1, &v);
    return rc == RDV_OK ? value_push(r, list, v) : rc == RDV_NONE ? RDV_OK : rc;
}

/* The items of a list into *list; *either: one "or" stands in it. */
static int read_items(value_reader *r, rdv_str s, bool thousands, unsigned depth, values *list,
                      bool *either)
{
    split_list parts = split_list_of(s, thousands);
    rdv_str part;
    char sign;
    int rc = RDV_OK;
    while (rc == RDV_OK && split_next(&parts, &part, &sign)) {
        rc = value_push_read(r, part, depth, list);
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
        return value_read(r, condition, depth + 1, out);
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
        return inside ? value_read(r, inner, depth + 1, out) : RDV_NONE;
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
        answer_squeeze(rdv_buf_str(&raw), &clean);
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
        rc = value_push_read(r, rdv_slice(s, begin, end), depth, &items);
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
    if (!split_is_list(s, true))
        return RDV_NONE;
    values items = {0};
    bool either = false;
    int rc = read_items(r, s, true, depth, &items, &either);
    return rc ? rc : items.n == 0 ? RDV_NONE : value_list_of(r, items, '\0', either, out);
}

/* "1 \pm 2 \mp x" is the list of both. */
static int read_plus_minus(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    size_t at = rdv_find_char(s, RDV_PLUS_MINUS, 0), other = rdv_find_char(s, RDV_MINUS_PLUS, 0);
    if (at == RDV_NOT_FOUND || rdv_find_char(s, RDV_PLUS_MINUS, at + 1) != RDV_NOT_FOUND ||
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
        int rc = value_push_read(r, one, depth, &items);
        if (rc != RDV_OK)
            return rc;
    }
    int rc = value_list_of(r, items, '\0', true, out);
    answer_value *list = rc != RDV_OK ? NULL : (*out)->is == VALUE_NAMED ? (*out)->items[0] : *out;
    if (list && list->is == VALUE_LIST)
        list->spread = true;
    return rc;
}

static int read_congruence(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    (void)depth;
    return value_congruence(r, s, out);
}

/* The answer's own bytes, which are no codes of clean.h. */
static int value_raw(value_reader *r, rdv_str s, answer_value **out)
{
    s = rdv_trim(s);
    answer_value v = {.is = VALUE_EXPRESSION, .text = s, .key = s, .unread = true};
    if (s.len == 0)
        return RDV_NONE;
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

int value_text(value_reader *r, rdv_str s, answer_value **out)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    answer_squeeze_words(s, &b);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(r->err);
    answer_value v = {.is = VALUE_EXPRESSION, .text = s, .key = rdv_buf_str(&b), .unread = true};
    if (v.key.len == 0)
        return RDV_NONE;
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

int value_read(value_reader *r, rdv_str s, unsigned depth, answer_value **out)
{
    static int (*const forms[])(value_reader *, rdv_str, unsigned, answer_value **) = {
        value_number_words, read_brackets,   value_matrix,   read_congruence,
        read_list,          read_plus_minus, value_relation, read_union};
    s = rdv_trim(s);
    while (s.len && s.p[s.len - 1] && strchr(".,;", s.p[s.len - 1]))
        s = rdv_trim(rdv_slice(s, 0, s.len - 1));
    if (s.len == 0)
        return RDV_NONE;
    if (depth >= VALUE_DEPTH_MAX)
        return value_text(r, s, out);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int rc = forms[i](r, s, depth, out);
        if (rc != RDV_NONE)
            return rc;
    }
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

/* "negative 5" and "minus 5 cm" are -5; "$1.5M" is $1.5 million. Other words are as they are. */
static int spelled_out(rdv_str answer, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_str s = rdv_trim(answer);
    size_t word = rdv_istarts(s, RDV_STR("negative ")) ? 9
                  : rdv_istarts(s, RDV_STR("minus "))  ? 6
                                                       : 0;
    rdv_str rest = rdv_trim(rdv_slice(s, word, s.len)), factor = {0};
    bool below = word && (rdv_is_digit(rest.p[0]) || rest.p[0] == '.');
    size_t digits = answer_amount_factor(s, &factor);
    *out = answer;
    if (below)
        *out = rdv_str_printf(arena, "-%.*s", RDV_FMT(rest));
    else if (factor.p)
        *out =
            rdv_str_printf(arena, "%.*s %.*s", RDV_FMT(rdv_slice(s, 0, digits)), RDV_FMT(factor));
    return out->p || !answer.p ? RDV_OK : rdv_no_memory(err);
}

int answer_value_read(rdv_str answer, answer_reading how, rdv_arena *arena,
                      const answer_value **out, rdv_error *err)
{
    value_reader r = {.arena = arena, .err = err, .how = how};
    answer_value *v;
    rdv_buf cleaned;
    bool deep = answer.len > RDV_VALUE_MAX;
    int rc = deep ? RDV_NONE : plain_whole(&r, answer, &v);
    if (rc == RDV_OK)
        *out = v;
    if (rc != RDV_NONE)
        return rc;
    if (!deep && spelled_out(answer, arena, &answer, err))
        return RDV_E_NOMEM;
    rdv_buf_init(&cleaned, arena, 0);
    if (!deep)
        answer_clean(answer, how.shares, &cleaned, &deep);
    if (!rdv_buf_ok(&cleaned))
        return rdv_no_memory(err);
    rc = deep ? RDV_NONE : value_number_words(&r, rdv_trim(answer), 0, &v); /* with "and" */
    if (rc == RDV_NONE)
        rc = deep ? value_raw(&r, answer, &v) : value_read(&r, rdv_buf_str(&cleaned), 0, &v);
    if (rc == RDV_OK)
        *out = v;
    return rc;
}

int answer_number_read(rdv_str answer, answer_reading how, rdv_arena *arena,
                       const answer_value **out, rdv_error *err)
{
    rdv_str number;
    uint64_t part, of;
    if (answer.len <= RDV_VALUE_MAX && spelled_out(answer, arena, &answer, err))
        return RDV_E_NOMEM;
    if (fraction_words_read(rdv_trim(answer), &part, &of))
        return answer_value_read(rdv_trim(answer), how, arena, out, err);
    lone is = answer.len > RDV_VALUE_MAX ? LONE_NO : lone_number(answer, &number);
    if (is == LONE_NO)
        return answer_value_read(answer, how, arena, out, err);
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
    int rc = answer_value_read(number, how, arena, &read, err);
    if (rc != RDV_OK)
        return rc;
    if (!(v = RDV_NEW(arena, answer_value)))
        return rdv_no_memory(err);
    *v = *read;
    v->unit = rdv_slice(answer, (size_t)(number.p - answer.p) + number.len, answer.len);
    *out = v;
    return RDV_OK;
}

int answer_value_key(rdv_str answer, answer_reading how, rdv_arena *arena, rdv_str *key,
                     rdv_error *err)
{
    const answer_value *v;
    int rc = answer_value_read(answer, how, arena, &v, err);
    if (rc == RDV_OK)
        *key = v->key;
    return rc;
}

int answer_number_key(rdv_str answer, answer_reading how, rdv_arena *arena, rdv_str *key,
                      rdv_error *err)
{
    const answer_value *v;
    int rc = answer_number_read(answer, how, arena, &v, err);
    if (rc == RDV_OK)
        *key = v->key;
    return rc;
}
