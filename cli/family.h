/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Recipes of eval that gather chains in their own way: a family for each paper, known by what its
 * names begin with. Those of SelfCheck go another way (recipe.h). */
#include "judge.h"
#include "run.h"

struct family {
    const char *prefix; /* "general:" */
    /* The name of its `i`-th recipe and a line about it (may be NULL), or NULL past the last. */
    const char *(*name)(size_t i, const char **about);
    /* Whether the recipe reads chains at all; NULL: every one does. */
    bool (*reads)(const char *recipe);
    /* What gathers chains for settings->recipe, in `keep`. RDV_E_ARGUMENT: an option that cannot be
     * used; RDV_E_NOMEM. */
    int (*begin)(const struct settings *settings, rdv_arena *keep, void **state, rdv_error *err);
    /* Take in one chain; `scratch` is for what need not be kept. */
    int (*take)(void *state, const rdv_chain *chain, const struct judged *judged,
                rdv_arena *scratch, rdv_error *err);
    /* Take in one chain of --fit FILE, before all others; NULL: nothing is fitted, and --fit is
     * refused. */
    int (*learn)(void *state, const rdv_chain *chain, const struct judged *judged,
                 rdv_arena *scratch, rdv_error *err);
    /* Compute and write. RDV_NONE: no chain has what the recipe needs; err says what. */
    int (*write)(void *state, struct run *run, rdv_error *err);
};

extern const struct family family_general;
extern const struct family family_mistakes;

/* Read the file of --fit, if there is one, into the family's state. What goes wrong is told to
 * `run`, as for an input. */
void family_learn(const struct family *family, void *state, struct run *run);
/* The family of a recipe, or NULL: none (SelfCheck's, or there is no such recipe). */
const struct family *family_of(const char *recipe);
/* RDV_OK when there is a recipe of that name in any family or in recipe.h; else RDV_E_ARGUMENT and
 * the names that there are. */
int family_check(const char *recipe, rdv_error *err);
