/* SPDX-License-Identifier: Apache-2.0 */
#include "study/item.h"

#include <math.h>

static void aggregate(const vote_weight *weight, const rdv_chain *chain, double *out)
{
    const rdv_scores *scores = rdv_chain_scores(chain, weight->name);
    for (int a = 0; a < RDV_N_AGGREGATES; a++) {
        rdv_aggregation how = weight->aggregation;
        how.is = (rdv_aggregate_is)a;
        out[a] = scores ? rdv_aggregate(&how, scores->step, scores->n) : NAN;
    }
}

int item_of(rdv_study *s, const study_chain *one, const vote_weight *weight, rdv_eval_item *out,
            rdv_error *err)
{
    const rdv_chain *chain = one->chain;
    const rdv_check *check = vote_weight_check(weight, chain);
    double confidence = vote_weight_of(weight, chain);
    *out = (rdv_eval_item){.label = chain->label};
    if (!isnan(confidence) && !rdv_sum_takes(confidence))
        return rdv_fail(err, RDV_E_INPUT, "%g is too large for a confidence", confidence);
    if (study_vote_of(s, 0, chain->question.id, &one->grade, confidence, &out->vote) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu questions are held", s->n_questions);
    if (weight->is == VOTE_WEIGHT_SCORES)
        aggregate(weight, chain, out->aggregated);
    if (weight->is != VOTE_WEIGHT_CONFIDENCE) {
        out->checked = !isnan(confidence);
    } else if (check) {
        out->checked = true;
        out->skipped = check->skipped;
        out->found = rdv_found_by(check);
        out->verdicts = check->n_verdicts;
        out->unknown = check->n_unknown;
        out->counts = rdv_count_verdicts(check->verdicts, check->n_verdicts);
    }
    return RDV_OK;
}
