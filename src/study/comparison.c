/* SPDX-License-Identifier: Apache-2.0 */
/* The study "comparison": two runs over the same questions, side by side. The chains and results
 * that are learned are the run before, those that are added the run after. */
#include "study/study.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/eval.h"
#include "method/acceptance.h"
#include "method/standing.h"
#include "score/paired.h"
#include "score/score.h"
#include "score/vote_weight.h"
#include "study/source.h"

#include <math.h>

enum { BEFORE, AFTER, RUNS };

enum {
    CHAIN,
    MAJORITY,
    WEIGHTED,
    VOTE,
    LOCATION,
    WITH_MISTAKE,
    WITHOUT_MISTAKE,
    TPR,
    TNR,
    FIGURES
};

static const char *const figure_names[FIGURES] = {
    "accuracy.chain",
    "accuracy.majority",
    "accuracy.weighted",
    "vote.accuracy",
    "location",
    "location.with_mistake",
    "location.without_mistake",
    "tpr",
    "tnr",
};

/* How a question's answer changed, in the order of the table. */
typedef enum change {
    FIXED,
    BROKEN,
    ONLY_BEFORE,
    ONLY_AFTER,
    UNGRADED, /* in both runs, but not known to be right or wrong in one */
    BOTH_WRONG,
    BOTH_RIGHT,
    CHANGES
} change;

static const char *const change_names[CHANGES] = {
    "fixed", "broken", "only_before", "only_after", "ungraded", "both_wrong", "both_right",
};

/* A chain of one run. */
typedef struct compared {
    study_vote vote;
    int located;       /* its first error was located: 1, 0, -1 where it has no label or no check */
    bool mistake;      /* it has one, by its label */
    int accepted;      /* by its check: 1, 0; -1: neither, or it has none */
    double confidence; /* NaN: none */
} compared;

/* A question in one run. */
typedef struct side {
    bool seen;
    int correct;    /* of its answer */
    rdv_str answer; /* p == NULL: none */
    double sum[FIGURES], n[FIGURES];
} side;

typedef struct question {
    rdv_str id;
    rdv_str *shown; /* its distinct answers, for people */
    size_t n_shown, cap_shown;
    size_t cap[RUNS];
    side of[RUNS];
} question;

typedef struct run {
    compared *chains;
    size_t n, cap;
    bool weights; /* a chain has a weight */
} run;

typedef struct comparison {
    vote_weight weight;
    question *questions; /* as the study's */
    size_t n_questions, cap_questions;
    run runs[RUNS];
    bool several; /* a question has several chains in one run */
} comparison;

static int begin(rdv_study *s, rdv_error *err)
{
    comparison *c = RDV_NEW(s->arena, comparison);
    if (!c)
        return rdv_no_memory(err);
    *c = (comparison){0};
    s->of = c;
    return vote_weight_read(rdv_str_of(s->options.weight), s->options.aggregate, &c->weight, err);
}

/* ---- collecting ------------------------------------------------------------------------------ */

/* The vote of a chain or result in its question, which is created if missing. */
static int take(rdv_study *s, rdv_str id, const rdv_grade *grade, double weight, study_vote *vote,
                rdv_error *err)
{
    comparison *c = s->of;
    if (study_vote_of(s, 0, id, grade, weight, vote) < 0 ||
        !RDV_PUSH_ROOM(s->arena, c->questions, c->n_questions, c->cap_questions))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu questions are held", s->n_questions);
    if (vote->question < c->n_questions)
        return RDV_OK;
    question *q = &c->questions[c->n_questions++];
    *q = (question){.id = rdv_str_copy(s->arena, id.p ? id : RDV_STR(""))};
    return q->id.p ? RDV_OK : rdv_no_memory(err);
}

