/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures beside those of table.json. */
#include "paper_tables.h"
#include "reproduce.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "data/report_rows.h"
#include "report/report.h"
#include "score/estimate.h"

#include <math.h>

struct our_table {
    report_row *rows;
    size_t n;
    report_row *parts; /* the rows of single tasks and data sets, over which others are means */
    size_t n_parts;
};

#define BIG_BENCH_MISTAKE RDV_STR("big-bench-mistake") /* the data set of its published files */

/* ---- our rows -------------------------------------------------------------------------------- */

/* p == NULL: the row has no such text. */
static rdv_str text_of(const report_row *row, const char *name)
{
    const report_value *value = report_row_get(row, name);
    return value ? value->text : (rdv_str){0};
}

static bool is_drawn(const report_row *row)
{
    const report_value *drawn = report_row_get(row, "subsampled");
    return drawn && drawn->flag == 1;
}

static const char *const places[] = {"group", "generator", "checker", "profile", "task"};
#define N_PLACES (sizeof places / sizeof *places)

/* Whether a text of the row, but for where it is from, is `key`, or begins with it and a colon
 * ("reward:FILE"). */
static bool row_has(const report_row *row, const char *key)
{
    rdv_str wanted = rdv_str_of(key);
    for (size_t i = 0; i < row->n; i++) {
        rdv_str text = row->values[i].text;
        if (text.p && rdv_named(row->values[i].name, places, N_PLACES) < 0 &&
            rdv_istarts(text, wanted) && (text.len == wanted.len || text.p[wanted.len] == ':'))
            return true;
    }
    return false;
}

/* Whether the row combines more verifiers than any other. */
static bool has_all_verifiers(const struct our_table *ours, const report_row *row)
{
    rdv_str own = text_of(row, "verifiers");
    for (size_t i = 0; own.p && i < ours->n; i++)
        if (text_of(&ours->rows[i], "verifiers").len > own.len)
            return false;
    return own.p != NULL;
}

/* Whether the row is the one that the cell names. */
static bool is_of_key(const struct our_table *ours, const report_row *row, const char *key)
{
    if (!key || row_has(row, key))
        return true;
    return strcmp(key, "all") == 0 && has_all_verifiers(ours, row);
}

/* Whether both are the same but for letter case and anything between letters and digits. "MATH*" is
 * not "MATH". */
static bool is_same_name(rdv_str a, rdv_str b)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a.len && !rdv_is_alnum(a.p[i]) && a.p[i] != '*')
            i++;
        while (j < b.len && !rdv_is_alnum(b.p[j]) && b.p[j] != '*')
            j++;
        if (i == a.len || j == b.len)
            return i == a.len && j == b.len;
        if (rdv_lower(a.p[i]) != rdv_lower(b.p[j]))
            return false;
    }
}

static bool is_dataset(rdv_str name, const char *data)
{
    if (!name.p || is_same_name(name, rdv_str_of(data)))
        return name.p != NULL;
    for (const struct paper_names *names = paper_names; names->data; names++)
        for (size_t i = 0; strcmp(names->data, data) == 0 && names->names[i]; i++)
            if (is_same_name(name, rdv_str_of(names->names[i])))
                return true;
    return false;
}

/* Rows with a task are of that task's published traces, others of their data set. */
static bool is_of_data(const report_row *row, const char *data)
{
    rdv_str group = text_of(row, "group"), task = text_of(row, "task");
    if (report_row_get(row, "task"))
        return rdv_str_eq(task, rdv_str_of(data)) && rdv_str_eq(group, BIG_BENCH_MISTAKE);
    return is_dataset(group, data);
}

/* Whether the row is a mean over tasks or data sets, and not that of one. */
static bool is_mean(const report_row *row)
{
    return !text_of(row, report_row_get(row, "task") ? "task" : "group").p;
}

