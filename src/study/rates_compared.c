/* SPDX-License-Identifier: Apache-2.0 */
#include "study/rates_compared.h"

#include "base/arena.h"
#include "score/estimate.h"
#include "score/paired.h"

#include <math.h>

/* What a question adds to the difference of a rate of `all` chains: all of them add to 0. */
static double moved(const rdv_pair *pair, double difference, double all)
{
    return all > 0 ? (pair->after - pair->before - difference * pair->n_after) / all : 0;
}

static double total(const rdv_pair *pairs, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pairs[i].n_after;
    return sum;
}

static double distance(double a, double b, double r)
{
    return sqrt(fmax(a * a + b * b + 2 * r * a * b, 0));
}

/* The mean of two differences over the same questions. */
static rdv_estimate mean_of(const rdv_pair *right, const rdv_pair *wrong, size_t n,
                            const rdv_estimate *a, const rdv_estimate *b)
{
    double aa = 0, bb = 0, ab = 0, n_right = total(right, n), n_wrong = total(wrong, n);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        double x = moved(&right[i], a->value, n_right), y = moved(&wrong[i], b->value, n_wrong);
        aa += x * x;
        bb += y * y;
        ab += x * y;
        used += right[i].n_after + wrong[i].n_after > 0;
    }
    rdv_estimate is = rdv_estimate_none(used);
    double r = aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
    double down_a = a->value - a->low, down_b = b->value - b->low;
    double up_a = a->high - a->value, up_b = b->high - b->value;
    is.value = (a->value + b->value) / 2;
    if (used > 1)
        is.se = sqrt(fmax(aa + bb + 2 * ab, 0) * (double)used / (double)(used - 1)) / 2;
    if (!isnan(a->low) && !isnan(b->low)) {
        is.low = is.value - distance(down_a, down_b, r) / 2;
        is.high = is.value + distance(up_a, up_b, r) / 2;
    }
    return is;
}

/* Whether the item counts as accepted: 1, 0; -1: neither, or not known to be right or wrong. */
static int accepted(const rdv_eval_item *item)
{
    return item_is_checked(item) && item->vote.ballot.correct >= 0 ? item_accepted(item) : -1;
}

int rates_compare(const rdv_study *study, const rdv_eval_item *before, size_t n_before,
                  const rdv_eval_item *items, size_t n, rates_compared *out, rdv_error *err)
{
    size_t n_chains = 0, n_questions = study->n_questions;
    rdv_arena *scratch = rdv_arena_new(0);
    for (size_t i = 0; i < n_before; i++)
        n_chains = before[i].check->chain >= n_chains ? before[i].check->chain + 1 : n_chains;
    int8_t *was = scratch ? RDV_NEW_ARRAY(scratch, int8_t, n_chains) : NULL;
    rdv_pair *right = scratch ? RDV_NEW_ARRAY(scratch, rdv_pair, n_questions) : NULL;
    rdv_pair *wrong = scratch ? RDV_NEW_ARRAY(scratch, rdv_pair, n_questions) : NULL;
    if (!was || !right || !wrong) {
        rdv_arena_free(&scratch);
        return rdv_no_memory(err);
    }
    for (size_t i = 0; i < n_before; i++)
        was[before[i].check->chain] =
            (int8_t)(accepted(&before[i]) + 1); /* 0: neither, or not there */
    for (size_t i = 0; i < n; i++) {
        int is = accepted(&items[i]);
        if (is < 0 || items[i].check->chain >= n_chains || was[items[i].check->chain] == 0)
            continue;
        bool correct = items[i].vote.ballot.correct == 1;
        rdv_pair *pair = &(correct ? right : wrong)[items[i].vote.question];
        pair->before += correct == (was[items[i].check->chain] == 2);
        pair->after += correct == (is == 1);
        pair->n_before++;
        pair->n_after++;
    }
    rdv_paired tpr, tnr;
    rdv_paired_difference(right, n_questions, &tpr);
    rdv_paired_difference(wrong, n_questions, &tnr);
    *out = (rates_compared){tpr.difference, tnr.difference,
                            mean_of(right, wrong, n_questions, &tpr.difference, &tnr.difference)};
    rdv_arena_free(&scratch);
    return RDV_OK;
}
