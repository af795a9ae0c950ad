/* SPDX-License-Identifier: Apache-2.0 */
/* The study "evaluation", which belongs to no single paper: every figure that the chains allow, and
 * curves. */
#include "study/eval.h"
#include "study/views.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "score/eval.h"

#include <math.h>
#include <string.h>

static const rdv_column count_columns[] = {
    COLUMN_PROGRAM("n_questions", COUNT),
    COLUMN_PROGRAM("n_chains", COUNT),
    COLUMN_PROGRAM("n_unparsed", COUNT),
    COLUMN_PROGRAM("n_ungraded", COUNT),
    COLUMN_PROGRAM("n_questions_excluded", COUNT),
    COLUMN_PROGRAM("n_skipped", COUNT),
    COLUMN_PROGRAM("n_null_confidence", COUNT),
    COLUMN_PROGRAM("n_undecided", COUNT),
    COLUMN_PROGRAM("n_unlabelled", COUNT),
    COLUMN_PROGRAM("n_no_prediction", COUNT),
    COLUMN_PROGRAM("n_votes", COUNT),
};
static const rdv_column figure_columns[] = {COLUMN("figure", TEXT), COLUMN("value", FIGURE),
                                            COLUMN("unit", TEXT)};
static const rdv_column curve_columns[] = {COLUMN("curve", TEXT), COLUMN("x", TEXT),
                                           COLUMN("unit", TEXT)};
static const rdv_column point_columns[] = {COLUMN("x", NUMBER), COLUMN("value", FIGURE)};

static const rdv_column acceptance_columns[] = {
    COLUMN_PROGRAM("rule", TEXT),
    COLUMN_PROGRAM("threshold", NUMBER),
    COLUMN_PROGRAM("n_accepted", COUNT),
    COLUMN_PROGRAM("n_rejected", COUNT),
    COLUMN_PROGRAM("n_undecided", COUNT),
    COLUMN_PROGRAM("best_threshold", NUMBER),
    COLUMN_PROGRAM("best_balanced_accuracy", NUMBER),
};

#define RESULTS ((size_t)-1) /* the place of results of votes, apart from those of chains */

static int add_result(rdv_study *s, const rdv_result *result, rdv_error *err)
{
    views *v = s->of;
    size_t n = v->n_votes, at = n;
    rdv_str id = result->question_id;
    chain_identity identity = {{rdv_hash(id, 1), rdv_hash(id, 2)}};
    if (id.p && study_seen(s, &identity, RESULTS, n, &at) < 0)
        return rdv_no_memory(err);
    if (at < n)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "question \"%.*s\" has the result of another vote and would count twice; "
                        "give the results of one vote",
                        RDV_FMT(rdv_slice(id, 0, 80)));
    if (!RDV_PUSH_ROOM(s->arena, v->vote_correct, n, v->cap_correct) ||
        !RDV_PUSH_ROOM(s->arena, v->vote_share_used, n, v->cap_share))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu results are held", n);
    v->vote_correct[n] = result->expected_correct;
    v->vote_share_used[n] =
        result->chains ? (double)result->chains_used / (double)result->chains : NAN;
    v->n_votes++;
    return RDV_OK;
}

static int put_counts(rdv_study *s, const eval_figures *f, rdv_error *err)
{
    rdv_study_table table = table_new(s->arena, NULL, COLUMNS_OF(count_columns));
    rdv_cell *row = table_row(&table);
    table.form = RDV_FORM_MEMBERS;
    for (size_t i = 0; row && i < EVAL_COUNTS; i++)
        row[i] = table_count(f->count[i]);
    if (row)
        row[EVAL_COUNTS] = table_count(((const views *)s->of)->n_votes);
    return study_put(s, &table, err);
}

static void add_figure(rdv_study_table *table, const char *name, const char *of, rdv_estimate is)
{
    TABLE_ADD(table, table_text(rdv_str_of(name)), table_estimate(is), table_text(rdv_str_of(of)));
}

void eval_note_skipped(rdv_study_table *table, size_t n)
{
    if (n == 0)
        return;
    table_note(table, "a check skips a chain where the vote was settled without it (solve --stop "
                      "certain): 'solve --stop none' checks every chain, and so does");
    table_note(table,
               "'check' on the chains that --chains-out wrote; with solve's --journal it asks "
               "only what is missing");
}

