/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/value_build.h"

#include "answer/announcement.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/name.h"

#include <stdlib.h>

/* ---- one value ------------------------------------------------------------------------------- */

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

int value_raw(value_reader *r, rdv_str s, answer_value **out)
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
    clean_squeeze_words(s, &b);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(r->err);
    answer_value v = {.is = VALUE_EXPRESSION, .text = s, .key = rdv_buf_str(&b), .unread = true};
    if (v.key.len == 0)
        return RDV_NONE;
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* Keep each of the sorted keys once. */
static size_t keep_once(rdv_str *keys, size_t n)
{
    if (n < 2)
        return n;
    size_t kept = 1;
    for (size_t i = 1; i < n; i++)
        if (!rdv_str_eq(keys[i], keys[kept - 1]))
            keys[kept++] = keys[i];
    return kept;
}

/* Does a number stand twice among them, sorted by keys? It may be a root of multiplicity two; a
 * tuple or an interval is only written twice. */
static bool repeats(const values *items, const rdv_str *keys)
{
    for (size_t i = 0; i < items->n; i++)
        if (items->at[i]->is != VALUE_EXPRESSION)
            return false;
    for (size_t i = 1; i < items->n; i++)
        if (rdv_str_eq(keys[i], keys[i - 1]))
            return true;
    return false;
}

static int join_keys(value_reader *r, const rdv_str *keys, size_t n, rdv_str open,
                     rdv_str separator, rdv_str close, rdv_str *key)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    rdv_buf_add(&b, open);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            rdv_buf_add(&b, separator);
        rdv_buf_add(&b, keys[i]);
    }
    rdv_buf_add(&b, close);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(r->err);
    *key = rdv_buf_str(&b);
    return RDV_OK;
}

static rdv_str *keys_of(value_reader *r, answer_value *const *items, size_t n)
{
    rdv_str *keys = RDV_NEW_ARRAY(r->arena, rdv_str, n + 1);
    for (size_t i = 0; keys && i < n; i++)
        keys[i] = items[i]->key;
    if (!keys)
        rdv_no_memory(r->err);
    return keys;
}

