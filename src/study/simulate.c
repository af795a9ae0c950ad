/* SPDX-License-Identifier: Apache-2.0 */
/* Appendix H of general-purpose verification: how well a verifier with a given correlation with
 * people chooses a chain. */
#include "study/simulate.h"

#include "base/rng.h"
#include "score/estimate.h"
#include "study/study.h"

#include <math.h>

#define PI 3.14159265358979323846
#define MAX_STEPS 100
#define RIGHT_SHARE 0.75 /* a chain is right when more than this share of its steps is */

simulation simulate_default(void)
{
    return (simulation){.questions = 50000, .chains = 40, .steps = 4, .right = pow(0.19, 0.25)};
}

/* A standard normal number (Box and Muller). */
static double draw_normal(rdv_rng *rng)
{
    double radius = sqrt(-2 * log1p(-rdv_rng_unit(rng)));
    return radius * cos(2 * PI * rdv_rng_unit(rng));
}

static double normal_cdf(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

/* The quantile of the normal distribution at this share, to seven digits (Wichura's algorithm AS
 * 241, PPND7). */
static double normal_quantile(double share)
{
    double q = share - 0.5, r = 0.180625 - q * q;
    if (fabs(q) <= 0.425)
        return q * (((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179) /
               (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1);
    r = sqrt(-log(fmin(share, 1 - share)));
    double x;
    if (r <= 5) {
        r -= 1.6;
        x = (((0.17023821103 * r + 1.3067284816) * r + 2.75681539) * r + 1.4234372777) /
            ((0.12021132975 * r + 0.7370016425) * r + 1);
    } else {
        r -= 5;
        x = (((0.017337203997 * r + 0.42868294337) * r + 3.081226386) * r + 6.657905115) /
            ((0.012258202635 * r + 0.24197894225) * r + 1);
    }
    return copysign(x, q);
}

/* Sums for Pearson's r of the two uniform scores, around their common mean, 1/2. */
typedef struct sums {
    double hh, vv, hv;
} sums;

/* A question's chains are ordered by the product of the verifier's scores, as by their geometric
 * mean. */
typedef struct drawn {
    double product;
    double scores[MAX_STEPS];
} drawn;

/* What joins a verifier's scores with those of people. */
typedef struct joined {
    double correlation, apart; /* apart = sqrt(1 - correlation^2) */
    double least;              /* steps whose human variable is above it are right */
} joined;

/* Draws the scores that the verifier gives to a chain: they are uniform. */
static void draw_scores(const simulation *how, rdv_rng *rng, drawn *out)
{
    out->product = 1;
    for (size_t i = 0; i < how->steps; i++) {
        out->scores[i] = rdv_rng_unit(rng);
        out->product *= out->scores[i];
    }
}

/* Draws what people say of the steps of a chain, whose scores are known, and adds to s, unless it
 * is NULL. Is the chain right? */
static bool draw_people(const simulation *how, const joined *j, const drawn *chain, rdv_rng *rng,
                        sums *s)
{
    size_t right = 0;
    for (size_t i = 0; i < how->steps; i++) {
        double v = chain->scores[i];
        double human = j->correlation * normal_quantile(v) + j->apart * draw_normal(rng);
        right += human > j->least;
        if (!s)
            continue;
        double h = normal_cdf(human);
        s->hh += (h - 0.5) * (h - 0.5);
        s->vv += (v - 0.5) * (v - 0.5);
        s->hv += (h - 0.5) * (v - 0.5);
    }
    return (double)right > RIGHT_SHARE * (double)how->steps;
}

int simulate(const simulation *how, double correlation, simulated *out, rdv_error *err)
{
    if (!(correlation >= 0 && correlation <= 1) || !(how->right >= 0 && how->right <= 1) ||
        !how->questions || !how->chains || !how->steps || how->steps > MAX_STEPS)
        return rdv_fail(err, RDV_E_ARGUMENT, "a simulation with a number that is out of range");
    rdv_rng rng;
    sums s = {0};
    size_t right = 0;
    joined j = {correlation, sqrt(1 - correlation * correlation), normal_quantile(1 - how->right)};
    rdv_rng_seed(&rng, how->seed);
    for (size_t q = 0; q < how->questions; q++) {
        drawn best, chain;
        draw_scores(how, &rng, &best);
        draw_people(how, &j, &best, &rng,
                    &s); /* the first chain, as the best is no sample of all */
        for (size_t i = 1; i < how->chains; i++) {
            draw_scores(how, &rng, &chain);
            if (chain.product > best.product)
                best = chain;
        }
        right += draw_people(how, &j, &best, &rng, NULL);
    }
    double n = (double)how->questions, value = (double)right / n;
    double se = n > 1 ? sqrt(value * (1 - value) / (n - 1)) : NAN;
    out->accuracy = rdv_estimate_unit(value, se, how->questions, how->questions);
    out->correlation = s.hv / sqrt(s.hh * s.vv);
    return RDV_OK;
}

/* ---- Table 6 --------------------------------------------------------------------------------- */

static const struct row {
    double correlation, paper;
} rows[] = {{0, 0.19},    {0.075, 0.22}, {0.1, 0.23},  {0.15, 0.26},
            {0.25, 0.31}, {0.5, 0.48},   {0.75, 0.72}, {1, 0.98}};

static int finish(rdv_study *s, rdv_error *err)
{
    simulation how = simulate_default();
    rdv_study_table table = study_table(s);
    table.notes_are_members = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        simulated found, by_r;
        how.seed = s->options.seed + i;
        int r = simulate(&how, rows[i].correlation, &found, err);
        if (r == RDV_OK)
            r = simulate(&how, 2 * sin(PI * rows[i].correlation / 6), &by_r, err);
        if (r < 0)
            return r;
        TABLE_ADD(&table, table_number(rows[i].correlation), table_estimate(found.accuracy),
                  table_number(rows[i].paper), table_number(found.accuracy.value - rows[i].paper),
                  table_number(found.correlation), table_estimate(by_r.accuracy),
                  table_number(by_r.accuracy.value - rows[i].paper));
    }
    table_note(&table,
               "%zu questions a row, %zu chains of %zu steps each; a step is right with the "
               "chance %.3f, a chain when all its steps are",
               how.questions, how.chains, how.steps, how.right);
    table_note(&table, "correlation: in score, of the normal variables that join the scores, whose "
                       "own is pearson_r; in score.pearson, Pearson's r of the scores themselves. "
                       "The paper does not say which it means");
    return study_put(s, &table, err);
}

const study_family study_simulation = {.finish = finish};