/* Whether the row is one of those over which `mean` is. */
static bool is_part_of(const report_row *row, const report_row *mean)
{
    static const char *const same[] = {"check", "generator", "checker", "profile"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (report_row_get(mean, same[i]) &&
            !rdv_str_eq(text_of(row, same[i]), text_of(mean, same[i])))
            return false;
    return !is_mean(row);
}

/* Whether our mean is over the data sets of the paper's mean: all of them and no other. */
static bool is_over_the_same(const struct our_table *ours, const report_row *mean,
                             const struct paper_row *over)
{
    if (!over || !is_mean(mean))
        return false;
    for (size_t i = 0; i < ours->n_parts; i++) {
        bool known = !is_part_of(&ours->parts[i], mean);
        for (const struct paper_row *row = over; row->model && !known; row++)
            known = row->data && is_of_data(&ours->parts[i], row->data);
        if (!known)
            return false;
    }
    for (const struct paper_row *row = over; row->model; row++) {
        bool found = !row->data;
        for (size_t i = 0; i < ours->n_parts && !found; i++)
            found = is_part_of(&ours->parts[i], mean) && is_of_data(&ours->parts[i], row->data);
        if (!found)
            return false;
    }
    return true;
}

/* Whether another row is that of the drawn traces of the same task, check and source. */
static bool has_drawn(const struct our_table *ours, const report_row *row)
{
    for (size_t i = 0; i < ours->n; i++) {
        bool same = is_drawn(&ours->rows[i]) && ours->rows[i].n == row->n;
        for (size_t k = 0; same && k < row->n; k++)
            same = rdv_str_eq(row->values[k].text, ours->rows[i].values[k].text);
        if (same)
            return true;
    }
    return false;
}

static const report_value *value_in(const struct our_table *ours, const report_row *row,
                                    const struct paper_table *table, const struct paper_cell *cell,
                                    const struct paper_row *paper)
{
    const report_value *value = report_row_get(row, cell->column);
    bool fits =
        value && !isnan(value->number) && is_of_key(ours, row, cell->key) &&
        (paper->data ? is_of_data(row, paper->data) : is_over_the_same(ours, row, table->over));
    if (!fits || (is_drawn(row) && !paper->drawn) ||
        (paper->drawn && !is_drawn(row) && has_drawn(ours, row)))
        return NULL;
    return value;
}

/* What tells the row apart from others with the same figure. */
static rdv_str label_of(const report_row *row, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < N_PLACES - 1; i++) {
        rdv_str text = text_of(row, places[i]), generator = text_of(row, "generator");
        bool repeated = strcmp(places[i], "checker") == 0 && rdv_str_eq(generator, text);
        if (text.p && !repeated && strcmp(places[i], "profile") != 0)
            rdv_buf_printf(&b, "%s%.*s", b.len ? ", " : "", RDV_FMT(text));
    }
    if (is_drawn(row))
        rdv_buf_printf(&b, "%sdrawn", b.len ? ", " : "");
    return b.len || !rdv_buf_ok(&b) ? rdv_buf_str(&b) : RDV_STR("-");
}

/* ---- the paper's error ----------------------------------------------------------------------- */

/* The interval of a share of n observations, or of a loss. */
static rdv_estimate share_of(double per_cent, int n)
{
    double p = fabs(per_cent) / 100;
    rdv_estimate e = rdv_estimate_unit(p, sqrt(p * (1 - p) / n), (size_t)n, (size_t)n);
    return per_cent < 0 ? (rdv_estimate){-p, e.se, -e.high, -e.low, e.n} : e;
}

/* The mean of the model's tasks; their errors are independent. No error: one of them has none. */
static rdv_estimate mean_of_tasks(const struct paper_table *paper, const struct paper_row *mean,
                                  size_t cell)
{
    double squares = 0, k = 0;
    for (const struct paper_row *row = paper->rows; row->model; row++) {
        if (!row->data || strcmp(row->model, mean->model) != 0)
            continue;
        if (isnan(row->value[cell]) || row->n[cell] == 0)
            return rdv_estimate_none(0);
        double p = row->value[cell] / 100;
        squares += p * (1 - p) / row->n[cell];
        k++;
    }
    return k > 1 ? rdv_estimate_normal(mean->value[cell] / 100, sqrt(squares) / k, 0)
                 : rdv_estimate_none(0);
}