/* Adds notes on what was left out of the figures, where there is any. */
static void note_counts(rdv_study_table *t, const size_t *count, bool checks)
{
    static const table_count_note notes[] = {
        {EVAL_UNPARSED, "chain", "without a readable answer, counted as wrong"},
        {EVAL_UNGRADED, "chain", "without a gold answer"},
        {EVAL_QUESTIONS_UNGRADED, "question", "with such chains, excluded from the accuracies"},
        {EVAL_SKIPPED, "chain", "skipped by the check, excluded from its figures"},
        {EVAL_NULL_CONFIDENCE, "checked chain",
         "without a confidence, excluded from AUC and rates"},
        {EVAL_UNDECIDED, "checked chain", "neither accepted nor rejected, excluded from rates"},
        {EVAL_UNLABELLED, "checked chain", "without a label, excluded from the location figures"},
        {EVAL_NO_PREDICTION, "checked chain", "without a verdict that could be read"},
    };
    size_t n = sizeof notes / sizeof *notes;
    table_note(t, "%s", "");
    table_note(t, "%zu question%s, %zu chain%s", count[EVAL_QUESTIONS],
               table_plural(count[EVAL_QUESTIONS]), count[EVAL_CHAINS],
               table_plural(count[EVAL_CHAINS]));
    table_note_counts(t, count, notes, checks ? n : n - 2); /* the last two concern verdicts */
    eval_note_skipped(t, count[EVAL_SKIPPED]);
}

/* Says by which rule chains were accepted, and what the best threshold would have been. */
static void note_acceptance(rdv_study_table *t, const eval_acceptance *by)
{
    if (by->mixed)
        table_note(t, "accepted: each chain by the rule of its own check");
    else if (by->how.rule == ACCEPT_NO_ERROR)
        table_note(t, "accepted: no step contradicted or unknown, and one supported (rule "
                      "no_error; --threshold sets another)");
    else if (by->how.rule == ACCEPT_CONFIDENCE)
        table_note(t, "accepted: a confidence of at least %g%s", by->how.threshold,
                   by->how.proves ? " and no step contradicted" : "");
    else
        table_note(t, "the method states no rule for accepting a chain; --threshold sets one");
    if (!isnan(by->best))
        table_note(t, "best threshold for these chains, chosen on them: %g, balanced_accuracy %.4f",
                   by->best_threshold, by->best);
}

static int put_acceptance(rdv_study *s, const eval_acceptance *by, rdv_error *err)
{
    rdv_study_table table = table_new(s->arena, "acceptance", COLUMNS_OF(acceptance_columns));
    bool threshold = by->how.rule == ACCEPT_CONFIDENCE && !by->mixed, best = !isnan(by->best);
    const char *rule = by->mixed ? "mixed" : acceptance_name(&by->how);
    table.form = RDV_FORM_OBJECT;
    TABLE_ADD(&table, table_text(rdv_str_of(rule)),
              threshold ? table_number(by->how.threshold) : table_absent(NULL),
              table_count(by->count[1]), table_count(by->count[0]), table_count(by->count[2]),
              best ? table_number(by->best_threshold) : table_absent(NULL), table_number(by->best));
    return study_put(s, &table, err);
}

/* ---- one sentence ---------------------------------------------------------------------------- */

static const rdv_estimate *figure_of(const eval_figures *f, const char *name)
{
    for (size_t i = 0; i < f->n_figures; i++)
        if (strcmp(f->figures[i].name, name) == 0 && !isnan(f->figures[i].is.value))
            return &f->figures[i].is;
    return NULL;
}

/* A figure in words: "rejects 71.4 % of the wrong ones". */
typedef struct figure_words {
    const char *name, *before, *behind;
    const char *alone; /* before it where it begins the sentence; NULL: `before` */
} figure_words;

/* A sentence of two figures, of which either may lack. */
static void add_sentence(rdv_buf *b, const eval_figures *f, const figure_words of[2])
{
    size_t begin = b->len;
    for (size_t i = 0; i < 2; i++) {
        const rdv_estimate *is = figure_of(f, of[i].name);
        bool first = b->len == begin;
        const char *joins = !first ? " and " : begin ? " " : "";
        const char *before = first && of[i].alone ? of[i].alone : of[i].before;
        if (is)
            rdv_buf_printf(b, "%s%s%.1f %% %s", joins, before, 100 * is->value, of[i].behind);
    }
    if (b->len > begin)
        rdv_buf_add_char(b, '.');
}

