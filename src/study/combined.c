/* SPDX-License-Identifier: Apache-2.0 */
#include "study/combined.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"
#include "score/eval.h"
#include "study/list.h"
#include "study/source.h"
#include "study/views.h"

#include <math.h>
#include <string.h>

#define RESAMPLES 1000 /* of the bootstrap */

static const rdv_column scorer_columns[] = {
    COLUMN("scorer", TEXT),
    COLUMN_OPTIONAL("aggregate", "aggregate", TEXT),
    COLUMN("accuracy.best", SHARE),
    COLUMN("gain.best", GAIN),
    COLUMN("accuracy.weighted", SHARE),
    COLUMN("gain.weighted", GAIN),
    COLUMN("n_questions", COUNT),
};
static const rdv_column fit_columns[] = {
    COLUMN_OPTIONAL("fold", "fold", COUNT),
    COLUMN("n_questions", COUNT),
    COLUMN("n_chains", COUNT),
    COLUMN("strength", NUMBER),
    COLUMN("log_likelihood", NUMBER),
};
static const rdv_column coefficient_columns[] = {
    COLUMN("scorer", TEXT),      COLUMN("feature", TEXT),       COLUMN("mean", NUMBER),
    COLUMN("deviation", NUMBER), COLUMN("coefficient", NUMBER),
};
static const rdv_column count_columns[] = {
    COLUMN_PROGRAM("n_questions", COUNT),      COLUMN_PROGRAM("n_questions_ungraded", COUNT),
    COLUMN_PROGRAM("n_chains", COUNT),         COLUMN_PROGRAM("n_unparsed", COUNT),
    COLUMN_PROGRAM("n_without_weight", COUNT),
};

typedef struct item {
    study_vote vote;
    scorer_values *values; /* one for each scorer */
} item;

typedef struct items {
    item *items;
    size_t n, cap;
} items;

/* Settings for a part of the questions. */
typedef struct fitted {
    combined_model model;
    size_t aggregate[COMBINED_SCORERS_MAX]; /* of a scorer alone: which of its features */
} fitted;

typedef struct combined {
    scorer scorers[COMBINED_SCORERS_MAX];
    size_t n_scorers;
    items learned, added;
    fitted all;
    fitted *folds; /* with cross-validation, one for each part; NULL: `all` is for all questions */
} combined;

/* What is reported: one value per question, for majority, each scorer alone, and all. */
typedef struct accuracies {
    double *best, *weighted, *best_gain, *weighted_gain;
} accuracies;

typedef struct report {
    const rdv_study *study;
    size_t n; /* questions so far */
    double *majority;
    accuracies of[COMBINED_SCORERS_MAX + 1]; /* the last: all together */
    size_t ungraded, chains, unread, unweighted;
    tally_ballot *ballots;
    tally_answer *answers;
} report;

/* ---- chains ---------------------------------------------------------------------------------- */

static int begin(rdv_study *s, rdv_error *err)
{
    combined *c = RDV_NEW(s->arena, combined);
    if (!c)
        return rdv_no_memory(err);
    if (!s->options.scorers)
        return rdv_fail(err, RDV_E_ARGUMENT, "the scorers to fit together are not named");
    if (!s->options.fit)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "scorers are fitted on other questions than they are reported on: add "
                        "--fit FILE or --split K");
    s->of = c;
    return scorers_read(rdv_str_of(s->options.scorers), c->scorers, &c->n_scorers, err);
}

static int add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    combined *c = s->of;
    items *to = one->learned ? &c->learned : &c->added;
    item new = {.values = RDV_NEW_ARRAY(s->arena, scorer_values, c->n_scorers)};
    int r = study_refuse_seen(s, one, err);
    if (r != RDV_OK)
        return r;
    if (!new.values || !RDV_PUSH_ROOM(s->arena, to->items, to->n, to->cap) ||
        study_vote_of(s, 0, one->chain->question.id, &one->grade, NAN, &new.vote) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held", to->n);
    for (size_t i = 0; i < c->n_scorers; i++)
        new.values[i] = scorer_measure(&c->scorers[i], one->chain);
    to->items[to->n++] = new;
    return RDV_OK;
}

