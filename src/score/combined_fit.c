/* SPDX-License-Identifier: Apache-2.0 */
/* Fitting the coefficients of combined scorers. */
#include "score/combined.h"
#include "score/logistic.h"

#include "base/arena.h"
#include "base/rng.h"

#include <math.h>

#define FOLDS 5
#define STRENGTHS 17                          /* from 1 down to 10^-4, four a factor of 10 */
#define WIDTH_MAX (COMBINED_FEATURES_MAX + 1) /* columns of a scorer, with that of `missing` */

typedef struct fitting {
    combined_model *model;
    const combined_row *rows;
    size_t n, d;
    double *x; /* n rows of d columns: for each scorer its features, then whether it is missing */
    bool *looked; /* of each row: a scorer that looks at the steps has a value */
    bool never_positive[COMBINED_SCORERS_MAX * WIDTH_MAX];
    /* pairs, question after question */
    double *difference, *weight;
    unsigned char *fold; /* of each pair */
    size_t n_pairs;
    rdv_arena *arena;
} fitting;

/* ---- columns --------------------------------------------------------------------------------- */

/* Whether the step scores are log-odds: one of them lies beyond [0,1]. RDV_E_INPUT: there are none.
 */
static int decide_scale(fitting *f, size_t i, rdv_error *err)
{
    combined_scorer *one = &f->model->scorers[i];
    size_t present = 0;
    for (size_t r = 0; r < f->n; r++)
        one->logits = one->logits || f->rows[r].values[i].beyond;
    for (size_t r = 0; r < f->n; r++)
        present += scorer_has(&one->scorer, &f->rows[r].values[i], one->logits);
    if (present)
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT, "no chain to fit on has a value of %.*s",
                    RDV_FMT(one->scorer.text));
}

/* The mean and deviation of a feature over the chains that have the scorer's values. */
static void measure_feature(fitting *f, size_t i, size_t feature)
{
    combined_scorer *one = &f->model->scorers[i];
    combined_feature *to = &one->features[feature];
    double sum = 0, squares = 0, n = 0;
    for (size_t r = 0; r < f->n; r++)
        if (scorer_has(&one->scorer, &f->rows[r].values[i], one->logits)) {
            sum += f->rows[r].values[i].of[one->logits][feature];
            n++;
        }
    to->mean = sum / n;
    for (size_t r = 0; r < f->n; r++)
        if (scorer_has(&one->scorer, &f->rows[r].values[i], one->logits)) {
            double x = f->rows[r].values[i].of[one->logits][feature] - to->mean;
            squares += x * x;
        }
    to->deviation = sqrt(squares / n);
    if (!(to->deviation > 1e-9)) /* it is the same for all of them, except for rounding */
        to->deviation = 1;
}

/* Fills the scorer's columns, which begin at `column`; returns the column after them. */
static size_t fill_columns(fitting *f, size_t i, size_t column)
{
    const combined_scorer *one = &f->model->scorers[i];
    size_t n;
    scorer_features(&one->scorer, &n);
    for (size_t r = 0; r < f->n; r++) {
        const scorer_values *values = &f->rows[r].values[i];
        double *row = f->x + r * f->d + column;
        bool has = scorer_has(&one->scorer, values, one->logits);
        for (size_t k = 0; k < n; k++)
            row[k] = has ? (values->of[one->logits][k] - one->features[k].mean) /
                               one->features[k].deviation
                         : 0;
        row[n] = !has;
        f->looked[r] = f->looked[r] || (has && one->scorer.is == SCORER_WEIGHT);
    }
    f->never_positive[column + n] = true;
    return column + n + 1;
}

