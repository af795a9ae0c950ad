/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a recipe's table, taken from an evaluation of its chains. */
#include "score/recipe.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "score/estimate.h"

#include <math.h>
#include <string.h>

#define ROC_ROWS_MAX 101

static int evaluate(const rdv_recipe *recipe, const rdv_fact *facts, size_t n,
                    const rdv_eval_options *options, rdv_arena *arena, rdv_figures *out,
                    rdv_error *err)
{
    static const size_t no_count[1] = {0};
    rdv_eval_options own = *options;
    own.counts = recipe->counts ? recipe->counts : no_count; /* NULL would be the default ones */
    own.n_counts = recipe->n_counts;
    rdv_eval *eval = rdv_eval_new(arena, &own);
    int r = eval ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; r == RDV_OK && i < n; i++)
        r = rdv_eval_add(eval, &facts[i], err);
    return r == RDV_OK ? rdv_eval_finish(eval, out, err) : r;
}

/* Rows of estimates that are not known; NULL when out of memory. */
static rdv_cell *new_rows(const rdv_recipe *recipe, size_t n, rdv_arena *arena)
{
    rdv_cell *rows = RDV_NEW_ARRAY(arena, rdv_cell, n * recipe->n_columns);
    for (size_t i = 0; rows && i < n * recipe->n_columns; i++)
        rows[i] = (rdv_cell){NAN, rdv_estimate_none(0)};
    return rows;
}

/* ---- curves ---------------------------------------------------------------------------------- */

static const rdv_curve *curve_named(const rdv_figures *f, const char *name, const char *x)
{
    for (size_t i = 0; i < f->n_curves; i++) {
        if (strcmp(f->curves[i].name, name) == 0 && strcmp(f->curves[i].x, x) == 0)
            return &f->curves[i];
    }
    return NULL;
}

/* The points of a curve into one column. */
static void fill_column(const rdv_recipe *recipe, const rdv_curve *curve, size_t column,
                        rdv_cell *rows)
{
    for (size_t i = 0; i < curve->n_points; i++) {
        rdv_cell *row = rows + i * recipe->n_columns;
        row[0].x = curve->points[i].x;
        row[column].is = curve->points[i].is;
    }
}

/* Rows that no question reaches (it has fewer chains) are left out. */
static size_t drop_empty(const rdv_recipe *recipe, rdv_cell *rows, size_t n)
{
    size_t kept = 0, width = recipe->n_columns;
    for (size_t i = 0; i < n; i++) {
        if (recipe->votes && rows[i * width + 1].is.n == 0)
            continue;
        memmove(rows + kept * width, rows + i * width, width * sizeof *rows);
        kept++;
    }
    return kept;
}

static int curve_rows(const rdv_recipe *recipe, const rdv_figures *f, rdv_arena *arena,
                      rdv_series *series, rdv_error *err)
{
    const rdv_curve *first = curve_named(f, recipe->columns[1].name, recipe->x);
    size_t n = first ? first->n_points : 0;
    series->rows = new_rows(recipe, n, arena);
    if (!series->rows)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t c = 1; c < recipe->n_columns; c++) {
        const rdv_curve *curve = curve_named(f, recipe->columns[c].name, recipe->x);
        if (curve)
            fill_column(recipe, curve, c, series->rows);
    }
    series->n_rows = drop_empty(recipe, series->rows, n);
    return RDV_OK;
}

/* ---- figures --------------------------------------------------------------------------------- */

static int figure_row(const rdv_recipe *recipe, const rdv_figures *f, rdv_arena *arena,
                      rdv_series *series, rdv_error *err)
{
    series->rows = new_rows(recipe, 1, arena);
    if (!series->rows)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    series->n_rows = 1;
    for (size_t c = 0; c < recipe->n_columns; c++) {
        for (size_t i = 0; i < f->n_figures; i++) {
            if (strcmp(f->figures[i].name, recipe->columns[c].name) == 0)
                series->rows[c].is = f->figures[i].is;
        }
    }
    return RDV_OK;
}

/* ---- ROC ------------------------------------------------------------------------------------- */

static int scored_of(const rdv_fact *facts, size_t n, rdv_arena *arena, rdv_scored **out,
                     size_t *n_out)
{
    rdv_scored *s = RDV_NEW_ARRAY(arena, rdv_scored, n);
    rdv_map ids;
    rdv_map_init(&ids, arena);
    *n_out = 0;
    for (size_t i = 0; s && i < n; i++) {
        const rdv_fact *f = &facts[i];
        size_t question = rdv_map_get(&ids, f->question_id);
        if (!f->checked || f->skipped || f->correct < 0 || isnan(f->confidence))
            continue;
        if (question == RDV_MAP_MISSING) {
            question = i;
            if (rdv_map_put(&ids, f->question_id, i) < 0)
                return RDV_E_NOMEM;
        }
        s[(*n_out)++] = (rdv_scored){f->confidence, f->correct == 1, question};
    }
    *out = s;
    return s ? RDV_OK : RDV_E_NOMEM;
}

static rdv_cell rate_cell(double value, size_t n)
{
    rdv_cell cell = {NAN, rdv_estimate_none(n)};
    cell.is.value = value;
    return cell;
}

/* All points, thinned evenly where there are very many; both ends stay. */
static int roc_rows(const rdv_recipe *recipe, const rdv_scored *s, size_t n, rdv_arena *arena,
                    rdv_series *series, rdv_error *err)
{
    rdv_roc_point *roc;
    size_t points;
    int r = rdv_roc(s, n, arena, &roc, &points, err);
    if (r != RDV_OK)
        return r < 0 ? r : RDV_OK;
    size_t rows = points < ROC_ROWS_MAX ? points : ROC_ROWS_MAX;
    series->rows = new_rows(recipe, rows, arena);
    if (!series->rows)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    series->n_rows = rows;
    for (size_t i = 0; i < rows; i++) {
        const rdv_roc_point *p = &roc[i * (points - 1) / (rows - 1)];
        rdv_cell *row = series->rows + i * recipe->n_columns;
        row[0].x = p->threshold;
        row[1] = rate_cell(p->fpr, n);
        row[2] = rate_cell(p->tpr, n);
    }
    return RDV_OK;
}

static int roc_series(const rdv_recipe *recipe, const rdv_fact *facts, size_t n, rdv_arena *arena,
                      rdv_series *series, rdv_error *err)
{
    rdv_scored *scored;
    size_t n_scored;
    if (scored_of(facts, n, arena, &scored, &n_scored) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    int r = rdv_auc(scored, n_scored, arena, &series->auc, err);
    return r < 0 ? r : roc_rows(recipe, scored, n_scored, arena, series, err);
}

int rdv_recipe_rows(const rdv_recipe *recipe, const rdv_fact *facts, size_t n,
                    const rdv_eval_options *options, rdv_arena *arena, rdv_series *series,
                    rdv_error *err)
{
    rdv_figures figures;
    if (recipe->shape == RDV_SHAPE_ROC)
        return roc_series(recipe, facts, n, arena, series, err);
    int r = evaluate(recipe, facts, n, options, arena, &figures, err);
    if (r < 0)
        return r;
    series->questions_not_judged = figures.questions_left_out;
    return (recipe->shape == RDV_SHAPE_CURVES ? curve_rows : figure_row)(recipe, &figures, arena,
                                                                         series, err);
}