/* The paper's figure; without an interval where the paper's text gives none. */
static rdv_estimate printed(const struct paper_table *paper, const struct paper_row *row,
                            size_t cell)
{
    double value = row->value[cell] / 100, error = row->error[cell] / 100;
    rdv_estimate is = error > 0 && !paper->over_draws ? rdv_estimate_normal(value, error, 0)
                      : row->n[cell]                  ? share_of(row->value[cell], row->n[cell])
                      : !row->data                    ? mean_of_tasks(paper, row, cell)
                                                      : rdv_estimate_none(0);
    is.value = value;
    return is;
}

/* Ours less the paper's, with the interval of independent figures by their limits (Zou and Donner,
 * Statistics in Medicine 27, 2008; of two shares Newcombe's, ibid. 17, 1998, 873-890, method 10).
 */
static rdv_str difference(const report_value *ours, const rdv_estimate *paper, rdv_arena *arena)
{
    double d = ours->number - paper->value;
    double low = d - hypot(ours->number - ours->low, paper->high - paper->value);
    double high = d + hypot(ours->high - ours->number, paper->value - paper->low);
    if (isnan(low) || isnan(high))
        return rdv_str_printf(arena, "%+.1f", 100 * d);
    return rdv_str_printf(arena, "%+.1f [%.1f, %.1f]", 100 * d, 100 * low, 100 * high);
}

/* ---- the comparison -------------------------------------------------------------------------- */

/* Ours is shown as the paper shows its own: in per cent, or in the unit of the cell. */
static void add_ours(rdv_table *table, const report_row *row, const report_value *value,
                     const rdv_estimate *paper, bool percent, rdv_arena *arena)
{
    double scale = percent ? 100 : 1;
    if (isnan(value->stderr_))
        rdv_table_cellf(table, "%.1f", scale * value->number);
    else
        rdv_table_cellf(table, "%.1f ± %.1f", scale * value->number, scale * value->stderr_);
    rdv_table_cell(table, label_of(row, arena));
    rdv_table_cell(table, percent ? difference(value, paper, arena) : RDV_STR("-"));
}

static void add_printed(rdv_table *table, const struct paper_table *paper,
                        const struct paper_row *row, size_t cell)
{
    const struct paper_cell *c = &paper->cells[cell];
    const char *unit = c->unit ? c->unit : paper->unit;
    rdv_table_cellf(table, "%s%s", row->data ? row->data : "mean",
                    row->drawn && row->data ? " (drawn)" : "");
    rdv_table_cell(table, rdv_str_of(row->model));
    rdv_table_cell(table, rdv_str_of(c->key ? c->key : "-"));
    rdv_table_cell(table, rdv_str_of(c->column));
    rdv_table_cell(table, rdv_str_of(unit ? unit : "%"));
    if (row->error[cell] > 0)
        rdv_table_cellf(table, "%.6g ± %.6g", row->value[cell], row->error[cell]);
    else
        rdv_table_cellf(table, "%.6g", row->value[cell]);
    if (row->n[cell])
        rdv_table_cellf(table, "%d", row->n[cell]);
    else
        rdv_table_cell(table, RDV_STR("-"));
}

/* A line for each of our rows of the same figure, or one without any. */
static void add_figure(rdv_table *table, const struct paper_table *paper,
                       const struct paper_row *row, size_t cell, const struct our_table *ours,
                       rdv_arena *arena)
{
    const struct paper_cell *c = &paper->cells[cell];
    rdv_estimate is = printed(paper, row, cell);
    bool any = false;
    for (size_t i = 0; ours && i < ours->n; i++) {
        const report_value *value = value_in(ours, &ours->rows[i], paper, c, row);
        if (!value)
            continue;
        add_printed(table, paper, row, cell);
        add_ours(table, &ours->rows[i], value, &is, !c->unit && !paper->unit, arena);
        any = true;
    }
    if (any)
        return;
    add_printed(table, paper, row, cell);
    for (size_t i = 0; ours && i < 3; i++)
        rdv_table_cell(table, RDV_STR("-"));
}

