/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/grid.h"

#include "algebra/key.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/split.h"

#define SIZE_MAX_SIDE 16   /* rows or columns of a matrix that is computed with */
#define CELL_TEXT_MAX 1024 /* of a cell that is computed */
#define COMPUTED_MAX 8192  /* of all computed cells of a value that are not rational numbers */

static const rdv_str open_mark = {"\\begin{", 7}, close_mark = {"\\end{", 5};

bool grid_block(rdv_str s, rdv_str *name, rdv_str *body, size_t *end)
{
    if (!rdv_starts(s, open_mark))
        return false;
    size_t brace = rdv_find_char(s, '}', 0);
    if (brace == RDV_NOT_FOUND)
        return false;
    *name = rdv_slice(s, open_mark.len, brace);
    for (size_t at = brace; (at = rdv_find(s, close_mark, at)) != RDV_NOT_FOUND; at++) {
        rdv_str rest = rdv_slice(s, at + close_mark.len, s.len);
        if (!rdv_starts(rest, *name) || rest.len == name->len || rest.p[name->len] != '}')
            continue;
        *body = rdv_slice(s, brace + 1, at);
        *end = at + close_mark.len + name->len + 1;
        return true;
    }
    return false;
}

static bool is_matrix(rdv_str name)
{
    static const char *const names[] = {"pmatrix", "bmatrix",     "matrix",
                                        "Bmatrix", "smallmatrix", "array"};
    return rdv_named(name, names, sizeof names / sizeof *names) >= 0;
}

/* Without the "{cc}" of an array. */
static rdv_str without_columns(rdv_str body)
{
    body = rdv_trim(body);
    size_t close = rdv_find_char(body, '}', 0);
    bool columns = body.len && body.p[0] == '{' && close != RDV_NOT_FOUND;
    for (size_t i = 1; columns && i < close; i++)
        columns = body.p[i] && strchr("lcr| ", body.p[i]);
    return columns ? rdv_trim(rdv_slice(body, close + 1, body.len)) : body;
}

/* The cells of a body; RDV_NONE: rows of different lengths. */
static int read_cells(value_reader *r, rdv_str body, grid *g)
{
    static const char row[] = {RDV_ROW, '\0'};
    rdv_str rest = without_columns(body);
    *g = (grid){0};
    while (rest.len > 0) {
        size_t end = split_find(rest, row, 0), columns = 0;
        rdv_str line = rdv_slice(rest, 0, end);
        for (size_t begin = 0; begin <= line.len; columns++) {
            size_t stop = split_find(line, "&", begin);
            if (!RDV_PUSH_ROOM(r->arena, g->at, g->n, g->cap))
                return rdv_no_memory(r->err);
            g->at[g->n++] = rdv_trim(rdv_slice(line, begin, stop));
            begin = stop == RDV_NOT_FOUND ? line.len + 1 : stop + 1;
        }
        if (g->rows > 0 && columns != g->columns)
            return RDV_NONE;
        g->columns = columns;
        g->rows++;
        rest = end == RDV_NOT_FOUND ? (rdv_str){0} : rdv_trim(rdv_slice(rest, end + 1, rest.len));
    }
    return g->rows ? RDV_OK : RDV_NONE;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* A computed cell as its key where it is rational, so that cells stay short. RDV_NONE: it is no
 * expression. */
static int computed(value_reader *r, rdv_buf *text, rdv_str *out)
{
    rdv_str s = rdv_buf_str(text), key;
    if (!rdv_buf_ok(text))
        return rdv_no_memory(r->err);
    if (s.len > CELL_TEXT_MAX || s.len > COMPUTED_MAX - r->computed)
        return RDV_NONE;
    int rc = math_key(s, r->how.work, r->arena, &key, r->err);
    bool rational = rc == RDV_OK;
    for (size_t i = 0; rational && i < key.len; i++)
        rational = rdv_is_digit(key.p[i]) || key.p[i] == '-' || key.p[i] == '/';
    r->computed += rational ? 0 : s.len;
    *out = rational ? key : rdv_str_copy(r->arena, s);
    return rc != RDV_OK ? rc : out->p ? RDV_OK : rdv_no_memory(r->err);
}

static int new_grid(value_reader *r, size_t rows, size_t columns, grid *out)
{
    *out = (grid){.rows = rows, .columns = columns, .n = rows * columns};
    out->at = RDV_NEW_ARRAY(r->arena, rdv_str, out->n);
    return out->at ? RDV_OK : rdv_no_memory(r->err);
}

/* a + b or a - b. */
static int add(value_reader *r, grid *a, const grid *b, char sign)
{
    if (a->rows != b->rows || a->columns != b->columns)
        return RDV_NONE;
    int rc = RDV_OK;
    for (size_t i = 0; i < a->n && rc == RDV_OK; i++) {
        rdv_buf text;
        rdv_buf_init(&text, r->arena, 0);
        rdv_buf_printf(&text, "(%.*s)%c(%.*s)", RDV_FMT(a->at[i]), sign, RDV_FMT(b->at[i]));
        rc = computed(r, &text, &a->at[i]);
    }
    return rc;
}

static int multiply(value_reader *r, grid *a, const grid *b)
{
    grid product;
    if (a->columns != b->rows || a->rows > SIZE_MAX_SIDE || a->columns > SIZE_MAX_SIDE ||
        b->columns > SIZE_MAX_SIDE)
        return RDV_NONE;
    int rc = new_grid(r, a->rows, b->columns, &product);
    for (size_t i = 0; i < product.n && rc == RDV_OK; i++) {
        size_t row = i / b->columns, column = i % b->columns;
        rdv_buf text;
        rdv_buf_init(&text, r->arena, 0);
        for (size_t k = 0; k < a->columns; k++)
            rdv_buf_printf(&text, "%s(%.*s)*(%.*s)", k ? "+" : "",
                           RDV_FMT(a->at[row * a->columns + k]),
                           RDV_FMT(b->at[k * b->columns + column]));
        rc = computed(r, &text, &product.at[i]);
    }
    *a = product;
    return rc;
}

static int scale(value_reader *r, rdv_str factor, grid *a)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < a->n && rc == RDV_OK; i++) {
        rdv_buf text;
        rdv_buf_init(&text, r->arena, 0);
        rdv_buf_printf(&text, "(%.*s)*(%.*s)", RDV_FMT(factor), RDV_FMT(a->at[i]));
        rc = computed(r, &text, &a->at[i]);
    }
    return rc;
}

