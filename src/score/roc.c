/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of scores that need no threshold: the ROC curve and the area under it. */
#include "score/eval.h"

#include "base/arena.h"
#include "score/estimate.h"
#include "score/interner.h"

#include <stdlib.h>

static int highest_first(const void *a, const void *b)
{
    double x = ((const rdv_scored *)a)->score, y = ((const rdv_scored *)b)->score;
    return (x < y) - (x > y);
}

/* A copy sorted with the highest score first, and the number of right items. */
static rdv_scored *sorted(const rdv_scored *s, size_t n, rdv_arena *arena, size_t *right)
{
    rdv_scored *copy = RDV_NEW_ARRAY(arena, rdv_scored, n);
    *right = 0;
    for (size_t i = 0; copy && i < n; i++) {
        copy[i] = s[i];
        *right += s[i].right;
    }
    if (copy)
        qsort(copy, n, sizeof *copy, highest_first);
    return copy;
}

/* Items [from, end) have equal scores; `right` of them are right. */
typedef struct step {
    size_t end, right;
} step;

static step next_step(const rdv_scored *s, size_t n, size_t from)
{
    step st = {from, 0};
    while (st.end < n && s[st.end].score == s[from].score)
        st.right += s[st.end++].right;
    return st;
}

/* Of sorted items. */
static size_t n_distinct(const rdv_scored *s, size_t n)
{
    size_t distinct = 0;
    for (size_t i = 0; i < n; i = next_step(s, n, i).end)
        distinct++;
    return distinct;
}

int rdv_roc(const rdv_scored *s, size_t n, rdv_arena *arena, rdv_roc_point **out, size_t *n_out,
            rdv_error *err)
{
    size_t right, accepted_right = 0, points = 1;
    rdv_scored *by_score = sorted(s, n, arena, &right);
    rdv_roc_point *roc =
        by_score ? RDV_NEW_ARRAY(arena, rdv_roc_point, n_distinct(by_score, n) + 1) : NULL;
    if (!roc)
        return rdv_no_memory(err);
    if (right == 0 || right == n)
        return RDV_NONE;
    roc[0].threshold = INFINITY;
    for (size_t i = 0; i < n;) {
        step st = next_step(by_score, n, i);
        accepted_right += st.right;
        roc[points++] = (rdv_roc_point){
            .threshold = by_score[i].score,
            .fpr = (double)(st.end - accepted_right) / (double)(n - right),
            .tpr = (double)accepted_right / (double)right,
        };
        i = st.end;
    }
    *out = roc;
    *n_out = points;
    return RDV_OK;
}

/* Sums over one question of DeLong's components minus the AUC, for right and for wrong items. */
typedef struct cluster {
    double right, wrong;
    bool has_right, has_wrong;
} cluster;

/* Puts in the place of each score the share of the scores of the other kind against which it is
 * ordered correctly, with ties as one half: DeLong's structural component. `by_score` is sorted. */
static void components(rdv_scored *by_score, size_t n, size_t right)
{
    size_t wrong = n - right, right_above = 0, wrong_above = 0;
    for (size_t i = 0; i < n;) {
        step st = next_step(by_score, n, i);
        size_t wrong_here = st.end - i - st.right;
        double wrong_below = (double)(wrong - wrong_above - wrong_here) + 0.5 * (double)wrong_here;
        double right_over = (double)right_above + 0.5 * (double)st.right;
        for (size_t k = i; k < st.end; k++)
            by_score[k].score =
                by_score[k].right ? wrong_below / (double)wrong : right_over / (double)right;
        right_above += st.right;
        wrong_above += wrong_here;
        i = st.end;
    }
}

/* Obuchowski (1997), Nonparametric analysis of clustered ROC curve data: the variance of the AUC.
 */
static double clustered_se(const cluster *c, size_t n, size_t right, size_t wrong)
{
    double squares_right = 0, squares_wrong = 0, products = 0, with_right = 0, with_wrong = 0;
    for (size_t i = 0; i < n; i++) {
        squares_right += c[i].right * c[i].right;
        squares_wrong += c[i].wrong * c[i].wrong;
        products += c[i].right * c[i].wrong;
        with_right += c[i].has_right;
        with_wrong += c[i].has_wrong;
    }
    if (with_right < 2 || with_wrong < 2)
        return NAN;
    double m = (double)right, k = (double)wrong, all = (double)n;
    double variance = with_right / (with_right - 1) * squares_right / (m * m) +
                      with_wrong / (with_wrong - 1) * squares_wrong / (k * k) +
                      2 * all / (all - 1) * products / (m * k);
    return sqrt(fmax(variance, 0));
}

int rdv_auc(const rdv_scored *s, size_t n, rdv_arena *arena, rdv_estimate *out, rdv_error *err)
{
    return rdv_auc_moves(s, n, 0, arena, out, NULL, err);
}

int rdv_auc_moves(const rdv_scored *s, size_t n, size_t n_moves, rdv_arena *arena,
                  rdv_estimate *out, double *moves, rdv_error *err)
{
    size_t right, n_questions;
    rdv_scored *by_score = sorted(s, n, arena, &right);
    uint32_t *question = RDV_NEW_ARRAY(arena, uint32_t, n);
    if (!by_score || !question)
        return rdv_no_memory(err);
    if (right == 0 || right == n) {
        *out = rdv_estimate_none(n);
        return RDV_OK;
    }
    for (size_t i = 0; i < n; i++)
        question[i] = by_score[i].question;
    if (interner_dense(question, n, arena, &n_questions) < 0)
        return rdv_no_memory(err);
    cluster *clusters = RDV_NEW_ARRAY(arena, cluster, n_questions);
    if (!clusters)
        return rdv_no_memory(err);

    components(by_score, n, right);
    double auc = 0;
    for (size_t i = 0; i < n; i++)
        auc += by_score[i].right ? by_score[i].score / (double)right : 0;
    for (size_t i = 0; i < n; i++) {
        cluster *c = &clusters[question[i]];
        if (by_score[i].right) {
            c->right += by_score[i].score - auc;
            c->has_right = true;
        } else {
            c->wrong += by_score[i].score - auc;
            c->has_wrong = true;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const cluster *c = &clusters[question[i]];
        if (by_score[i].question < n_moves)
            moves[by_score[i].question] = c->right / (double)right + c->wrong / (double)(n - right);
    }
    double se = clustered_se(clusters, n_questions, right, n - right);
    /* If all are ordered correctly, the shares may add up to slightly more than 1. */
    *out = rdv_estimate_unit(fmin(auc, 1), se, n, n_questions);
    return RDV_OK;
}
