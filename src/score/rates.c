/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of acceptance and rejection at a threshold on the score. */
#include "score/eval.h"

#include "score/counts.h"
#include "score/score.h"

enum { RIGHT_ACCEPTED, RIGHT_REJECTED, WRONG_ACCEPTED, WRONG_REJECTED, COLUMNS };

/* The first count's share of the sum of both. */
static double share(const double *c, int first, int second)
{
    return rdv_ratio(c[first], c[first] + c[second]);
}

static double tpr(const double *c)
{
    return share(c, RIGHT_ACCEPTED, RIGHT_REJECTED);
}

static double tnr(const double *c)
{
    return share(c, WRONG_REJECTED, WRONG_ACCEPTED);
}

static double balanced(const double *c)
{
    return (tpr(c) + tnr(c)) / 2;
}

static double precision_accepted(const double *c)
{
    return share(c, RIGHT_ACCEPTED, WRONG_ACCEPTED);
}

static double precision_rejected(const double *c)
{
    return share(c, WRONG_REJECTED, RIGHT_REJECTED);
}

static int column_of(const rdv_scored *s, double t)
{
    bool accepted = rdv_classify(s->score, t) == 1;
    if (s->right)
        return accepted ? RIGHT_ACCEPTED : RIGHT_REJECTED;
    return accepted ? WRONG_ACCEPTED : WRONG_REJECTED;
}

int rdv_rates_at(const rdv_scored *s, size_t n, double t, rdv_arena *arena, rdv_rates *out,
                 rdv_error *err)
{
    rdv_counts counts;
    int r = RDV_COUNTS_NEW(rdv_scored, s, n, COLUMNS, arena, &counts, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < n; i++)
        rdv_counts_row(&counts, i)[column_of(&s[i], t)] += 1;

    size_t right_accepted = rdv_counts_total(&counts, RIGHT_ACCEPTED);
    size_t right = right_accepted + rdv_counts_total(&counts, RIGHT_REJECTED);
    size_t accepted = right_accepted + rdv_counts_total(&counts, WRONG_ACCEPTED);
    *out = (rdv_rates){
        .tpr = rdv_counts_estimate(&counts, tpr, right),
        .tnr = rdv_counts_estimate(&counts, tnr, n - right),
        .balanced = rdv_counts_estimate(&counts, balanced, n),
        .precision_accepted = rdv_counts_estimate(&counts, precision_accepted, accepted),
        .precision_rejected = rdv_counts_estimate(&counts, precision_rejected, n - accepted),
    };
    return RDV_OK;
}
