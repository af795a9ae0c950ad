/* SPDX-License-Identifier: Apache-2.0 */
/* How often answers are right: single chains and votes, over all chains of a question and over
 * subsets of them. Everything is computed per question first, so that differences are paired. */
#include "score/eval.h"

#include "base/rng.h"
#include "score/estimate.h"

#include <math.h>

enum {
    CHAIN,
    MAJORITY,
    WEIGHTED,
    BEST,
    ORACLE,
    GAIN_WEIGHTED,
    GAIN_BEST,
    /* how many of the chains are right: curves only */
    NONE_RIGHT,
    SOME_RIGHT,
    ALL_RIGHT,
    SERIES
};

static const char *const names[SERIES] = {
    "accuracy.chain", "accuracy.majority", "accuracy.weighted", "accuracy.best", "accuracy.oracle",
    "gain.weighted",  "gain.best",         "correct.none",      "correct.some",  "correct.all",
};

static bool is_gain(int series)
{
    return series == GAIN_WEIGHTED || series == GAIN_BEST;
}

static bool needs_weights(int series)
{
    return series == WEIGHTED || series == BEST || is_gain(series);
}

/* One value a question in each series. */
typedef struct values {
    double *of[SERIES];
    size_t n;
} values;

static int values_new(values *v, size_t n, rdv_arena *arena)
{
    v->n = 0;
    for (int s = 0; s < SERIES; s++) {
        v->of[s] = RDV_NEW_ARRAY(arena, double, n);
        if (!v->of[s])
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

typedef struct voters {
    const rdv_slip *slips;
    size_t n;
    rdv_poll poll; /* its answers are memory for the standings */
} voters;

static double expected(rdv_select_is how, voters *v)
{
    rdv_poll_decide(how, v->slips, v->n, &v->poll);
    return v->poll.expected_correct;
}

/* Add what this set of chains gives to the question's values. */
static void add_vote(voters *v, double *sum)
{
    double share_right = expected(RDV_SELECT_RANDOM, v);
    sum[CHAIN] += share_right;
    sum[ORACLE] += share_right > 0;
    sum[NONE_RIGHT] += share_right <= 0;
    sum[SOME_RIGHT] += share_right > 0 && share_right < 1;
    sum[ALL_RIGHT] += share_right >= 1;
    sum[MAJORITY] += expected(RDV_SELECT_MAJORITY, v);
    sum[WEIGHTED] += expected(RDV_SELECT_WEIGHTED, v);
    sum[BEST] += expected(RDV_SELECT_BEST, v);
}

/* The question's values are the means over `n` sets of chains. */
static void keep(values *v, const double *sum, size_t n)
{
    for (int s = 0; s < SERIES; s++)
        v->of[s][v->n] = sum[s] / (double)n;
    v->of[GAIN_WEIGHTED][v->n] = (sum[WEIGHTED] - sum[MAJORITY]) / (double)n;
    v->of[GAIN_BEST][v->n] = (sum[BEST] - sum[MAJORITY]) / (double)n;
    v->n++;
}

static voters voters_of(const rdv_eval *e, const rdv_eval_slips *slips, size_t question)
{
    return (voters){
        .slips = slips->slips + slips->start[question],
        .n = e->questions[question].n_chains,
        .poll = {.answers = slips->standings, .n_answers = e->questions[question].n_answers},
    };
}

/* Write into each slip what is known of its answer, for the first chain that knows speaks for all;
 * what could not be read is wrong. False when something stays unknown: the question is left out. */
static bool settle_truth(const rdv_eval *e, const rdv_eval_slips *slips, size_t question)
{
    voters v = voters_of(e, slips, question);
    if (isnan(expected(RDV_SELECT_RANDOM, &v)))
        return false;
    rdv_slip *slip = slips->slips + slips->start[question];
    for (size_t i = 0; i < v.n; i++) {
        bool read = slip[i].answer != RDV_UNREAD;
        slip[i].correct = read ? v.poll.answers[slip[i].answer].correct : 0;
    }
    return true;
}

/* ---- over all chains ------------------------------------------------------------------------- */

static int whole_figures(rdv_eval_sheet *sheet, const rdv_eval_slips *slips, rdv_error *err)
{
    const rdv_eval *e = sheet->eval;
    values v;
    if (values_new(&v, e->n_questions, e->arena) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t q = 0; q < e->n_questions; q++) {
        double sum[SERIES] = {0};
        slips->judged[q] = settle_truth(e, slips, q);
        if (!slips->judged[q]) {
            sheet->out.questions_left_out++;
            continue;
        }
        voters all = voters_of(e, slips, q);
        add_vote(&all, sum);
        keep(&v, sum, 1);
    }
    for (int s = 0; s < NONE_RIGHT && v.n > 0; s++) {
        rdv_estimate estimate = rdv_mean(v.of[s], v.n, true);
        if (needs_weights(s) && !slips->weights)
            continue;
        if (is_gain(s)) {
            int r = rdv_bootstrap(v.of[s], v.n, e->options.resamples, e->options.seed, e->arena,
                                  &estimate, err);
            if (r < 0)
                return r;
        }
        rdv_sheet_figure(sheet, names[s], "questions", estimate);
    }
    return RDV_OK;
}

/* ---- over n of them -------------------------------------------------------------------------- */

/* 1 to 10, 15, then 20 to 100 by tens, then doubling. */
static size_t next_count(size_t n)
{
    if (n < 10)
        return n + 1;
    if (n < 20)
        return n + 5;
    return n < 100 ? n + 10 : n > SIZE_MAX / 2 ? SIZE_MAX : 2 * n;
}

/* The numbers of chains at which to compute: the options', or the default ones up to the most
 * chains that a question has, which is the last. */
static int chain_counts(const rdv_eval *e, size_t most, const size_t **out, size_t *n)
{
    if (e->options.counts) {
        *out = e->options.counts;
        *n = e->options.n_counts;
        return RDV_OK;
    }
    size_t *counts = NULL, cap = 0;
    *n = 0;
    for (size_t k = 1; k <= most;) {
        if (!RDV_PUSH_ROOM(e->arena, counts, *n, cap))
            return RDV_E_NOMEM;
        counts[(*n)++] = k;
        size_t next = next_count(k);
        k = k < most && next > most ? most : next;
    }
    *out = counts;
    return RDV_OK;
}

/* n of the chains, each subset equally likely, in their order (Knuth's algorithm S). */
static void draw_subset(const voters *all, size_t n, rdv_rng *rng, rdv_slip *out)
{
    size_t taken = 0;
    for (size_t i = 0; taken < n; i++) {
        if (rdv_rng_below(rng, all->n - i) < n - taken)
            out[taken++] = all->slips[i];
    }
}

/* Add up the votes of each chain alone. Its answer is given the number 0, so that a vote costs the
 * same however many answers the question has. */
static void vote_alone(const voters *all, double *sum)
{
    for (size_t i = 0; i < all->n; i++) {
        rdv_slip slip = all->slips[i];
        bool read = slip.answer != RDV_UNREAD;
        slip.answer = read ? 0 : RDV_UNREAD;
        voters one = {.slips = &slip, .n = 1, .poll = {all->poll.answers, read ? 1 : 0}};
        add_vote(&one, sum);
    }
}

/* Add up the votes of subsets of n chains, all of them where they are few (n = 1, n = all), and
 * return how many. */
static size_t vote_with(const rdv_eval *e, size_t question, const voters *all, size_t n,
                        rdv_slip *scratch, double *sum)
{
    if (n == 1) {
        vote_alone(all, sum);
        return all->n;
    }
    voters some = *all;
    some.n = n;
    if (n == all->n) {
        add_vote(&some, sum);
        return 1;
    }
    rdv_rng rng;
    rdv_rng_seed(&rng, e->questions[question].seed + n);
    some.slips = scratch;
    for (size_t i = 0; i < e->options.subsets; i++) {
        draw_subset(all, n, &rng, scratch);
        add_vote(&some, sum);
    }
    return e->options.subsets;
}

/* The values at n chains, of the questions that have so many. */
static void values_at(const rdv_eval *e, const rdv_eval_slips *slips, size_t n, rdv_slip *scratch,
                      values *v)
{
    v->n = 0;
    for (size_t q = 0; q < e->n_questions; q++) {
        voters all = voters_of(e, slips, q);
        if (n == 0 || all.n < n || !slips->judged[q])
            continue;
        double sum[SERIES] = {0};
        keep(v, sum, vote_with(e, q, &all, n, scratch, sum));
    }
}

static int count_curves(rdv_eval_sheet *sheet, const rdv_eval_slips *slips, rdv_error *err)
{
    const rdv_eval *e = sheet->eval;
    const size_t *counts;
    size_t n;
    values v;
    rdv_point *points[SERIES] = {NULL};
    rdv_slip *scratch = RDV_NEW_ARRAY(e->arena, rdv_slip, slips->most_chains);
    if (!scratch || chain_counts(e, slips->most_chains, &counts, &n) < 0 ||
        values_new(&v, e->n_questions, e->arena) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (int s = MAJORITY; s < SERIES; s++) {
        if (needs_weights(s) && !slips->weights)
            continue;
        rdv_curve *curve = rdv_sheet_curve(sheet, names[s], "chains", "questions", n);
        if (!curve)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        points[s] = curve->points;
    }
    for (size_t i = 0; i < n; i++) {
        values_at(e, slips, counts[i], scratch, &v);
        for (int s = 0; s < SERIES; s++) {
            if (points[s])
                points[s][i] = (rdv_point){(double)counts[i], rdv_mean(v.of[s], v.n, !is_gain(s))};
        }
    }
    return RDV_OK;
}

int rdv_eval_accuracy(rdv_eval_sheet *sheet, const rdv_eval_slips *slips, rdv_error *err)
{
    int r = whole_figures(sheet, slips, err);
    if (r < 0 || sheet->out.questions_left_out == sheet->eval->n_questions)
        return r;
    return count_curves(sheet, slips, err);
}
