/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Chains gathered for eval, seen by one check or by each of a recipe's, with the settings that
 * --fit, --split and --lambda give them. */
#include "judge.h"
#include "run.h"
#include "weight.h"

#include <rederive/recipe.h>

#include "base/map.h"

#define MAX_STUDIES 8
#define MAX_MAKERS 64

struct studied {
    struct weight weight;
    rdv_str name; /* of the check, or "scores:NAME", or that of --weight */
    rdv_study *study;
    bool seen;       /* a chain of the input has this check */
    rdv_studied out; /* when finished; empty for one of several checks that no chain has */
};

struct studies {
    const struct settings *settings;
    rdv_arena *keep;
    struct studied of[MAX_STUDIES];
    size_t n;
    rdv_study_options options; /* of all of them */
    /* who made the chains: the makers of each one added */
    rdv_makers makers[MAX_MAKERS];
    size_t n_makers;
    rdv_map makers_by_name;
    size_t *made_by, n_added, cap_made_by;
};

/* Whether the settings ask for studies at all: a recipe, or a fit, or other weights. */
bool studies_wanted(const struct settings *settings);
/* Set up: what is seen is --weight, or for a recipe with no check named, the recipe's checks
 * (recipe: NULL or its name). RDV_E_ARGUMENT: an option that cannot be used; RDV_E_NOMEM. */
int studies_begin(struct studies *s, const struct settings *settings, const struct weight *weight,
                  rdv_arena *keep, rdv_error *err);
/* Read the file of --fit, if there is one. What goes wrong is told to `run`, as for an input. */
void studies_learn(struct studies *s, struct run *run);
/* Take in one chain of the input; `scratch` is for what need not be kept. RDV_E_NOMEM;
 * RDV_E_ARGUMENT: its question was learned from; RDV_E_LIMIT: too many pairs of makers. */
int studies_add(struct studies *s, const rdv_chain *chain, const struct judged *judged,
                rdv_arena *scratch, rdv_error *err);
/* Fit, and compute the facts of each study. As rdv_study_finish(). */
int studies_finish(struct studies *s, rdv_error *err);

/* A chain as its check, or its scores, show it. */
rdv_case case_of(const struct weight *weight, const rdv_chain *chain, const struct judged *judged);
