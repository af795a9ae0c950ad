/* SPDX-License-Identifier: Apache-2.0 */
#include "fits.h"
#include "figures.h"

#include "base/json.h"
#include "base/str.h"
#include "score/score.h"

#include <math.h>

static bool any_fit(const struct studies *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->of[i].out.n_fits)
            return true;
    return false;
}

/* Chains of the input that were fitted on and are in no figure. */
static size_t fitted_only(const struct studies *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n = s->of[i].out.fitted_only ? s->of[i].out.fitted_only : n;
    return n;
}

/* ---- a table --------------------------------------------------------------------------------- */

static void number_cell(rdv_table *table, double x, bool there)
{
    if (there && !isnan(x))
        rdv_table_cellf(table, "%.4g", x);
    else
        rdv_table_cell(table, RDV_STR("-"));
}

static void fit_row(rdv_table *table, rdv_str name, const rdv_fitted *fit)
{
    bool verdicts = fit->how.is == RDV_WEIGH_VERDICTS, scores = fit->how.is == RDV_WEIGH_SCORES;
    rdv_table_cell(table, name);
    number_cell(table, (double)fit->part, fit->part != RDV_NO_PART);
    rdv_table_cellf(table, "%zu", fit->questions);
    rdv_table_cellf(table, "%zu", fit->chains);
    number_cell(table, fit->how.integration.l1, verdicts);
    number_cell(table, fit->how.integration.l0, verdicts);
    rdv_table_cell(table,
                   scores ? rdv_str_of(rdv_aggregate_name(fit->how.aggregate)) : RDV_STR("-"));
    number_cell(table, fit->how.threshold, true);
    number_cell(table, fit->auc, true);
    number_cell(table, fit->balanced, true);
}

/* How the questions were kept apart. */
static void write_split(struct run *run, const struct studies *s)
{
    const rdv_study_options *o = &s->options;
    const char *from = s->settings->fit ? s->settings->fit : "the input";
    if (o->first_only)
        run_write(run, rdv_str_printf(run->arena,
                                      "fitted on part 0 of 2 of %s, reported on part 1; %zu chains "
                                      "of the input are not reported\n",
                                      from, fitted_only(s)));
    else if (o->parts)
        run_write(run,
                  rdv_str_printf(run->arena,
                                 "each of %zu parts of the questions is reported with the settings "
                                 "fitted on the other parts of %s\n",
                                 o->parts, from));
    else
        run_write(run, rdv_str_printf(run->arena, "fitted on %s\n", from));
}

/* What is odd about the fits of one check, as sentences. */
static void write_oddities(struct run *run, const struct studied *one)
{
    size_t at_limit = 0, as_recorded = 0, n = one->out.n_fits;
    for (size_t i = 0; i < n; i++) {
        at_limit += one->out.fits[i].at_limit;
        as_recorded +=
            one->weight.is == WEIGHT_CONFIDENCE && one->out.fits[i].how.is == RDV_WEIGH_RECORDED;
    }
    if (at_limit)
        run_write(run,
                  rdv_str_printf(run->arena,
                                 "%.*s: l1 reached the largest value that is tried, and might be "
                                 "larger, in %zu of %zu fit%s\n",
                                 RDV_FMT(one->name), at_limit, n, plural(n)));
    if (as_recorded)
        run_write(run,
                  rdv_str_printf(run->arena,
                                 "%.*s: no verdicts to fit weights on, so the recorded confidences "
                                 "are used, in %zu of %zu fit%s\n",
                                 RDV_FMT(one->name), as_recorded, n, plural(n)));
}

int fits_write_table(struct run *run, const struct studies *s, rdv_error *err)
{
    static const char *const heads[] = {"settings", ">fold",    ">questions", ">chains",
                                        ">l1",      ">l0",      "aggregate",  ">threshold",
                                        ">auc",     ">balanced"};
    if (!any_fit(s))
        return RDV_OK;
    run_write(run, RDV_STR("\n"));
    write_split(run, s);
    rdv_table *table = rdv_table_new(run->arena, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; table && i < s->n; i++) {
        for (size_t k = 0; k < s->of[i].out.n_fits; k++)
            fit_row(table, s->of[i].name, &s->of[i].out.fits[k]);
    }
    int code = figures_write_table(run, table, err);
    for (size_t i = 0; i < s->n; i++)
        write_oddities(run, &s->of[i]);
    return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_known(rdv_buf *b, const char *name, double x)
{
    if (!isnan(x))
        json_field(b, name, x);
}

/* The settings as members of an object. */
static void json_weighing(rdv_buf *b, const rdv_weighing *how)
{
    static const char *const names[] = {"recorded", "verdicts", "scores"};
    rdv_json_name(b, RDV_STR("confidence_model"));
    rdv_json_text(b, rdv_str_of(names[how->is]));
    if (how->is == RDV_WEIGH_VERDICTS) {
        json_field(b, "lambda_contradict", how->integration.l1);
        json_field(b, "lambda_unrelated", how->integration.l0);
    }
    if (how->is == RDV_WEIGH_SCORES) {
        rdv_json_name(b, RDV_STR("aggregate"));
        rdv_json_text(b, rdv_str_of(rdv_aggregate_name(how->aggregate)));
    }
    json_field(b, "threshold", how->threshold);
}

static void json_flag(rdv_buf *b, const char *name, bool flag)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_buf_add(b, flag ? RDV_STR("true") : RDV_STR("false"));
}

static void json_fit(rdv_buf *b, rdv_str check, const rdv_fitted *fit)
{
    rdv_buf_add_char(b, '{');
    rdv_json_name(b, RDV_STR("check"));
    rdv_json_text(b, check);
    if (fit->part != RDV_NO_PART)
        json_field(b, "fold", (double)fit->part);
    json_weighing(b, &fit->how);
    json_flag(b, "fitted_weights", fit->was.weights);
    json_flag(b, "fitted_aggregate", fit->was.aggregate);
    json_flag(b, "fitted_threshold", fit->was.threshold);
    json_field(b, "n_questions", (double)fit->questions);
    json_field(b, "n_chains", (double)fit->chains);
    json_known(b, "log_likelihood", fit->likelihood);
    json_known(b, "scale", fit->scale);
    json_field(b, "auc", fit->auc);
    json_field(b, "balanced_accuracy", fit->balanced);
    json_flag(b, "lambda_at_limit", fit->at_limit);
    rdv_buf_add_char(b, '}');
}

static void json_split(rdv_buf *b, const struct studies *s)
{
    rdv_json_name(b, RDV_STR("split"));
    rdv_buf_add_char(b, '{');
    json_field(b, "n_folds", (double)s->options.parts);
    json_flag(b, "cross_validated", !s->options.first_only);
    json_field(b, "seed", (double)s->options.seed);
    json_field(b, "n_fitted_only", (double)fitted_only(s));
    rdv_buf_add_char(b, '}');
}

void fits_json(rdv_buf *b, const struct studies *s)
{
    bool first = true;
    if (!any_fit(s)) {
        rdv_json_name(b, RDV_STR("settings"));
        rdv_buf_add_char(b, '{');
        json_weighing(b, &s->options.how);
        rdv_buf_add_char(b, '}');
        return;
    }
    rdv_json_name(b, RDV_STR("fits"));
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->of[i].out.n_fits; k++) {
            if (!first)
                rdv_buf_add_char(b, ',');
            json_fit(b, s->of[i].name, &s->of[i].out.fits[k]);
            first = false;
        }
    }
    rdv_buf_add_char(b, ']');
    if (s->options.parts)
        json_split(b, s);
}
