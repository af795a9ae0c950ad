/* SPDX-License-Identifier: Apache-2.0 */
/* rederive eval: how good answers and checks are, against what is known. */
#include "cmd.h"
#include "judge.h"
#include "run.h"
#include "weight.h"

#include <rederive/eval.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

#include <math.h>

#define MAX_VOTE_FIGURES 2

struct evaluating {
    struct run run;
    struct weight weight;
    struct judging judging;
    rdv_eval *eval;
    /* of the records that vote wrote, one value a question each */
    double *correct, *share_used;
    size_t n_votes, cap_correct, cap_share;
};

/* Everything there is to show. */
struct shown {
    rdv_figures chains;
    rdv_figure votes[MAX_VOTE_FIGURES];
    size_t n_votes;
};

/* ---- reading --------------------------------------------------------------------------------- */

static int take_chain(struct evaluating *e, const rdv_chain *chain, rdv_error *err)
{
    rdv_fact fact = {.question_id = chain->question.id,
                     .confidence = weight_of(&e->weight, chain),
                     .label = chain->label};
    const rdv_check *check = weight_check(&e->weight, chain);
    struct judged judged;
    int code = judge(chain, &e->judging, e->run.arena, &judged, err);
    if (code != RDV_OK)
        return code;
    fact.key = judged.key;
    fact.correct = judged.right;
    fact.checked = e->weight.is == WEIGHT_CONFIDENCE ? check != NULL : !isnan(fact.confidence);
    if (check && e->weight.is == WEIGHT_CONFIDENCE) {
        fact.skipped = check->skipped;
        fact.found = rdv_found_by(check);
        fact.verdicts = check->n_verdicts;
        fact.unknown = check->n_unknown;
    }
    return rdv_eval_add(e->eval, &fact, err);
}

static int take_vote(struct evaluating *e, const rdv_result *result, rdv_error *err)
{
    size_t n = e->n_votes;
    if (!RDV_PUSH_ROOM(e->run.keep, e->correct, n, e->cap_correct) ||
        !RDV_PUSH_ROOM(e->run.keep, e->share_used, n, e->cap_share))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu results are held", n);
    e->correct[n] = result->expected_correct;
    e->share_used[n] = result->chains ? (double)result->chains_used / (double)result->chains : NAN;
    e->n_votes++;
    return RDV_OK;
}

static int take_record(struct evaluating *e, const rdv_record *record, rdv_error *err)
{
    if (record->is == RDV_RECORD_RESULT)
        return take_vote(e, &record->result, err);
    int code = chain_wanted(record, err);
    return code == RDV_OK ? take_chain(e, &record->chain, err) : code;
}

static void read_all(struct evaluating *e)
{
    rdv_record record;
    while (run_next(&e->run, &record) == RDV_OK) {
        rdv_error err = {0};
        int code = take_record(e, &record, &err);
        if (code == RDV_E_NOMEM)
            run_stop(&e->run, NOTHING_DONE, &err);
        else if (code != RDV_OK)
            run_fail(&e->run, &record, &err);
    }
}

static int compute(struct evaluating *e, struct shown *shown, rdv_error *err)
{
    int code = rdv_eval_finish(e->eval, &shown->chains, err);
    if (code != RDV_OK || e->n_votes == 0)
        return code;
    shown->votes[shown->n_votes++] =
        (rdv_figure){"vote.accuracy", "questions", rdv_mean(e->correct, e->n_votes, true)};
    shown->votes[shown->n_votes++] =
        (rdv_figure){"vote.chains_used", "questions", rdv_mean(e->share_used, e->n_votes, true)};
    return RDV_OK;
}

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

/* A table laid out and written; NULL stands for one that could not be made. */
static int write_table(struct evaluating *e, const rdv_table *table, rdv_error *err)
{
    rdv_str text;
    if (!table)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table");
    int code = rdv_table_print(table, &e->run.terminal.view, &text, err);
    if (code == RDV_OK)
        run_write(&e->run, text);
    return code;
}

static int write_figures(struct evaluating *e, const struct shown *shown, rdv_error *err)
{
    static const char *const heads[] = {"figure", ">value", ">se", ">95 % interval", ">n", "of"};
    rdv_table *table = rdv_table_new(e->run.arena, heads, 6);
    for (size_t i = 0; table && i < shown->chains.n_figures; i++)
        figure_row(table, &shown->chains.figures[i]);
    for (size_t i = 0; table && i < shown->n_votes; i++)
        figure_row(table, &shown->votes[i]);
    return write_table(e, table, err);
}

static int write_curve(struct evaluating *e, const rdv_curve *curve, rdv_error *err)
{
    const char *heads[] = {NULL, ">value", ">se", ">95 % interval", ">n"};
    rdv_str x = rdv_str_printf(e->run.arena, ">%s", curve->x);
    rdv_str title = rdv_str_printf(e->run.arena, "\n%s (n: %s)\n", curve->name, curve->of);
    if (!x.p || !title.p)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table");
    heads[0] = x.p;
    run_write(&e->run, title);
    rdv_table *table = rdv_table_new(e->run.arena, heads, 5);
    for (size_t i = 0; table && i < curve->n_points; i++) {
        rdv_table_cellf(table, "%g", curve->points[i].x);
        estimate_cells(table, &curve->points[i].is);
    }
    return write_table(e, table, err);
}

