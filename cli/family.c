/* SPDX-License-Identifier: Apache-2.0 */
#include "family.h"
#include "recipe.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

static const struct family *const families[] = {&family_general, &family_mistakes};
#define N_FAMILIES (sizeof families / sizeof *families)

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

const struct family *family_of(const char *recipe)
{
    for (size_t i = 0; recipe && i < N_FAMILIES; i++)
        if (begins(recipe, families[i]->prefix))
            return families[i];
    return NULL;
}

/* The names of a family's recipes, as far as they go in. */
static void list_names(const struct family *family, char *out, size_t size)
{
    const char *name;
    size_t at = 0;
    for (size_t i = 0; (name = family->name(i, NULL)) && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "",
                               name + strlen(family->prefix));
}

int family_check(const char *recipe, rdv_error *err)
{
    const struct family *family = family_of(recipe);
    char names[RDV_ERROR_MAX / 2] = "";
    const char *name;
    if (!family)
        return recipe_named(recipe, &(rdv_recipe_is){0}, err);
    for (size_t i = 0; (name = family->name(i, NULL)); i++)
        if (strcmp(name, recipe) == 0)
            return RDV_OK;
    list_names(family, names, sizeof names);
    return rdv_fail(err, RDV_E_ARGUMENT, "--recipe %.64s: of %s there are %s", recipe,
                    family->prefix, names);
}
