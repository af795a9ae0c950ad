/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"
#include "fits.h"
#include "report/report.h"
#include "run.h"

#include "base/json.h"
#include "base/str.h"

#include <math.h>

/* ---- tables ---------------------------------------------------------------------------------- */

static void estimate_cells(rdv_table *table, const rdv_estimate *x)
{
    if (isnan(x->value))
        rdv_table_cell(table, RDV_STR("-"));
    else
        rdv_table_cellf(table, "%.4f", x->value);
    if (isnan(x->se))
        rdv_table_cell(table, RDV_STR("-"));
    else
        rdv_table_cellf(table, "%.4f", x->se);
    if (isnan(x->low) || isnan(x->high))
        rdv_table_cell(table, RDV_STR("-"));
    else
        rdv_table_cellf(table, "%.4f to %.4f", x->low, x->high);
    rdv_table_cellf(table, "%zu", x->n);
}

static void figure_row(rdv_table *table, const rdv_figure *figure)
{
    rdv_table_cell(table, rdv_str_of(figure->name));
    estimate_cells(table, &figure->is);
    rdv_table_cell(table, rdv_str_of(figure->of));
}

int figures_write_table(struct run *run, const rdv_table *table, rdv_error *err)
{
    rdv_str text;
    if (!table)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table");
    int code = rdv_table_print(table, &run->terminal.view, &text, err);
    if (code == RDV_OK)
        run_write(run, text);
    return code;
}

static int write_figures(struct run *run, const struct shown *shown, rdv_error *err)
{
    static const char *const heads[] = {"figure",         ">value", ">stderr",
                                        ">95 % interval", ">n",     "unit"};
    rdv_table *table = rdv_table_new(run->arena, heads, 6);
    for (size_t i = 0; table && i < shown->chains.n_figures; i++)
        figure_row(table, &shown->chains.figures[i]);
    for (size_t i = 0; table && i < shown->n_votes; i++)
        figure_row(table, &shown->votes[i]);
    return figures_write_table(run, table, err);
}

static int write_curve(struct run *run, const rdv_curve *curve, rdv_error *err)
{
    const char *heads[] = {NULL, ">value", ">stderr", ">95 % interval", ">n"};
    rdv_str x = rdv_str_printf(run->arena, ">%s", curve->x);
    rdv_str title = rdv_str_printf(run->arena, "\n%s (n: %s)\n", curve->name, curve->of);
    if (!x.p || !title.p)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table");
    heads[0] = x.p;
    run_write(run, title);
    rdv_table *table = rdv_table_new(run->arena, heads, 5);
    for (size_t i = 0; table && i < curve->n_points; i++) {
        rdv_table_cellf(table, "%g", curve->points[i].x);
        estimate_cells(table, &curve->points[i].is);
    }
    return figures_write_table(run, table, err);
}

void figures_write_left_out(struct run *run, const struct left_out *left, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (left[i].n)
            run_write(run, rdv_str_printf(run->arena, "%zu %s%s %s\n", left[i].n, left[i].what,
                                          plural(left[i].n), left[i].then));
}

/* What was left out of the figures, each where there is something to say. */
static void write_notes(struct run *run, const rdv_figures *f, bool checks)
{
    const struct left_out notes[] = {
        {f->unread, "chain", "without a readable answer, counted as wrong"},
        {f->not_judged, "chain", "without a gold answer"},
        {f->questions_left_out, "question", "with such chains, excluded from the accuracies"},
        {f->skipped, "chain", "skipped by the check, excluded from its figures"},
        {f->null_confidence, "checked chain", "without a confidence, excluded from AUC and rates"},
        {checks ? f->unlabelled : 0, "checked chain",
         "without a label, excluded from the location figures"},
        {checks ? f->no_prediction : 0, "checked chain", "without a verdict that could be read"},
    };
    run_write(run, rdv_str_printf(run->arena, "\n%zu question%s, %zu chain%s\n", f->questions,
                                  plural(f->questions), f->chains, plural(f->chains)));
    figures_write_left_out(run, notes, sizeof notes / sizeof *notes);
}