static int make_columns(fitting *f, rdv_error *err)
{
    f->d = 0;
    for (size_t i = 0; i < f->model->n; i++) {
        size_t n;
        scorer_features(&f->model->scorers[i].scorer, &n);
        f->d += n + 1;
        int r = decide_scale(f, i, err);
        for (size_t k = 0; r == RDV_OK && k < n; k++)
            measure_feature(f, i, k);
        if (r < 0)
            return r;
    }
    f->x = RDV_NEW_ARRAY(f->arena, double, f->n * f->d);
    f->looked = RDV_NEW_ARRAY(f->arena, bool, f->n);
    if (!f->x || !f->looked)
        return rdv_no_memory(err);
    for (size_t i = 0, column = 0; i < f->model->n; i++)
        column = fill_columns(f, i, column);
    return RDV_OK;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* The chains of a question that take part: right ones first. */
typedef struct sides {
    size_t *rows, n_right, n_wrong;
} sides;

static sides sides_of(const fitting *f, size_t begin, size_t end, size_t *rows)
{
    sides s = {.rows = rows};
    for (size_t r = begin; r < end; r++)
        if (f->looked[r] && f->rows[r].right)
            rows[s.n_right++] = r;
    for (size_t r = begin; r < end; r++)
        if (f->looked[r] && !f->rows[r].right)
            rows[s.n_right + s.n_wrong++] = r;
    return s;
}

static size_t pairs_of(const sides *s)
{
    if (s->n_right == 0 || s->n_wrong == 0)
        return 0;
    bool many = s->n_right > COMBINED_PAIRS_MAX / s->n_wrong;
    return many ? COMBINED_PAIRS_MAX : s->n_right * s->n_wrong;
}

static void add_pair(fitting *f, size_t right, size_t wrong, double weight, uint64_t hash)
{
    for (size_t j = 0; j < f->d; j++)
        f->difference[f->n_pairs * f->d + j] = f->x[right * f->d + j] - f->x[wrong * f->d + j];
    f->weight[f->n_pairs] = weight;
    f->fold[f->n_pairs++] = (unsigned char)((hash >> 32) % FOLDS); /* --split uses the low bits */
}

static void add_pairs(fitting *f, const sides *s, uint64_t hash)
{
    rdv_rng rng;
    size_t n = pairs_of(s);
    bool drawn = n == COMBINED_PAIRS_MAX;
    rdv_rng_seed(&rng, hash);
    for (size_t i = 0; i < n; i++) {
        size_t right = drawn ? rdv_rng_below(&rng, s->n_right) : i / s->n_wrong;
        size_t wrong = drawn ? rdv_rng_below(&rng, s->n_wrong) : i % s->n_wrong;
        add_pair(f, s->rows[right], s->rows[s->n_right + wrong], 1 / (double)n, hash);
    }
    if (n > 0) {
        f->model->n_questions++;
        f->model->n_chains += s->n_right + s->n_wrong;
    }
}

/* The row after the last of the question that begins at `begin`. */
static size_t question_end(const fitting *f, size_t begin)
{
    size_t end = begin;
    while (end < f->n && f->rows[end].question == f->rows[begin].question)
        end++;
    return end;
}

static int make_pairs(fitting *f, rdv_error *err)
{
    size_t n = 0, *rows = RDV_NEW_ARRAY(f->arena, size_t, f->n);
    if (!rows)
        return rdv_no_memory(err);
    for (size_t begin = 0, end; begin < f->n; begin = end) {
        end = question_end(f, begin);
        sides s = sides_of(f, begin, end, rows);
        n += pairs_of(&s);
    }
    if (n == 0)
        return rdv_fail(err, RDV_E_INPUT,
                        "scorers are fitted on questions with right and wrong answers, and none "
                        "has both");
    f->difference = RDV_NEW_ARRAY(f->arena, double, n * f->d);
    f->weight = RDV_NEW_ARRAY(f->arena, double, n);
    f->fold = RDV_NEW_ARRAY(f->arena, unsigned char, n);
    if (!f->difference || !f->weight || !f->fold)
        return rdv_no_memory(err);
    for (size_t begin = 0, end; begin < f->n; begin = end) {
        end = question_end(f, begin);
        sides s = sides_of(f, begin, end, rows);
        add_pairs(f, &s, f->rows[begin].hash);
    }
    return RDV_OK;
}

/* ---- the strength of the penalty ------------------------------------------------------------- */

static double strength_at(size_t i)
{
    return pow(10, -(double)i / 4);
}

/* The pairs of one fold, or those of all others, with the other pairs' weights set to 0. */
static logistic_pairs pick(const fitting *f, size_t fold, bool others, double *weight,
                           double *total)
{
    *total = 0;
    for (size_t i = 0; i < f->n_pairs; i++) {
        weight[i] = (f->fold[i] == fold) == others ? 0 : f->weight[i];
        *total += weight[i];
    }
    return (logistic_pairs){.n = f->n_pairs, .d = f->d, .x = f->difference, .weight = weight};
}

/* Adds to sum[i] what the pairs of the fold score with the coefficients of the i-th strength that
 * were fitted on the other folds. A fold without pairs, or with all of them, tells nothing. */
static int try_fold(const fitting *f, size_t fold, double *weight, double *sum, rdv_error *err)
{
    double coefficients[COMBINED_SCORERS_MAX * WIDTH_MAX] = {0};
    double total, others;
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && i < STRENGTHS; i++) {
        logistic_pairs pairs = pick(f, fold, true, weight, &others);
        if (others <= 0)
            return RDV_OK;
        r = logistic_fit(&pairs, strength_at(i), f->never_positive, f->arena, coefficients, err);
        pairs = pick(f, fold, false, weight, &total);
        if (r == RDV_OK && total > 0)
            sum[i] += total * logistic_likelihood(&pairs, coefficients);
    }
    return r;
}

