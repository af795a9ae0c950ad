/* SPDX-License-Identifier: Apache-2.0 */
#include "data/layout/table.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "data/scan.h"

static ptrdiff_t read_bytes(void *cookie, void *bytes, size_t size)
{
    size_t got;
    return rdv_bytes_read(cookie, bytes, size, &got, NULL) == RDV_OK ? (ptrdiff_t)got : -1;
}

int rdv_table_init(rdv_table *t, rdv_bytes *bytes, char separator, const rdv_limits *limits,
                   rdv_error *err)
{
    *t = (rdv_table){.row = rdv_arena_new(0), .kept = rdv_arena_new(0)};
    rdv_csv_init(&t->csv, (rdv_source){bytes, read_bytes}, limits->record_bytes, limits->members);
    t->csv.separator = separator;
    return t->row && t->kept ? RDV_OK : rdv_no_memory(err);
}

void rdv_table_free(rdv_table *t)
{
    rdv_arena_free(&t->row);
    rdv_arena_free(&t->kept);
}

static int read_header(rdv_table *t, rdv_error *err)
{
    rdv_map names;
    size_t line;
    int rc = rdv_csv_next(&t->csv, t->kept, &t->columns, &t->n_columns, &line, err);
    if (rc != RDV_OK)
        return rc == RDV_E_INPUT || rc == RDV_E_LIMIT
                   ? rdv_wrap(err, RDV_E_FORMAT, "the header of the table")
                   : rc;
    rdv_map_init(&names, t->kept);
    for (size_t i = 0; i < t->n_columns; i++) {
        rdv_str name = t->columns[i] = rdv_trim(t->columns[i]);
        if (rdv_map_get(&names, name) != RDV_MAP_MISSING)
            return rdv_fail(err, RDV_E_FORMAT, "a table with two columns called \"%.*s\"",
                            RDV_FMT(rdv_str_head(name, 60)));
        if (rdv_map_put(&names, name, i) != RDV_OK)
            return rdv_no_memory(err);
    }
    return RDV_OK;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Members whose value is no text; a cell holds it as JSON. */
static bool holds_json(rdv_str column)
{
    static const char *const names[] = {
        "steps",    "options",   "label",         "step_labels", "scores",      "logprobs",
        "messages", "choices",   "conversations", "completions", "completion",  "prompt",
        "labels",   "responses", "outputs",       "generations", "reward_model"};
    return rdv_named(column, names, sizeof names / sizeof *names) >= 0;
}

/* Is the cell a whole number, or one JSON list or object? Other values are texts. */
static bool is_json(rdv_str cell, size_t max_depth)
{
    size_t digits = 0;
    while (digits < cell.len && digits < 10 && rdv_is_digit(cell.p[digits]))
        digits++;
    if (cell.len && digits == cell.len)
        return cell.len == 1 || cell.p[0] != '0';
    rdv_scan scan;
    rdv_scan_init(&scan, max_depth);
    for (size_t i = 0; i < cell.len; i++) {
        int rc = rdv_scan_byte(&scan, cell.p[i]);
        if (rc != RDV_OK)
            return rc == RDV_NONE && i + 1 == cell.len;
    }
    return false;
}

static void put_cell(rdv_buf *b, rdv_str column, rdv_str cell)
{
    cell = rdv_csv_text(cell);
    if (!cell.len) { /* of a reply it is an empty answer, else as good as missing */
        rdv_json_name(b, column);
        rdv_buf_lit(b, "null");
        return;
    }
    bool json = holds_json(column) && is_json(rdv_trim(cell), RDV_MAX_DEPTH / 2);
    /* Steps in one text are to be divided, as a solution is. */
    if (!json && rdv_str_eq(column, RDV_STR("steps")))
        column = RDV_STR("solution");
    rdv_json_name(b, column);
    if (json)
        rdv_buf_add(b, rdv_trim(cell));
    else
        rdv_json_text(b, cell);
}

/* Note where the bytes of cell `i` stand in the file: a quote within quotes stands there twice. */
static void note_cell(rdv_table *t, rdv_str cell, size_t i)
{
    rdv_str raw = rdv_buf_str(&t->csv.raw);
    size_t at = t->csv.begins[i];
    bool quoted = rdv_char_at(raw, at) == '"';
    at += quoted;
    for (size_t k = 0; k < cell.len && at < raw.len; k++, at++) {
        rdv_copies_add(t->copies, cell.p + k, 1, raw.p + at, 1);
        at += quoted && raw.p[at] == '"';
    }
}

static int make_record(rdv_table *t, const rdv_str *cells, size_t n, rdv_json_span *span,
                       rdv_error *err)
{
    rdv_buf b;
    if (n != t->n_columns)
        return rdv_fail(err, RDV_E_INPUT, "a row of %zu cells, where the header has %zu", n,
                        t->n_columns);
    for (size_t i = 0; i < n && t->copies; i++)
        note_cell(t, cells[i], i);
    rdv_arena_log(t->row, t->copies);
    rdv_buf_init(&b, t->row, 0);
    rdv_buf_add_char(&b, '{');
    for (size_t i = 0; i < n; i++)
        if (t->columns[i].len)
            put_cell(&b, t->columns[i], cells[i]);
    rdv_buf_add_char(&b, '}');
    rdv_arena_log(t->row, NULL);
    span->text = rdv_buf_str(&b);
    span->origin.bytes = rdv_buf_str(&t->csv.raw);
    span->origin.copies = t->copies;
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(err);
}

int rdv_table_next(rdv_table *t, rdv_json_span *span, rdv_error *err)
{
    rdv_str *cells;
    size_t n;
    *span = (rdv_json_span){.line = t->csv.line};
    if (!t->columns) {
        int rc = read_header(t, err);
        if (rc != RDV_OK)
            return rc;
    }
    rdv_arena_reset(t->row);
    t->csv.keeps = t->copies != NULL;
    int rc = rdv_csv_next(&t->csv, t->row, &cells, &n, &span->line, err);
    span->origin.begin = (rdv_place){span->line, 1, t->offset + t->csv.offset - t->csv.raw.len};
    return rc == RDV_OK ? make_record(t, cells, n, span, err) : rc;
}