static void add_figures(rdv_table *table, const struct paper_table *paper,
                        const struct our_table *ours, rdv_arena *arena)
{
    for (const struct paper_row *row = paper->rows; row && row->model; row++)
        for (size_t cell = 0; cell < PAPER_CELLS && paper->cells[cell].column; cell++)
            if (!isnan(row->value[cell]))
                add_figure(table, paper, row, cell, ours, arena);
}

/* Whether the paper's table has a row of the data set or task. */
static bool paper_has(const struct paper_table *paper, const report_row *ours)
{
    bool any = false;
    for (const struct paper_row *row = paper->rows; row->model && !any; row++)
        any = row->data && is_of_data(ours, row->data);
    return any;
}

/* Our data sets and tasks of which the paper prints nothing here. A second table (`list`) has the
 * same ones as the first, and of some the paper prints nothing there. Rows without a group are of
 * trained classifiers, not of data. */
static void add_unknown(rdv_buf *b, const struct paper_table *paper, const struct our_table *ours)
{
    const char *before = "The paper has no figures here of: ";
    for (size_t i = 0; paper->rows && !paper->list && i < ours->n; i++) {
        const report_row *row = &ours->rows[i];
        const char *name = report_row_get(row, "task") ? "task" : "group";
        rdv_str of = text_of(row, name);
        bool seen = is_mean(row) || !report_row_get(row, "group") || paper_has(paper, row);
        for (size_t k = 0; k < i && !seen; k++)
            seen = rdv_str_eq(text_of(&ours->rows[k], name), of);
        if (seen)
            continue;
        bool others =
            strcmp(name, "task") == 0 && !rdv_str_eq(text_of(row, "group"), BIG_BENCH_MISTAKE);
        rdv_buf_printf(b, "%s%.*s%s", before, RDV_FMT(of),
                       others ? " (other traces than BIG-Bench Mistake's)" : "");
        before = ", ";
    }
    if (*before == ',')
        rdv_buf_lit(b, ".\n");
}

/* The rows of our table.json that an entry is compared with. */
static int read_ours(const struct paper_table *paper, rdv_str text, rdv_arena *arena,
                     struct our_table *out, rdv_error *err)
{
    *out = (struct our_table){0};
    int code = text.p ? report_rows_read(text, paper->list ? paper->list : "rows", arena,
                                         &out->rows, &out->n, err)
                      : RDV_OK;
    if (code == RDV_OK && text.p)
        code = report_rows_read(text, "rows", arena, &out->parts, &out->n_parts, err);
    return code == RDV_E_INPUT ? rdv_wrap(err, code, "table.json") : code;
}

int paper_figures(const char *name, rdv_str text, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    static const char *const heads[] = {"data",   "model", "row",  "column", "unit",
                                        ">paper", ">n",    "here", "of",     "difference"};
    const rdv_view_options plain = {0};
    rdv_table *table = rdv_table_new(arena, heads, text.p ? 10 : 7);
    rdv_buf notes;
    rdv_str figures = RDV_STR("");
    int code = table ? RDV_OK : rdv_no_memory(err);
    bool known = false, any = false;
    rdv_buf_init(&notes, arena, 0);
    for (const struct paper_table *t = paper_tables; t->name && code == RDV_OK; t++) {
        struct our_table ours;
        if (strcmp(t->name, name) != 0)
            continue;
        code = read_ours(t, text, arena, &ours, err);
        if (code != RDV_OK)
            break;
        known = true;
        any |= t->rows != NULL;
        add_figures(table, t, text.p ? &ours : NULL, arena);
        add_unknown(&notes, t, &ours);
        if (t->note)
            rdv_buf_printf(&notes, "%s\n", t->note);
    }
    if (code == RDV_OK && any)
        code = rdv_table_print(table, &plain, &figures, err);
    if (code != RDV_OK)
        return code;
    rdv_str said = rdv_buf_str(&notes);
    *out = known ? rdv_str_printf(arena, "The paper's figures:\n%.*s%.*s", RDV_FMT(figures),
                                  RDV_FMT(said))
                 : RDV_STR("The paper prints no figures of it.\n");
    return out->p && rdv_buf_ok(&notes) ? RDV_OK : rdv_no_memory(err);
}
