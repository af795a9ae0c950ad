/* SPDX-License-Identifier: Apache-2.0 */
/* Accuracy of answers: of single chains and votes, over all chains of a question and over subsets
 * of them. Everything is computed per question first, so that differences are paired. */
#include "study/eval.h"

#include "base/arena.h"
#include "base/rng.h"
#include "score/estimate.h"
#include "score/eval.h"
#include "score/paired.h"
#include "score/subsets.h"

#include <math.h>
#include <string.h>

#define ALIKE_MOST 64 /* chains of a question that are grouped by their ballots */

enum {
    CHAIN,
    MAJORITY,
    WEIGHTED,
    BEST,
    ORACLE,
    GAIN_WEIGHTED,
    GAIN_BEST,
    /* number of right chains: curves only */
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

/* One value per question in each of the series that are wanted. */
typedef struct values {
    double *of[SERIES]; /* NULL: not wanted */
    uint32_t *question; /* of the study; NULL: not wanted */
    size_t n;
} values;

typedef bool wants(int series);

/* The figures of all chains have no numbers of right ones. */
static bool of_figures(int series)
{
    return series < NONE_RIGHT;
}

/* The gains of a curve are made of its votes, and single chains have none. */
static bool of_curves(int series)
{
    return series != CHAIN && !is_gain(series);
}

static bool of_comparison(int series)
{
    return series == WEIGHTED;
}

static int values_new(values *v, size_t n, wants *is_wanted, rdv_arena *arena)
{
    *v = (values){0};
    bool ok = true;
    for (int s = 0; s < SERIES && ok; s++)
        ok = !is_wanted(s) || (v->of[s] = RDV_NEW_ARRAY(arena, double, n));
    return ok ? RDV_OK : RDV_E_NOMEM;
}

/* The figure of a series of a curve; a gain is the difference to the majority, question by
 * question. */
static rdv_estimate figure_of(const values *v, int series)
{
    if (!is_gain(series))
        return rdv_mean(v->of[series], v->n, true);
    int vote = series == GAIN_WEIGHTED ? WEIGHTED : BEST;
    return rdv_mean_difference(v->of[MAJORITY], v->of[vote], v->n);
}

typedef struct voters {
    const tally_ballot *ballots;
    size_t n;
    bool weights;     /* the chains have some, so series that need them are shown */
    vote_tally tally; /* its answers are working memory */
} voters;

/* Are all ballots for one answer? */
static bool is_agreed(const voters *v)
{
    size_t i = 1;
    while (i < v->n && v->ballots[i].answer == v->ballots[0].answer)
        i++;
    return i == v->n && v->ballots[0].answer != TALLY_UNREAD;
}

static bool has_weight(const voters *v)
{
    size_t i = 0;
    while (i < v->n && isnan(v->ballots[i].weight))
        i++;
    return i < v->n;
}

/* What all are for wins, if any is cast, without a count. */
static double expected(rdv_select_kind how, bool agreed, voters *v)
{
    if (agreed)
        return v->ballots[0].correct == 1 && (how == RDV_SELECT_MAJORITY || has_weight(v));
    tally_decide(how, v->ballots, v->n, &v->tally);
    return v->tally.expected_correct;
}

/* The share of right chains. The question is graded: of each chain it is known. */
static double share_of_right(const voters *v)
{
    size_t right = 0;
    for (size_t i = 0; i < v->n; i++)
        right += v->ballots[i].correct == 1;
    return (double)right / (double)v->n;
}

/* The values of votes, added up: exactly, so that it does not matter in which order they come, and
 * votes that are the same have the same means. A double adds multiples of a small power of two
 * exactly, which most values are. */
typedef struct sums {
    double simple[SERIES];
    rdv_sum *rest; /* of the other values; SERIES of them */
    bool any_rest; /* else they are not set */
} sums;

#define SIMPLE_PARTS 1024 /* of one */
#define SIMPLE_MOST 0x1p42

/* value: a share. */
static void add_value(sums *to, int series, double value, uint64_t times)
{
    double parts = value * SIMPLE_PARTS, all = to->simple[series] + value * (double)times;
    bool simple = !(parts > (double)(int)parts) && times < (uint64_t)1 << 42 && all < SIMPLE_MOST;
    if (simple) {
        to->simple[series] = all;
        return;
    }
    if (!to->any_rest)
        memset(to->rest, 0, SERIES * sizeof *to->rest);
    to->any_rest = true;
    rdv_sum_add_times(&to->rest[series], value, times);
}

static double sum_of(const sums *sum, int series)
{
    if (!sum->any_rest)
        return sum->simple[series];
    rdv_sum all = sum->rest[series];
    rdv_sum_add(&all, sum->simple[series]);
    return rdv_sum_value(&all);
}

/* Adds the contribution of this set of chains to the question's values, `times` times. The question
 * is graded, so none of them is NaN. */
static void add_vote(voters *v, uint64_t times, sums *to)
{
    double value[SERIES] = {0}, share_right = share_of_right(v);
    bool agreed = is_agreed(v);
    value[CHAIN] = share_right;
    value[ORACLE] = share_right > 0;
    value[NONE_RIGHT] = share_right <= 0;
    value[SOME_RIGHT] = share_right > 0 && share_right < 1;
    value[ALL_RIGHT] = share_right >= 1;
    value[MAJORITY] = expected(RDV_SELECT_MAJORITY, agreed, v);
    if (v->weights) {
        value[WEIGHTED] = expected(RDV_SELECT_WEIGHTED, agreed, v);
        value[BEST] = expected(RDV_SELECT_BEST, agreed, v);
    }
    for (int s = 0; s < SERIES; s++)
        add_value(to, s, value[s], times);
}

/* Stores the question's values: the means over `n` sets of chains. */
static void keep(values *v, const sums *sum, size_t n)
{
    double value[SERIES];
    for (int s = 0; s < SERIES; s++)
        value[s] = sum_of(sum, s);
    value[GAIN_WEIGHTED] = value[WEIGHTED] - value[MAJORITY];
    value[GAIN_BEST] = value[BEST] - value[MAJORITY];
    for (int s = 0; s < SERIES; s++)
        if (v->of[s])
            v->of[s][v->n] = value[s] / (double)n;
    v->n++;
}

static voters voters_of(const eval_sheet *sheet, const study_lot *lot, tally_answer *scratch)
{
    return (voters){.ballots = lot->ballots,
                    .n = lot->n,
                    .weights = sheet->weights,
                    .tally = {.answers = scratch, .n_answers = lot->question->n_answers}};
}

/* ---- over all chains ------------------------------------------------------------------------- */

static int whole_figures(eval_sheet *sheet, tally_answer *scratch, rdv_error *err)
{
    const rdv_study *study = sheet->study;
    values v;
    rdv_sum rest[SERIES];
    if (values_new(&v, sheet->lots.n, of_figures, sheet->scratch) < 0)
        return rdv_no_memory(err);
    for (size_t q = 0; q < sheet->lots.n; q++) {
        sums sum = {.rest = rest};
        sheet->out.count[EVAL_QUESTIONS_UNGRADED] += !sheet->lots.lots[q].graded;
        if (!sheet->lots.lots[q].graded)
            continue;
        voters all = voters_of(sheet, &sheet->lots.lots[q], scratch);
        add_vote(&all, 1, &sum);
        keep(&v, &sum, 1);
    }
    const double *const gains[] = {v.of[GAIN_WEIGHTED], v.of[GAIN_BEST]};
    rdv_estimate gain[2];
    int r = v.n && sheet->weights
                ? rdv_bootstrap(gains, 2, v.n, sheet->options.resamples, study->options.seed,
                                study->options.threads, sheet->scratch, gain, err)
                : RDV_OK;
    if (r < 0)
        return r;
    for (int s = 0; s < NONE_RIGHT && v.n > 0; s++) {
        if (needs_weights(s) && !sheet->weights)
            continue;
        eval_figure_add(sheet, names[s], "questions",
                        is_gain(s) ? gain[s - GAIN_WEIGHTED] : rdv_mean(v.of[s], v.n, true));
    }
    return RDV_OK;
}

/* ---- over n chains --------------------------------------------------------------------------- */

/* 1 to 10, 15, then 20 to 100 by tens, then doubling. */
static size_t next_count(size_t n)
{
    if (n < 10)
        return n + 1;
    if (n < 20)
        return n + 5;
    return n < 100 ? n + 10 : n > SIZE_MAX / 2 ? SIZE_MAX : 2 * n;
}

/* The numbers of chains at which to compute: those of the options, or the default ones up to the
 * largest number of chains of a question, which is the last. */
static int chain_counts(const eval_sheet *sheet, const size_t **out, size_t *n)
{
    size_t most = sheet->lots.most_chains;
    if (sheet->options.counts) {
        *out = sheet->options.counts;
        *n = sheet->options.n_counts;
        return RDV_OK;
    }
    size_t *counts = NULL, cap = 0;
    *n = 0;
    for (size_t k = 1; k <= most;) {
        if (!RDV_PUSH_ROOM(sheet->study->arena, counts, *n, cap))
            return RDV_E_NOMEM;
        counts[(*n)++] = k;
        size_t next = next_count(k);
        k = k < most && next > most ? most : next;
    }
    *out = counts;
    return RDV_OK;
}

/* Chains with the same ballot: subsets that differ in which of them they have are one vote. */
typedef struct alike {
    tally_ballot ballot;
    size_t n;
} alike;

typedef struct subset_scratch {
    tally_ballot *ballots;
    size_t *chosen;
    alike *alike;
} subset_scratch;

/* Draws n of the chains in their order, each subset equally likely (Knuth's algorithm S). */
static void draw_subset(const voters *all, size_t n, rdv_rng *rng, tally_ballot *out)
{
    size_t taken = 0;
    for (size_t i = 0; taken < n; i++)
        if (rdv_rng_below(rng, all->n - i) < n - taken)
            out[taken++] = all->ballots[i];
}

/* Adds up the votes of each chain alone. Its answer gets the number 0, so that a vote costs the
 * same for any number of answers. */
static void vote_alone(const voters *all, sums *sum)
{
    for (size_t i = 0; i < all->n; i++) {
        tally_ballot ballot = all->ballots[i];
        bool read = ballot.answer != TALLY_UNREAD;
        ballot.answer = read ? 0 : TALLY_UNREAD;
        voters one = {.ballots = &ballot,
                      .n = 1,
                      .weights = all->weights,
                      .tally = {all->tally.answers, read ? 1 : 0}};
        add_vote(&one, 1, sum);
    }
}

static bool is_alike(const tally_ballot *a, const tally_ballot *b)
{
    if (a->answer != b->answer || a->correct != b->correct || isnan(a->weight) != isnan(b->weight))
        return false;
    return !islessgreater(a->weight, b->weight); /* or both have none */
}

static void group_alike(const voters *all, alike *out)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        size_t k = 0;
        while (k < n && !is_alike(&out[k].ballot, &all->ballots[i]))
            k++;
        if (k == n)
            out[n++] = (alike){all->ballots[i], 0};
        out[k].n++;
    }
}