/* Keeps the text of an answer that has a new number. */
static int keep_answer(rdv_study *s, question *q, size_t answer, rdv_str shown, rdv_error *err)
{
    if (answer == TALLY_UNREAD || answer < q->n_shown)
        return RDV_OK;
    if (!RDV_PUSH_ROOM(s->arena, q->shown, q->n_shown, q->cap_shown))
        return rdv_no_memory(err);
    q->shown[q->n_shown] = rdv_str_copy(s->arena, shown);
    return q->shown[q->n_shown++].p ? RDV_OK : rdv_no_memory(err);
}

static bool same_place(const rdv_label *a, const rdv_label *b)
{
    return a->kind == b->kind && (a->kind != RDV_LABEL_AT || a->step == b->step);
}

/* As the location figures of an evaluation: of checked chains with a label and a verdict. */
static int located(const vote_weight *weight, const rdv_chain *chain)
{
    const rdv_check *check = vote_weight_check(weight, chain);
    if (weight->is != VOTE_WEIGHT_CONFIDENCE || !check || check->skipped ||
        check->n_verdicts == 0 || chain->label.kind == RDV_LABEL_UNKNOWN)
        return -1;
    rdv_label found = rdv_label_by(check);
    return same_place(&found, &chain->label);
}

static bool is_skipped(const vote_weight *weight, const rdv_chain *chain)
{
    const rdv_check *check = vote_weight_check(weight, chain);
    return weight->is == VOTE_WEIGHT_CONFIDENCE && (!check || check->skipped);
}

/* As the rates of an evaluation. */
static int accepted(const vote_weight *weight, const rdv_chain *chain)
{
    const rdv_check *check = vote_weight_check(weight, chain);
    if (weight->is != VOTE_WEIGHT_CONFIDENCE || !check || check->skipped)
        return -1;
    acceptance how = acceptance_of_check(check, NAN);
    return acceptance_decide(&how, rdv_count_verdicts(check->verdicts, check->n_verdicts),
                             vote_weight_of(weight, chain));
}

static int add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    comparison *c = s->of;
    run *to = &c->runs[one->learned ? BEFORE : AFTER];
    const rdv_chain *chain = one->chain;
    double weight = standing_weight_of(&c->weight, chain);
    if (!isnan(weight) && !rdv_sum_takes(weight))
        return rdv_fail(err, RDV_E_INPUT, "%g is too large for a confidence", weight);
    compared item = {.located = located(&c->weight, chain),
                     .accepted = accepted(&c->weight, chain),
                     .confidence =
                         is_skipped(&c->weight, chain) ? NAN : vote_weight_of(&c->weight, chain),
                     .mistake = chain->label.kind == RDV_LABEL_AT};
    int r = study_refuse_seen(s, one, err);
    if (r == RDV_OK)
        r = take(s, chain->question.id, &one->grade, weight, &item.vote, err);
    if (r == RDV_OK)
        r = keep_answer(s, &c->questions[item.vote.question], item.vote.ballot.answer,
                        one->grade.shown, err);
    if (r != RDV_OK)
        return r;
    if (!RDV_PUSH_ROOM(s->arena, to->chains, to->n, to->cap))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held", to->n);
    to->chains[to->n++] = item;
    to->weights |= !isnan(weight);
    return RDV_OK;
}

/* The result of a vote; a second one for the same question takes its place. */
static int take_result(rdv_study *s, int which, const rdv_result *result, rdv_error *err)
{
    comparison *c = s->of;
    study_vote vote;
    int r = take(s, result->question_id, &(rdv_grade){.correct = -1}, NAN, &vote, err);
    if (r != RDV_OK)
        return r;
    side *to = &c->questions[vote.question].of[which];
    /* a question without an answer is not right */
    bool wrong = !result->answer.p && result_is_graded(result);
    *to = (side){.seen = true, .correct = wrong ? 0 : result->correct};
    if (result->answer.p)
        to->answer = rdv_str_copy(s->arena, result->answer);
    if (result->answer.p && !to->answer.p)
        return rdv_no_memory(err);
    if (!isnan(result->expected_correct)) {
        to->sum[VOTE] = result->expected_correct;
        to->n[VOTE] = 1;
    }
    return RDV_OK;
}