int figures_write_tables(struct run *run, const struct shown *shown, rdv_error *err)
{
    int code = write_figures(run, shown, err);
    if (shown->chains.chains)
        write_notes(run, &shown->chains, shown->checks);
    for (size_t i = 0; run->settings->curves && code == RDV_OK && i < shown->chains.n_curves; i++)
        code = write_curve(run, &shown->chains.curves[i], err);
    return code == RDV_OK && shown->fits ? fits_write_table(run, shown->fits, err) : code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void json_field(rdv_buf *b, const char *name, double x)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_json_number(b, x);
}

void json_estimate(rdv_buf *b, const rdv_estimate *x)
{
    json_field(b, "value", x->value);
    json_field(b, "stderr", x->se);
    json_field(b, "ci_low", x->low);
    json_field(b, "ci_high", x->high);
    json_field(b, "n", (double)x->n);
}

static void json_figure(rdv_buf *b, const rdv_figure *figure)
{
    rdv_json_name(b, rdv_str_of(figure->name));
    rdv_buf_add_char(b, '{');
    json_estimate(b, &figure->is);
    rdv_json_name(b, RDV_STR("unit"));
    rdv_json_text(b, rdv_str_of(figure->of));
    rdv_buf_add_char(b, '}');
}

static void json_curve(rdv_buf *b, const rdv_curve *curve)
{
    rdv_json_name(b, rdv_str_of(curve->name));
    rdv_buf_add_char(b, '{');
    rdv_json_name(b, RDV_STR("x"));
    rdv_json_text(b, rdv_str_of(curve->x));
    rdv_json_name(b, RDV_STR("unit"));
    rdv_json_text(b, rdv_str_of(curve->of));
    rdv_json_name(b, RDV_STR("points"));
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < curve->n_points; i++) {
        rdv_buf_add(b, rdv_str_of(i ? ",{" : "{"));
        json_field(b, "x", curve->points[i].x);
        json_estimate(b, &curve->points[i].is);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_lit(b, "]}");
}

static void json_counts(rdv_buf *b, const rdv_figures *f)
{
    json_field(b, "n_questions", (double)f->questions);
    json_field(b, "n_chains", (double)f->chains);
    json_field(b, "n_unparsed", (double)f->unread);
    json_field(b, "n_ungraded", (double)f->not_judged);
    json_field(b, "n_questions_excluded", (double)f->questions_left_out);
    json_field(b, "n_skipped", (double)f->skipped);
    json_field(b, "n_null_confidence", (double)f->null_confidence);
    json_field(b, "n_unlabelled", (double)f->unlabelled);
    json_field(b, "n_no_prediction", (double)f->no_prediction);
}

int figures_write_json(struct run *run, const struct shown *shown, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, run->arena, 0);
    rdv_buf_add_char(&b, '{');
    json_counts(&b, &shown->chains);
    json_field(&b, "n_votes", (double)shown->n_results);
    json_field(&b, "n_failed", (double)run->failed);
    rdv_json_name(&b, RDV_STR("figures"));
    rdv_buf_add_char(&b, '{');
    for (size_t i = 0; i < shown->chains.n_figures; i++)
        json_figure(&b, &shown->chains.figures[i]);
    for (size_t i = 0; i < shown->n_votes; i++)
        json_figure(&b, &shown->votes[i]);
    rdv_buf_add_char(&b, '}');
    rdv_json_name(&b, RDV_STR("curves"));
    rdv_buf_add_char(&b, '{');
    for (size_t i = 0; i < shown->chains.n_curves; i++)
        json_curve(&b, &shown->chains.curves[i]);
    rdv_buf_add_char(&b, '}');
    if (shown->fits)
        fits_json(&b, shown->fits);
    rdv_buf_lit(&b, "}\n");
    if (!rdv_buf_ok(&b))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while writing the figures");
    run_write(run, rdv_buf_str(&b));
    return RDV_OK;
}
