/* SPDX-License-Identifier: Apache-2.0 */
/* Settings fitted on chains whose answers are known to be right or wrong. */
#include "study/fit.h"

#include "score/interner.h"

#include <math.h>

double fit_confidence(const confidence_model *model, const rdv_eval_item *item)
{
    switch (model->is) {
    case CONFIDENCE_RECORDED:
        break;
    case CONFIDENCE_VERDICTS:
        return rdv_integrate(&model->integration, item->counts);
    case CONFIDENCE_SCORES:
        return item->aggregated[model->aggregate];
    }
    return item->vote.ballot.weight;
}

/* What settings are fitted on. */
typedef struct sample {
    const rdv_eval_item *items;
    size_t n;
    rdv_scored *scored; /* room for all */
    rdv_arena *arena;
} sample;

/* The confidences that the settings give, of the chains that have one; how many. */
static size_t score(const sample *s, const confidence_model *model)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const study_vote *vote = &s->items[i].vote;
        double confidence = fit_confidence(model, &s->items[i]);
        if (fit_takes_part(&s->items[i]) && !isnan(confidence))
            s->scored[n++] = (rdv_scored){confidence, vote->ballot.correct == 1, vote->question};
    }
    return n;
}

/* ---- one setting each ------------------------------------------------------------------------ */

static int fit_integration(const sample *s, fit_result *fitted)
{
    fit_likely likely;
    fitted->was.weights = false;
    int r = fit_weights(s->items, s->n, fitted->model.integration.unknown, s->arena, &likely);
    if (r != RDV_OK)
        return r < 0 ? r : RDV_OK;
    fitted->was.weights = true;
    fitted->model.is = CONFIDENCE_VERDICTS;
    fitted->model.integration.l1 = likely.l1;
    fitted->model.integration.l0 = likely.l0;
    fitted->likelihood = likely.mean;
    fitted->scale = likely.scale;
    fitted->at_limit = likely.at_limit;
    return RDV_OK;
}

static int fit_aggregate(const sample *s, fit_result *fitted, rdv_error *err)
{
    double best = -INFINITY;
    for (int a = 0; a < RDV_N_AGGREGATES; a++) {
        confidence_model model = {.is = CONFIDENCE_SCORES, .aggregate = (rdv_aggregate_is)a};
        rdv_estimate auc;
        int r = rdv_auc(s->scored, score(s, &model), s->arena, &auc, err);
        if (r < 0)
            return r;
        if (auc.value > best) {
            best = auc.value;
            fitted->model.aggregate = model.aggregate;
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

static int fit_threshold(const sample *s, fit_result *fitted, rdv_error *err)
{
    rdv_roc_point *roc;
    size_t n, best = 1;
    int r = rdv_roc(s->scored, score(s, &fitted->model), s->arena, &roc, &n, err);
    if (r != RDV_OK)
        return r;
    for (size_t i = 2; i < n; i++) {
        if (roc[i].tpr - roc[i].fpr >= roc[best].tpr - roc[best].fpr)
            best = i;
    }
    fitted->model.threshold = threshold_at(roc, n, best);
    return RDV_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int count_questions(const sample *s, size_t n, size_t *out)
{
    size_t *questions = RDV_NEW_ARRAY(s->arena, size_t, n), *numbers;
    for (size_t i = 0; questions && i < n; i++)
        questions[i] = s->scored[i].question;
    return questions ? interner_dense(questions, n, s->arena, &numbers, out) : RDV_E_NOMEM;
}

/* What the settings are worth where they were fitted. */
static int worth(const sample *s, fit_result *fitted, rdv_error *err)
{
    rdv_estimate auc;
    rdv_rates rates;
    size_t n = score(s, &fitted->model);
    int r = rdv_auc(s->scored, n, s->arena, &auc, err);
    if (r == RDV_OK)
        r = rdv_rates_at(s->scored, n, fitted->model.threshold, s->arena, &rates, err);
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

int fit_model(const rdv_eval_item *items, size_t n, const confidence_model *begin,
              const fit_settings *what, rdv_arena *arena, fit_result *out, rdv_error *err)
{
    sample s = {items, n, RDV_NEW_ARRAY(arena, rdv_scored, n), arena};
    bool scores = begin->is == CONFIDENCE_SCORES;
    fit_result fitted = {.model = *begin, .was = *what, .likelihood = NAN, .scale = NAN};
    fitted.was.weights = what->weights && !scores;
    fitted.was.aggregate = what->aggregate && scores;
    fitted.part = FIT_NO_PART;
    if (!s.scored || (fitted.was.weights && fit_integration(&s, &fitted) < 0))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    int r = fitted.was.aggregate ? fit_aggregate(&s, &fitted, err) : RDV_OK;
    if (r >= 0 && fitted.was.threshold)
        r = fit_threshold(&s, &fitted, err);
    if (r >= 0)
        r = worth(&s, &fitted, err);
    if (r == RDV_OK)
        *out = fitted;
    return r;
}
