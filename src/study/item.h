/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A chain as an evaluation sees it. */
#include "method/acceptance.h"
#include "score/vote_weight.h"
#include "study/study.h"
#include "score/eval.h"

typedef struct rdv_eval_item {
    study_vote vote; /* its weight is the confidence, NaN if there is none */
    bool checked;    /* the record holds a check or an external confidence */
    bool skipped;    /* its check was skipped; no verification figure includes it */
    acceptance how;  /* when it is accepted */
    rdv_label label;
    rdv_label found;
    uint32_t verdicts, unknown; /* verdicts of the check, and unknown ones */
    rdv_verdict_counts counts;  /* counts of its verdicts; all 0: it has none */
    const double *aggregated; /* its step scores under each aggregation, NaN: none; NULL: it is not
                                 evaluated by step scores */
    const int8_t *kinds;      /* of the verdicts on its steps, rdv_verdict_kind; NULL: not kept,
                                        or there are none */
    size_t n_steps;
    size_t source; /* the number of its source */
    size_t chain; /* the number of its chain, in all views the same; where a baseline is compared */
} rdv_eval_item;

/* Whether it is accepted: 1, 0, or -1 for undecided. */
static inline int item_accepted(const rdv_eval_item *item)
{
    return acceptance_decide(&item->how, item->counts, item->vote.ballot.weight);
}

/* Checked, and not skipped. */
static inline bool item_is_checked(const rdv_eval_item *item)
{
    return item->checked && !item->skipped;
}
