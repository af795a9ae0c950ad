/* SPDX-License-Identifier: Apache-2.0 */
#include "score/vote_weight.h"

#include "base/str.h"
#include "score/score.h"

#include <math.h>

static const rdv_str confidence_of = {"confidence:", 11}, scores_of = {"scores:", 7};

int vote_weight_read(rdv_str text, rdv_aggregate_kind aggregate, vote_weight *out, rdv_error *err)
{
    *out = (vote_weight){.aggregation.kind = aggregate};
    if (rdv_str_eq(text, RDV_STR("majority"))) {
        out->is = VOTE_WEIGHT_EQUAL;
    } else if (rdv_str_eq(text, RDV_STR("confidence"))) {
        out->is = VOTE_WEIGHT_CONFIDENCE;
    } else if (rdv_starts(text, confidence_of) && text.len > confidence_of.len) {
        out->is = VOTE_WEIGHT_CONFIDENCE;
        out->name = rdv_slice(text, confidence_of.len, text.len);
    } else if (rdv_starts(text, scores_of) && text.len > scores_of.len) {
        out->is = VOTE_WEIGHT_SCORES;
        out->name = rdv_slice(text, scores_of.len, text.len);
    } else {
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "%.*s: must be majority, confidence, confidence:METHOD or scores:NAME, for "
                        "vote also combined:FILE",
                        RDV_FMT(rdv_slice(text, 0, 64)));
    }
    return RDV_OK;
}

const rdv_check *vote_weight_check(const vote_weight *weight, const rdv_chain *chain)
{
    return rdv_chain_check(chain,
                           weight->is == VOTE_WEIGHT_CONFIDENCE ? weight->name : (rdv_str){0});
}

static double noted(const rdv_verdict *verdict, const char *name)
{
    const rdv_evidence *note =
        verdict->evidence ? rdv_evidence_get(verdict->evidence, rdv_str_of(name)) : NULL;
    return note && note->type == RDV_EVIDENCE_NUMBER ? note->number : 0;
}

static double perplexity_checked(const rdv_chain *chain)
{
    const rdv_check *check = rdv_chain_check(chain, RDV_STR("perplexity"));
    double sum = 0, n = 0;
    for (size_t i = 0; check && i < check->n_verdicts; i++) {
        sum += noted(&check->verdicts[i], "logprob");
        n += noted(&check->verdicts[i], "n_tokens");
    }
    return n > 0 ? exp(-sum / n) : NAN;
}

double vote_weight_perplexity(const rdv_chain *chain)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; chain->logprobs && i < chain->n_steps; i++)
        for (size_t k = 0; k < chain->logprobs[i].n; k++, n++)
            sum += chain->logprobs[i].token[k];
    return n ? exp(-sum / (double)n) : perplexity_checked(chain);
}

static double scores_weight(const vote_weight *weight, const rdv_chain *chain)
{
    const rdv_scores *scores = rdv_chain_scores(chain, weight->name);
    return scores ? rdv_aggregate(&weight->aggregation, scores->step, scores->n) : NAN;
}

double vote_weight_of(const vote_weight *weight, const rdv_chain *chain)
{
    const rdv_check *check;
    switch (weight->is) {
    case VOTE_WEIGHT_EQUAL:
        return 1;
    case VOTE_WEIGHT_CONFIDENCE:
        check = vote_weight_check(weight, chain);
        return check && !check->skipped ? check->confidence : NAN;
    case VOTE_WEIGHT_SCORES:
        return scores_weight(weight, chain);
    case VOTE_WEIGHT_PERPLEXITY:
        return vote_weight_perplexity(chain);
    case VOTE_WEIGHT_COMBINED:
        break;
    }
    return NAN;
}