static int choose_strength(const fitting *f, double *out, rdv_error *err)
{
    double sum[STRENGTHS] = {0};
    double *weight = RDV_NEW_ARRAY(f->arena, double, f->n_pairs);
    size_t best = 0;
    if (!weight)
        return rdv_no_memory(err);
    for (size_t fold = 0; fold < FOLDS; fold++) {
        int r = try_fold(f, fold, weight, sum, err);
        if (r < 0)
            return r;
    }
    for (size_t i = 1; i < STRENGTHS; i++)
        best = sum[i] > sum[best] ? i : best;
    *out = strength_at(best);
    return RDV_OK;
}

/* ---- the coefficients ------------------------------------------------------------------------ */

static void keep(fitting *f, const double *coefficients)
{
    const double *at = coefficients;
    for (size_t i = 0; i < f->model->n; i++) {
        combined_scorer *one = &f->model->scorers[i];
        size_t n;
        scorer_features(&one->scorer, &n);
        for (size_t k = 0; k < n; k++)
            one->features[k].coefficient = *at++;
        one->missing = *at++;
    }
}

int combined_fit(const scorer *scorers, size_t n_scorers, const combined_row *rows, size_t n,
                 rdv_arena *arena, combined_model *out, rdv_error *err)
{
    combined_model model = {.scorers = RDV_NEW_ARRAY(arena, combined_scorer, n_scorers),
                            .n = n_scorers};
    rdv_arena *scratch = rdv_arena_new(0);
    fitting f = {.model = &model, .rows = rows, .n = n, .arena = scratch};
    double coefficients[COMBINED_SCORERS_MAX * WIDTH_MAX] = {0};
    int r = model.scorers && scratch ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; r == RDV_OK && i < n_scorers; i++)
        model.scorers[i].scorer = scorers[i];
    if (r == RDV_OK)
        r = make_columns(&f, err);
    if (r == RDV_OK)
        r = make_pairs(&f, err);
    if (r == RDV_OK)
        r = choose_strength(&f, &model.strength, err);
    logistic_pairs pairs = {.n = f.n_pairs, .d = f.d, .x = f.difference, .weight = f.weight};
    if (r == RDV_OK)
        r = logistic_fit(&pairs, model.strength, f.never_positive, scratch, coefficients, err);
    if (r == RDV_OK) {
        keep(&f, coefficients);
        model.log_likelihood = logistic_likelihood(&pairs, coefficients);
        *out = model;
    }
    rdv_arena_free(&scratch);
    return r;
}
