/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of "LLMs cannot find reasoning errors, but can correct them": their rows, and means
 * over tasks. */
#include "study/baseline.h"
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
enum {
    GROUP,
    GENERATOR,
    CHECKER,
    PROFILE,
    TASK,
    SHOWN_TASK,
    SUBSAMPLED,
    TRACES,
    EXCLUDED,
    N_LABELS
};

typedef struct builder {
    traces *all;
    const rdv_study *study;
    const study_entry *entry;
    rdv_study_table table;
    const trace_makers *makers; /* what the rows are of */
    const interner *names;      /* their names; NULL: they have none */
    size_t named;               /* 1: rows are by check or locator */
    size_t n_columns;           /* number of data columns */
    const trace **by_task;      /* all traces, task by task */
    size_t *ends;               /* the end of each task among them */
    const trace **in;           /* room for all traces */
    size_t baseline;            /* of the maker whose rows are being added */
} builder;

static rdv_cell *labels_of(const builder *b, size_t row)
{
    return b->table.cells + row * b->table.n_columns + b->named;
}

static bool is_drawn(const builder *b, size_t row)
{
    return labels_of(b, row)[SUBSAMPLED].is.value > 0;
}

/* Adds a row with its labels; `task` NULL: the mean over tasks of `group`. Returns the labels,
 * which the data follow, or NULL when out of memory. */
