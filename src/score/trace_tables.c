/* SPDX-License-Identifier: Apache-2.0 */
/* The tables: which rows they have, and means over tasks. */
#include "score/traces.h"

#include "base/str.h"
#include "score/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
typedef enum rows_by { BY_TASK, BY_CHECK, BY_LOCATOR, BY_SIMULATED } rows_by;

typedef struct table {
    const char *name, *about, *needs;
    rows_by by;
    bool means;      /* a row for the mean over tasks */
    bool only_means; /* and no others */
    const rdv_column *columns;
    size_t n_columns;
    int (*fill)(row_of *, rdv_error *);
} table;

static const rdv_column counts[] = {{"n_correct", RDV_COLUMN_NUMBER},
                                    {"n_incorrect", RDV_COLUMN_NUMBER},
                                    {"n_with_mistake", RDV_COLUMN_NUMBER},
                                    {"n_traces", RDV_COLUMN_NUMBER},
                                    {"mean_steps", RDV_COLUMN_NUMBER}};
static const rdv_column agreement[] = {{"alpha.location", RDV_COLUMN_SHARE},
                                       {"alpha.steps", RDV_COLUMN_SHARE},
                                       {"n_annotators", RDV_COLUMN_NUMBER}};
static const rdv_column location[] = {{"location", RDV_COLUMN_SHARE},
                                      {"n_no_prediction", RDV_COLUMN_NUMBER}};
static const rdv_column answers[] = {{"weighted_f1", RDV_COLUMN_SHARE},
                                     {"always_wrong", RDV_COLUMN_SHARE}};
static const rdv_column repairs[] = {
    {"delta.correct", RDV_COLUMN_GAIN}, {"delta.incorrect", RDV_COLUMN_GAIN},
    {"n_correct", RDV_COLUMN_NUMBER},   {"n_incorrect", RDV_COLUMN_NUMBER},
    {"mean_steps", RDV_COLUMN_NUMBER},  {"mean_calls", RDV_COLUMN_NUMBER}};
static const rdv_column sweep[] = {
    {"accuracy", RDV_COLUMN_NUMBER},      {"delta.correct", RDV_COLUMN_GAIN},
    {"delta.incorrect", RDV_COLUMN_GAIN}, {"n_correct", RDV_COLUMN_NUMBER},
    {"n_incorrect", RDV_COLUMN_NUMBER},   {"mean_steps", RDV_COLUMN_NUMBER},
    {"mean_calls", RDV_COLUMN_NUMBER}};
static const rdv_column rewards[] = {{"location", RDV_COLUMN_SHARE},
                                     {"best_constant", RDV_COLUMN_SHARE},
                                     {"weighted_f1", RDV_COLUMN_SHARE},
                                     {"step_auc", RDV_COLUMN_SHARE}};
static const rdv_column split[] = {{"without_mistake", RDV_COLUMN_SHARE},
                                   {"with_mistake", RDV_COLUMN_SHARE}};

#define COLUMNS(columns_) .columns = (columns_), .n_columns = LENGTH(columns_)
#define CHECKS "a check of traces whose first mistake is labelled"
#define REPAIRS "traces that 'rederive repair' wrote"

static const table tables[RDV_N_MISTAKES] = {
    [RDV_MISTAKES_TABLE2] = {"mistakes:table2",
                             "traces by answer and by mistake, and their steps on average",
                             "labelled traces", BY_TASK, COLUMNS(counts), .fill = row_counts},
    [RDV_MISTAKES_TABLE3] = {"mistakes:table3", "agreement between annotators",
                             "\"step_labels\" of two annotators", BY_TASK, COLUMNS(agreement),
                             .fill = row_agreement},
    [RDV_MISTAKES_TABLE4] = {"mistakes:table4", "how often the first mistake is located exactly",
                             CHECKS, BY_CHECK, true, COLUMNS(location), .fill = row_location},
    [RDV_MISTAKES_TABLE5] = {"mistakes:table5",
                             "weighted F1 of a mistake as the sign of a wrong answer",
                             "a check of traces whose answer is known to be right or wrong",
                             BY_CHECK, COLUMNS(answers), .fill = row_answers},
    [RDV_MISTAKES_TABLE6] = {"mistakes:table6",
                             "change in accuracy by backtracking, of traces that were right and "
                             "that were wrong",
                             REPAIRS, BY_LOCATOR, true, COLUMNS(repairs), .fill = row_repairs},
    [RDV_MISTAKES_TABLE7] = {"mistakes:table7",
                             "checks beside the best constant location, and how well they tell "
                             "steps apart",
                             CHECKS, BY_CHECK, true, COLUMNS(rewards), .fill = row_rewards},
    [RDV_MISTAKES_TABLE9] = {"mistakes:table9",
                             "location accuracy of traces without and with a mistake", CHECKS,
                             BY_CHECK, COLUMNS(split), .fill = row_split},
    [RDV_MISTAKES_FIG1] = {"mistakes:fig1",
                           "location accuracy of traces without and with a mistake, over tasks",
                           CHECKS, BY_CHECK, true, true, COLUMNS(split), .fill = row_split},
    [RDV_MISTAKES_FIG2] = {"mistakes:fig2",
                           "change in accuracy against the accuracy of simulated locators",
                           "traces repaired with --locator simulated:X", BY_SIMULATED,
                           COLUMNS(sweep), .fill = row_simulated},
};

const char *rdv_mistakes_name(rdv_mistakes_is is, const char **about)
{
    if (about)
        *about = tables[is].about;
    return tables[is].name;
}