/* What was left out of the figures, each where there is something to say. */
static void write_notes(struct evaluating *e, const rdv_figures *f)
{
    bool checks = e->weight.is == WEIGHT_CONFIDENCE; /* else there are no verdicts to speak of */
    const struct {
        size_t n;
        const char *what, *then;
    } notes[] = {
        {f->unread, "chain", "without a readable answer, counted as wrong"},
        {f->not_judged, "chain", "without a gold answer"},
        {f->questions_left_out, "question", "with such chains, left out of the accuracies"},
        {f->skipped, "chain", "skipped by the check, left out of its figures"},
        {f->null_confidence, "checked chain", "without a confidence, left out of AUC and rates"},
        {checks ? f->unlabelled : 0, "checked chain",
         "without a label, left out of the location figures"},
        {checks ? f->no_prediction : 0, "checked chain", "without a verdict that could be read"},
    };
    run_write(&e->run, rdv_str_printf(e->run.arena, "\n%zu question%s, %zu chain%s\n", f->questions,
                                      plural(f->questions), f->chains, plural(f->chains)));
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].n)
            run_write(&e->run, rdv_str_printf(e->run.arena, "%zu %s%s %s\n", notes[i].n,
                                              notes[i].what, plural(notes[i].n), notes[i].then));
}

static int write_tables(struct evaluating *e, const struct shown *shown, rdv_error *err)
{
    int code = write_figures(e, shown, err);
    if (shown->chains.chains)
        write_notes(e, &shown->chains);
    for (size_t i = 0; e->run.settings->curves && code == RDV_OK && i < shown->chains.n_curves; i++)
        code = write_curve(e, &shown->chains.curves[i], err);
    return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_field(rdv_buf *b, const char *name, double x)
{
    rdv_json_name(b, rdv_str_of(name));
    rdv_json_number(b, x);
}

static void json_estimate(rdv_buf *b, const rdv_estimate *x)
{
    json_field(b, "value", x->value);
    json_field(b, "se", x->se);
    json_field(b, "low", x->low);
    json_field(b, "high", x->high);
    json_field(b, "n", (double)x->n);
}

static void json_figure(rdv_buf *b, const rdv_figure *figure)
{
    rdv_json_name(b, rdv_str_of(figure->name));
    rdv_buf_add_char(b, '{');
    json_estimate(b, &figure->is);
    rdv_json_name(b, RDV_STR("of"));
    rdv_json_text(b, rdv_str_of(figure->of));
    rdv_buf_add_char(b, '}');
}

static void json_curve(rdv_buf *b, const rdv_curve *curve)
{
    rdv_json_name(b, rdv_str_of(curve->name));
    rdv_buf_add_char(b, '{');
    rdv_json_name(b, RDV_STR("x"));
    rdv_json_text(b, rdv_str_of(curve->x));
    rdv_json_name(b, RDV_STR("of"));
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
    json_field(b, "questions", (double)f->questions);
    json_field(b, "chains", (double)f->chains);
    json_field(b, "unread", (double)f->unread);
    json_field(b, "not_judged", (double)f->not_judged);
    json_field(b, "questions_left_out", (double)f->questions_left_out);
    json_field(b, "skipped", (double)f->skipped);
    json_field(b, "null_confidence", (double)f->null_confidence);
    json_field(b, "unlabelled", (double)f->unlabelled);
    json_field(b, "no_prediction", (double)f->no_prediction);
}

static int write_json(struct evaluating *e, const struct shown *shown, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, e->run.arena, 0);
    rdv_buf_add_char(&b, '{');
    json_counts(&b, &shown->chains);
    json_field(&b, "votes", (double)e->n_votes);
    json_field(&b, "failed", (double)e->run.failed);
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
    rdv_buf_lit(&b, "}}\n");
    if (!rdv_buf_ok(&b))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while writing the figures");
    run_write(&e->run, rdv_buf_str(&b));
    return RDV_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void conclude(struct evaluating *e)
{
    struct shown shown = {0};
    rdv_error err = {0};
    rdv_arena_reset(e->run.arena);
    int code = compute(e, &shown, &err);
    if (code == RDV_OK)
        code = (e->run.settings->json ? write_json : write_tables)(e, &shown, &err);
    if (code != RDV_OK)
        run_stop(&e->run, NOTHING_DONE, &err);
}

int cmd_eval(const struct settings *settings)
{
    struct evaluating e = {0};
    rdv_error err = {0};
    if (weight_read(settings, &e.weight, &err) != RDV_OK) {
        say("eval: %s", err.msg);
        return USAGE;
    }
    if (run_begin(&e.run, settings) != DONE)
        return run_end(&e.run);
    e.judging = judging_of(settings);
    rdv_eval_options options = {.seed = settings->seed, .threshold = settings->threshold.is};
    e.eval = rdv_eval_new(e.run.keep, &options);
    if (!e.eval)
        run_stop(&e.run, NOTHING_DONE, &(rdv_error){.msg = "out of memory"});
    else
        read_all(&e);
    if (e.run.records && !run_stopped(&e.run))
        conclude(&e);
    return run_end(&e.run);
}