/* Fills in the values of the scorer "majority" for the chains of a question; `chains` has room for
 * its answers. */
static void share_answers(const combined *c, const items *from, const study_lot *lot,
                          size_t *chains)
{
    size_t read = 0;
    memset(chains, 0, lot->question->n_answers * sizeof *chains);
    for (size_t i = 0; i < lot->n; i++)
        if (lot->ballots[i].answer != TALLY_UNREAD) {
            chains[lot->ballots[i].answer]++;
            read++;
        }
    for (size_t i = 0; i < lot->n; i++)
        for (size_t k = 0; k < c->n_scorers && lot->ballots[i].answer != TALLY_UNREAD; k++)
            if (c->scorers[k].is == SCORER_MAJORITY)
                from->items[lot->items[i]].values[k] =
                    scorer_share(chains[lot->ballots[i].answer], read);
}

/* Groups the chains by question. */
static int sort(const rdv_study *s, const items *from, study_lots *out, rdv_error *err)
{
    int r = study_sort_items(s, from->items, from->n, sizeof *from->items, s->arena, out, err);
    size_t *chains = r == RDV_OK ? RDV_NEW_ARRAY(s->arena, size_t, out->most_answers) : NULL;
    if (r == RDV_OK && !chains)
        return rdv_no_memory(err);
    for (size_t q = 0; r == RDV_OK && q < out->n; q++)
        share_answers(s->of, from, &out->lots[q], chains);
    return r;
}

/* ---- fitting --------------------------------------------------------------------------------- */

#define ALL_PARTS ((size_t)-1)

/* Whether the settings for the part are fitted on the question. */
static bool is_learned_for(const rdv_study *s, const study_question *question, size_t part)
{
    if (s->options.parts == 0)
        return true;
    size_t own = views_part(question, s->options.parts);
    return s->options.first_only ? own == 0 : own != part;
}

/* Chooses the feature of one scorer with the largest AUC; of equal ones the first. */
static int choose_aggregate(const combined_row *rows, size_t n, const combined_scorer *one,
                            size_t i, rdv_arena *arena, size_t *out, rdv_error *err)
{
    size_t n_features, found;
    double best = -1;
    rdv_scored *scored = RDV_NEW_ARRAY(arena, rdv_scored, n);
    if (!scored)
        return rdv_no_memory(err);
    scorer_features(&one->scorer, &n_features);
    *out = 0;
    for (size_t f = 0; f < n_features && n_features > 1; f++) {
        rdv_estimate auc;
        found = 0;
        for (size_t r = 0; r < n; r++)
            if (scorer_has(&one->scorer, &rows[r].values[i], one->logits))
                scored[found++] = (rdv_scored){rows[r].values[i].of[one->logits][f], rows[r].right,
                                               rows[r].question};
        int r = rdv_auc(scored, found, arena, &auc, err);
        if (r < 0)
            return r;
        if (auc.value > best) {
            best = auc.value;
            *out = f;
        }
    }
    return RDV_OK;
}

static int fit_part(rdv_study *s, const items *from, const study_lots *lots, size_t part,
                    fitted *out, rdv_error *err)
{
    combined *c = s->of;
    rdv_arena *scratch = rdv_arena_new(0);
    combined_row *rows = scratch ? RDV_NEW_ARRAY(scratch, combined_row, from->n) : NULL;
    size_t n = 0;
    int r = rows ? RDV_OK : rdv_no_memory(err);
    for (size_t q = 0; rows && q < lots->n; q++) {
        const study_lot *lot = &lots->lots[q];
        for (size_t i = 0; i < lot->n && is_learned_for(s, lot->question, part); i++) {
            const tally_ballot *ballot = &lot->ballots[i];
            if (ballot->answer != TALLY_UNREAD && ballot->correct >= 0)
                rows[n++] = (combined_row){from->items[lot->items[i]].values, q,
                                           lot->question->hash, ballot->correct == 1};
        }
    }
    if (r == RDV_OK)
        r = combined_fit(c->scorers, c->n_scorers, rows, n, s->arena, &out->model, err);
    for (size_t i = 0; r == RDV_OK && i < c->n_scorers; i++)
        r = choose_aggregate(rows, n, &out->model.scorers[i], i, scratch, &out->aggregate[i], err);
    rdv_arena_free(&scratch);
    return r;
}

