/* SPDX-License-Identifier: Apache-2.0 */
#include "score/combined.h"

#include "base/str.h"

#include <math.h>

#define LOG_ODDS_MAX 13.815509557935018 /* of 1 - 10^-6 */

static const rdv_aggregate_kind aggregates[] = {RDV_AGGREGATE_MIN, RDV_AGGREGATE_MEAN,
                                                RDV_AGGREGATE_LAST, RDV_AGGREGATE_PRODUCT};
static const char *const of_scores[] = {"min", "mean", "last", "product"};
static const char *const of_confidence[] = {"confidence"};
static const char *const of_perplexity[] = {"perplexity"};
static const char *const of_majority[] = {"share"};
static const char *const of_length[] = {"n_steps"};

/* ---- the list of scorers --------------------------------------------------------------------- */

static int scorer_read(rdv_str text, scorer *out, rdv_error *err)
{
    *out = (scorer){.text = text};
    if (rdv_str_eq(text, RDV_STR("majority"))) {
        out->is = SCORER_MAJORITY;
    } else if (rdv_str_eq(text, RDV_STR("length"))) {
        out->is = SCORER_LENGTH;
    } else if (rdv_str_eq(text, RDV_STR("perplexity"))) {
        out->weight.is = VOTE_WEIGHT_PERPLEXITY;
    } else if (vote_weight_read(text, RDV_AGGREGATE_MIN, &out->weight, NULL) != RDV_OK) {
        return rdv_fail(err, RDV_E_ARGUMENT, "\"%.*s\": a scorer is " COMBINED_LIST,
                        RDV_FMT(rdv_slice(text, 0, 64)));
    }
    return RDV_OK;
}

int scorers_read(rdv_str list, scorer *out, size_t *n, rdv_error *err)
{
    bool looks = false;
    *n = 0;
    for (size_t at = 0; at <= list.len;) {
        size_t comma = rdv_find_char(list, ',', at);
        size_t end = comma == RDV_NOT_FOUND ? list.len : comma;
        rdv_str text = rdv_trim(rdv_slice(list, at, end));
        if (*n == COMBINED_SCORERS_MAX)
            return rdv_fail(err, RDV_E_ARGUMENT, "more than %d scorers", COMBINED_SCORERS_MAX);
        for (size_t i = 0; i < *n; i++)
            if (rdv_str_eq(out[i].text, text))
                return rdv_fail(err, RDV_E_ARGUMENT, "\"%.*s\" is named twice",
                                RDV_FMT(rdv_slice(text, 0, 64)));
        int r = scorer_read(text, &out[*n], err);
        if (r < 0)
            return r;
        looks = looks || out[*n].is == SCORER_WEIGHT;
        ++*n;
        at = end + 1;
    }
    if (looks)
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "no scorer looks at the steps: add scores:NAME, confidence or perplexity");
}

const char *const *scorer_features(const scorer *s, size_t *n)
{
    *n = 1;
    switch (s->is) {
    case SCORER_MAJORITY:
        return of_majority;
    case SCORER_LENGTH:
        return of_length;
    case SCORER_WEIGHT:
        break;
    }
    if (s->weight.is == VOTE_WEIGHT_PERPLEXITY)
        return of_perplexity;
    if (s->weight.is == VOTE_WEIGHT_CONFIDENCE)
        return of_confidence;
    *n = sizeof of_scores / sizeof *of_scores;
    return of_scores;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double log_odds(double p)
{
    if (!(p >= 0 && p <= 1))
        return NAN;
    return fmin(fmax(log(p) - log1p(-p), -LOG_ODDS_MAX), LOG_ODDS_MAX);
}

static double sigmoid(double z)
{
    return 1 / (1 + exp(-z));
}

static void set_both(scorer_values *values, double x)
{
    values->of[0][0] = values->of[1][0] = x;
}

/* Aggregates step scores that are log-odds, all of them finite and at least one. */
static void measure_logits(const rdv_scores *scores, double *out)
{
    double lowest = INFINITY, sum = 0, logs = 0;
    for (size_t i = 0; i < scores->n; i++) {
        double z = scores->step[i];
        lowest = fmin(lowest, z);
        sum += sigmoid(z);
        logs += z < 0 ? z - log1p(exp(z)) : -log1p(exp(-z));
    }
    out[0] = log_odds(sigmoid(lowest));
    out[1] = log_odds(sum / (double)scores->n);
    out[2] = log_odds(sigmoid(scores->step[scores->n - 1]));
    out[3] = log_odds(exp(logs));
}

/* A chain with a step that has no score has no value: leaving the step out would count it as one
 * like the others. */
static void measure_scores(const rdv_scores *scores, scorer_values *out)
{
    bool whole = true;
    for (size_t i = 0; i < scores->n; i++) {
        out->beyond = out->beyond || scores->step[i] < 0 || scores->step[i] > 1;
        whole = whole && isfinite(scores->step[i]);
    }
    if (!whole)
        return;
    for (size_t f = 0; f < COMBINED_FEATURES_MAX && !out->beyond; f++)
        out->of[0][f] = log_odds(
            rdv_aggregate(&(rdv_aggregation){.kind = aggregates[f]}, scores->step, scores->n));
    measure_logits(scores, out->of[1]);
}

scorer_values scorer_measure(const scorer *s, const rdv_chain *chain)
{
    scorer_values out = {.of = {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}};
    if (s->is == SCORER_LENGTH && chain->n_steps > 0)
        set_both(&out, log((double)chain->n_steps));
    if (s->is != SCORER_WEIGHT)
        return out;
    const rdv_scores *scores =
        s->weight.is == VOTE_WEIGHT_SCORES ? rdv_chain_scores(chain, s->weight.name) : NULL;
    if (scores && scores->n > 0)
        measure_scores(scores, &out);
    if (s->weight.is == VOTE_WEIGHT_CONFIDENCE)
        set_both(&out, log_odds(vote_weight_of(&s->weight, chain)));
    if (s->weight.is == VOTE_WEIGHT_PERPLEXITY)
        set_both(&out, -log(vote_weight_of(&s->weight, chain)));
    return out;
}

scorer_values scorer_share(size_t same, size_t all)
{
    scorer_values out = {.of = {{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}};
    /* half a chain more for each side, so that the log-odds are finite and grow with the chains */
    set_both(&out, log_odds(((double)same + 0.5) / ((double)all + 1)));
    return out;
}

bool scorer_has(const scorer *s, const scorer_values *values, bool logits)
{
    size_t n;
    scorer_features(s, &n);
    for (size_t f = 0; f < n; f++)
        if (!isfinite(values->of[logits][f]))
            return false;
    return true;
}

double combined_weight(const combined_model *model, const scorer_values *values)
{
    double z = 0;
    bool looked = false;
    for (size_t i = 0; i < model->n; i++) {
        const combined_scorer *one = &model->scorers[i];
        if (!scorer_has(&one->scorer, &values[i], one->logits)) {
            z += one->missing;
            continue;
        }
        looked = looked || one->scorer.is == SCORER_WEIGHT;
        size_t n;
        scorer_features(&one->scorer, &n);
        for (size_t f = 0; f < n; f++) {
            const combined_feature *feature = &one->features[f];
            double x = (values[i].of[one->logits][f] - feature->mean) / feature->deviation;
            z += feature->coefficient * x;
        }
    }
    return looked ? sigmoid(z) : NAN;
}