static rdv_cell *new_row(builder *b, size_t maker, const trace_task *task, rdv_str group,
                         bool drawn)
{
    const trace_maker *of = &b->makers->of[maker];
    study_source source = b->study->sources.of[of->source];
    rdv_str shown = !task ? RDV_STR("mean of tasks") : task->name.len ? task->name : RDV_STR("-");
    shown = rdv_str_printf(b->all->arena, "%.*s%s", RDV_FMT(shown), drawn ? " (drawn)" : "");
    rdv_cell *row = table_row(&b->table);
    if (!row || !shown.p)
        return NULL;
    if (b->named)
        *row++ = table_text(b->names->texts[of->name]);
    source.group = group;
    source_cells(row, &source);
    row[TASK] = table_text(task ? task->name : (rdv_str){0});
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

/* Sorts the traces by task, in their order. */
static int sort_by_task(builder *b, rdv_error *err)
{
    const traces *all = b->all;
    b->by_task = RDV_NEW_ARRAY(all->arena, const trace *, all->n);
    b->ends = RDV_NEW_ARRAY(all->arena, size_t, all->n_tasks + 1);
    b->in = RDV_NEW_ARRAY(all->arena, const trace *, all->n);
    if (!b->by_task || !b->ends || !b->in)
        return rdv_no_memory(err);
    for (size_t i = 0; i < all->n; i++)
        b->ends[all->of[i].task + 1]++;
    for (size_t k = 1; k <= all->n_tasks; k++)
        b->ends[k] += b->ends[k - 1];
    for (size_t i = 0; i < all->n; i++)
        b->by_task[b->ends[all->of[i].task]++] = &all->of[i];
    return RDV_OK;
}

/* Collects the traces of a task and of the maker's origin, or those that it repaired. */
static size_t pick(const builder *b, size_t maker, size_t task)
{
    const trace_maker *of = &b->makers->of[maker];
    mistakes_rows by = b->entry->mistakes.by;
    size_t n = 0;
    for (size_t i = task ? b->ends[task - 1] : 0; i < b->ends[task]; i++) {
        const trace *t = b->by_task[i];
        size_t is = by >= MISTAKES_BY_LOCATOR ? t->repairer : t->origin;
        if (is == (by == MISTAKES_BY_CHECK ? of->origin : maker))
            b->in[n++] = t;
    }
    return n;
}

/* Keeps only the drawn ones of the `n` traces that were picked. */
static size_t keep_drawn(const builder *b, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (b->in[i]->drawn)
            b->in[kept++] = b->in[i];
    return kept;
}

static size_t compared_with(const builder *b, size_t maker)
{
    const char *name = b->study->options.baseline;
    bool compares =
        (b->entry->info.uses & RDV_USES_BASELINE) && (name || b->entry->mistakes.to_zero_shot);
    if (compares && b->entry->mistakes.by >= MISTAKES_BY_LOCATOR)
        return baseline_repairs_of(b->all, &b->study->sources, name, maker);
    return compares ? baseline_of(b->all, &b->study->sources, name, maker) : BASELINE_NONE;
}

static int add_row(builder *b, size_t maker, size_t task, size_t n, bool drawn, rdv_error *err)
{
    const trace_task *of = &b->all->tasks[task];
    trace_row row = {.all = b->all, .maker = maker, .baseline = b->baseline, .in = b->in, .n = n};
    rdv_cell *cells = new_row(b, maker, of, of->group, drawn);
    if (!cells)
        return rdv_no_memory(err);
    row.cells = cells + N_LABELS;
    int r = b->entry->mistakes.fill(&row, err);
    end_row(b, cells, row.traces, row.left_out);
    b->table.n_rows -= r == RDV_NONE;
    return r < 0 ? r : RDV_OK;
}

/* Adds the row of a whole task, and one of its drawn traces if these differ. */
static int add_task(builder *b, size_t maker, size_t task, rdv_error *err)
{
    size_t n = pick(b, maker, task);
    int r = n ? add_row(b, maker, task, n, false, err) : RDV_OK;
    size_t drawn = keep_drawn(b, n);
    return r == RDV_OK && drawn < n ? add_row(b, maker, task, drawn, true, err) : r;
}

/* ---- means over tasks ------------------------------------------------------------------------ */

/* Whether the mean of the rows before `to` uses this row for its task; it uses the drawn row, which
 * follows that of the whole task, if there is one. */
static bool counts_in_mean(const builder *b, size_t row, size_t to, bool drawn)
{
    bool followed = row + 1 < to && is_drawn(b, row + 1);
    return is_drawn(b, row) ? drawn : !drawn || !followed;
}

/* The mean of losses (at most 0) or gains (at least 0). */
static rdv_estimate mean_change(double value, double se, size_t n, bool lost)
{
    rdv_estimate e = rdv_estimate_unit(fabs(value), se, n, n);
    return lost ? (rdv_estimate){value, e.se, 0 - e.high, 0 - e.low, n} : e;
}

/* The mean of differences, in [-1,1]. */
static rdv_estimate mean_difference(double value, double se, size_t n)
{
    rdv_estimate e = n < RDV_PAIRED_LEAST ? rdv_estimate_none(n)
                                          : rdv_estimate_unit((value + 1) / 2, se / 2, n, n);
    return (rdv_estimate){value, se, 2 * e.low - 1, 2 * e.high - 1, n};
}

/* The mean of the cells in column `c` (label columns are counted) of the rows from..to. */
static rdv_estimate mean_of(const builder *b, size_t from, size_t to, size_t c, bool drawn)
{
    const rdv_column *column = &b->table.columns[b->named + c];
    double sum = 0, squares = 0;
    size_t n = 0, k = 0;
    for (size_t i = from; i < to; i++) {
        const rdv_estimate *is = &labels_of(b, i)[c].is;
        if (!counts_in_mean(b, i, to, drawn))
            continue;
        sum += is->value;
        squares += is->se * is->se;
        n += is->n;
        k++;
    }
    double se = sqrt(squares) / (double)k, value = sum / (double)k;
    if (column->kind == RDV_CELL_SHARE)
        return rdv_estimate_unit(value, se, n, n);
    if (column->kind == RDV_CELL_GAIN && column->optional)
        return mean_difference(value, se, n);
    if (column->kind == RDV_CELL_GAIN)
        return mean_change(value, se, n, strcmp(column->name, "delta.correct") == 0);
    rdv_estimate number = rdv_estimate_none(n);
    number.value = value;
    return number;
}

/* The group of all rows from..to; absent where they have several. */
static rdv_str group_of(const builder *b, size_t from, size_t to)
{
    rdv_str first = labels_of(b, from)[GROUP].text;
    for (size_t i = from + 1; i < to; i++)
        if (!rdv_str_eq(labels_of(b, i)[GROUP].text, first))
            return (rdv_str){0};
    return first;
}

/* Adds the row of means over the tasks of the rows from..to. */
static int add_mean(builder *b, size_t maker, size_t from, size_t to, bool drawn, rdv_error *err)
{
    double n = 0, excluded = 0;
    rdv_cell *row = new_row(b, maker, NULL, group_of(b, from, to), drawn);
    if (!row)
        return rdv_no_memory(err);
    for (size_t c = N_LABELS; c < N_LABELS + b->n_columns; c++) {
        row[c].is = mean_of(b, from, to, c, drawn);
        row[c].text = labels_of(b, from)[c].text; /* the baseline, which is that of the maker */
    }
    for (size_t i = from; i < to; i++) {
        bool in = counts_in_mean(b, i, to, drawn);
        n += in ? labels_of(b, i)[TRACES].is.value : 0;
        excluded += in ? labels_of(b, i)[EXCLUDED].is.value : 0;
    }
    end_row(b, row, (size_t)n, (size_t)excluded);
    return RDV_OK;
}

static int add_means(builder *b, size_t maker, size_t from, rdv_error *err)
{
    size_t to = b->table.n_rows, width = b->table.n_columns;
    bool any_drawn = false;
    for (size_t i = from; i < to; i++)
        any_drawn |= is_drawn(b, i);
    int r = to - from > 1 ? add_mean(b, maker, from, to, false, err) : RDV_OK;
    if (r == RDV_OK && any_drawn && to - from > 2)
        r = add_mean(b, maker, from, to, true, err);
    if (r != RDV_OK || !b->entry->mistakes.only_means || b->table.n_rows == to)
        return r;
    memmove(b->table.cells + from * width, b->table.cells + to * width,
            (b->table.n_rows - to) * width * sizeof(rdv_cell));
    b->table.n_rows -= to - from;
    return RDV_OK;
}

static int add_maker(builder *b, size_t maker, rdv_error *err)
{
    size_t from = b->table.n_rows;
    int r = RDV_OK;
    b->baseline = compared_with(b, maker);
    for (size_t task = 0; task < b->all->n_tasks && r == RDV_OK; task++)
        r = add_task(b, maker, task, err);
    return r == RDV_OK && b->entry->mistakes.means ? add_means(b, maker, from, err) : r;
}

/* ---- Fig. 2 ---------------------------------------------------------------------------------- */

/* A simulated locator. */
typedef struct simulated {
    size_t maker;
    double accuracy;
} simulated;

static int by_accuracy(const void *a, const void *b)
{
    const simulated *x = a, *y = b;
    if (x->accuracy < y->accuracy || x->accuracy > y->accuracy)
        return x->accuracy < y->accuracy ? -1 : 1;
    return x->maker < y->maker ? -1 : x->maker > y->maker;
}

static int add_simulated(builder *b, rdv_error *err)
{
    simulated *every = RDV_NEW_ARRAY(b->all->arena, simulated, b->makers->n);
    size_t n = 0;
    int r = every ? RDV_OK : rdv_no_memory(err);
    for (size_t m = 0; r == RDV_OK && m < b->makers->n; m++) {
        rdv_str locator = b->names->texts[b->makers->of[m].name];
        double accuracy;
        if (trace_simulated_accuracy(locator, b->all->arena, &accuracy) < 0)
            return rdv_no_memory(err);
        if (!isnan(accuracy))
            every[n++] = (simulated){m, accuracy};
    }
    if (r == RDV_OK)
        qsort(every, n, sizeof *every, by_accuracy);
    for (size_t task = 0; r == RDV_OK && task < b->all->n_tasks; task++)
        for (size_t i = 0; i < n && r == RDV_OK; i++) {
            b->baseline = compared_with(b, every[i].maker);
            r = add_task(b, every[i].maker, task, err);
        }
    return r;
}

/* ---- the study ------------------------------------------------------------------------------- */

/* What the rows are of. */
static void choose_makers(builder *b)
{
    switch (b->entry->mistakes.by) {
    case MISTAKES_BY_TASK:
        b->makers = &b->all->origins;
        return;
    case MISTAKES_BY_CHECK:
        b->makers = &b->all->checkers;
        b->names = &b->all->checks;
        break;
    case MISTAKES_BY_LOCATOR:
    case MISTAKES_BY_SIMULATED:
        b->makers = &b->all->repairers;
        b->names = &b->all->locators;
        break;
    }
    b->named = 1;
}

/* Rows of the makers of one name stand together, in the order of the names. */
static int add_rows(builder *b, rdv_error *err)
{
    size_t n_names = b->names ? b->names->n : 1;
    int r = RDV_OK;
    if (b->entry->mistakes.by == MISTAKES_BY_SIMULATED)
        return add_simulated(b, err);
    for (size_t name = 0; name < n_names && r == RDV_OK; name++)
        for (size_t m = 0; m < b->makers->n && r == RDV_OK; m++)
            if (!b->names || b->makers->of[m].name == name)
                r = add_maker(b, m, err);
    return r;
}

/* Hides what tells people nothing: makers that are the same in all rows, and groups where each task
 * is in one only. */
static int hide_columns(builder *b, rdv_error *err)
{
    static const char *const heads[] = {"generator", "checker", "profile"};
    interner names;
    size_t id;
    int r = RDV_OK;
    interner_init(&names, b->all->arena);
    for (size_t i = 0; i < b->all->n_tasks; i++)
        if (interner_add(&names, b->all->tasks[i].name, &id) < 0)
            return rdv_no_memory(err);
    for (size_t i = 0; r == RDV_OK && i < sizeof heads / sizeof *heads; i++)
        r = source_hide(&b->table, heads[i], false, err);
    return r == RDV_OK ? source_hide(&b->table, "group", names.n == b->all->n_tasks, err) : r;
}

/* Adds the table of accuracies that other accuracies before would give. */
static int put_projected(const builder *b, rdv_study *s, rdv_error *err)
{
    rdv_study_table table;
    projected_begin(&table, b->all->arena);
    for (size_t i = 0; i < b->table.n_rows; i++) {
        const rdv_cell *labels = labels_of(b, i), *change = labels + N_LABELS;
        if (labels[TASK].text.p && !is_drawn(b, i))
            projected_add(&table, labels - 1, labels[TASK].text, &change[0].is, &change[1].is);
    }
    return table.n_rows || table.failed ? study_put(s, &table, err) : RDV_OK;
}

static int finish(rdv_study *s, rdv_error *err)
{
    builder b = {.all = s->of, .study = s, .entry = s->entry, .table = study_table(s)};
    double excluded = 0;
    choose_makers(&b);
    b.n_columns = s->entry->n_columns - b.named - N_LABELS - 1;
    int r = traces_draw(b.all, err);
    if (r == RDV_OK)
        r = sort_by_task(&b, err);
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
    b.table.decimals = 2;
    b.table.digits = 0;
    if (s->entry->mistakes.by >= MISTAKES_BY_LOCATOR)
        r = traces_note_accept(b.all, &b.table, err);
    if (r == RDV_OK)
        r = hide_columns(&b, err);
    if (r == RDV_OK)
        r = source_baseline(&b.table, s->options.baseline,
                            s->entry->mistakes.by >= MISTAKES_BY_LOCATOR
                                ? "no trace was repaired by it and by another locator"
                                : "no trace has a check by it and by another method",
                            err);
    if (r == RDV_OK)
        r = study_put(s, &b.table, err);
    return r == RDV_OK && s->entry->mistakes.projects ? put_projected(&b, s, err) : r;
}

const study_family study_mistakes = {.begin = traces_begin, .add = traces_add, .finish = finish};
