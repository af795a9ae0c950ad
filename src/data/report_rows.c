/* SPDX-License-Identifier: Apache-2.0 */
#include "data/report_rows.h"

#include "base/arena.h"
#include "base/str.h"
#include "model/json_load.h"

#include <math.h>

typedef struct reading {
    rdv_arena *arena;
    report_row *rows;
    size_t n, cap;
} reading;

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int read_value(const char *name, const json_t *value, rdv_arena *arena, report_value *out)
{
    bool figure = json_is_object(value);
    *out = (report_value){.name = rdv_str_copy(arena, rdv_str_of(name)),
                          .number = number_of(figure ? json_object_get(value, "value") : value),
                          .stderr_ = number_of(json_object_get(value, "stderr")),
                          .low = number_of(json_object_get(value, "ci_low")),
                          .high = number_of(json_object_get(value, "ci_high")),
                          .flag = json_is_boolean(value) ? json_is_true(value) : -1};
    if (json_is_string(value)) {
        out->text =
            rdv_str_copy(arena, (rdv_str){json_string_value(value), json_string_length(value)});
        if (!out->text.p)
            return RDV_E_NOMEM;
    }
    return out->name.p ? RDV_OK : RDV_E_NOMEM;
}

static int read_members(json_t *object, rdv_arena *arena, report_row *row)
{
    const char *name;
    json_t *value;
    int code = RDV_OK;
    json_object_foreach(object, name, value)
    {
        if (code == RDV_OK && !json_is_array(value))
            code = read_value(name, value, arena, &row->values[row->n++]);
    }
    return code;
}

static int add_rows(reading *r, json_t *rows, json_t *series)
{
    size_t i;
    json_t *object;
    int code = RDV_OK;
    json_array_foreach(rows, i, object)
    {
        report_row row = {0};
        if (code != RDV_OK || !json_is_object(object))
            continue;
        if (r->n >= RDV_REPORT_ROWS_MAX)
            return RDV_E_LIMIT;
        row.values = RDV_NEW_ARRAY(r->arena, report_value,
                                   json_object_size(object) + json_object_size(series));
        if (!row.values || !RDV_PUSH_ROOM(r->arena, r->rows, r->n, r->cap))
            return RDV_E_NOMEM;
        code = read_members(object, r->arena, &row);
        if (code == RDV_OK && series)
            code = read_members(series, r->arena, &row);
        r->rows[r->n++] = row;
    }
    return code;
}

static int add_all(reading *r, const json_t *root, const char *name)
{
    size_t i;
    json_t *series, *rows = json_object_get(root, name);
    int code = add_rows(r, rows, NULL);
    if (rows)
        return code;
    json_array_foreach(json_object_get(root, "series"), i, series)
    {
        if (code == RDV_OK)
            code = add_rows(r, json_object_get(series, name), series);
    }
    return code;
}

int report_rows_read(rdv_str text, const char *name, rdv_arena *arena, report_row **rows, size_t *n,
                     rdv_error *err)
{
    json_error_t why = {0};
    reading r = {.arena = arena};
    bool no_memory;
    json_t *root = json_load(text, 0, &why, &no_memory);
    if (no_memory)
        return rdv_no_memory(err);
    int code = json_is_object(root)
                   ? add_all(&r, root, name)
                   : rdv_fail(err, RDV_E_INPUT, "is no JSON object: %s", root ? "" : why.text);
    json_decref(root);
    if (code == RDV_E_LIMIT)
        return rdv_fail(err, code, "has more than %d rows", RDV_REPORT_ROWS_MAX);
    if (code == RDV_E_NOMEM)
        return rdv_no_memory(err);
    *rows = r.rows;
    *n = r.n;
    return code;
}

const report_value *report_row_get(const report_row *row, const char *name)
{
    for (size_t i = 0; i < row->n; i++)
        if (rdv_str_eq(row->values[i].name, rdv_str_of(name)))
            return &row->values[i];
    return NULL;
}