/* Adds up the votes of all subsets that have the `some->n` ballots of `some` and `left` more of the
 * `n` chains of these groups, at most n; each stands for `times` subsets. Of a group it takes no
 * fewer than the groups after it leave over, so that every branch ends in a subset: there are no
 * more branches than subsets. */
static void vote_with_groups(voters *some, tally_ballot *ballots, const alike *groups, size_t n,
                             size_t left, uint64_t times, sums *sum)
{
    if (left == 0) {
        add_vote(some, times, sum);
        return;
    }
    size_t begin = some->n, after = n - groups->n;
    uint64_t ways = 1; /* to take so many of the group */
    for (size_t taken = 0; taken <= groups->n && taken <= left; taken++) {
        if (taken > 0) {
            ballots[some->n++] = groups->ballot;
            ways = ways * (groups->n - taken + 1) / taken;
        }
        if (left - taken <= after)
            vote_with_groups(some, ballots, groups + 1, after, left - taken, times * ways, sum);
    }
    some->n = begin;
}

/* The votes of all subsets of k chains; the number of subsets. */
static size_t vote_with_all_alike(const voters *all, size_t k, subset_scratch *scratch, sums *sum)
{
    group_alike(all, scratch->alike);
    voters some = *all;
    some.ballots = scratch->ballots;
    some.n = 0;
    vote_with_groups(&some, scratch->ballots, scratch->alike, all->n, k, 1, sum);
    return subsets_count(all->n, k);
}

