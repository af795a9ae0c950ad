/* SPDX-License-Identifier: Apache-2.0 */
#include "data/csv.h"

#include "base/arena.h"
#include "base/str.h"

#define END (-1)
#define FAULT (-2)

void rdv_csv_init(rdv_csv *csv, rdv_source source, size_t max_bytes, size_t max_cells)
{
    *csv = (rdv_csv){.source = source,
                     .max_bytes = max_bytes,
                     .max_cells = max_cells,
                     .separator = ',',
                     .line = 1};
}

/* The next byte without taking it, END or FAULT. */
static int peek(rdv_csv *csv)
{
    if (csv->begin < csv->end)
        return (unsigned char)csv->block[csv->begin];
    if (csv->ended)
        return END;
    ptrdiff_t n = csv->source.read(csv->source.cookie, csv->block, sizeof csv->block);
    if (n < 0)
        return FAULT;
    csv->ended = n == 0;
    csv->begin = 0;
    csv->end = (size_t)n;
    return n ? (unsigned char)csv->block[0] : END;
}

static int take(rdv_csv *csv)
{
    int c = peek(csv);
    csv->begin += c >= 0;
    csv->line += c == '\n';
    csv->offset += c >= 0;
    if (csv->keeps && c >= 0 && csv->raw.len <= csv->max_bytes)
        rdv_buf_add_char(&csv->raw, (char)c);
    return c;
}

/* A row being read: its cells stand one after the other in `text`. */
typedef struct row {
    rdv_buf text;
    size_t *ends; /* of each cell in `text` */
    size_t *begins; /* of each in csv->raw */
    size_t n, cap, cap_begins, bytes;
    bool too_long, too_many;
    const char *wrong;
} row;

static void add(row *r, const rdv_csv *csv, int c)
{
    r->bytes++;
    if (r->bytes > csv->max_bytes)
        r->too_long = true;
    else
        rdv_buf_add_char(&r->text, (char)c);
}

/* The inside of a quoted cell, up to its closing quote. */
static int read_quoted(rdv_csv *csv, row *r)
{
    for (;;) {
        int c = take(csv);
        if (c < 0) {
            r->wrong = "a quote that is not closed";
            return c;
        }
        if (c == '"') {
            if (peek(csv) != '"')
                return peek(csv);
            take(csv);
        }
        add(r, csv, c);
    }
}

/* One cell; returns the byte that ended it: a separator, a line feed, END or FAULT. */
static int read_cell(rdv_csv *csv, row *r)
{
    bool quoted = peek(csv) == '"';
    if (quoted) {
        take(csv);
        if (read_quoted(csv, r) == FAULT)
            return FAULT;
    }
    for (;;) {
        int c = take(csv);
        if (c == '\r' && (peek(csv) == '\n' || peek(csv) == END))
            c = take(csv);
        if (c == csv->separator || c == '\n' || c < 0)
            return c;
        if (quoted && !r->wrong)
            r->wrong = "text behind a closing quote";
        add(r, csv, c);
    }
}

/* The cell that began at byte `begin` of csv->raw has ended. */
static bool end_cell(row *r, const rdv_csv *csv, size_t begin, rdv_arena *arena)
{
    if (r->n == csv->max_cells) {
        r->too_many = true;
        return true;
    }
    if (!RDV_PUSH_ROOM(arena, r->ends, r->n, r->cap) ||
        !RDV_PUSH_ROOM(arena, r->begins, r->n, r->cap_begins))
        return false;
    r->begins[r->n] = begin;
    r->ends[r->n++] = r->text.len;
    return true;
}

static int read_row(rdv_csv *csv, rdv_arena *arena, row *r, rdv_error *err)
{
    int c;
    do {
        size_t begin = csv->raw.len;
        c = read_cell(csv, r);
        if (c == FAULT)
            return rdv_fail(err, RDV_E_IO, "reading failed");
        if (!end_cell(r, csv, begin, arena))
            return rdv_no_memory(err);
    } while (c == csv->separator);
    if (r->too_long)
        return rdv_fail(err, RDV_E_LIMIT, "a row of more than %zu bytes", csv->max_bytes);
    if (r->too_many)
        return rdv_fail(err, RDV_E_LIMIT, "a row of more than %zu cells", csv->max_cells);
    if (r->wrong)
        return rdv_fail(err, RDV_E_INPUT, "%s", r->wrong);
    return rdv_buf_ok(&r->text) ? RDV_OK : rdv_no_memory(err);
}

static int cut_cells(const row *r, rdv_arena *arena, rdv_str **cells, size_t *n, rdv_error *err)
{
    rdv_str text = rdv_buf_str(&r->text);
    *cells = RDV_NEW_ARRAY(arena, rdv_str, r->n);
    if (!*cells || !text.p)
        return rdv_no_memory(err);
    for (size_t i = 0; i < r->n; i++)
        (*cells)[i] = rdv_slice(text, i ? r->ends[i - 1] : 0, r->ends[i]);
    *n = r->n;
    return RDV_OK;
}

int rdv_csv_next(rdv_csv *csv, rdv_arena *arena, rdv_str **cells, size_t *n, size_t *line,
                 rdv_error *err)
{
    row r = {0};
    bool keeps = csv->keeps;
    csv->keeps = false; /* what stands between rows is no part of one */
    while (peek(csv) == '\n' || peek(csv) == '\r')
        take(csv);
    csv->keeps = keeps;
    *line = csv->line;
    if (peek(csv) == END)
        return RDV_NONE;
    rdv_buf_init(&r.text, arena, 0);
    rdv_buf_init(&csv->raw, arena, 0);
    rdv_buf_lit(&r.text, ""); /* a row of empty cells is a text, too */
    int code = read_row(csv, arena, &r, err);
    csv->begins = r.begins;
    if (code == RDV_OK && !rdv_buf_ok(&csv->raw))
        return rdv_no_memory(err);
    return code == RDV_OK ? cut_cells(&r, arena, cells, n, err) : code;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool looks_like_formula(rdv_str s)
{
    return s.len && (strchr("=+-@\t\r", s.p[0]) != NULL && s.p[0]);
}

void rdv_csv_cell(rdv_buf *b, rdv_str text)
{
    bool quoted = looks_like_formula(text);
    for (size_t i = 0; i < text.len; i++)
        quoted = quoted || strchr(",\"\r\n", text.p[i]) != NULL;
    if (!quoted) {
        rdv_buf_add(b, text);
        return;
    }
    rdv_buf_lit(b, "\"");
    if (looks_like_formula(text))
        rdv_buf_lit(b, "'");
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '"')
            rdv_buf_lit(b, "\"");
        rdv_buf_add_char(b, text.p[i]);
    }
    rdv_buf_lit(b, "\"");
}

rdv_str rdv_csv_text(rdv_str cell)
{
    bool marked =
        cell.len > 1 && cell.p[0] == '\'' && looks_like_formula(rdv_slice(cell, 1, cell.len));
    return rdv_slice(cell, marked, cell.len);
}
