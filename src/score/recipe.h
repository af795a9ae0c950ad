/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a recipe is made of: data, but for what it computes. */
#include <rederive/recipe.h>

typedef enum rdv_recipe_shape {
    RDV_SHAPE_CURVES,  /* a row a point: x, then curves of an evaluation by their names */
    RDV_SHAPE_FIGURES, /* one row: figures of an evaluation by their names */
    RDV_SHAPE_ROC      /* a row a threshold: threshold, then both rates */
} rdv_recipe_shape;

typedef struct rdv_recipe {
    const char *name, *about;
    const char *const *methods; /* NULL at the end */
    bool votes;
    rdv_recipe_shape shape;
    const char *x; /* of the curves, as rdv_curve calls it */
    const rdv_column *columns;
    size_t n_columns;
    const size_t *counts; /* numbers of chains; NULL: none are needed */
    size_t n_counts;
} rdv_recipe;

/* The recipe's entry, static. */
const rdv_recipe *rdv_recipe_of(rdv_recipe_is is);

/* Fill in series->rows (and auc) from its `n` facts. RDV_OK, or as rdv_recipe_compute(). */
int rdv_recipe_rows(const rdv_recipe *recipe, const rdv_fact *facts, size_t n,
                    const rdv_eval_options *options, rdv_arena *arena, rdv_series *series,
                    rdv_error *err);