static size_t vote_with_all(const voters *all, size_t k, subset_scratch *scratch, sums *sum)
{
    size_t n = subsets_count(all->n, k);
    voters some = *all;
    some.ballots = scratch->ballots;
    some.n = k;
    for (size_t i = 0; i < k; i++)
        scratch->chosen[i] = i;
    for (size_t s = 0; s < n; s++) {
        for (size_t i = 0; i < k; i++)
            scratch->ballots[i] = all->ballots[scratch->chosen[i]];
        add_vote(&some, 1, sum);
        subsets_next(scratch->chosen, k, all->n);
    }
    return n;
}

/* Adds up the votes of subsets of n chains, of all where they are few enough, and returns their
 * number. */
static size_t vote_with(const eval_sheet *sheet, const study_lot *lot, const voters *all, size_t n,
                        subset_scratch *scratch, sums *sum)
{
    if (n == 1) {
        vote_alone(all, sum);
        return all->n;
    }
    if (subsets_count(all->n, n) <= SUBSETS_MOST)
        return (all->n <= ALIKE_MOST ? vote_with_all_alike : vote_with_all)(all, n, scratch, sum);
    rdv_rng rng;
    rdv_rng_seed(&rng, lot->question->hash + n);
    voters some = *all;
    some.ballots = scratch->ballots;
    some.n = n;
    for (size_t i = 0; i < sheet->options.draws; i++) {
        draw_subset(all, n, &rng, scratch->ballots);
        add_vote(&some, 1, sum);
    }
    return sheet->options.draws;
}

