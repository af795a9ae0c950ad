/* SPDX-License-Identifier: Apache-2.0 */
#include "recipe.h"
#include "figures.h"
#include "fits.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

#include <math.h>

#define LABELS 3 /* check, generator, checker */
#define MAX_COLUMNS 16

int recipe_named(const char *name, rdv_recipe_is *out, rdv_error *err)
{
    if (rdv_recipe_named(rdv_str_of(name), out) == RDV_OK)
        return RDV_OK;
    char names[RDV_ERROR_MAX];
    size_t at = 0;
    for (int i = 0; i < RDV_N_RECIPES && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "",
                               rdv_recipe_name((rdv_recipe_is)i, NULL));
    return rdv_fail(err, RDV_E_ARGUMENT, "--recipe %.64s: must be one of %s", name, names);
}

/* ---- computing ------------------------------------------------------------------------------- */

/* The makers of the facts of one study, which may leave out chains that were only fitted on. */
static int makers_of(const struct studies *s, const rdv_studied *out, rdv_arena *arena,
                     size_t **makers)
{
    *makers = RDV_NEW_ARRAY(arena, size_t, out->n);
    for (size_t i = 0; *makers && i < out->n; i++)
        (*makers)[i] = s->made_by[out->added[i]];
    return *makers ? RDV_OK : RDV_E_NOMEM;
}

static int compute(const struct run *run, const struct studies *s, rdv_recipe_table *out,
                   rdv_error *err)
{
    rdv_recipe_check checks[MAX_STUDIES];
    rdv_recipe_is is;
    rdv_recipe_named(rdv_str_of(s->settings->recipe), &is);
    for (size_t i = 0; i < s->n; i++) {
        const rdv_studied *studied = &s->of[i].out;
        size_t *makers;
        if (makers_of(s, studied, run->arena, &makers) < 0)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        checks[i] = (rdv_recipe_check){s->of[i].name, studied->facts, makers, studied->n};
    }
    rdv_recipe_input input = {
        .checks = checks,
        .n_checks = s->n,
        .makers = s->makers,
        .n_makers = s->n_makers,
        .options = {.seed = s->settings->seed, .threshold = s->settings->threshold.is}};
    int code = rdv_recipe_compute(is, &input, run->arena, out, err);
    if (code == RDV_NONE)
        rdv_fail(err, RDV_NONE,
                 "no chain has the data for %s: %.*s; --weight confidence:METHOD or scores:NAME "
                 "selects other data",
                 s->settings->recipe, RDV_FMT(s->of[0].name));
    return code;
}

/* ---- a table --------------------------------------------------------------------------------- */

static void share_cell(rdv_table *table, const rdv_estimate *x, bool gain, bool ascii)
{
    if (isnan(x->value))
        rdv_table_cell(table, RDV_STR("-"));
    else if (isnan(x->se))
        rdv_table_cellf(table, gain ? "%+.1f" : "%.1f", 100 * x->value);
    else
        rdv_table_cellf(table, gain ? "%+.1f %s %.1f" : "%.1f %s %.1f", 100 * x->value,
                        ascii ? "+-" : "±", 100 * x->se);
}

static void text_cell(rdv_table *table, rdv_str text)
{
    rdv_table_cell(table, text.p ? text : RDV_STR("-"));
}

static void series_rows(rdv_table *table, const rdv_recipe_table *t, const rdv_series *series,
                        bool ascii)
{
    for (size_t r = 0; r < series->n_rows; r++) {
        const rdv_cell *row = series->rows + r * t->n_columns;
        text_cell(table, series->check);
        text_cell(table, series->makers.generator);
        text_cell(table, series->makers.checker);
        for (size_t c = 0; c < t->n_columns; c++) {
            if (t->columns[c].is == RDV_COLUMN_NUMBER)
                rdv_table_cellf(table, "%g", row[c].x);
            else
                share_cell(table, &row[c].is, t->columns[c].is == RDV_COLUMN_GAIN, ascii);
        }
        rdv_table_cellf(table, "%zu", row[t->n_columns - 1].is.n);
    }
}

static int write_rows(struct run *run, const rdv_recipe_table *t, rdv_error *err)
{
    const char *heads[LABELS + MAX_COLUMNS + 1] = {"check", "generator", "checker"};
    for (size_t c = 0; c < t->n_columns; c++) {
        bool share = t->columns[c].is != RDV_COLUMN_NUMBER;
        rdv_str head = rdv_str_printf(run->arena, ">%s%s", t->columns[c].name, share ? " %" : "");
        if (!head.p)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table");
        heads[LABELS + c] = head.p;
    }
    heads[LABELS + t->n_columns] = t->votes ? ">questions" : ">n";
    rdv_table *table = rdv_table_new(run->arena, heads, LABELS + t->n_columns + 1);
    for (size_t i = 0; table && i < t->n_series; i++)
        series_rows(table, t, &t->series[i], run->terminal.view.ascii);
    return figures_write_table(run, table, err);
}

