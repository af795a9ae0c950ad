/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of "LLMs cannot find reasoning errors, but can correct them": their rows, and means
 * over tasks. */
#include "study/list.h"
#include "study/traces.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The label columns before the data of a row; where rows are by check or locator, its name comes
 * before them. */
enum { TASK, SHOWN_TASK, SUBSAMPLED, TRACES, EXCLUDED, N_LABELS };

typedef struct builder {
    traces *all;
    const study_entry *entry;
    rdv_study_table table;
    size_t named;     /* 1: rows are by check or locator */
    size_t n_columns; /* number of data columns */
    bool *drawn_down;
    const trace **in; /* room for all traces */
} builder;

static rdv_cell *labels_of(const builder *b, size_t row)
{
    return b->table.cells + row * b->table.n_columns + b->named;
}

static bool is_drawn(const builder *b, size_t row)
{
    return labels_of(b, row)[SUBSAMPLED].is.value > 0;
}

/* Adds a row with its labels; task p == NULL: the mean over tasks. Returns the labels, which the
 * data follow, or NULL when out of memory. */
static rdv_cell *new_row(builder *b, size_t of, rdv_str task, bool drawn)
{
    const interner *names =
        b->entry->mistakes.by == MISTAKES_BY_CHECK ? &b->all->checks : &b->all->locators;
    rdv_str shown = !task.p ? RDV_STR("mean of tasks") : task.len ? task : RDV_STR("-");
    shown = rdv_str_printf(b->all->arena, "%.*s%s", RDV_FMT(shown), drawn ? " (drawn)" : "");
    rdv_cell *row = table_row(&b->table);
    if (!row || !shown.p)
        return NULL;
    if (b->named)
        *row++ = table_text(names->texts[of]);
    row[TASK] = table_text(task);
    row[SHOWN_TASK] = table_text(shown);
    row[SUBSAMPLED] = table_number(drawn);
    return row;
}