static int learn_result(rdv_study *s, const rdv_result *result, rdv_error *err)
{
    return take_result(s, BEFORE, result, err);
}

static int add_result(rdv_study *s, const rdv_result *result, rdv_error *err)
{
    return take_result(s, AFTER, result, err);
}

/* ---- one question in one run ----------------------------------------------------------------- */

/* Stores a vote on a question; the answer that is compared is the one of `chosen`. */
static void take_vote(const question *q, side *to, int figure, const vote_tally *vote, bool chosen)
{
    to->sum[figure] = vote->expected_correct;
    to->n[figure] = 1;
    if (!chosen)
        return;
    to->correct = vote->correct;
    if (vote->winner != RDV_NO_ANSWER && vote->winner < q->n_shown)
        to->answer = q->shown[vote->winner];
}

static void take_lot(const comparison *c, const run *from, question *q, side *to,
                     const study_lot *lot, tally_answer *answers)
{
    vote_tally vote = {.answers = answers, .n_answers = lot->question->n_answers};
    bool weighted = c->runs[BEFORE].weights && c->runs[AFTER].weights;
    *to = (side){.seen = true, .correct = -1};
    for (size_t i = 0; i < lot->n; i++) {
        const compared *chain = &from->chains[lot->items[i]];
        int correct = lot->ballots[i].correct, rate = correct ? TPR : TNR;
        if (chain->accepted >= 0 && correct >= 0) {
            to->sum[rate] += chain->accepted == correct;
            to->n[rate]++;
        }
        int part = chain->mistake ? WITH_MISTAKE : WITHOUT_MISTAKE;
        if (chain->located < 0)
            continue;
        to->sum[LOCATION] += chain->located;
        to->n[LOCATION]++;
        to->sum[part] += chain->located;
        to->n[part]++;
    }
    tally_decide(RDV_SELECT_RANDOM, lot->ballots, lot->n, &vote);
    if (lot->graded)
        take_vote(q, to, CHAIN, &vote, false);
    tally_decide(RDV_SELECT_MAJORITY, lot->ballots, lot->n, &vote);
    if (!lot->graded) { /* its answer is shown all the same */
        take_vote(q, to, MAJORITY, &vote, true);
        to->correct = -1;
        to->n[MAJORITY] = 0;
        return;
    }
    take_vote(q, to, MAJORITY, &vote, !weighted || !c->several);
    if (!weighted)
        return;
    tally_decide(RDV_SELECT_WEIGHTED, lot->ballots, lot->n, &vote);
    take_vote(q, to, WEIGHTED, &vote, c->several);
}

static int take_runs(rdv_study *s, study_lots lots[RUNS], rdv_error *err)
{
    comparison *c = s->of;
    for (int i = 0; i < RUNS; i++) {
        const run *from = &c->runs[i];
        int r = study_sort_items(s, from->chains, from->n, sizeof *from->chains, s->arena, &lots[i],
                                 err);
        if (r != RDV_OK)
            return r;
        c->several |= lots[i].most_chains > 1;
    }
    for (int i = 0; i < RUNS; i++) {
        tally_answer *answers = RDV_NEW_ARRAY(s->arena, tally_answer, lots[i].most_answers);
        if (!answers)
            return rdv_no_memory(err);
        for (size_t k = 0; k < lots[i].n; k++) {
            const study_lot *lot = &lots[i].lots[k];
            question *q = &c->questions[lot->question - s->questions];
            if (!q->of[i].seen) /* the result of a vote stands before chains */
                take_lot(c, &c->runs[i], q, &q->of[i], lot, answers);
        }
    }
    return RDV_OK;
}

