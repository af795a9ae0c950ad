/* SPDX-License-Identifier: Apache-2.0 */
/* Where the table of the profile `robust` differs from that of the profile `paper`. */
#include "reproduce.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "data/report_rows.h"
#include "report/report.h"

#include <math.h>

/* What tells a row apart: its texts, but for the profile, and its flags. */
static rdv_str name_of(const report_row *row, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < row->n; i++) {
        const report_value *v = &row->values[i];
        if (rdv_str_eq(v->name, RDV_STR("profile")) || (!v->text.p && v->flag < 0))
            continue;
        if (v->text.p)
            rdv_buf_printf(&b, "%s%.*s", b.len ? ", " : "", RDV_FMT(v->text));
        else if (v->flag == 1)
            rdv_buf_printf(&b, "%s%.*s", b.len ? ", " : "", RDV_FMT(v->name));
    }
    return rdv_buf_ok(&b) ? rdv_buf_str(&b) : (rdv_str){0};
}

/* Rows of one name are told apart by how many of that name stand before. */
static int numbered_name(const report_row *row, rdv_map *seen, rdv_arena *arena, rdv_str *out)
{
    rdv_str name = name_of(row, arena);
    for (size_t i = 1; name.p; i++) {
        *out = i > 1 ? rdv_str_printf(arena, "%.*s (%zu)", RDV_FMT(name), i) : name;
        if (!out->p)
            break;
        if (rdv_map_get(seen, *out) == RDV_MAP_MISSING)
            return RDV_OK;
    }
    return RDV_E_NOMEM;
}

static const report_value *value_named(const report_row *row, rdv_str name)
{
    for (size_t i = 0; i < row->n; i++)
        if (rdv_str_eq(row->values[i].name, name))
            return &row->values[i];
    return NULL;
}

static void add_number(rdv_table *table, const report_value *value)
{
    if (!value || isnan(value->number))
        rdv_table_cell(table, RDV_STR("-"));
    else
        rdv_table_cellf(table, "%.6g", value->number);
}

/* Adds the figures of `row` that the same row of the other table has otherwise, or lacks (`other`:
 * NULL). Returns how many. */
static size_t add_row(rdv_table *table, rdv_str name, const report_row *row,
                      const report_row *other, bool swapped)
{
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++) {
        const report_value *was = &row->values[i];
        const report_value *is = other ? value_named(other, was->name) : NULL;
        if (was->text.p || was->flag >= 0 || isnan(was->number) ||
            (is && is->number == was->number) || (swapped && is && !isnan(is->number)))
            continue;
        rdv_table_cell(table, name);
        rdv_table_cell(table, was->name);
        add_number(table, swapped ? is : was);
        add_number(table, swapped ? was : is);
        n++;
    }
    return n;
}

/* The rows of a table by name. */
struct named_rows {
    report_row *rows;
    size_t n;
    rdv_str *names;
    rdv_map by_name;
};

static int read_rows(rdv_str json, rdv_arena *arena, struct named_rows *out, rdv_error *err)
{
    int code = report_rows_read(json, "rows", arena, &out->rows, &out->n, err);
    if (code != RDV_OK)
        return code == RDV_E_INPUT ? rdv_wrap(err, code, "table.json") : code;
    rdv_map_init(&out->by_name, arena);
    out->names = RDV_NEW_ARRAY(arena, rdv_str, out->n + 1);
    for (size_t i = 0; out->names && i < out->n; i++)
        if (numbered_name(&out->rows[i], &out->by_name, arena, &out->names[i]) != RDV_OK ||
            rdv_map_put(&out->by_name, out->names[i], i) < 0)
            return rdv_no_memory(err);
    return out->names ? RDV_OK : rdv_no_memory(err);
}

static const report_row *row_of(const struct named_rows *in, rdv_str name)
{
    size_t at = rdv_map_get(&in->by_name, name);
    return at == RDV_MAP_MISSING ? NULL : &in->rows[at];
}

int profile_figures(rdv_str paper, rdv_str robust, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    static const char *const heads[] = {"row", "column", ">paper", ">robust"};
    const rdv_view_options plain = {0};
    struct named_rows was, is;
    size_t n = 0;
    int code = read_rows(paper, arena, &was, err);
    if (code == RDV_OK)
        code = read_rows(robust, arena, &is, err);
    rdv_table *table = code == RDV_OK ? rdv_table_new(arena, heads, 4) : NULL;
    if (!table)
        return code == RDV_OK ? rdv_no_memory(err) : code;
    for (size_t i = 0; i < was.n; i++)
        n += add_row(table, was.names[i], &was.rows[i], row_of(&is, was.names[i]), false);
    for (size_t i = 0; i < is.n; i++)
        n += add_row(table, is.names[i], &is.rows[i], row_of(&was, is.names[i]), true);
    rdv_str figures = RDV_STR("");
    code = n ? rdv_table_print(table, &plain, &figures, err) : RDV_OK;
    *out = rdv_str_printf(arena, "%s\n%.*s",
                          n ? "Where the profile robust, the default elsewhere, differs:"
                            : "The profile robust, the default elsewhere, has the same figures.",
                          RDV_FMT(figures));
    return code == RDV_OK && !out->p ? rdv_no_memory(err) : code;
}
