/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A chain as an evaluation sees it. */
#include "score/vote_weight.h"
#include "study/study.h"
#include "score/eval.h"

typedef struct rdv_eval_item {
    study_vote vote; /* its weight: the confidence, NaN where there is none */
    bool checked;    /* a check stands in the record, or a confidence from outside */
    bool skipped;    /* its check was left out: no verification figure takes it */
    double threshold;
    rdv_label label;
    rdv_label found;
    size_t verdicts, unknown;            /* of the check */
    rdv_verdict_counts counts;           /* of its verdicts; all 0: it has none */
    double aggregated[RDV_N_AGGREGATES]; /* its step scores under each aggregation; NaN: none */
    size_t makers;                       /* the number of its generator and checker */
} rdv_eval_item;

/* Checked, and not skipped. */
static inline bool item_is_checked(const rdv_eval_item *item)
{
    return item->checked && !item->skipped;
}
