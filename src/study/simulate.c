/* SPDX-License-Identifier: Apache-2.0 */
/* Appendix H of general-purpose verification: how well a verifier with a given correlation with
 * people chooses a chain. */
#include "study/simulate.h"

#include "base/rng.h"
#include "score/estimate.h"
#include "study/study.h"

#include <math.h>

#define PI 3.14159265358979323846
#define RIGHT_SHARE 0.75 /* a chain is right when more than this share of its steps is */

simulation simulate_default(void)
{
    return (simulation){.questions = 50000, .chains = 40, .steps = 4, .right = pow(0.19, 0.25)};
}

/* Two independent standard normal numbers (Box and Muller). */
static void normal_pair(rdv_rng *rng, double *a, double *b)
{
    double radius = sqrt(-2 * log1p(-rdv_rng_unit(rng))), angle = 2 * PI * rdv_rng_unit(rng);
    *a = radius * cos(angle);
    *b = radius * sin(angle);
}

static double normal_cdf(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

/* The quantile of the normal distribution at this share, by bisection. */
static double normal_quantile(double share)
{
    double low = -40, high = 40;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(normal_cdf(middle) < share ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* Sums for Pearson's r of the two uniform scores, around their common mean, 1/2. */
typedef struct sums {
    double hh, vv, hv;
} sums;

typedef struct drawn {
    double score; /* the product of the verifier's scores, which is ordered like their geometric
                     mean */
    bool right;
} drawn;

/* Draws one chain; steps whose human variable is above `least` are right. s: sums to add to, or
 * NULL; then a chain that cannot have a score above `best` any more is not looked at further, as
 * factors of at most 1 follow: only its random numbers are drawn. */
static drawn draw_chain(const simulation *how, double correlation, double least, double best,
                        rdv_rng *rng, sums *s)
{
    double apart = sqrt(1 - correlation * correlation), product = 1;
    size_t right = 0;
    for (size_t i = 0; i < how->steps; i++) {
        double human, noise;
        if (!s && product <= best) {
            rdv_rng_unit(rng);
            rdv_rng_unit(rng);
            continue;
        }
        normal_pair(rng, &human, &noise);
        double v = normal_cdf(correlation * human + apart * noise), h;
        right += human > least;
        product *= v;
        if (!s)
            continue;
        h = normal_cdf(human);
        s->hh += (h - 0.5) * (h - 0.5);
        s->vv += (v - 0.5) * (v - 0.5);
        s->hv += (h - 0.5) * (v - 0.5);
    }
    return (drawn){product, (double)right > RIGHT_SHARE * (double)how->steps};
}

int simulate(const simulation *how, double correlation, simulated *out, rdv_error *err)
{
    if (!(correlation >= 0 && correlation <= 1) || !(how->right >= 0 && how->right <= 1) ||
        !how->questions || !how->chains || !how->steps || how->steps > 100)
        return rdv_fail(err, RDV_E_ARGUMENT, "a simulation with a number that is out of range");
    rdv_rng rng;
    sums s = {0};
    size_t right = 0;
    rdv_rng_seed(&rng, how->seed);
    double least = normal_quantile(1 - how->right);
    for (size_t q = 0; q < how->questions; q++) {
        drawn best = {-1, false};
        for (size_t i = 0; i < how->chains; i++) {
            drawn chain = draw_chain(how, correlation, least, best.score, &rng, i == 0 ? &s : NULL);
            best = chain.score > best.score ? chain : best;
        }
        right += best.right;
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
