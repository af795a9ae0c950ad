/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The chains of a study as one check sees them, or as each of a paper's checks does, with the
 * settings that they are reported with. */
#include "study/fit.h"

#define VIEWS_MAX 8
#define VIEWS_MAKERS_MAX 64

typedef struct view_items {
    rdv_eval_item *items;
    size_t n, cap;
} view_items;

typedef struct view {
    vote_weight weight;
    rdv_str name; /* of the check, or "scores:NAME", or the weight that was asked for */
    view_items learned, added;
    bool any; /* a chain that was added has the check */
    /* when fitted; nothing, of one of several checks that no chain has */
    rdv_eval_item *items; /* those reported on, with the confidence and the threshold that were
                             fitted for them */
    size_t n;
    size_t fitted_only; /* chains added that were only fitted on */
    fit_result *fits;   /* none where nothing is fitted; else one, or one a part */
    size_t n_fits;
} view;

/* Who wrote and who checked a chain; p == NULL: the record does not say. */
typedef struct view_makers {
    rdv_str generator, checker;
} view_makers;

typedef struct views {
    view of[VIEWS_MAX];
    size_t n;
    confidence_model model; /* where fitting begins; used as it is where nothing is fitted */
    fit_settings fit;
    view_makers makers[VIEWS_MAKERS_MAX]; /* in order of appearance */
    size_t n_makers;
    rdv_map makers_by_name;
    /* of what votes concluded, one value a question each */
    double *vote_correct, *vote_share_used;
    size_t n_votes, cap_correct, cap_share;
} views;

/* The parts of a family. study->of is the views; their checks are those of the options' weight, or
 * where it names none, of the study's entry. */
int views_begin(rdv_study *study, rdv_error *err);
int views_add(rdv_study *study, const study_chain *one, rdv_error *err);
/* Fit, and make the items that each view reports on. RDV_E_INPUT: there is nothing to fit on. */
int views_fit(rdv_study *study, rdv_error *err);

/* The part, of `parts` (at least 1), that a question belongs to: by a hash of its id and the seed,
 * whatever file it is in and whatever other questions there are. */
size_t views_part(const study_question *question, size_t parts);

/* Hand over the settings as tables: those that were used, or what was fitted and how the questions
 * were split. RDV_OK or RDV_E_NOMEM. */
int settings_put(rdv_study *study, rdv_error *err);