static change change_of(const question *q)
{
    const side *a = &q->of[BEFORE], *b = &q->of[AFTER];
    if (!a->seen || !b->seen)
        return a->seen ? ONLY_BEFORE : ONLY_AFTER;
    if (a->correct < 0 || b->correct < 0)
        return UNGRADED;
    if (a->correct == b->correct)
        return a->correct ? BOTH_RIGHT : BOTH_WRONG;
    return b->correct ? FIXED : BROKEN;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const rdv_column count_columns[] = {
    COLUMN_PROGRAM("n_fixed", COUNT),       COLUMN_PROGRAM("n_broken", COUNT),
    COLUMN_PROGRAM("n_only_before", COUNT), COLUMN_PROGRAM("n_only_after", COUNT),
    COLUMN_PROGRAM("n_ungraded", COUNT),    COLUMN_PROGRAM("n_both_wrong", COUNT),
    COLUMN_PROGRAM("n_both_right", COUNT),
};
static const rdv_column figure_columns[] = {
    COLUMN("figure", TEXT),     COLUMN("before", SHARE),      COLUMN("after", SHARE),
    COLUMN("difference", GAIN), COLUMN_PEOPLE("from", GAIN),  COLUMN_PEOPLE("to", GAIN),
    COLUMN("p_value", P_VALUE), COLUMN("n_questions", COUNT),
};
static const rdv_column question_columns[] = {
    COLUMN_AS("question_id", "question", TEXT),
    COLUMN("change", TEXT),
    COLUMN_AS("answer.before", "before", TEXT),
    COLUMN_AS("answer.after", "after", TEXT),
};

static int put_counts(rdv_study *s, const size_t *count, rdv_error *err)
{
    rdv_study_table table = table_new(s->arena, NULL, COLUMNS_OF(count_columns));
    rdv_cell *row = table_row(&table);
    table.form = RDV_FORM_MEMBERS;
    for (size_t i = 0; row && i < CHANGES; i++)
        row[i] = table_count(count[i]);
    return study_put(s, &table, err);
}

/* Adds the row of a figure, if questions have it in both runs. */
static void add_figure(const comparison *c, int figure, rdv_pair *pairs, rdv_study_table *table,
                       bool *single)
{
    rdv_paired is;
    for (size_t i = 0; i < c->n_questions; i++) {
        const side *a = &c->questions[i].of[BEFORE], *b = &c->questions[i].of[AFTER];
        pairs[i] = (rdv_pair){a->sum[figure], a->n[figure], b->sum[figure], b->n[figure]};
    }
    rdv_paired_difference(pairs, c->n_questions, &is);
    if (is.difference.n == 0)
        return;
    *single &= is.single;
    TABLE_ADD(table, table_text(rdv_str_of(figure_names[figure])), table_estimate(is.before),
              table_estimate(is.after), table_estimate(is.difference),
              table_number(is.difference.low), table_number(is.difference.high), table_number(is.p),
              table_count(is.difference.n));
}

/* ---- figures that are no share ----------------------------------------------------------------
 */

/* Adds a row of figures that the questions move as told. */
static void add_moved(rdv_study_table *table, const char *name, const rdv_estimate is[RUNS],
                      double *const moves[RUNS], size_t n)
{
    rdv_estimate d = rdv_moved_difference(&is[BEFORE], &is[AFTER], moves[BEFORE], moves[AFTER], n);
    if (n == 0 || isnan(d.value))
        return;
    TABLE_ADD(table, table_text(rdv_str_of(name)), table_estimate(is[BEFORE]),
              table_estimate(is[AFTER]), table_estimate(d), table_number(d.low),
              table_number(d.high), table_number(NAN), table_count(d.n));
}

static bool in_both(const question *q, int figure)
{
    return q->of[BEFORE].n[figure] > 0 && q->of[AFTER].n[figure] > 0;
}

/* The mean of both rates, of the questions that have one of them in both runs. moves: of those. */
static rdv_estimate balanced(const comparison *c, int which, double *moves, size_t *n_out)
{
    double sum[FIGURES] = {0}, n[FIGURES] = {0}, squares = 0;
    size_t k = 0;
    for (size_t i = 0; i < c->n_questions; i++)
        for (int f = TPR; f <= TNR; f++)
            if (in_both(&c->questions[i], f)) {
                sum[f] += c->questions[i].of[which].sum[f];
                n[f] += c->questions[i].of[which].n[f];
            }
    double tpr = sum[TPR] / n[TPR], tnr = sum[TNR] / n[TNR];
    for (size_t i = 0; i < c->n_questions; i++) {
        const question *q = &c->questions[i];
        const side *s = &q->of[which];
        if (!in_both(q, TPR) && !in_both(q, TNR))
            continue;
        moves[k] = in_both(q, TPR) ? (s->sum[TPR] - tpr * s->n[TPR]) / n[TPR] / 2 : 0;
        moves[k] += in_both(q, TNR) ? (s->sum[TNR] - tnr * s->n[TNR]) / n[TNR] / 2 : 0;
        squares += moves[k] * moves[k];
        k++;
    }
    *n_out = k;
    double se = k > 1 ? sqrt(squares * (double)k / (double)(k - 1)) : NAN;
    return isnan(tpr + tnr) ? rdv_estimate_none(k) : rdv_estimate_unit((tpr + tnr) / 2, se, k, k);
}

/* Whether a chain of the question has a confidence and is known to be right or wrong, in a run. */
static void mark_scored(const comparison *c, int which, const study_lots *lots, const rdv_study *s,
                        uint8_t *has)
{
    for (size_t k = 0; k < lots->n; k++) {
        const study_lot *lot = &lots->lots[k];
        for (size_t i = 0; i < lot->n; i++)
            if (lot->ballots[i].correct >= 0 &&
                !isnan(c->runs[which].chains[lot->items[i]].confidence))
                has[lot->question - s->questions] |= (uint8_t)(1u << which);
    }
}

/* The AUC of both runs, of the questions with such chains in both. */
static int put_auc(rdv_study *s, const study_lots lots[RUNS], rdv_study_table *table,
                   rdv_error *err)
{
    const comparison *c = s->of;
    size_t *number = RDV_NEW_ARRAY(s->arena, size_t, c->n_questions), n = 0;
    uint8_t *has = RDV_NEW_ARRAY(s->arena, uint8_t, c->n_questions);
    rdv_estimate is[RUNS];
    double *moves[RUNS];
    if (!number || !has)
        return rdv_no_memory(err);
    for (int which = 0; which < RUNS; which++)
        mark_scored(c, which, &lots[which], s, has);
    for (size_t i = 0; i < c->n_questions; i++)
        if (has[i] == 3)
            number[i] = n++;
    for (int which = 0; which < RUNS; which++) {
        rdv_scored *scored = RDV_NEW_ARRAY(s->arena, rdv_scored, c->runs[which].n);
        size_t k = 0;
        moves[which] = RDV_NEW_ARRAY(s->arena, double, n);
        if (!scored || !moves[which])
            return rdv_no_memory(err);
        for (size_t l = 0; l < lots[which].n; l++) {
            const study_lot *lot = &lots[which].lots[l];
            size_t at = (size_t)(lot->question - s->questions);
            for (size_t i = 0; i < lot->n && has[at] == 3; i++) {
                double confidence = c->runs[which].chains[lot->items[i]].confidence;
                if (lot->ballots[i].correct >= 0 && !isnan(confidence))
                    scored[k++] =
                        (rdv_scored){confidence, lot->ballots[i].correct == 1, number[at]};
            }
        }
        int r = rdv_auc_moves(scored, k, n, s->arena, &is[which], moves[which], err);
        if (r < 0)
            return r;
    }
    add_moved(table, "auc", is, moves, n);
    return RDV_OK;
}

static int put_rates(rdv_study *s, rdv_study_table *table, rdv_error *err)
{
    const comparison *c = s->of;
    rdv_estimate is[RUNS];
    double *moves[RUNS];
    size_t n = 0;
    for (int which = 0; which < RUNS; which++) {
        moves[which] = RDV_NEW_ARRAY(s->arena, double, c->n_questions);
        if (!moves[which])
            return rdv_no_memory(err);
        is[which] = balanced(c, which, moves[which], &n);
    }
    add_moved(table, "balanced_accuracy", is, moves, n);
    return RDV_OK;
}

static void note_changes(rdv_study_table *t, const size_t *count, bool single)
{
    table_note(t, "%s", "");
    table_note(t, "%zu fixed, %zu broken, %zu both right, %zu both wrong", count[FIXED],
               count[BROKEN], count[BOTH_RIGHT], count[BOTH_WRONG]);
    table_note_count(t, count[ONLY_BEFORE], "question", "only in the run before");
    table_note_count(t, count[ONLY_AFTER], "question", "only in the run after");
    table_note_count(t, count[UNGRADED], "question", "that cannot be graded in one of the runs");
    table_note(t, "difference: after - before, in points, of the questions in both runs, with its "
                  "standard error;");
    table_note(t,
               "from, to: its 95 %% interval, by Newcombe's method for paired shares (1998, "
               "method 10)%s",
               single ? "" : ",");
    if (!single)
        table_note(t, "%s",
                   "as generalised by Zou and Donner (2008) where a question has several "
                   "chains or a tie");
    if (t->n_rows)
        table_note(t, "%s",
                   "p_value: McNemar's exact test, of the questions that rose against those that "
                   "fell");
}

static int put_figures(rdv_study *s, const study_lots lots[RUNS], const size_t *count,
                       rdv_error *err)
{
    comparison *c = s->of;
    rdv_study_table table = table_new(s->arena, "figures", COLUMNS_OF(figure_columns));
    rdv_pair *pairs = RDV_NEW_ARRAY(s->arena, rdv_pair, c->n_questions);
    bool single = true;
    if (!pairs)
        return rdv_no_memory(err);
    table.form = RDV_FORM_MAP;
    for (int i = 0; i < FIGURES; i++) {
        bool vote_of_one = (i == MAJORITY || i == WEIGHTED) && !c->several;
        if (!vote_of_one) /* it is the chain's own answer */
            add_figure(c, i, pairs, &table, &single);
    }
    int r = put_rates(s, &table, err);
    if (r == RDV_OK)
        r = put_auc(s, lots, &table, err);
    if (r != RDV_OK)
        return r;
    note_changes(&table, count, single);
    return study_put(s, &table, err);
}

static int put_questions(rdv_study *s, const size_t *count, rdv_error *err)
{
    const comparison *c = s->of;
    rdv_study_table table = table_new(s->arena, "questions", COLUMNS_OF(question_columns));
    for (int is = 0; is < CHANGES; is++) {
        for (size_t i = 0; i < c->n_questions; i++) {
            const question *q = &c->questions[i];
            if ((int)change_of(q) == is)
                TABLE_ADD(&table, table_text(q->id), table_text(rdv_str_of(change_names[is])),
                          table_text(q->of[BEFORE].answer), table_text(q->of[AFTER].answer));
        }
    }
    table.title = RDV_STR("questions that changed (--curves shows all):");
    table.n_hidden = count[UNGRADED] + count[BOTH_WRONG] + count[BOTH_RIGHT];
    return study_put(s, &table, err);
}

static int finish(rdv_study *s, rdv_error *err)
{
    comparison *c = s->of;
    size_t count[CHANGES] = {0};
    study_lots lots[RUNS];
    int r = take_runs(s, lots, err);
    if (r != RDV_OK)
        return r;
    for (size_t i = 0; i < c->n_questions; i++)
        count[change_of(&c->questions[i])]++;
    if (count[ONLY_BEFORE] + count[ONLY_AFTER] == c->n_questions)
        return rdv_fail(err, RDV_NONE,
                        "the two runs have no question in common; questions are matched by their "
                        "\"question_id\", or without one by their text");
    r = put_counts(s, count, err);
    if (r == RDV_OK)
        r = put_figures(s, lots, count, err);
    return r == RDV_OK ? put_questions(s, count, err) : r;
}

const study_family study_comparison = {.compares = true,
                                       .begin = begin,
                                       .add = add,
                                       .learn_result = learn_result,
                                       .add_result = add_result,
                                       .finish = finish};
