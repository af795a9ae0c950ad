/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Settings fitted on some questions and used on others (docs/recipes.md).
 *
 * SelfCheck chooses the weights of its integration on a validation set (v2, sections 2.2 and 4) and
 * states neither how nor a threshold; what is maximised here is ours and said with each function.
 */
#include "study/item.h"

/* What a confidence is made from. */
typedef enum confidence_is {
    CONFIDENCE_RECORDED = 0, /* nothing: it stands in the record */
    CONFIDENCE_VERDICTS,     /* the verdicts, by rdv_integrate() */
    CONFIDENCE_SCORES        /* the step scores, aggregated */
} confidence_is;

typedef struct confidence_model {
    confidence_is is;
    rdv_integration integration;  /* CONFIDENCE_VERDICTS */
    rdv_aggregate_kind aggregate; /* CONFIDENCE_SCORES */
    double threshold;             /* a chain is accepted when its confidence is at least this */
} confidence_model;

/* Which settings are fitted; the others keep the value that they have. */
typedef struct fit_settings {
    bool weights;   /* l1 and l0; nothing happens where no chain has a verdict */
    bool aggregate; /* CONFIDENCE_SCORES only */
    bool threshold;
} fit_settings;

#define FIT_NO_PART ((size_t)-1)

/* Settings with what they are worth on the chains that they were fitted on. */
typedef struct fit_result {
    confidence_model model;
    fit_settings was;         /* what was fitted in the end */
    size_t questions, chains; /* that took part: checked, graded, with a confidence */
    double likelihood;        /* of the weights: mean log-likelihood a chain; NaN: not fitted */
    double scale;    /* a: the chance that a chain of confidence 1 is right; NaN likewise */
    bool at_limit;   /* l1 is the largest that is tried, 8: it may want to be larger */
    double auc;      /* of the confidences; NaN: right or wrong ones only */
    double balanced; /* balanced accuracy at the threshold; NaN likewise */
    size_t part;     /* the part of the questions reported on with it; FIT_NO_PART: all */
} fit_result;

/* The item's confidence; NaN where there is nothing to make it from. */
double fit_confidence(const confidence_model *model, const rdv_eval_item *item);

/* Whether settings can be fitted on the chain: checked, not skipped, known to be right or wrong. */
static inline bool fit_takes_part(const rdv_eval_item *item)
{
    return item_is_checked(item) && item->vote.ballot.correct >= 0;
}

/* Fit settings on `n` items, beginning with those in *begin (which says how confidences are made).
 * weights: l1 and l0 maximise the likelihood of "a chain is right with chance a * w", a in (0,1]
 *   being fitted along, over multiples of 0.01 with 0 <= l0 < l1 <= 8: the best of a coarse grid,
 *   then the best neighbour at steps halved down to 0.01. Of values that are equal to 1e-10 a
 *   chain, the nearest to the paper's 1 and 0.3 is taken: what the data does not say stays there.
 * aggregate: the largest AUC; of equal ones the first in the order of rdv_aggregate_kind.
 * threshold: the largest balanced accuracy, midway between the lowest accepted score and the
 *   highest rejected one (the lowest score where all are accepted); of equal ones the lowest.
 * *out is untouched on failure; `arena` holds what is needed for computing. RDV_E_NOMEM;
 * RDV_E_INPUT: there are not both right and wrong chains to fit on. */
int fit_model(const rdv_eval_item *items, size_t n, const confidence_model *begin,
              const fit_settings *what, rdv_arena *arena, fit_result *out, rdv_error *err);
