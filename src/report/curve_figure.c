/* SPDX-License-Identifier: Apache-2.0 */
#include "report/curve_figure.h"

#include "base/arena.h"
#include "base/str.h"

#define LINES_MAX 4

/* What a figure draws: curves by their names in the table, and in the legend. */
typedef struct curve_entry {
    rdv_figure figure;
    const char *lines[LINES_MAX][2];
    bool common; /* leave out the points of fewer than half of the questions */
} curve_entry;

static const curve_entry entries[CURVE_FIGURES] = {
    {.figure = {.name = "accuracy",
                .title = "Accuracy by number of chains",
                .reading = "The share of questions whose vote is right when that many chains of "
                           "each vote, as far as half of the questions have that many; bars are "
                           "95 % intervals.",
                .x = {.label = "chains that vote", .whole = true},
                .y = {.label = "questions right", .low = 0, .high = 1, .percent = true}},
     .lines = {{"accuracy.majority", "majority"},
               {"accuracy.weighted", "weighted by confidence"},
               {"accuracy.best", "best of N"},
               {"accuracy.oracle", "any of them is right"}},
     .common = true},
    {.figure = {.name = "roc",
                .title = "ROC curve",
                .reading = "For every threshold of the confidence: how many of the right chains "
                           "are accepted, against how many of the wrong ones. The diagonal is "
                           "chance.",
                .x = {.label = "wrong chains accepted", .high = 1, .percent = true},
                .y = {.label = "right chains accepted", .high = 1, .percent = true},
                .diagonal = true},
     .lines = {{"roc", "ROC"}}},
    {.figure = {.name = "thresholds",
                .title = "Rates by threshold",
                .reading = "A chain is accepted if its confidence reaches the threshold.",
                .x = {.label = "threshold", .high = 1},
                .y = {.label = "chains", .high = 1, .percent = true}},
     .lines = {{"tpr", "right chains accepted"},
               {"tnr", "wrong chains rejected"},
               {"balanced_accuracy", "mean of the two"}}},
};

static const rdv_cell *cell_at(const rdv_study_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->n_columns + column];
}

static const rdv_study_table *curves_of(const rdv_study_tables *tables)
{
    for (size_t i = 0; i < tables->n; i++) {
        const rdv_study_table *t = &tables->tables[i];
        if (t->series && t->series->form == RDV_FORM_MAP && t->n_columns == 2)
            return t;
    }
    return NULL;
}

static size_t find_curve(const rdv_study_table *t, const char *name)
{
    for (size_t i = 0; name && i < t->series->n_rows; i++)
        if (rdv_str_eq(cell_at(t->series, i, 0)->text, rdv_str_of(name)))
            return i;
    return SIZE_MAX;
}

/* The points of a curve: the first column is x, the second the value. Those that rest on fewer than
 * half of the questions are of other questions than the rest. */
static int points_of(const rdv_study_table *t, size_t curve, bool common, rdv_arena *arena,
                     rdv_figure_series *out)
{
    size_t begin = curve ? t->ends[curve - 1] : 0, n = t->ends[curve] - begin;
    rdv_figure_point *points = RDV_NEW_ARRAY(arena, rdv_figure_point, n + 1);
    out->points = points;
    for (out->n = 0; points && out->n < n; out->n++) {
        const rdv_cell *x = cell_at(t, begin + out->n, 0);
        const rdv_estimate *y = &cell_at(t, begin + out->n, 1)->is;
        if (common && 2 * y->n < cell_at(t, begin, 1)->is.n)
            break;
        points[out->n] = (rdv_figure_point){x->is.value, y->value, y->low, y->high};
    }
    return points ? RDV_OK : RDV_E_NOMEM;
}

/* RDV_NONE: none of the curves is there, or no more than a point. */
static int make_figure(const rdv_study_table *t, const curve_entry *entry, rdv_arena *arena,
                       rdv_figure *out)
{
    rdv_figure_series *series = RDV_NEW_ARRAY(arena, rdv_figure_series, LINES_MAX);
    size_t n = 0;
    for (size_t i = 0; series && i < LINES_MAX; i++) {
        size_t curve = find_curve(t, entry->lines[i][0]);
        if (curve == SIZE_MAX)
            continue;
        if (points_of(t, curve, entry->common, arena, &series[n]) < 0)
            return RDV_E_NOMEM;
        series[n++].name = rdv_str_of(entry->lines[i][1]);
    }
    *out = entry->figure;
    out->series = series;
    out->n_series = n;
    if (!series)
        return RDV_E_NOMEM;
    return n && (!entry->common || series[0].n > 1) ? RDV_OK : RDV_NONE;
}

int curve_figures(const rdv_study_tables *tables, rdv_arena *arena, rdv_figure out[CURVE_FIGURES],
                  size_t *n)
{
    const rdv_study_table *curves = curves_of(tables);
    *n = 0;
    for (size_t i = 0; curves && i < CURVE_FIGURES; i++) {
        int code = make_figure(curves, &entries[i], arena, &out[*n]);
        if (code < 0)
            return code;
        *n += code == RDV_OK;
    }
    return RDV_OK;
}

int curve_figure_grid(const rdv_study_tables *tables, rdv_arena *arena, rdv_figure_grid *out)
{
    size_t n;
    rdv_figure *panels = RDV_NEW_ARRAY(arena, rdv_figure, CURVE_FIGURES);
    int code = panels ? curve_figures(tables, arena, panels, &n) : RDV_E_NOMEM;
    if (code < 0 || n == 0)
        return code < 0 ? code : RDV_NONE;
    for (size_t i = 0; i < n; i++)
        panels[i].heading = rdv_str_of(panels[i].title);
    *out = (rdv_figure_grid){.name = CURVE_GRID,
                             .title = "Accuracy, ROC curve and rates",
                             .reading = "Bars and bands are 95 % intervals.",
                             .panels = panels,
                             .n_panels = n,
                             .n_columns = n};
    return RDV_OK;
}
