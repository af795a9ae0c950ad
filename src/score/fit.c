/* SPDX-License-Identifier: Apache-2.0 */
/* Confidences from settings, and settings from chains whose answers are known to be right or wrong.
 */
#include "score/fit.h"

#include "base/arena.h"
#include "base/map.h"

#include <math.h>

double rdv_weighing_confidence(const rdv_weighing *how, const rdv_case *one)
{
    switch (how->is) {
    case RDV_WEIGH_RECORDED:
        break;
    case RDV_WEIGH_VERDICTS:
        return rdv_integrate(&how->integration, one->counts);
    case RDV_WEIGH_SCORES:
        return one->aggregated[how->aggregate];
    }
    return one->fact.confidence;
}

/* What settings are fitted on. */
typedef struct sample {
    const rdv_case *cases;
    size_t n;
    size_t *question;   /* of each case */
    rdv_scored *scored; /* room for all */
    rdv_arena *arena;
} sample;

static int sample_new(const rdv_case *cases, size_t n, rdv_arena *arena, sample *out)
{
    rdv_map ids;
    *out = (sample){.cases = cases,
                    .n = n,
                    .question = RDV_NEW_ARRAY(arena, size_t, n),
                    .scored = RDV_NEW_ARRAY(arena, rdv_scored, n),
                    .arena = arena};
    if (!out->question || !out->scored)
        return RDV_E_NOMEM;
    rdv_map_init(&ids, arena);
    for (size_t i = 0; i < n; i++) {
        rdv_str id = cases[i].fact.question_id;
        out->question[i] = rdv_map_get(&ids, id);
        if (out->question[i] != RDV_MAP_MISSING)
            continue;
        out->question[i] = i;
        if (rdv_map_put(&ids, id, i) < 0)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

/* The confidences that the settings give, of the chains that have one; how many. */
static size_t score(const sample *s, const rdv_weighing *how)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        double confidence = rdv_weighing_confidence(how, &s->cases[i]);
        if (rdv_case_takes_part(&s->cases[i]) && !isnan(confidence))
            s->scored[n++] =
                (rdv_scored){confidence, s->cases[i].fact.correct == 1, s->question[i]};
    }
    return n;
}

/* ---- one setting each ------------------------------------------------------------------------ */

static int fit_weights(const sample *s, rdv_fitted *fitted)
{
    rdv_likely likely;
    fitted->was.weights = false;
    int r = rdv_fit_weights(s->cases, s->n, fitted->how.integration.unknown, s->arena, &likely);
    if (r != RDV_OK)
        return r < 0 ? r : RDV_OK;
    fitted->was.weights = true;
    fitted->how.is = RDV_WEIGH_VERDICTS;
    fitted->how.integration.l1 = likely.l1;
    fitted->how.integration.l0 = likely.l0;
    fitted->likelihood = likely.mean;
    fitted->scale = likely.scale;
    fitted->at_limit = likely.at_limit;
    return RDV_OK;
}

static int fit_aggregate(const sample *s, rdv_fitted *fitted, rdv_error *err)
{
    double best = -INFINITY;
    for (int a = 0; a < RDV_N_AGGREGATES; a++) {
        rdv_weighing how = {.is = RDV_WEIGH_SCORES, .aggregate = (rdv_aggregate_is)a};
        rdv_estimate auc;
        int r = rdv_auc(s->scored, score(s, &how), s->arena, &auc, err);
        if (r < 0)
            return r;
        if (auc.value > best) {
            best = auc.value;
            fitted->how.aggregate = how.aggregate;
        }
    }
    return RDV_OK;
}

/* Midway to the next score below, which is rejected; at the last score itself. */
static double threshold_at(const rdv_roc_point *roc, size_t n, size_t i)
{
    if (i + 1 == n)
        return roc[i].threshold;
    double below = roc[i + 1].threshold, middle = below + (roc[i].threshold - below) / 2;
    return middle > below ? middle : roc[i].threshold; /* no number lies between */
}

static int fit_threshold(const sample *s, rdv_fitted *fitted, rdv_error *err)
{
    rdv_roc_point *roc;
    size_t n, best = 1;
    int r = rdv_roc(s->scored, score(s, &fitted->how), s->arena, &roc, &n, err);
    if (r != RDV_OK)
        return r;
    for (size_t i = 2; i < n; i++) {
        if (roc[i].tpr - roc[i].fpr >= roc[best].tpr - roc[best].fpr)
            best = i;
    }
    fitted->how.threshold = threshold_at(roc, n, best);
    return RDV_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int count_questions(const sample *s, size_t n, size_t *out)
{
    bool *seen = RDV_NEW_ARRAY(s->arena, bool, s->n);
    if (!seen)
        return RDV_E_NOMEM;
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        *out += !seen[s->scored[i].question];
        seen[s->scored[i].question] = true;
    }
    return RDV_OK;
}

/* What the settings are worth where they were fitted. */
static int judge(const sample *s, rdv_fitted *fitted, rdv_error *err)
{
    rdv_estimate auc;
    rdv_rates rates;
    size_t n = score(s, &fitted->how);
    int r = rdv_auc(s->scored, n, s->arena, &auc, err);
    if (r == RDV_OK)
        r = rdv_rates_at(s->scored, n, fitted->how.threshold, s->arena, &rates, err);
    if (r < 0)
        return r;
    if (isnan(auc.value))
        return rdv_fail(err, RDV_E_INPUT,
                        "nothing can be fitted: of the %zu chains to fit on that are checked, "
                        "judged and have a confidence, not both right and wrong ones are there",
                        n);
    fitted->auc = auc.value;
    fitted->balanced = rates.balanced.value;
    fitted->chains = n;
    if (count_questions(s, n, &fitted->questions) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return RDV_OK;
}

int rdv_fit(const rdv_case *cases, size_t n, const rdv_weighing *how, const rdv_fit_options *what,
            rdv_arena *arena, rdv_fitted *out, rdv_error *err)
{
    sample s;
    rdv_fitted fitted = {
        .how = *how, .was = *what, .likelihood = NAN, .scale = NAN, .part = RDV_NO_PART};
    bool scores = how->is == RDV_WEIGH_SCORES;
    fitted.was.weights = what->weights && !scores;
    fitted.was.aggregate = what->aggregate && scores;
    if (sample_new(cases, n, arena, &s) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    int r = RDV_OK;
    if (fitted.was.weights && fit_weights(&s, &fitted) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (fitted.was.aggregate)
        r = fit_aggregate(&s, &fitted, err);
    if (r >= 0 && fitted.was.threshold)
        r = fit_threshold(&s, &fitted, err);
    if (r >= 0)
        r = judge(&s, &fitted, err);
    if (r == RDV_OK)
        *out = fitted;
    return r;
}
