/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of "LLMs cannot find reasoning errors, but can correct them": which rows they have,
 * and means over tasks. */
#include "study/list.h"
#include "study/traces.h"

#include "base/str.h"
#include "score/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_LABELS 5 /* task, and as people see it, subsampled, n, n_excluded */

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct labelled_row {
    size_t of;    /* the check, or the locator */
    rdv_str task; /* p == NULL: the mean over tasks */
    bool drawn;   /* of the traces that were drawn; the mean: of tasks that were drawn down */
    rdv_cell *data;
    size_t traces, left_out; /* as in trace_row */
} labelled_row;

typedef struct builder {
    traces *all;
    const study_entry *entry;
    const rdv_column *columns; /* of the data */
    size_t n_columns;
    bool *drawn_down;
    labelled_row *rows;
    size_t n, cap;
} builder;

/* Absent cells for the data of one row; NULL when out of memory. */
static rdv_cell *new_data(const builder *b)
{
    rdv_cell *data = RDV_NEW_ARRAY(b->all->arena, rdv_cell, b->n_columns);
    for (size_t c = 0; data && c < b->n_columns; c++)
        data[c] = table_absent(NULL);
    return data;
}

static int add_row(builder *b, size_t of, trace_group group, rdv_error *err)
{
    trace_row row = {.all = b->all, .of = of, .group = group, .cells = new_data(b)};
    if (!row.cells || !RDV_PUSH_ROOM(b->all->arena, b->rows, b->n, b->cap))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    int r = b->entry->mistakes.fill(&row, err);
    if (r == RDV_OK)
        b->rows[b->n++] = (labelled_row){.of = of,
                                         .task = b->all->tasks.texts[group.task],
                                         .drawn = group.drawn,
                                         .data = row.cells,
                                         .traces = row.traces,
                                         .left_out = row.left_out};
    return r < 0 ? r : RDV_OK;
}

/* A task whole, and drawn down where that is another thing. */
static int add_task(builder *b, size_t of, size_t task, rdv_error *err)
{
    int r = add_row(b, of, (trace_group){task, false}, err);
    return r == RDV_OK && b->drawn_down[task] ? add_row(b, of, (trace_group){task, true}, err) : r;
}

/* Does the row stand for its task in the mean? The drawn one does, where there is one. */
static bool counts_in_mean(const builder *b, const labelled_row *row, bool drawn)
{
    size_t task = rdv_map_get(&b->all->tasks.map, row->task);
    return row->drawn == (drawn && b->drawn_down[task]);
}

/* The mean of what was lost (delta.right, at most 0) or won (at least 0). */
static rdv_estimate mean_change(double value, double se, size_t n, bool lost)
{
    rdv_estimate e = rdv_estimate_unit(fabs(value), se, n, n);
    return lost ? (rdv_estimate){value, e.se, 0 - e.high, 0 - e.low, n} : e;
}

static rdv_estimate mean_of(const builder *b, size_t from, size_t to, size_t column, bool drawn)
{
    double sum = 0, squares = 0;
    size_t n = 0, k = 0;
    for (size_t i = from; i < to; i++) {
        const rdv_estimate *is = &b->rows[i].data[column].is;
        if (!counts_in_mean(b, &b->rows[i], drawn))
            continue;
        sum += is->value;
        squares += is->se * is->se;
        n += is->n;
        k++;
    }
    double se = sqrt(squares) / (double)k, value = sum / (double)k;
    if (b->columns[column].kind == RDV_CELL_SHARE)
        return rdv_estimate_unit(value, se, n, n);
    if (b->columns[column].kind == RDV_CELL_GAIN)
        return mean_change(value, se, n, strcmp(b->columns[column].name, "delta.correct") == 0);
    rdv_estimate number = rdv_estimate_none(n);
    number.value = value;
    return number;
}

/* The mean over the tasks of the rows from..to. */
static int add_mean(builder *b, size_t from, size_t to, bool drawn, rdv_error *err)
{
    labelled_row row = {.of = b->rows[from].of, .drawn = drawn, .data = new_data(b)};
    if (!row.data || !RDV_PUSH_ROOM(b->all->arena, b->rows, b->n, b->cap))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t c = 0; c < b->n_columns; c++)
        row.data[c].is = mean_of(b, from, to, c, drawn);
    for (size_t i = from; i < to; i++) {
        bool in = counts_in_mean(b, &b->rows[i], drawn);
        row.traces += in ? b->rows[i].traces : 0;
        row.left_out += in ? b->rows[i].left_out : 0;
    }
    b->rows[b->n++] = row;
    return RDV_OK;
}