static void end_row(const builder *b, rdv_cell *row, size_t n, size_t excluded)
{
    row[TRACES] = row[N_LABELS + b->n_columns] = table_count(n);
    row[EXCLUDED] = table_count(excluded);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Collects the traces of a task, or only the drawn ones; for a locator, those that it repaired. */
static size_t pick(const builder *b, size_t of, size_t task, bool drawn)
{
    bool repaired = b->entry->mistakes.by >= MISTAKES_BY_LOCATOR;
    size_t n = 0;
    for (size_t i = 0; i < b->all->n; i++) {
        const trace *t = &b->all->of[i];
        if (t->task == task && (!drawn || t->drawn) && (!repaired || t->locator == of))
            b->in[n++] = t;
    }
    return n;
}

static int add_row(builder *b, size_t of, size_t task, bool drawn, rdv_error *err)
{
    trace_row row = {.all = b->all, .of = of, .in = b->in, .n = pick(b, of, task, drawn)};
    rdv_cell *cells = new_row(b, of, b->all->tasks.texts[task], drawn);
    if (!cells)
        return rdv_no_memory(err);
    row.cells = cells + N_LABELS;
    int r = b->entry->mistakes.fill(&row, err);
    end_row(b, cells, row.traces, row.left_out);
    b->table.n_rows -= r == RDV_NONE;
    return r < 0 ? r : RDV_OK;
}

/* Adds the row of a whole task, and one of its drawn traces if these differ. */
static int add_task(builder *b, size_t of, size_t task, rdv_error *err)
{
    int r = add_row(b, of, task, false, err);
    return r == RDV_OK && b->drawn_down[task] ? add_row(b, of, task, true, err) : r;
}

/* ---- means over tasks ------------------------------------------------------------------------ */

/* Whether the mean uses this row for its task; it uses the drawn row if there is one. */
static bool counts_in_mean(const builder *b, size_t row, bool drawn)
{
    size_t task = rdv_map_get(&b->all->tasks.map, labels_of(b, row)[TASK].text);
    return is_drawn(b, row) == (drawn && b->drawn_down[task]);
}

/* The mean of losses (at most 0) or gains (at least 0). */
static rdv_estimate mean_change(double value, double se, size_t n, bool lost)
{
    rdv_estimate e = rdv_estimate_unit(fabs(value), se, n, n);
    return lost ? (rdv_estimate){value, e.se, 0 - e.high, 0 - e.low, n} : e;
}

/* The mean of the cells in column `c` (label columns are counted) of the rows from..to. */
static rdv_estimate mean_of(const builder *b, size_t from, size_t to, size_t c, bool drawn)
{
    const rdv_column *column = &b->table.columns[b->named + c];
    double sum = 0, squares = 0;
    size_t n = 0, k = 0;
    for (size_t i = from; i < to; i++) {
        const rdv_estimate *is = &labels_of(b, i)[c].is;
        if (!counts_in_mean(b, i, drawn))
            continue;
        sum += is->value;
        squares += is->se * is->se;
        n += is->n;
        k++;
    }
    double se = sqrt(squares) / (double)k, value = sum / (double)k;
    if (column->kind == RDV_CELL_SHARE)
        return rdv_estimate_unit(value, se, n, n);
    if (column->kind == RDV_CELL_GAIN)
        return mean_change(value, se, n, strcmp(column->name, "delta.correct") == 0);
    rdv_estimate number = rdv_estimate_none(n);
    number.value = value;
    return number;
}

/* Adds the row of means over the tasks of the rows from..to. */
static int add_mean(builder *b, size_t of, size_t from, size_t to, bool drawn, rdv_error *err)
{
    double n = 0, excluded = 0;
    rdv_cell *row = new_row(b, of, (rdv_str){0}, drawn);
    if (!row)
        return rdv_no_memory(err);
    for (size_t c = N_LABELS; c < N_LABELS + b->n_columns; c++)
        row[c].is = mean_of(b, from, to, c, drawn);
    for (size_t i = from; i < to; i++) {
        bool in = counts_in_mean(b, i, drawn);
        n += in ? labels_of(b, i)[TRACES].is.value : 0;
        excluded += in ? labels_of(b, i)[EXCLUDED].is.value : 0;
    }
    end_row(b, row, (size_t)n, (size_t)excluded);
    return RDV_OK;
}

static int add_means(builder *b, size_t of, size_t from, rdv_error *err)
{
    size_t to = b->table.n_rows, width = b->table.n_columns;
    bool any_drawn = false;
    for (size_t i = from; i < to; i++)
        any_drawn |= is_drawn(b, i);
    int r = to - from > 1 ? add_mean(b, of, from, to, false, err) : RDV_OK;
    if (r == RDV_OK && any_drawn && to - from > 2)
        r = add_mean(b, of, from, to, true, err);
    if (r != RDV_OK || !b->entry->mistakes.only_means || b->table.n_rows == to)
        return r;
    memmove(b->table.cells + from * width, b->table.cells + to * width,
            (b->table.n_rows - to) * width * sizeof(rdv_cell));
    b->table.n_rows -= to - from;
    return RDV_OK;
}

static int add_group(builder *b, size_t of, rdv_error *err)
{
    size_t from = b->table.n_rows;
    int r = RDV_OK;
    for (size_t task = 0; task < b->all->tasks.n && r == RDV_OK; task++)
        r = add_task(b, of, task, err);
    return r == RDV_OK && b->entry->mistakes.means ? add_means(b, of, from, err) : r;
}

/* ---- Fig. 2 ---------------------------------------------------------------------------------- */

/* A simulated locator. */
typedef struct simulated {
    size_t locator;
    double accuracy;
} simulated;

static int by_accuracy(const void *a, const void *b)
{
    const simulated *x = a, *y = b;
    if (x->accuracy < y->accuracy || x->accuracy > y->accuracy)
        return x->accuracy < y->accuracy ? -1 : 1;
    return x->locator < y->locator ? -1 : x->locator > y->locator;
}

static int add_simulated(builder *b, rdv_error *err)
{
    const interner *locators = &b->all->locators;
    simulated *every = RDV_NEW_ARRAY(b->all->arena, simulated, locators->n);
    size_t n = 0;
    int r = every ? RDV_OK : rdv_no_memory(err);
    for (size_t l = 0; r == RDV_OK && l < locators->n; l++) {
        double accuracy;
        if (trace_simulated_accuracy(locators->texts[l], b->all->arena, &accuracy) < 0)
            return rdv_no_memory(err);
        if (!isnan(accuracy))
            every[n++] = (simulated){l, accuracy};
    }
    if (r == RDV_OK)
        qsort(every, n, sizeof *every, by_accuracy);
    for (size_t task = 0; r == RDV_OK && task < b->all->tasks.n; task++)
        for (size_t i = 0; i < n && r == RDV_OK; i++)
            r = add_task(b, every[i].locator, task, err);
    return r;
}

/* ---- the study ------------------------------------------------------------------------------- */

static int add_rows(builder *b, rdv_error *err)
{
    mistakes_rows by = b->entry->mistakes.by;
    size_t n = by == MISTAKES_BY_TASK    ? 1
               : by == MISTAKES_BY_CHECK ? b->all->checks.n
                                         : b->all->locators.n;
    int r = RDV_OK;
    if (by == MISTAKES_BY_SIMULATED)
        return add_simulated(b, err);
    for (size_t of = 0; of < n && r == RDV_OK; of++)
        r = add_group(b, of, err);
    return r;
}

static int finish(rdv_study *s, rdv_error *err)
{
    size_t named = s->entry->mistakes.by != MISTAKES_BY_TASK;
    builder b = {.all = s->of,
                 .entry = s->entry,
                 .table = study_table(s),
                 .named = named,
                 .n_columns = s->entry->n_columns - named - N_LABELS - 1};
    double excluded = 0;
    b.in = RDV_NEW_ARRAY(s->arena, const trace *, b.all->n);
    int r = b.in ? traces_draw(b.all, &b.drawn_down, err) : rdv_no_memory(err);
    if (r == RDV_OK)
        r = add_rows(&b, err);
    if (r < 0)
        return r;
    if (b.table.n_rows == 0)
        return rdv_fail(err, RDV_NONE, "there is nothing for %s here: it needs %s",
                        s->entry->info.name, s->entry->mistakes.needs);
    for (size_t i = 0; i < b.table.n_rows; i++)
        if (labels_of(&b, i)[TASK].text.p && !is_drawn(&b, i))
            excluded += labels_of(&b, i)[EXCLUDED].is.value;
    table_note_count(&b.table, (size_t)excluded, "trace",
                     "without what a row looks at, left out of it (by row in --json)");
    if (s->entry->mistakes.by >= MISTAKES_BY_LOCATOR)
        traces_note_accept(b.all, &b.table);
    b.table.decimals = 2;
    b.table.digits = 0;
    return study_put(s, &b.table, err);
}

const study_family study_mistakes = {.begin = traces_begin, .add = traces_add, .finish = finish};
