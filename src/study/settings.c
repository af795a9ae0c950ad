/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of settings: their values, which ones were fitted, on which chains, and their figures
 * there. */
#include "score/score.h"
#include "study/views.h"

#include "base/str.h"

#define MODEL(l1_, l0_, aggregate_, threshold_)                                                    \
    COLUMN_PROGRAM("confidence_model", TEXT), COLUMN_OPTIONAL("lambda_contradict", l1_, NUMBER),   \
        COLUMN_OPTIONAL("lambda_unrelated", l0_, NUMBER),                                          \
        COLUMN_OPTIONAL("aggregate", aggregate_, TEXT), COLUMN_AS("threshold", threshold_, NUMBER)
#define MODEL_COLUMNS 5

static const rdv_column settings_columns[] = {MODEL(NULL, NULL, NULL, NULL)};
static const rdv_column fit_columns[] = {
    COLUMN_AS("check", "settings", TEXT),
    COLUMN_OPTIONAL("fold", "fold", COUNT),
    COLUMN_PEOPLE("questions", COUNT),
    COLUMN_PEOPLE("chains", COUNT),
    MODEL("l1", "l0", "aggregate", "threshold"),
    COLUMN_PROGRAM("fitted_weights", FLAG),
    COLUMN_PROGRAM("fitted_aggregate", FLAG),
    COLUMN_PROGRAM("fitted_threshold", FLAG),
    COLUMN_PROGRAM("n_questions", COUNT),
    COLUMN_PROGRAM("n_chains", COUNT),
    COLUMN_OPTIONAL("log_likelihood", NULL, NUMBER),
    COLUMN_OPTIONAL("scale", NULL, NUMBER),
    COLUMN("auc", NUMBER),
    COLUMN_AS("balanced_accuracy", "balanced", NUMBER),
    COLUMN_PROGRAM("lambda_at_limit", FLAG),
};
static const rdv_column split_columns[] = {
    COLUMN_PROGRAM("n_folds", COUNT),
    COLUMN_PROGRAM("cross_validated", FLAG),
    COLUMN_PROGRAM("seed", COUNT),
    COLUMN_PROGRAM("n_fitted_only", COUNT),
};

static void fill_model(const confidence_model *model, rdv_cell *cells)
{
    static const char *const names[] = {"recorded", "verdicts", "scores"};
    cells[0] = table_text(rdv_str_of(names[model->is]));
    if (model->is == CONFIDENCE_VERDICTS) {
        cells[1] = table_number(model->integration.l1);
        cells[2] = table_number(model->integration.l0);
    }
    if (model->is == CONFIDENCE_SCORES)
        cells[3] = table_text(rdv_str_of(rdv_aggregate_name(model->aggregate)));
    cells[4] = model->threshold != 0 ? table_number(model->threshold) : table_absent(NULL);
}

static void add_fit(rdv_study_table *table, rdv_str name, const fit_result *fit)
{
    rdv_cell *row = table_row(table);
    if (!row)
        return;
    row[0] = table_text(name);
    if (fit->part != FIT_NO_PART)
        row[1] = table_count(fit->part);
    row[2] = table_count(fit->questions);
    row[3] = table_count(fit->chains);
    fill_model(&fit->model, row + 4);
    const double rest[] = {
        fit->was.weights,    fit->was.aggregate, fit->was.threshold, (double)fit->questions,
        (double)fit->chains, fit->likelihood,    fit->scale,         fit->auc,
        fit->balanced,       fit->at_limit};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        row[4 + MODEL_COLUMNS + i] = table_number(rest[i]);
}

/* Adds notes on unusual fits of one check. */
static void note_oddities(rdv_study_table *table, const view *one)
{
    size_t at_limit = 0, as_recorded = 0, n = one->n_fits;
    for (size_t i = 0; i < n; i++) {
        at_limit += one->fits[i].at_limit;
        as_recorded += one->weight.is == VOTE_WEIGHT_CONFIDENCE &&
                       one->fits[i].model.is == CONFIDENCE_RECORDED;
    }
    if (at_limit)
        table_note(table,
                   "%.*s: l1 reached the largest value that is tried, and might be larger, in %zu "
                   "of %zu fit%s",
                   RDV_FMT(one->name), at_limit, n, table_plural(n));
    if (as_recorded)
        table_note(table,
                   "%.*s: no verdicts to fit weights on, so the recorded confidences are used, in "
                   "%zu of %zu fit%s",
                   RDV_FMT(one->name), as_recorded, n, table_plural(n));
}

/* Describes how the questions were split; p == NULL when out of memory. */
static rdv_str split_title(const rdv_study *s, size_t fitted_only)
{
    const rdv_study_options *o = &s->options;
    const char *from = o->fitted_on ? o->fitted_on : "the input";
    if (o->first_only)
        return rdv_str_printf(s->arena,
                              "fitted on part 0 of 2 of %s, reported on part 1; %zu chains of the "
                              "input are not reported",
                              from, fitted_only);
    if (o->parts)
        return rdv_str_printf(s->arena,
                              "each of %zu parts of the questions is reported with the settings "
                              "fitted on the other parts of %s",
                              o->parts, from);
    return rdv_str_printf(s->arena, "fitted on %s", from);
}

static int put_split(rdv_study *s, size_t fitted_only, rdv_error *err)
{
    rdv_study_table table = table_new(s->arena, "split", COLUMNS_OF(split_columns));
    table.form = RDV_FORM_OBJECT;
    TABLE_ADD(&table, table_count(s->options.parts), table_number(!s->options.first_only),
              table_number((double)s->options.seed), table_count(fitted_only));
    return study_put(s, &table, err);
}

static int put_used(rdv_study *s, rdv_error *err)
{
    rdv_study_table table = table_new(s->arena, "settings", COLUMNS_OF(settings_columns));
    rdv_cell *row = table_row(&table);
    table.form = RDV_FORM_OBJECT;
    if (row)
        fill_model(&((const views *)s->of)->model, row);
    return study_put(s, &table, err);
}

int settings_put(rdv_study *s, rdv_error *err)
{
    const views *v = s->of;
    rdv_study_table table = table_new(s->arena, "fits", COLUMNS_OF(fit_columns));
    size_t fitted_only = 0;
    for (size_t i = 0; i < v->n; i++) {
        const view *one = &v->of[i];
        fitted_only = one->fitted_only ? one->fitted_only : fitted_only;
        for (size_t k = 0; k < one->n_fits; k++)
            add_fit(&table, one->name, &one->fits[k]);
        note_oddities(&table, one);
    }
    if (table.n_rows == 0 && !table.failed)
        return put_used(s, err);
    table.title = split_title(s, fitted_only);
    table.failed = table.failed || !table.title.p;
    int r = study_put(s, &table, err);
    return r == RDV_OK && s->options.parts ? put_split(s, fitted_only, err) : r;
}
