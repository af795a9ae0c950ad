/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The chains of a study in the view of one check, or of each check of a paper and of the user's
 * own, with the settings that they are reported with. */
#include "study/fit.h"
#include "study/source.h"

#define VIEWS_MAX 64

typedef struct view_items {
    rdv_eval_item *items;
    size_t n, cap;
} view_items;

typedef struct view {
    vote_weight weight;
    rdv_str name; /* name of the check, "scores:NAME", or the requested weight */
    view_items learned, added;
    bool any; /* an added chain has the check */
    /* set by views_fit(); empty if several checks are viewed and no chain has this one */
    rdv_eval_item *items; /* the reported items, with the confidence and the threshold that were
                             fitted for them; or accepted by the rule of their check */
    size_t n;
    size_t fitted_only; /* added chains that were only used for fitting */
    fit_result *fits;   /* none if nothing is fitted; otherwise one, or one per part */
    size_t n_fits;
} view;

/* A chain as a view has it that knows no check of it. */
typedef struct bare_chain {
    rdv_eval_item item;
    chain_identity identity;
    bool has_id, learned;
} bare_chain;

typedef struct views {
    view of[VIEWS_MAX];
    size_t n;
    bool open;        /* every other check that records hold gets a view */
    bare_chain *bare; /* all chains, for views that begin later; only where they are open */
    size_t n_bare, cap_bare;
    size_t n_chains;
    item_checks checks;
    confidence_model model; /* the start of fitting; used unchanged if nothing is fitted */
    fit_settings fit;
    /* from the results of votes, one value per question each */
    double *vote_correct, *vote_share_used;
    size_t n_votes, cap_correct, cap_share;
} views;

/* The functions of a family. study->of is the views; their checks are those of the options' weight,
 * or, if it names none, of the study's entry. */
int views_begin(rdv_study *study, rdv_error *err);
int views_add(rdv_study *study, const study_chain *one, rdv_error *err);
/* Fits, and creates the items that each view reports. RDV_E_INPUT: there is nothing to fit on. */
int views_fit(rdv_study *study, rdv_error *err);

/* The part, of `parts` (at least 1), that a question belongs to. It depends only on a hash of the
 * question's id and the seed, not on its file or on other questions. */
size_t views_part(const study_question *question, size_t parts);

/* Adds the settings as tables to the study: the settings used, or those fitted and how the
 * questions were split. RDV_OK or RDV_E_NOMEM. */
int settings_put(rdv_study *study, rdv_error *err);
