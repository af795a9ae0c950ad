/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A chain as an evaluation sees it. */
#include "score/vote_weight.h"
#include "study/study.h"

typedef struct rdv_eval_item {
    study_vote vote; /* its weight: the confidence, NaN where there is none */
    bool checked;    /* a check stands in the record, or a confidence from outside */
    bool skipped;    /* its check was left out: no verification figure takes it */
    double threshold;
    rdv_label label;
    rdv_found found;
    size_t verdicts, unknown;            /* of the check */
    rdv_verdict_counts counts;           /* of its verdicts; all 0: it has none */
    double aggregated[RDV_N_AGGREGATES]; /* its step scores under each aggregation; NaN: none */
    size_t makers;                       /* the number of its generator and checker */
} rdv_eval_item;

/* A chain by its check or its scores, with its confidence as recorded. RDV_OK; RDV_E_NOMEM;
 * RDV_E_INPUT: a confidence beyond 2^60. */
int item_of(rdv_study *study, const study_chain *one, const vote_weight *weight, rdv_eval_item *out,
            rdv_error *err);

/* Checked, and not skipped. */
static inline bool item_is_checked(const rdv_eval_item *item)
{
    return item->checked && !item->skipped;
}