int rdv_mistakes_named(rdv_str name, rdv_mistakes_is *out)
{
    for (size_t i = 0; i < RDV_N_MISTAKES; i++) {
        if (rdv_str_eq(name, rdv_str_of(tables[i].name))) {
            *out = (rdv_mistakes_is)i;
            return RDV_OK;
        }
    }
    return RDV_NONE;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct builder {
    rdv_mistakes *m;
    const table *t;
    bool *drawn_down;
    rdv_mistakes_row *rows;
    size_t n, cap;
} builder;

static int add_row(builder *b, size_t of, trace_group group, rdv_error *err)
{
    const trace_names *names = b->t->by == BY_CHECK ? &b->m->checks : &b->m->locators;
    row_of row = {.m = b->m,
                  .of = of,
                  .group = group,
                  .cells = RDV_NEW_ARRAY(b->m->arena, rdv_cell, b->t->n_columns)};
    if (!row.cells || !RDV_PUSH_ROOM(b->m->arena, b->rows, b->n, b->cap))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t c = 0; c < b->t->n_columns; c++)
        row.cells[c] = (rdv_cell){NAN, rdv_estimate_none(0)};
    int r = b->t->fill(&row, err);
    if (r == RDV_OK)
        b->rows[b->n++] =
            (rdv_mistakes_row){.of = b->t->by == BY_TASK ? (rdv_str){0} : names->names[of],
                               .task = b->m->tasks.names[group.task],
                               .drawn = group.drawn,
                               .cells = row.cells,
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
static bool counts_in_mean(const builder *b, const rdv_mistakes_row *row, bool drawn)
{
    size_t task = rdv_map_get(&b->m->tasks.by_name, row->task);
    return row->drawn == (drawn && b->drawn_down[task]);
}

/* The mean of what was lost (delta.right, at most 0) or won (at least 0). */
static rdv_estimate mean_change(double value, double se, size_t n, bool lost)
{
    rdv_estimate e = rdv_estimate_unit(fabs(value), se, n, n);
    return lost ? (rdv_estimate){value, e.se, 0 - e.high, 0 - e.low, n} : e;
}

static rdv_cell mean_cell(const builder *b, size_t from, size_t to, size_t column, bool drawn)
{
    double sum = 0, squares = 0, x = 0;
    size_t n = 0, k = 0;
    for (size_t i = from; i < to; i++) {
        const rdv_cell *cell = &b->rows[i].cells[column];
        if (!counts_in_mean(b, &b->rows[i], drawn))
            continue;
        sum += cell->is.value;
        squares += cell->is.se * cell->is.se;
        x += cell->x;
        n += cell->is.n;
        k++;
    }
    double se = sqrt(squares) / (double)k, value = sum / (double)k;
    rdv_cell out = {x / (double)k, rdv_estimate_none(n)};
    if (b->t->columns[column].is == RDV_COLUMN_SHARE)
        out.is = rdv_estimate_unit(value, se, n, n);
    else if (b->t->columns[column].is == RDV_COLUMN_GAIN)
        out.is =
            mean_change(value, se, n, strcmp(b->t->columns[column].name, "delta.correct") == 0);
    return out;
}

/* The mean over the tasks of the rows from..to. */
static int add_mean(builder *b, size_t from, size_t to, bool drawn, rdv_error *err)
{
    rdv_cell *cells = RDV_NEW_ARRAY(b->m->arena, rdv_cell, b->t->n_columns);
    if (!cells || !RDV_PUSH_ROOM(b->m->arena, b->rows, b->n, b->cap))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    rdv_mistakes_row row = {.of = b->rows[from].of, .drawn = drawn, .cells = cells};
    for (size_t c = 0; c < b->t->n_columns; c++)
        cells[c] = mean_cell(b, from, to, c, drawn);
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
    if (r != RDV_OK || !b->t->only_means || b->n == to)
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
    for (size_t task = 0; task < b->m->tasks.n && r == RDV_OK; task++)
        r = add_task(b, of, task, err);
    return r == RDV_OK && b->t->means ? add_means(b, from, err) : r;
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
    rdv_mistakes *m = b->m;
    simulated *all = RDV_NEW_ARRAY(m->arena, simulated, m->locators.n);
    size_t n = 0;
    int r = all ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t l = 0; r == RDV_OK && l < m->locators.n; l++) {
        double accuracy;
        if (simulated_accuracy(m->locators.names[l], m->arena, &accuracy) < 0)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        if (!isnan(accuracy))
            all[n++] = (simulated){l, accuracy};
    }
    if (r == RDV_OK)
        qsort(all, n, sizeof *all, by_accuracy);
    for (size_t task = 0; r == RDV_OK && task < m->tasks.n; task++)
        for (size_t i = 0; i < n && r == RDV_OK; i++)
            r = add_task(b, all[i].locator, task, err);
    return r;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int add_rows(builder *b, rdv_error *err)
{
    size_t n = b->t->by == BY_TASK ? 1 : b->t->by == BY_CHECK ? b->m->checks.n : b->m->locators.n;
    int r = RDV_OK;
    if (b->t->by == BY_SIMULATED)
        return add_simulated(b, err);
    for (size_t of = 0; of < n && r == RDV_OK; of++)
        r = add_group(b, of, err);
    return r;
}

int rdv_mistakes_compute(rdv_mistakes *m, rdv_mistakes_is is, rdv_mistakes_table *out,
                         rdv_error *err)
{
    builder b = {.m = m, .t = &tables[is]};
    int r = traces_draw(m, &b.drawn_down, err);
    if (r == RDV_OK)
        r = add_rows(&b, err);
    if (r < 0)
        return r;
    if (b.n == 0) {
        (void)rdv_fail(err, RDV_NONE, "there is nothing for %s here: it needs %s", b.t->name,
                       b.t->needs);
        return RDV_NONE;
    }
    *out = (rdv_mistakes_table){is, b.t->columns, b.t->n_columns, b.rows, b.n};
    return RDV_OK;
}