static int fit(rdv_study *s, const study_lots *added, rdv_error *err)
{
    combined *c = s->of;
    const rdv_study_options *o = &s->options;
    bool learned = c->learned.n || o->parts == 0;
    const items *from = learned ? &c->learned : &c->added;
    study_lots lots = *added;
    int r = learned ? sort(s, from, &lots, err) : RDV_OK;
    if (r == RDV_OK)
        r = fit_part(s, from, &lots, ALL_PARTS, &c->all, err);
    if (r < 0 || o->parts == 0 || o->first_only)
        return r;
    c->folds = RDV_NEW_ARRAY(s->arena, fitted, o->parts);
    if (!c->folds)
        return rdv_no_memory(err);
    for (size_t part = 0; r == RDV_OK && part < o->parts; part++)
        r = fit_part(s, from, &lots, part, &c->folds[part], err);
    return r;
}

/* The settings that a question is reported with; NULL: it was only fitted on. */
static const fitted *fitted_for(const rdv_study *s, const study_question *question)
{
    const combined *c = s->of;
    if (s->options.first_only && views_part(question, s->options.parts) == 0)
        return NULL;
    return c->folds ? &c->folds[views_part(question, s->options.parts)] : &c->all;
}

const combined_model *study_combined_model(const rdv_study *s)
{
    return &((const combined *)s->of)->all.model;
}

/* ---- votes ----------------------------------------------------------------------------------- */

static double expected(report *r, rdv_select_kind how, const study_lot *lot)
{
    vote_tally tally = {.answers = r->answers, .n_answers = lot->question->n_answers};
    tally_decide(how, r->ballots, lot->n, &tally);
    return tally.expected_correct;
}

static void keep(report *r, accuracies *to, const study_lot *lot)
{
    to->best[r->n] = expected(r, RDV_SELECT_BEST, lot);
    to->weighted[r->n] = expected(r, RDV_SELECT_WEIGHTED, lot);
    to->best_gain[r->n] = to->best[r->n] - r->majority[r->n];
    to->weighted_gain[r->n] = to->weighted[r->n] - r->majority[r->n];
}

/* The weight of a chain by one scorer alone: a probability. */
static double alone(const fitted *by, size_t i, const scorer_values *values)
{
    const combined_scorer *one = &by->model.scorers[i];
    if (!scorer_has(&one->scorer, values, one->logits))
        return NAN;
    double x = values->of[one->logits][by->aggregate[i]];
    return one->scorer.weight.is == VOTE_WEIGHT_PERPLEXITY ? exp(x) : 1 / (1 + exp(-x));
}

static void add_question(report *r, const study_lot *lot, const fitted *by)
{
    const combined *c = r->study->of;
    for (size_t i = 0; i < lot->n; i++) {
        r->ballots[i] = lot->ballots[i];
        r->unread += lot->ballots[i].answer == TALLY_UNREAD;
    }
    r->chains += lot->n;
    r->majority[r->n] = expected(r, RDV_SELECT_MAJORITY, lot);
    for (size_t k = 0; k <= c->n_scorers; k++) {
        if (k < c->n_scorers && c->scorers[k].is != SCORER_WEIGHT)
            continue;
        for (size_t i = 0; i < lot->n; i++) {
            const scorer_values *values = c->added.items[lot->items[i]].values;
            r->ballots[i].weight =
                k < c->n_scorers ? alone(by, k, &values[k]) : combined_weight(&by->model, values);
            r->unweighted += k == c->n_scorers && isnan(r->ballots[i].weight);
        }
        keep(r, &r->of[k], lot);
    }
    r->n++;
}

