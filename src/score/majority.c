/* SPDX-License-Identifier: Apache-2.0 */
/* The probability that majority voting fails. The counts of the answers are multinomial;
 * independent Poisson counts, conditioned on their total, have the same distribution, and their
 * probabilities neither overflow nor cancel. For each number k of right chains, the wrong answers
 * are added one by one to the joint distribution of the number of them tied with k and the number
 * of chains used. */
#include <rederive/score.h>

#include "base/arena.h"

#include <math.h>
#include <string.h>

#define WORK_MAX 1e9

static int check_chances(double p, const double *wrong, size_t n_wrong, rdv_error *err)
{
    double total = p;
    bool good = p >= 0 && p <= 1;
    for (size_t i = 0; i < n_wrong && good; i++) {
        good = wrong[i] >= 0 && wrong[i] <= 1;
        total += wrong[i];
    }
    if (good && total <= 1 + 1e-9)
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT, "chances must lie in [0,1] and add up to at most 1");
}

/* pmf[j] of a Poisson variable, j = 0..n. */
static void poisson(double mean, size_t n, double *pmf)
{
    double log_term = -mean;
    for (size_t j = 0; j <= n; j++) {
        if (j > 0)
            log_term += log(mean) - log((double)j); /* mean 0: minus infinity, so exp gives 0 */
        pmf[j] = exp(log_term);
    }
}

typedef struct joint {
    size_t k, room;     /* chains of the right answer; chains that remain for the others */
    size_t ties;        /* the number of ties is 0..ties */
    double *now, *next; /* [t * (room + 1) + used] */
} joint;

/* Adds a wrong answer with these count probabilities: it has fewer than k chains, or k chains and
 * is one more tie. */
static void add_answer(joint *d, const double *pmf)
{
    size_t width = d->room + 1;
    memset(d->next, 0, (d->ties + 1) * width * sizeof *d->next);
    for (size_t t = 0; t <= d->ties; t++) {
        for (size_t used = 0; used <= d->room; used++) {
            double here = d->now[t * width + used];
            if (here == 0)
                continue;
            for (size_t j = 0; j < d->k && used + j <= d->room; j++)
                d->next[t * width + used + j] += here * pmf[j];
            if (t < d->ties && used + d->k <= d->room)
                d->next[(t + 1) * width + used + d->k] += here * pmf[d->k];
        }
    }
    double *swap = d->now;
    d->now = d->next;
    d->next = swap;
}

/* The probability that the right answer leads with k chains (times that of the Poisson total); a
 * tie with t others counts 1 / (t + 1). pmf: one row of n + 1 for each wrong answer, then one for
 * the unread chains. */
static double leads_with(joint *d, const double *pmf, size_t n_wrong, size_t n)
{
    size_t width = d->room + 1;
    memset(d->now, 0, (d->ties + 1) * width * sizeof *d->now);
    d->now[0] = 1;
    for (size_t i = 0; i < n_wrong; i++)
        add_answer(d, pmf + i * (n + 1));
    const double *unread = pmf + n_wrong * (n + 1);
    double chance = 0;
    for (size_t t = 0; t <= d->ties; t++) {
        for (size_t used = 0; used <= d->room; used++)
            chance += d->now[t * width + used] * unread[d->room - used] / (double)(t + 1);
    }
    return chance;
}

int rdv_majority_failure(double p, const double *wrong, size_t n_wrong, size_t n, rdv_arena *arena,
                         double *out, rdv_error *err)
{
    int r = check_chances(p, wrong, n_wrong, err);
    if (r < 0)
        return r;
    double size = (double)n;
    if (((double)n_wrong + 1) * size * size * size > WORK_MAX)
        return rdv_fail(err, RDV_E_LIMIT, "too many chains or answers for an exact computation");
    size_t row = n + 1;
    double *pmf = RDV_NEW_ARRAY(arena, double, (n_wrong + 1) * row);
    double *right = RDV_NEW_ARRAY(arena, double, row);
    double *total = RDV_NEW_ARRAY(arena, double, row);
    /* (ties + 1) * (room + 1) <= (n / k) * (n - k + 1), at most n * n */
    double *now = RDV_NEW_ARRAY(arena, double, row *row);
    double *next = RDV_NEW_ARRAY(arena, double, row *row);
    if (!pmf || !right || !total || !now || !next)
        return rdv_no_memory(err);

    double unread = 1 - p;
    for (size_t i = 0; i < n_wrong; i++) {
        poisson(size * wrong[i], n, pmf + i * row);
        unread -= wrong[i];
    }
    poisson(size * fmax(unread, 0), n, pmf + n_wrong * row);
    poisson(size * p, n, right);
    poisson(size, n, total);
    double success = 0;
    for (size_t k = 1; k <= n; k++) {
        joint d = {.k = k, .room = n - k, .ties = (n - k) / k, .now = now, .next = next};
        success += right[k] * leads_with(&d, pmf, n_wrong, n);
    }
    *out = fmin(fmax(1 - success / total[n], 0), 1);
    return RDV_OK;
}

double rdv_majority_bound(double p, double q, size_t n_wrong, size_t n)
{
    if (!(p >= 0 && p <= 1 && q >= 0 && q < p))
        return 1;
    double gap = sqrt(p) - sqrt(q);
    return fmin(1, (double)n_wrong * pow(1 - gap * gap, (double)n));
}