/* What the series rests on and lacks, as sentences. */
static void write_notes(struct run *run, const rdv_recipe_table *t, const rdv_series *s)
{
    const struct left_out notes[] = {
        {s->unread, "chain", "without a readable answer, counted as wrong"},
        {s->not_judged, "chain", "of unknown correctness"},
        {s->questions_not_judged, "question", "with such chains, excluded"},
        {s->unchecked, "chain", "without this check"},
        {s->skipped, "chain", "skipped by the check"},
        {s->questions_unchecked, "question",
         "with chains without the check or skipped by it, excluded"},
        {s->null_confidence, "checked chain",
         t->votes ? "without a confidence, casting no weighted vote"
                  : "without a confidence, excluded"},
    };
    run_write(run,
              rdv_str_printf(run->arena, "\n%.*s: %zu question%s, %zu chain%s\n", RDV_FMT(s->check),
                             s->questions, plural(s->questions), s->chains, plural(s->chains)));
    if (!s->makers.generator.p || !s->makers.checker.p)
        run_write(run,
                  rdv_str_printf(run->arena, "the records do not name the model that %s them\n",
                                 s->makers.generator.p ? "checked"
                                 : s->makers.checker.p ? "generated"
                                                       : "generated or checked"));
    figures_write_left_out(run, notes, sizeof notes / sizeof *notes);
    if (!isnan(s->auc.value))
        run_write(run, rdv_str_printf(run->arena, "auc %.4f, stderr %.4f, %.4f to %.4f\n",
                                      s->auc.value, s->auc.se, s->auc.low, s->auc.high));
}

/* Table 2 hangs on the threshold, and the paper states none. */
static bool hangs_on_threshold(const struct studies *s)
{
    return !s->options.fit.threshold &&
           rdv_str_eq(rdv_str_of(s->settings->recipe), RDV_STR("selfcheck:table2"));
}

static int write_tables(struct run *run, const struct studies *s, const rdv_recipe_table *t,
                        rdv_error *err)
{
    const char *about, *name = rdv_recipe_name(t->recipe, &about);
    run_write(run, rdv_str_printf(run->arena, "%s: %s\n\n", name, about));
    int code = write_rows(run, t, err);
    for (size_t i = 0; i < t->n_series; i++)
        write_notes(run, t, &t->series[i]);
    if (hangs_on_threshold(s))
        run_write(run, rdv_str_printf(run->arena,
                                      "\nthe threshold is %g and not fitted (the paper states "
                                      "none); --fit or --split fits one\n",
                                      s->settings->threshold.is));
    return code == RDV_OK ? fits_write_table(run, s, err) : code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_text(rdv_buf *b, const char *name, rdv_str text)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_json_text(b, text);
}

static void json_named_estimate(rdv_buf *b, const char *name, const rdv_estimate *x)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_buf_add_char(b, '{');
    json_estimate(b, x);
    rdv_buf_add_char(b, '}');
}

static void json_row(rdv_buf *b, const rdv_recipe_table *t, const rdv_cell *row)
{
    rdv_buf_add_char(b, '{');
    for (size_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].is == RDV_COLUMN_NUMBER)
            json_field(b, t->columns[c].name, row[c].x);
        else
            json_named_estimate(b, t->columns[c].name, &row[c].is);
    }
    rdv_buf_add_char(b, '}');
}

static void json_series(rdv_buf *b, const rdv_recipe_table *t, const rdv_series *s)
{
    rdv_buf_add_char(b, '{');
    json_text(b, "check", s->check);
    json_text(b, "generator", s->makers.generator);
    json_text(b, "checker", s->makers.checker);
    json_field(b, "n_questions", (double)s->questions);
    json_field(b, "n_chains", (double)s->chains);
    json_field(b, "n_unparsed", (double)s->unread);
    json_field(b, "n_ungraded", (double)s->not_judged);
    json_field(b, "n_questions_ungraded", (double)s->questions_not_judged);
    json_field(b, "n_unchecked", (double)s->unchecked);
    json_field(b, "n_skipped", (double)s->skipped);
    json_field(b, "n_questions_unchecked", (double)s->questions_unchecked);
    json_field(b, "n_null_confidence", (double)s->null_confidence);
    if (t->recipe == RDV_SELFCHECK_FIG4)
        json_named_estimate(b, "auc", &s->auc);
    rdv_json_name(b, RDV_STR("rows"));
    rdv_buf_add_char(b, '[');
    for (size_t r = 0; r < s->n_rows; r++) {
        if (r)
            rdv_buf_add_char(b, ',');
        json_row(b, t, s->rows + r * t->n_columns);
    }
    rdv_buf_lit(b, "]}");
}

static int write_json(struct run *run, const struct studies *s, const rdv_recipe_table *t,
                      rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, run->arena, 0);
    rdv_buf_add_char(&b, '{');
    json_text(&b, "recipe", rdv_str_of(rdv_recipe_name(t->recipe, NULL)));
    json_field(&b, "n_failed", (double)run->failed);
    rdv_json_name(&b, RDV_STR("series"));
    rdv_buf_add_char(&b, '[');
    for (size_t i = 0; i < t->n_series; i++) {
        if (i)
            rdv_buf_add_char(&b, ',');
        json_series(&b, t, &t->series[i]);
    }
    rdv_buf_add_char(&b, ']');
    fits_json(&b, s);
    rdv_buf_lit(&b, "}\n");
    if (!rdv_buf_ok(&b))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while writing the figures");
    run_write(run, rdv_buf_str(&b));
    return RDV_OK;
}

int recipe_write(struct run *run, const struct studies *s, rdv_error *err)
{
    rdv_recipe_table table;
    int code = compute(run, s, &table, err);
    if (code != RDV_OK)
        return code;
    return (run->settings->json ? write_json : write_tables)(run, s, &table, err);
}