int value_join(value_reader *r, const values *list, bool sorted, rdv_str open, rdv_str separator,
               rdv_str close, rdv_str *key)
{
    rdv_str *keys = keys_of(r, list->at, list->n);
    if (!keys)
        return RDV_E_NOMEM;
    if (sorted)
        qsort(keys, list->n, sizeof *keys, rdv_str_order);
    size_t n = sorted ? keep_once(keys, list->n) : list->n;
    return join_keys(r, keys, n, open, separator, close, key);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Does the name say no more than its value alone: x of a number, y and f(x) of a formula in x, or
 * the left side of a calculation? Every other name is a part of the key. */
static bool is_usual(rdv_str name, const answer_value *item)
{
    static const char *const of_x[] = {"y", "f(x)"};
    if (!name_is_plain(name))
        return true;
    if (item->is == VALUE_EXPRESSION && name_has_letters(item->text))
        return rdv_named(name, of_x, 2) >= 0 && rdv_find_char(item->text, 'x', 0) != RDV_NOT_FOUND;
    return rdv_str_eq(name, RDV_STR("x"));
}

/* "x" of "which finally gives x": the name behind the last of the words that lead to one. */
static rdv_str without_lead(rdv_str name)
{
    size_t begin = 0;
    for (size_t i = 0, end; i < name.len; i = end + 1) {
        end = rdv_skip_letters(name, i);
        if (end >= name.len || name.p[end] != ' ')
            break;
        if (answer_class_has(CLASS_NAME_LEAD, rdv_slice(name, i, end)))
            begin = end + 1;
    }
    return rdv_slice(name, begin, name.len);
}

/* "x_{1}" and "so x_{1}" as "x_1". */
static int plain_name(value_reader *r, rdv_str name, rdv_str *out)
{
    name = without_lead(name);
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    for (size_t i = 0; i < name.len; i++) {
        bool single =
            name.p[i] == '_' && i + 3 < name.len && name.p[i + 1] == '{' && name.p[i + 3] == '}';
        rdv_buf_add_char(&b, name.p[i]);
        if (single) {
            rdv_buf_add_char(&b, name.p[i + 2]);
            i += 3;
        }
    }
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(r->err);
}

int value_named(value_reader *r, rdv_str name, answer_value *item, bool quantity,
                answer_value **out)
{
    answer_value v = {.is = VALUE_NAMED, .text = item->text, .key = item->key, .n = 1};
    rdv_str *names = RDV_NEW(r->arena, rdv_str);
    v.items = RDV_NEW(r->arena, answer_value *);
    v.names = names;
    v.quantity = quantity;
    if (!names || !v.items)
        return rdv_no_memory(r->err);
    answer_value *plain;
    int rc = value_text(r, name, &plain);
    if (rc < 0)
        return rc;
    *names = (rdv_str){0};
    *v.items = item;
    if (rc == RDV_OK && plain_name(r, plain->key, names))
        return RDV_E_NOMEM;
    if (quantity || !is_usual(*names, item)) {
        v.key = rdv_str_printf(r->arena, quantity ? "%.*s=%.*s" : "%.*s = %.*s", RDV_FMT(*names),
                               RDV_FMT(item->key));
        if (!v.key.p)
            return rdv_no_memory(r->err);
    }
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

typedef struct entry {
    rdv_str name, key;
} entry;

static int by_name(const void *a, const void *b)
{
    return rdv_str_cmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* A tuple of x, y and z has the key of the bare tuple: "(x, y) = (5, 8)" is
 * (5,8). Else the names are in the key: in "k = 45, n = 2" they tell which number is which. */
int value_record(value_reader *r, const rdv_str *names, answer_value **items, size_t n, bool tuple,
                 answer_value **out)
{
    answer_value v = {
        .is = VALUE_RECORD, .items = items, .n = n, .names = names, .open = tuple ? '(' : '\0'};
    entry *entries = RDV_NEW_ARRAY(r->arena, entry, n);
    if (!entries)
        return rdv_no_memory(r->err);
    for (size_t i = 0; i < n; i++)
        entries[i] = (entry){names[i], items[i]->key};
    static const char *const usual[] = {"x", "y", "z"};
    for (size_t i = 0; i < n; i++)
        tuple = tuple && i < 3 && rdv_str_eq(names[i], rdv_str_of(usual[i]));
    qsort(entries, n, sizeof *entries, by_name);
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    rdv_buf_add_char(&b, tuple ? '(' : '{');
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            rdv_buf_add_char(&b, ',');
        if (!tuple)
            rdv_buf_printf(&b, "%.*s=", RDV_FMT(entries[i].name));
        rdv_buf_add(&b, entries[i].key);
    }
    rdv_buf_add_char(&b, tuple ? ')' : '}');
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(r->err);
    v.key = rdv_buf_str(&b);
    v.text = v.key;
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* The list that a \pm stands for, with or without a name before it; NULL: it is none. */
static const answer_value *spread_of(const answer_value *v)
{
    const answer_value *list = v->is == VALUE_NAMED ? v->items[0] : v;
    return list->is == VALUE_LIST && list->spread ? list : NULL;
}

/* What a \pm stands for belongs to the list around it. */
static int spread(value_reader *r, values *items)
{
    values flat = {0};
    int rc = RDV_OK;
    for (size_t i = 0; i < items->n && rc == RDV_OK; i++) {
        answer_value *v = items->at[i];
        const answer_value *list = spread_of(v);
        if (!list)
            rc = value_push(r, &flat, v);
        for (size_t k = 0; list && k < list->n && rc == RDV_OK; k++) {
            answer_value *one = list->items[k];
            if (list != v)
                rc = value_named(r, v->names[0], one, v->quantity, &one);
            if (rc == RDV_OK)
                rc = value_push(r, &flat, one);
        }
    }
    *items = flat;
    return rc;
}

/* After how many items the names begin again: n where all differ; 0: an item has no name, or the
 * names follow no such rule. */
static size_t names_period(const values *items)
{
    size_t period = 0;
    for (size_t i = 0; i < items->n; i++) {
        const answer_value *v = items->at[i];
        if (v->is != VALUE_NAMED || v->names[0].len == 0)
            return 0;
        if (i > 0 && period == 0 && rdv_str_eq(v->names[0], items->at[0]->names[0]))
            period = i;
        if (period && !rdv_str_eq(v->names[0], items->at[i % period]->names[0]))
            return 0;
    }
    period = period ? period : items->n;
    for (size_t i = 0; i < period && period <= 64; i++)
        for (size_t k = 0; k < i; k++)
            if (rdv_str_eq(items->at[i]->names[0], items->at[k]->names[0]))
                return 0;
    return period > 64 || items->n % period ? 0 : period;
}

/* "p = 5, q = 2, p = 7, q = 2": each run of `period` names is a record. */
static int records_of(value_reader *r, const values *items, size_t period, values *records)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < items->n && rc == RDV_OK; i += period) {
        rdv_str *names = RDV_NEW_ARRAY(r->arena, rdv_str, period);
        answer_value **inner = RDV_NEW_ARRAY(r->arena, answer_value *, period), *record;
        if (!names || !inner)
            return rdv_no_memory(r->err);
        for (size_t k = 0; k < period; k++) {
            names[k] = items->at[i + k]->names[0];
            inner[k] = items->at[i + k]->items[0];
        }
        rc = value_record(r, names, inner, period, false, &record);
        if (rc == RDV_OK)
            rc = value_push(r, records, record);
    }
    return rc;
}

/* "x = 1, x = 2" and "a = 4, -8, -10" list the values of one name, which is returned; empty: no
 * name stands there, or several do, and they stay. */
static rdv_str take_name(values *items)
{
    rdv_str name = {0};
    for (size_t i = 0; i < items->n; i++) {
        const answer_value *v = items->at[i];
        bool named = v->is == VALUE_NAMED && !v->quantity && name_is_plain(v->names[0]);
        if (named && name.len && !rdv_str_eq(name, v->names[0]))
            return (rdv_str){0};
        name = named ? v->names[0] : name;
    }
    for (size_t i = 0; i < items->n; i++)
        if (items->at[i]->is == VALUE_NAMED && !items->at[i]->quantity)
            items->at[i] = items->at[i]->items[0];
    return name;
}

/* "x < 1 or x > 2" is not "x < 1, x > 2". */
static bool holds_relation(const values *items)
{
    for (size_t i = 0; i < items->n; i++)
        if (items->at[i]->is == VALUE_RELATION)
            return true;
    return false;
}

int value_list_of(value_reader *r, values items, char open, bool either, answer_value **out)
{
    int rc = spread(r, &items);
    size_t period = rc == RDV_OK && items.n > 1 ? names_period(&items) : 0;
    if (period > 1) {
        values records = {0};
        rc = records_of(r, &items, period, &records);
        items = records;
    }
    if (rc != RDV_OK)
        return rc;
    rdv_str name = take_name(&items), *keys = keys_of(r, items.at, items.n);
    if (!keys)
        return RDV_E_NOMEM;
    qsort(keys, items.n, sizeof *keys, rdv_str_order);
    answer_value v = {.is = items.n ? VALUE_LIST : VALUE_EMPTY,
                      .open = open,
                      .either = either,
                      .named = name.len > 0,
                      .items = items.at,
                      .n = items.n};
    v.repeats = open != RDV_SET_OPEN && !either && repeats(&items, keys);
    size_t n = v.repeats ? items.n : keep_once(keys, items.n);
    if (n == 1) { /* one value, once, or more often in a set or between "or" */
        *out = items.at[0];
    } else {
        rc = join_keys(r, keys, n, RDV_STR("{"),
                       either && holds_relation(&items) ? RDV_STR(" or ") : RDV_STR(","),
                       RDV_STR("}"), &v.key);
        v.text = v.key;
        if (rc != RDV_OK || !(*out = value_new(r, v)))
            return RDV_E_NOMEM;
    }
    return name.len ? value_named(r, name, *out, false, out) : RDV_OK;
}
