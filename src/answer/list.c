/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of values: sets and plain lists, and records of named values. */
#include "answer/clean.h"
#include "answer/value.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

/* Sort, and keep each once. */
static size_t sort_keys(rdv_str *keys, size_t n)
{
    if (n < 2)
        return n;
    qsort(keys, n, sizeof *keys, rdv_str_order);
    size_t kept = 1;
    for (size_t i = 1; i < n; i++)
        if (!rdv_str_eq(keys[i], keys[kept - 1]))
            keys[kept++] = keys[i];
    return kept;
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
    size_t n = sorted ? sort_keys(keys, list->n) : list->n;
    return join_keys(r, keys, n, open, separator, close, key);
}

/* ---- names
 * --------------------------------------------------------------------------------------- */

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
    *names = rc == RDV_OK ? plain->key : (rdv_str){0};
    *v.items = item;
    if (quantity) {
        v.key = rdv_str_printf(r->arena, "%.*s=%.*s", RDV_FMT(*names), RDV_FMT(item->key));
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
    answer_value v = {.is = VALUE_RECORD, .items = items, .n = n, .names = names};
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

/* ---- lists
 * --------------------------------------------------------------------------------------- */

/* What a \pm stands for belongs to the list around it. */
static int spread(value_reader *r, values *items)
{
    values flat = {0};
    int rc = RDV_OK;
    for (size_t i = 0; i < items->n && rc == RDV_OK; i++) {
        answer_value *v = items->at[i];
        size_t inner = v->is == VALUE_LIST && v->spread ? v->n : 0;
        if (inner == 0)
            rc = value_push(r, &flat, v);
        for (size_t k = 0; k < inner && rc == RDV_OK; k++)
            rc = value_push(r, &flat, v->items[k]);
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

/* "x = 1, x = 2" and "a = 4, -8, -10" list the values. */
static void drop_names(values *items)
{
    for (size_t i = 0; i < items->n; i++)
        if (items->at[i]->is == VALUE_NAMED && !items->at[i]->quantity)
            items->at[i] = items->at[i]->items[0];
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
    drop_names(&items);
    answer_value v = {
        .is = VALUE_LIST, .open = open, .either = either, .items = items.at, .n = items.n};
    if (rc == RDV_OK)
        rc = value_join(r, &items, true, RDV_STR("{"),
                        either && holds_relation(&items) ? RDV_STR(" or ") : RDV_STR(","),
                        RDV_STR("}"), &v.key);
    v.text = v.key;
    if (rc != RDV_OK)
        return rc;
    if (items.n == 0)
        v.is = VALUE_EMPTY;
    size_t same = 1;
    while (same < items.n && rdv_str_eq(items.at[same]->key, items.at[0]->key))
        same++;
    if (items.n > 0 && same == items.n) { /* one value, named once or more */
        *out = items.at[0];
        return RDV_OK;
    }
    return (*out = value_new(r, v)) ? RDV_OK : RDV_E_NOMEM;
}
