/* SPDX-License-Identifier: Apache-2.0 */
/* What a threshold on the score accepts and rejects. */
#include <rederive/eval.h>

#include "score/counts.h"

enum { RIGHT_ACCEPTED, RIGHT, WRONG_REJECTED, WRONG, COLUMNS };

static double tpr(const double *c)
{
    return rdv_ratio(c[RIGHT_ACCEPTED], c[RIGHT]);
}

static double tnr(const double *c)
{
    return rdv_ratio(c[WRONG_REJECTED], c[WRONG]);
}

static double balanced(const double *c)
{
    return (tpr(c) + tnr(c)) / 2;
}

static double precision_accepted(const double *c)
{
    return rdv_ratio(c[RIGHT_ACCEPTED], c[RIGHT_ACCEPTED] + c[WRONG] - c[WRONG_REJECTED]);
}

static double precision_rejected(const double *c)
{
    return rdv_ratio(c[WRONG_REJECTED], c[WRONG_REJECTED] + c[RIGHT] - c[RIGHT_ACCEPTED]);
}

static void count(const rdv_scored *s, double t, double *row)
{
    bool accepted = rdv_classify(s->score, t) == 1;
    if (s->right) {
        row[RIGHT] += 1;
        row[RIGHT_ACCEPTED] += accepted;
    } else {
        row[WRONG] += 1;
        row[WRONG_REJECTED] += !accepted;
    }
}

int rdv_rates_at(const rdv_scored *s, size_t n, double t, rdv_arena *arena, rdv_rates *out,
                 rdv_error *err)
{
    rdv_counts counts;
    int r = RDV_COUNTS_NEW(rdv_scored, s, n, COLUMNS, arena, &counts, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < n; i++)
        count(&s[i], t, rdv_counts_row(&counts, i));

    size_t right = rdv_counts_total(&counts, RIGHT), wrong = rdv_counts_total(&counts, WRONG);
    size_t right_accepted = rdv_counts_total(&counts, RIGHT_ACCEPTED);
    size_t accepted = right_accepted + wrong - rdv_counts_total(&counts, WRONG_REJECTED);
    *out = (rdv_rates){
        .tpr = rdv_counts_estimate(&counts, tpr, right),
        .tnr = rdv_counts_estimate(&counts, tnr, wrong),
        .balanced = rdv_counts_estimate(&counts, balanced, n),
        .precision_accepted = rdv_counts_estimate(&counts, precision_accepted, accepted),
        .precision_rejected = rdv_counts_estimate(&counts, precision_rejected, n - accepted),
    };
    return RDV_OK;
}