/* The values at n chains, for the questions with at least n chains. */
static void values_at(const eval_sheet *sheet, size_t n, tally_answer *answers,
                      subset_scratch *scratch, values *v)
{
    rdv_sum rest[SERIES];
    v->n = 0;
    for (size_t q = 0; q < sheet->lots.n; q++) {
        const study_lot *lot = &sheet->lots.lots[q];
        if (n == 0 || lot->n < n || !lot->graded)
            continue;
        sums sum = {.rest = rest};
        voters all = voters_of(sheet, lot, answers);
        if (v->question)
            v->question[v->n] = (uint32_t)(lot->question - sheet->study->questions);
        keep(v, &sum, vote_with(sheet, lot, &all, n, scratch, &sum));
    }
}

/* Working memory for the questions of a sheet, in `arena`. */
static int scratch_new(const eval_sheet *sheet, rdv_arena *arena, wants *is_wanted, values *v,
                       subset_scratch *scratch, tally_answer **answers)
{
    *scratch = (subset_scratch){RDV_NEW_ARRAY(arena, tally_ballot, sheet->lots.most_chains),
                                RDV_NEW_ARRAY(arena, size_t, sheet->lots.most_chains),
                                RDV_NEW_ARRAY(arena, alike, sheet->lots.most_chains)};
    *answers = RDV_NEW_ARRAY(arena, tally_answer, sheet->lots.most_answers);
    bool ok = scratch->ballots && scratch->chosen && scratch->alike && *answers;
    return ok ? values_new(v, sheet->lots.n, is_wanted, arena) : RDV_E_NOMEM;
}

int eval_accuracy_compare(const eval_sheet *before, const eval_sheet *after, rdv_estimate *out,
                          rdv_error *err)
{
    const rdv_study *study = before->study;
    const eval_sheet *sheets[] = {before, after};
    values v[2];
    subset_scratch scratch[2];
    tally_answer *answers[2];
    double *was = RDV_NEW_ARRAY(study->arena, double, study->n_questions);
    double *is = RDV_NEW_ARRAY(study->arena, double, study->n_questions);
    if (!was || !is)
        return rdv_no_memory(err);
    for (size_t k = 0; k < 2; k++)
        if (scratch_new(sheets[k], study->arena, of_comparison, &v[k], &scratch[k], &answers[k]) <
                0 ||
            !(v[k].question = RDV_NEW_ARRAY(study->arena, uint32_t, sheets[k]->lots.n)))
            return rdv_no_memory(err);
    for (size_t i = 0; i < after->options.n_counts; i++) {
        for (size_t k = 0; k < 2; k++)
            values_at(sheets[k], after->options.counts[i], answers[k], &scratch[k], &v[k]);
        for (size_t q = 0; q < study->n_questions; q++)
            was[q] = is[q] = NAN;
        for (size_t q = 0; q < v[0].n; q++)
            was[v[0].question[q]] = v[0].of[WEIGHTED][q];
        for (size_t q = 0; q < v[1].n; q++)
            is[v[1].question[q]] = v[1].of[WEIGHTED][q];
        out[i] = before->weights && after->weights
                     ? rdv_mean_difference(was, is, study->n_questions)
                     : rdv_estimate_none(0); /* a vote without any weight is undefined */
    }
    return RDV_OK;
}

static int count_curves(eval_sheet *sheet, rdv_error *err)
{
    const size_t *counts;
    size_t n;
    values v;
    tally_answer *answers;
    eval_point *points[SERIES] = {NULL};
    subset_scratch scratch;
    if (chain_counts(sheet, &counts, &n) < 0 ||
        scratch_new(sheet, sheet->scratch, of_curves, &v, &scratch, &answers) < 0)
        return rdv_no_memory(err);
    for (int s = MAJORITY; s < SERIES; s++) {
        if (needs_weights(s) && !sheet->weights)
            continue;
        eval_curve *curve = eval_curve_add(sheet, names[s], "chains", "questions", n);
        if (!curve)
            return rdv_no_memory(err);
        points[s] = curve->points;
    }
    for (size_t i = 0; i < n; i++) {
        values_at(sheet, counts[i], answers, &scratch, &v);
        for (int s = 0; s < SERIES; s++) {
            if (points[s])
                points[s][i] = (eval_point){.x = (double)counts[i], .is = figure_of(&v, s)};
        }
    }
    return RDV_OK;
}

int eval_accuracy(eval_sheet *sheet, rdv_error *err)
{
    tally_answer *answers =
        RDV_NEW_ARRAY(sheet->study->arena, tally_answer, sheet->lots.most_answers);
    if (!answers)
        return rdv_no_memory(err);
    int r = whole_figures(sheet, answers, err);
    rdv_arena_reset(sheet->scratch);
    if (r < 0 || sheet->out.count[EVAL_QUESTIONS_UNGRADED] == sheet->lots.n)
        return r;
    r = count_curves(sheet, err);
    rdv_arena_reset(sheet->scratch);
    return r;
}