static int transpose(value_reader *r, grid *a)
{
    grid turned;
    int rc = new_grid(r, a->columns, a->rows, &turned);
    for (size_t i = 0; i < a->n && rc == RDV_OK; i++)
        turned.at[i % a->columns * a->rows + i / a->columns] = a->at[i];
    *a = turned;
    return rc;
}

/* A sign of products before the next factor is skipped. */
static rdv_str skip_product(rdv_str s)
{
    s = rdv_trim(s);
    if (rdv_starts(s, RDV_STR("\\cdot")))
        return rdv_trim(rdv_slice(s, 5, s.len));
    if (rdv_starts(s, RDV_STR("\\times")))
        return rdv_trim(rdv_slice(s, 6, s.len));
    return rdv_starts(s, RDV_STR("*")) ? rdv_trim(rdv_slice(s, 1, s.len)) : s;
}

/* The matrix that *rest begins with, and "^T" after it. */
static int read_factor(value_reader *r, rdv_str *rest, grid *g)
{
    static const char *const marks[] = {"^T", "^{T}", "^\\top", "^{\\top}", "^{ T }"};
    rdv_str name, body;
    size_t end;
    bool bracket = rest->len && (rest->p[0] == '[' || rest->p[0] == '(');
    rdv_str s = bracket ? rdv_trim(rdv_slice(*rest, 1, rest->len)) : *rest;
    if (!grid_block(s, &name, &body, &end) || !is_matrix(name))
        return RDV_NONE;
    s = rdv_trim(rdv_slice(s, end, s.len));
    if (bracket && !(s.len && (s.p[0] == ']' || s.p[0] == ')')))
        return RDV_NONE;
    s = bracket ? rdv_trim(rdv_slice(s, 1, s.len)) : s;
    int rc = read_cells(r, body, g);
    for (size_t i = 0; rc == RDV_OK && i < sizeof marks / sizeof *marks; i++)
        if (rdv_starts(s, rdv_str_of(marks[i]))) {
            *rest = rdv_trim(rdv_slice(s, strlen(marks[i]), s.len));
            return transpose(r, g);
        }
    *rest = s;
    return rc;
}

/* "2 \begin{...} \begin{...}": a factor that is a number, and matrices, up to a sign. */
static int read_term(value_reader *r, rdv_str *rest, grid *g)
{
    size_t at = rdv_find(*rest, open_mark, 0);
    if (at == RDV_NOT_FOUND)
        return RDV_NONE;
    size_t bracket = at > 0 && (rest->p[at - 1] == '[' || rest->p[at - 1] == '(');
    rdv_str factor = rdv_trim(rdv_slice(*rest, 0, at - bracket));
    *rest = rdv_slice(*rest, at - bracket, rest->len);
    int rc = read_factor(r, rest, g);
    while (rc == RDV_OK && rest->len && rest->p[0] != '+' && rest->p[0] != '-') {
        grid next;
        *rest = skip_product(*rest);
        rc = read_factor(r, rest, &next);
        if (rc == RDV_OK)
            rc = multiply(r, g, &next);
    }
    if (rc != RDV_OK || factor.len == 0)
        return rc;
    static const char *const products[] = {"\\cdot", "\\times", "*"};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (rdv_ends(factor, rdv_str_of(products[i])))
            factor = rdv_slice(factor, 0, factor.len - strlen(products[i]));
    return scale(r, rdv_str_ieq(factor, RDV_STR("-")) ? RDV_STR("-1") : factor, g);
}

int grid_read(value_reader *r, rdv_str s, grid *g)
{
    int rc = read_term(r, &s, g);
    while (rc == RDV_OK && s.len) {
        grid next;
        char sign = s.p[0];
        s = rdv_trim(rdv_slice(s, 1, s.len));
        rc = read_term(r, &s, &next);
        if (rc == RDV_OK)
            rc = add(r, g, &next, sign);
    }
    return rc;
}

bool grid_is_in(rdv_str s)
{
    return rdv_find(s, open_mark, 0) != RDV_NOT_FOUND;
}
