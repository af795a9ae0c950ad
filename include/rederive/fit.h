/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/fit.h - settings fitted on some questions and used on others (docs/recipes.md).
 *
 * SelfCheck chooses the weights of its integration on a validation set (v2, sections 2.2 and 4) and
 * states neither how nor a threshold; what is maximised here is ours and said with each function.
 * The rule that holds throughout: no setting is fitted on a question that it is reported on. */
#include <rederive/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one chain ------------------------------------------------------------------------------ */

/* A chain as a setting sees it: what is known of it, and what its confidence can be made from. */
typedef struct rdv_case {
    rdv_fact fact;                       /* its confidence: as recorded */
    rdv_verdict_counts counts;           /* of the check's verdicts; all 0: it has none */
    double aggregated[RDV_N_AGGREGATES]; /* its step scores under each aggregation; NaN: none */
} rdv_case;

/* What a confidence is made from. */
typedef enum rdv_weighing_is {
    RDV_WEIGH_RECORDED = 0, /* nothing: it stands in the record */
    RDV_WEIGH_VERDICTS,     /* the verdicts, by rdv_integrate() */
    RDV_WEIGH_SCORES        /* the step scores, aggregated */
} rdv_weighing_is;

typedef struct rdv_weighing {
    rdv_weighing_is is;
    rdv_integration integration; /* RDV_WEIGH_VERDICTS */
    rdv_aggregate_is aggregate;  /* RDV_WEIGH_SCORES */
    double threshold;            /* a chain is accepted when its confidence is at least this */
} rdv_weighing;

/* The chain's confidence; NaN where there is nothing to make it from. */
RDV_API double rdv_weighing_confidence(const rdv_weighing *how, const rdv_case *one);

/* ---- fitting -------------------------------------------------------------------------------- */

/* Which settings are fitted; the others keep the value that they have. */
typedef struct rdv_fit_options {
    bool weights;   /* l1 and l0; nothing happens where no chain has a verdict */
    bool aggregate; /* RDV_WEIGH_SCORES only */
    bool threshold;
} rdv_fit_options;

/* Settings with what they are worth on the chains that they were fitted on. */
typedef struct rdv_fitted {
    rdv_weighing how;
    rdv_fit_options was;      /* what was fitted in the end */
    size_t questions, chains; /* that took part: checked, judged, with a confidence */
    double likelihood;        /* of the weights: mean log-likelihood a chain; NaN: not fitted */
    double scale;    /* a: the chance that a chain of confidence 1 is right; NaN likewise */
    bool at_limit;   /* l1 is the largest that is tried, 8: it may want to be larger */
    double auc;      /* of the confidences; NaN: right or wrong ones only */
    double balanced; /* balanced accuracy at the threshold; NaN likewise */
    size_t part;     /* the part of the questions reported on with it; RDV_NO_PART: all */
} rdv_fitted;

#define RDV_NO_PART ((size_t)-1)

/* Fit settings on `n` cases, beginning with those in *how (which says how confidences are made).
 * weights: l1 and l0 maximise the likelihood of "a chain is right with chance a * w", a in (0,1]
 *   being fitted along, over multiples of 0.01 with 0 <= l0 < l1 <= 8: the best of a coarse grid,
 *   then the best neighbour at steps halved down to 0.01. Of values that are equal to 1e-10 a
 *   chain, the nearest to the paper's 1 and 0.3 is taken: what the data does not say stays there.
 * aggregate: the largest AUC; of equal ones the first in the order of rdv_aggregate_is.
 * threshold: the largest balanced accuracy, midway between the lowest accepted score and the
 * highest rejected one (the lowest score where all are accepted); of equal ones the lowest. Chains
 * that were not checked, were skipped, have no confidence or are not known to be right or wrong
 * take no part. *out is untouched on failure; `arena` holds what is needed for computing.
 * RDV_E_NOMEM; RDV_E_INPUT: there are not both right and wrong chains to fit on. */
RDV_API int rdv_fit(const rdv_case *cases, size_t n, const rdv_weighing *how,
                    const rdv_fit_options *what, rdv_arena *arena, rdv_fitted *out, rdv_error *err);

/* The part, of `parts` (at least 1), that a question belongs to: by a hash of its id and the seed,
 * whatever file it is in and whatever other questions there are. */
RDV_API size_t rdv_part_of(rdv_str question_id, uint64_t seed, size_t parts);

/* ---- fitting on some questions, reporting on others ------------------------------------------ */

typedef struct rdv_study_options {
    rdv_weighing how; /* where fitting begins; used as it is where nothing is fitted */
    rdv_fit_options fit;
    /* 0: fitted on the cases learned, reported on all that are added, which may share no question
     * with them. Else at least 2: every part is reported with what was fitted on the others;
     * cases learned take the place of those added in fitting. */
    size_t parts;
    bool first_only; /* parts is 2: fit on part 0, report on part 1 only */
    uint64_t seed;   /* of the parts */
} rdv_study_options;

typedef struct rdv_studied {
    rdv_fact *facts; /* those reported on, in the order in which they were added, with the
                        confidence and the threshold that were fitted for them */
    size_t *added;   /* for each of them, how many cases were added before it */
    size_t n;
    size_t fitted_only; /* cases added that were only fitted on */
    rdv_fitted *fits;   /* none where nothing is fitted; else one, or one a part */
    size_t n_fits;
} rdv_studied;

/* Cases by one check, gathered to be fitted and reported. */
typedef struct rdv_study rdv_study;

/* A new study; options are copied. In `arena`; NULL when out of memory. */
RDV_API rdv_study *rdv_study_new(rdv_arena *arena, const rdv_study_options *options);
/* A case to fit on (from another file), before the first that is added. Texts are copied.
 * RDV_E_NOMEM. */
RDV_API int rdv_study_learn(rdv_study *study, const rdv_case *one, rdv_error *err);
/* A case to report on. Texts are copied. RDV_E_NOMEM; RDV_E_ARGUMENT: without parts, the question
 * was learned from. */
RDV_API int rdv_study_add(rdv_study *study, const rdv_case *one, rdv_error *err);
/* Fit and compute. *out, in the study's arena, is untouched on failure. RDV_E_NOMEM; RDV_E_INPUT:
 * as rdv_fit(). */
RDV_API int rdv_study_finish(rdv_study *study, rdv_studied *out, rdv_error *err);

#ifdef __cplusplus
}
#endif