static int add_means(builder *b, size_t from, rdv_error *err)
{
    size_t to = b->n;
    bool any_drawn = false;
    for (size_t i = from; i < to; i++)
        any_drawn |= b->rows[i].drawn;
    int r = to - from > 1 ? add_mean(b, from, to, false, err) : RDV_OK;
    if (r == RDV_OK && any_drawn && to - from > 2)
        r = add_mean(b, from, to, true, err);
    if (r != RDV_OK || !b->entry->mistakes.only_means || b->n == to)
        return r;
    for (size_t i = to; i < b->n; i++)
        b->rows[from + i - to] = b->rows[i];
    b->n = from + b->n - to;
    return RDV_OK;
}

static int add_group(builder *b, size_t of, rdv_error *err)
{
    size_t from = b->n;
    int r = RDV_OK;
    for (size_t task = 0; task < b->all->tasks.n && r == RDV_OK; task++)
        r = add_task(b, of, task, err);
    return r == RDV_OK && b->entry->mistakes.means ? add_means(b, from, err) : r;
}

/* ---- Fig. 2 ---------------------------------------------------------------------------------- */

/* A task and a simulated locator. */
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
    int r = every ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t l = 0; r == RDV_OK && l < locators->n; l++) {
        double accuracy;
        if (trace_simulated_accuracy(locators->texts[l], b->all->arena, &accuracy) < 0)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
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

/* ---- the whole ------------------------------------------------------------------------------- */

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

/* A task as people see it; p == NULL when out of memory. */
static rdv_str shown_task(const builder *b, const labelled_row *row)
{
    rdv_str task = !row->task.p    ? RDV_STR("mean of tasks")
                   : row->task.len ? row->task
                                   : RDV_STR("-");
    return rdv_str_printf(b->all->arena, "%.*s%s", RDV_FMT(task), row->drawn ? " (drawn)" : "");
}

static void write_row(const builder *b, const labelled_row *row, rdv_study_table *table)
{
    rdv_cell *cell = table_row(table);
    rdv_str shown = shown_task(b, row);
    if (!cell || !shown.p) {
        table->failed = true;
        return;
    }
    if (b->entry->mistakes.by != MISTAKES_BY_TASK)
        *cell++ = table_text(b->entry->mistakes.by == MISTAKES_BY_CHECK
                                 ? b->all->checks.texts[row->of]
                                 : b->all->locators.texts[row->of]);
    cell[0] = table_text(row->task);
    cell[1] = table_text(shown);
    cell[2] = table_number(row->drawn);
    cell[3] = table_number((double)row->traces);
    cell[4] = table_number((double)row->left_out);
    memcpy(cell + N_LABELS, row->data, b->n_columns * sizeof *cell);
    cell[N_LABELS + b->n_columns] = table_number((double)row->traces);
}

static int finish(rdv_study *s, rdv_error *err)
{
    const study_entry *entry = s->entry;
    size_t labels = N_LABELS + (entry->mistakes.by != MISTAKES_BY_TASK), left_out = 0;
    builder b = {.all = s->of,
                 .entry = entry,
                 .columns = entry->columns + labels,
                 .n_columns = entry->n_columns - labels - 1};
    rdv_study_table table = study_table(s);
    int r = traces_draw(b.all, &b.drawn_down, err);
    if (r == RDV_OK)
        r = add_rows(&b, err);
    if (r < 0)
        return r;
    if (b.n == 0)
        return rdv_fail(err, RDV_NONE, "there is nothing for %s here: it needs %s",
                        entry->info.name, entry->mistakes.needs);
    table.decimals = 2;
    table.digits = 0;
    for (size_t i = 0; i < b.n; i++) {
        write_row(&b, &b.rows[i], &table);
        left_out += b.rows[i].task.p && !b.rows[i].drawn ? b.rows[i].left_out : 0;
    }
    table_note_count(&table, left_out, "trace",
                     "without what a row looks at, left out of it (by row in --json)");
    return study_put(s, &table, err);
}

const study_family study_mistakes = {
    .prefix = "mistakes:", .begin = traces_begin, .add = traces_add, .finish = finish};
