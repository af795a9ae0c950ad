/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* eval --recipe: a paper's table or figure from the studies. */
#include "studies.h"

/* RDV_E_ARGUMENT, with the names there are, when that is not one of them. */
int recipe_named(const char *name, rdv_recipe_is *out, rdv_error *err);
/* Compute the recipe from finished studies and write it, as tables or with --json as an object.
 * RDV_NONE: no chain has a check that the recipe looks at, described in err. */
int recipe_write(struct run *run, const struct studies *s, rdv_error *err);