static int vote_all(report *r, const study_lots *lots, rdv_error *err)
{
    rdv_arena *arena = r->study->arena;
    bool ok = true;
    r->majority = RDV_NEW_ARRAY(arena, double, lots->n);
    r->ballots = RDV_NEW_ARRAY(arena, tally_ballot, lots->most_chains);
    r->answers = RDV_NEW_ARRAY(arena, tally_answer, lots->most_answers);
    for (size_t k = 0; k <= ((const combined *)r->study->of)->n_scorers; k++) {
        double **lists[] = {&r->of[k].best, &r->of[k].weighted, &r->of[k].best_gain,
                            &r->of[k].weighted_gain};
        for (size_t i = 0; i < 4; i++) {
            *lists[i] = RDV_NEW_ARRAY(arena, double, lots->n);
            ok = ok && *lists[i];
        }
    }
    if (!ok || !r->majority || !r->ballots || !r->answers)
        return rdv_no_memory(err);
    for (size_t q = 0; q < lots->n; q++) {
        const fitted *by = fitted_for(r->study, lots->lots[q].question);
        r->ungraded += by && !lots->lots[q].graded;
        if (by && lots->lots[q].graded)
            add_question(r, &lots->lots[q], by);
    }
    if (r->n > 0)
        return RDV_OK;
    return rdv_fail(err, RDV_NONE,
                    "no question to report on has answers that are known to be right "
                    "or wrong");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int gain(const report *r, const double *x, rdv_estimate *out, rdv_error *err)
{
    const rdv_study_options *o = &r->study->options;
    return rdv_bootstrap(&x, 1, r->n, RESAMPLES, o->seed, o->threads, r->study->arena, out, err);
}

/* The name of the aggregate of a scorer alone, "by fold" where the folds differ. */
static rdv_str aggregate_name(const rdv_study *s, size_t i)
{
    const combined *c = s->of;
    size_t n;
    const char *const *names = scorer_features(&c->scorers[i], &n);
    if (n == 1)
        return (rdv_str){0};
    for (size_t part = 1; c->folds && part < s->options.parts; part++)
        if (c->folds[part].aggregate[i] != c->folds[0].aggregate[i])
            return RDV_STR("by fold");
    return rdv_str_of(names[c->folds ? c->folds[0].aggregate[i] : c->all.aggregate[i]]);
}

static int add_row(report *r, rdv_study_table *table, size_t k, rdv_error *err)
{
    const combined *c = r->study->of;
    const accuracies *a = &r->of[k];
    rdv_estimate best, weighted;
    int code = gain(r, a->best_gain, &best, err);
    if (code == RDV_OK)
        code = gain(r, a->weighted_gain, &weighted, err);
    if (code == RDV_OK)
        TABLE_ADD(table, table_text(k < c->n_scorers ? c->scorers[k].text : RDV_STR("combined")),
                  table_text(k < c->n_scorers ? aggregate_name(r->study, k) : (rdv_str){0}),
                  table_estimate(rdv_mean(a->best, r->n, true)), table_estimate(best),
                  table_estimate(rdv_mean(a->weighted, r->n, true)), table_estimate(weighted),
                  table_count(r->n));
    return code;
}

static rdv_str title(const rdv_study *s)
{
    const rdv_study_options *o = &s->options;
    const char *from = o->fitted_on ? o->fitted_on : "the input";
    if (o->first_only)
        return rdv_str_printf(s->arena, "fitted on part 0 of 2 of %s, reported on part 1", from);
    if (o->parts)
        return rdv_str_printf(s->arena,
                              "each of %zu parts of the questions is reported with what was fitted "
                              "on the other parts of %s",
                              o->parts, from);
    return rdv_str_printf(s->arena, "fitted on %s", from);
}

static int put_scorers(report *r, rdv_error *err)
{
    rdv_study *s = (rdv_study *)r->study;
    const combined *c = s->of;
    rdv_study_table table = table_new(s->arena, "scorers", COLUMNS_OF(scorer_columns));
    int code = RDV_OK;
    table.title = title(s);
    table.failed = table.failed || !table.title.p;
    TABLE_ADD(&table, table_text(RDV_STR("majority")), table_absent(NULL), table_absent(NULL),
              table_absent(NULL), table_estimate(rdv_mean(r->majority, r->n, true)),
              table_absent(NULL), table_count(r->n));
    for (size_t k = 0; code == RDV_OK && k <= c->n_scorers; k++)
        if (k == c->n_scorers || c->scorers[k].is == SCORER_WEIGHT)
            code = add_row(r, &table, k, err);
    table_note(&table, "%s", "");
    table_note(&table, "best: the answer of the chain with the largest weight; weighted: the "
                       "answer with the largest sum of weights;");
    table_note(&table, "gain: the paired difference from the majority, in points");
    table_note_count(&table, r->ungraded, "question",
                     "left out: the answers are not all known to "
                     "be right or wrong");
    table_note_count(&table, r->unread, "chain",
                     "without a readable answer, which counts as wrong");
    table_note_count(&table, r->unweighted, "chain",
                     "without a value of any scorer, which casts "
                     "no vote");
    return code == RDV_OK ? study_put(s, &table, err) : code;
}

static int put_counts(const report *r, rdv_error *err)
{
    rdv_study *s = (rdv_study *)r->study;
    rdv_study_table table = table_new(s->arena, NULL, COLUMNS_OF(count_columns));
    table.form = RDV_FORM_MEMBERS;
    TABLE_ADD(&table, table_count(r->n), table_count(r->ungraded), table_count(r->chains),
              table_count(r->unread), table_count(r->unweighted));
    return study_put(s, &table, err);
}

static void add_fit(rdv_study_table *table, size_t fold, const combined_model *model)
{
    TABLE_ADD(table, fold == ALL_PARTS ? table_absent(NULL) : table_count(fold),
              table_count(model->n_questions), table_count(model->n_chains),
              table_number(model->strength), table_number(model->log_likelihood));
}

static int put_fits(rdv_study *s, rdv_error *err)
{
    const combined *c = s->of;
    rdv_study_table table = table_new(s->arena, "fits", COLUMNS_OF(fit_columns));
    table.digits = 4;
    for (size_t part = 0; c->folds && part < s->options.parts; part++)
        add_fit(&table, part, &c->folds[part].model);
    add_fit(&table, ALL_PARTS, &c->all.model);
    table.details = true;
    return study_put(s, &table, err);
}

static int put_coefficients(rdv_study *s, rdv_error *err)
{
    const combined_model *model = study_combined_model(s);
    rdv_study_table table = table_new(s->arena, "coefficients", COLUMNS_OF(coefficient_columns));
    table.digits = 3;
    for (size_t i = 0; i < model->n; i++) {
        const combined_scorer *one = &model->scorers[i];
        size_t n;
        const char *const *names = scorer_features(&one->scorer, &n);
        for (size_t f = 0; f < n; f++)
            TABLE_ADD(&table, table_text(one->scorer.text), table_text(rdv_str_of(names[f])),
                      table_number(one->features[f].mean), table_number(one->features[f].deviation),
                      table_number(one->features[f].coefficient));
        TABLE_ADD(&table, table_text(one->scorer.text), table_text(RDV_STR("missing")),
                  table_absent(NULL), table_absent(NULL), table_number(one->missing));
    }
    table.details = true;
    return study_put(s, &table, err);
}

static int finish(rdv_study *s, rdv_error *err)
{
    combined *c = s->of;
    study_lots lots;
    report r = {.study = s};
    int code = sort(s, &c->added, &lots, err);
    if (code == RDV_OK)
        code = fit(s, &lots, err);
    if (code == RDV_OK)
        code = vote_all(&r, &lots, err);
    if (code == RDV_OK)
        code = put_scorers(&r, err);
    if (code == RDV_OK)
        code = put_counts(&r, err);
    if (code == RDV_OK)
        code = put_fits(s, err);
    return code == RDV_OK ? put_coefficients(s, err) : code;
}

const study_family study_combined = {.begin = begin, .add = add, .finish = finish};