/* What the figures come to, for people. Empty: none of these is known; p == NULL: out of memory. */
static rdv_str summary(const eval_figures *f, rdv_arena *arena)
{
    static const figure_words sentences[][2] = {
        {{"accuracy.chain", "A question has the right answer in ", "of its solutions on average",
          NULL},
         {"accuracy.majority", "in ", "of the majority votes, ties as shares",
          "The right answer is chosen in "}},
        {{"tpr", "Of the solutions that the check accepts or rejects, it accepts ",
          "of the right ones", NULL},
         {"tnr", "rejects ", "of the wrong ones",
          "Of the solutions that the check accepts or rejects, it rejects "}},
        {{"location.with_mistake", "First mistakes: ", "are found", NULL},
         {"location.without_mistake", "none is claimed in ", "of the solutions without one",
          "First mistakes: none is claimed in "}},
    };
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "");
    if (f->n_figures == 0)
        rdv_buf_lit(&b,
                    "Nothing can be measured: no solution has a gold answer (member \"gold\", or "
                    "--gold-from), a label or a check.");
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        add_sentence(&b, f, sentences[i]);
    return rdv_buf_ok(&b) ? rdv_buf_str(&b) : (rdv_str){0};
}

static bool has_rates(const eval_acceptance *by)
{
    return by->count[0] || by->count[1] || by->count[2];
}

static int put_figures(rdv_study *s, const eval_figures *f, rdv_error *err)
{
    const views *v = s->of;
    rdv_study_table table = table_new(s->arena, "figures", COLUMNS_OF(figure_columns));
    table.form = RDV_FORM_MAP;
    rdv_str title = summary(f, s->arena);
    table.failed |= !title.p;
    table.title = title.len ? title : (rdv_str){0};
    for (size_t i = 0; i < f->n_figures; i++)
        add_figure(&table, f->figures[i].name, f->figures[i].of, f->figures[i].is);
    if (v->n_votes) {
        add_figure(&table, "vote.accuracy", "questions",
                   rdv_mean(v->vote_correct, v->n_votes, true));
        add_figure(&table, "vote.share_used", "questions",
                   rdv_mean(v->vote_share_used, v->n_votes, true));
    }
    if (f->count[EVAL_CHAINS])
        note_counts(&table, f->count, v->of[0].weight.is == VOTE_WEIGHT_CONFIDENCE);
    if (has_rates(&f->acceptance))
        note_acceptance(&table, &f->acceptance);
    return study_put(s, &table, err);
}

static void add_curve(rdv_study_table *table, const eval_curve *curve)
{
    for (size_t i = 0; i < curve->n_points; i++)
        TABLE_ADD(table, table_number(curve->points[i].x), table_estimate(curve->points[i].is));
    TABLE_ADD(table->series, table_text(rdv_str_of(curve->name)), table_text(rdv_str_of(curve->x)),
              table_text(rdv_str_of(curve->of)));
    table_end_series(table);
}

static int put_curves(rdv_study *s, const eval_figures *f, rdv_error *err)
{
    rdv_study_table table = table_new(s->arena, NULL, COLUMNS_OF(point_columns));
    rdv_study_table *curves = RDV_NEW(s->arena, rdv_study_table);
    if (!curves)
        return rdv_no_memory(err);
    *curves = table_new(s->arena, "curves", COLUMNS_OF(curve_columns));
    curves->form = RDV_FORM_MAP;
    table.series = curves;
    table.row_member = "points";
    table.details = true;
    table.digits = 6;
    for (size_t i = 0; i < f->n_curves; i++)
        add_curve(&table, &f->curves[i]);
    return study_put(s, &table, err);
}

static int finish(rdv_study *s, rdv_error *err)
{
    const view *all = &((const views *)s->of)->of[0];
    eval_options options = {0};
    eval_figures f;
    int r = views_fit(s, err);
    if (r == RDV_OK)
        r = eval_items(s, all->items, all->n, &options, &f, err);
    if (r == RDV_OK)
        r = put_counts(s, &f, err);
    if (r == RDV_OK)
        r = put_figures(s, &f, err);
    if (r == RDV_OK && has_rates(&f.acceptance))
        r = put_acceptance(s, &f.acceptance, err);
    if (r == RDV_OK)
        r = put_curves(s, &f, err);
    bool settings = s->options.fit || s->options.integrates;
    return r == RDV_OK && settings ? settings_put(s, err) : r;
}

const study_family study_evaluation = {
    .begin = views_begin, .add = views_add, .add_result = add_result, .finish = finish};
