/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Settings fitted on some questions and applied to others (docs/recipes.md).
 *
 * SelfCheck chooses the weights of its integration on a validation set (v2, sections 2.2 and 4) and
 * states neither the procedure nor a threshold; the objectives here are ours and stated with each
 * function. */
#include "study/item.h"

/* The source of a confidence. */
typedef enum confidence_is {
    CONFIDENCE_RECORDED = 0, /* none: the record holds the confidence */
    CONFIDENCE_VERDICTS,     /* the verdicts, by rdv_integrate() */
    CONFIDENCE_SCORES        /* the step scores, aggregated */
} confidence_is;

typedef struct confidence_model {
    confidence_is is;
    rdv_integration integration;  /* CONFIDENCE_VERDICTS */
    rdv_aggregate_kind aggregate; /* CONFIDENCE_SCORES */
    double threshold;             /* a chain is accepted when its confidence is at least this */
} confidence_model;

/* Which settings are fitted; the others keep their values. */
typedef struct fit_settings {
    bool weights;   /* l1 and l0; not fitted if no chain has a verdict */
    bool aggregate; /* CONFIDENCE_SCORES only */
    bool threshold;
} fit_settings;

#define FIT_NO_PART ((size_t)-1)

/* Settings with their figures on the chains that they were fitted on. */
typedef struct fit_result {
    confidence_model model;
    fit_settings was;         /* the settings that were actually fitted */
    size_t questions, chains; /* questions and chains used: checked, graded, with a confidence */
    double likelihood;        /* for the weights: mean log-likelihood per chain; NaN: not fitted */
    double scale;    /* a: the probability that a chain of confidence 1 is right; NaN: not fitted */
    bool at_limit;   /* l1 is the largest value tried, 8; the optimum may be larger */
    double auc;      /* AUC of the confidences; NaN unless right and wrong chains both occur */
    double balanced; /* balanced accuracy at the threshold; NaN as for `auc` */
    size_t part;     /* the part of the questions reported with this fit; FIT_NO_PART: all */
} fit_result;

/* The item's confidence; NaN: there are no data for it. */
double fit_confidence(const confidence_model *model, const rdv_eval_item *item);

/* Whether settings can be fitted on the chain: it is checked, not skipped, and known to be right or
 * wrong. */
static inline bool fit_takes_part(const rdv_eval_item *item)
{
    return item_is_checked(item) && item->vote.ballot.correct >= 0;
}

/* Fits settings on `n` items, beginning with those in *begin (which states the source of the
 * confidences).
 * weights: l1 and l0 maximise the likelihood of "a chain is right with probability a * w", where a
 *   in (0,1] is fitted too, over multiples of 0.01 with 0 <= l0 < l1 <= 8: the best of a coarse
 *   grid, then the best neighbour at steps halved down to 0.01. Of values that are equal to 1e-10
 *   per chain, the nearest to the paper's 1 and 0.3 is taken, so that values that the data leave
 *   open stay there.
 * aggregate: the largest AUC; of equal ones the first in the order of rdv_aggregate_kind.
 * threshold: the largest balanced accuracy, midway between the lowest accepted score and the
 *   highest rejected one (the lowest score where all are accepted); of equal ones the lowest.
 * *out is untouched on failure; temporary data are allocated in `arena`. RDV_E_NOMEM;
 * RDV_E_INPUT: right or wrong chains to fit on are missing. */
int fit_model(const rdv_eval_item *items, size_t n, const confidence_model *begin,
              const fit_settings *what, rdv_arena *arena, fit_result *out, rdv_error *err);
