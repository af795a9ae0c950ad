/* SPDX-License-Identifier: Apache-2.0 */
/* The accuracy of mistake locations, and of "has a mistake" as a prediction about the answer. */
#include "score/eval.h"

#include "base/arena.h"
#include "score/counts.h"
#include "score/paired.h"

rdv_label rdv_label_by(const rdv_check *check)
{
    rdv_verdict_counts c = rdv_count_verdicts(check->verdicts, check->n_verdicts);
    if (check->skipped || check->first_error == RDV_STEP_UNKNOWN ||
        c.contradict + c.unrelated + c.support == 0)
        return (rdv_label){.kind = RDV_LABEL_UNKNOWN};
    if (check->first_error != RDV_NO_STEP)
        return (rdv_label){.kind = RDV_LABEL_AT, .step = check->first_error};
    if (check->n_verdicts == 1 && check->verdicts[0].step == RDV_WHOLE_CHAIN && c.contradict)
        return (rdv_label){.kind = RDV_LABEL_AT, .step = RDV_WHOLE_CHAIN};
    return (rdv_label){.kind = RDV_LABEL_NO_MISTAKE};
}

/* ---- location ------------------------------------------------------------------------------ */

enum { WITH, WITH_FOUND, WITHOUT, WITHOUT_FOUND, LOCATION_COLUMNS };

static double overall(const double *c)
{
    return rdv_ratio(c[WITH_FOUND] + c[WITHOUT_FOUND], c[WITH] + c[WITHOUT]);
}

static double with_mistake(const double *c)
{
    return rdv_ratio(c[WITH_FOUND], c[WITH]);
}

static double without_mistake(const double *c)
{
    return rdv_ratio(c[WITHOUT_FOUND], c[WITHOUT]);
}

static double harmonic_mean(const double *c)
{
    double a = with_mistake(c), b = without_mistake(c);
    return a + b == 0 ? 0 : 2 * a * b / (a + b);
}

static void count_location(const rdv_located *l, double *row)
{
    if (l->truth.kind == RDV_LABEL_AT) {
        row[WITH] += 1;
        row[WITH_FOUND] += l->found.kind == RDV_LABEL_AT && l->found.step == l->truth.step;
    } else {
        row[WITHOUT] += 1;
        row[WITHOUT_FOUND] += l->found.kind == RDV_LABEL_NO_MISTAKE;
    }
}

int rdv_locate_score(const rdv_located *l, size_t n, rdv_arena *arena, rdv_location *out,
                     rdv_error *err)
{
    size_t silent = 0;
    rdv_counts counts;
    int r = RDV_COUNTS_NEW(rdv_located, l, n, LOCATION_COLUMNS, arena, &counts, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < n; i++) {
        count_location(&l[i], rdv_counts_row(&counts, i));
        silent += l[i].found.kind == RDV_LABEL_UNKNOWN;
    }
    size_t with = rdv_counts_total(&counts, WITH);
    *out = (rdv_location){
        .overall = rdv_counts_estimate(&counts, overall, n),
        .with_mistake = rdv_counts_estimate(&counts, with_mistake, with),
        .without_mistake = rdv_counts_estimate(&counts, without_mistake, n - with),
        .f1 = rdv_counts_estimate(&counts, harmonic_mean, n),
        .no_prediction = silent,
    };
    return RDV_OK;
}

/* ---- a mistake as a prediction of a wrong answer --------------------------------------------- */

enum { WRONG, WRONG_SAID, WRONG_HIT, RIGHT, RIGHT_SAID, RIGHT_HIT, ANSWER_COLUMNS };

static double f1(double hit, double is, double said)
{
    return is + said > 0 ? 2 * hit / (is + said) : 0;
}

static double weighted_f1(const double *c)
{
    double wrong = f1(c[WRONG_HIT], c[WRONG], c[WRONG_SAID]);
    double right = f1(c[RIGHT_HIT], c[RIGHT], c[RIGHT_SAID]);
    return rdv_ratio(c[WRONG] * wrong + c[RIGHT] * right, c[WRONG] + c[RIGHT]);
}

static void count_answer(const rdv_detected *d, double *row)
{
    bool says_wrong = d->found == RDV_LABEL_AT, says_right = d->found == RDV_LABEL_NO_MISTAKE;
    row[d->right ? RIGHT : WRONG] += 1;
    row[WRONG_SAID] += says_wrong;
    row[RIGHT_SAID] += says_right;
    row[WRONG_HIT] += says_wrong && !d->right;
    row[RIGHT_HIT] += says_right && d->right;
}

static int count_answers(const rdv_detected *d, size_t n, rdv_arena *arena, rdv_counts *out,
                         rdv_error *err)
{
    int r = RDV_COUNTS_NEW(rdv_detected, d, n, ANSWER_COLUMNS, arena, out, err);
    for (size_t i = 0; r >= 0 && i < n; i++)
        count_answer(&d[i], rdv_counts_row(out, i));
    return r;
}

int rdv_weighted_f1(const rdv_detected *d, size_t n, rdv_arena *arena, rdv_estimate *out,
                    rdv_error *err)
{
    rdv_counts counts;
    int r = count_answers(d, n, arena, &counts, err);
    if (r < 0)
        return r;
    *out = rdv_counts_estimate(&counts, weighted_f1, n);
    return RDV_OK;
}

int rdv_weighted_f1_difference(const rdv_detected *before, const rdv_detected *after, size_t n,
                               rdv_arena *arena, rdv_estimate *out, rdv_error *err)
{
    rdv_counts counts[2];
    int r = count_answers(before, n, arena, &counts[0], err);
    if (r >= 0)
        r = count_answers(after, n, arena, &counts[1], err);
    if (r < 0)
        return r;
    size_t questions = counts[0].n; /* the same, in the same order, in both */
    double *moves[2] = {RDV_NEW_ARRAY(arena, double, questions),
                        RDV_NEW_ARRAY(arena, double, questions)};
    rdv_estimate is[2];
    if (!moves[0] || !moves[1])
        return rdv_no_memory(err);
    for (size_t i = 0; i < 2; i++) {
        is[i] = rdv_counts_estimate(&counts[i], weighted_f1, n);
        rdv_counts_moves(&counts[i], weighted_f1, moves[i]);
    }
    *out = rdv_moved_difference(&is[0], &is[1], moves[0], moves[1], questions);
    return RDV_OK;
}
