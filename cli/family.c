/* SPDX-License-Identifier: Apache-2.0 */
#include "family.h"
#include "recipe.h"

#include "base/arena.h"
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

/* ---- the file to fit on ---------------------------------------------------------------------- */

static int learn_record(const struct family *family, void *state, struct run *run,
                        const rdv_record *record, rdv_error *err)
{
    struct judging how = judging_of(run->settings);
    struct judged judged;
    int code = chain_wanted(record, err);
    if (code == RDV_OK)
        code = judge(&record->chain, &how, run->arena, &judged, err);
    return code == RDV_OK ? family->learn(state, &record->chain, &judged, run->arena, err) : code;
}

static void learn_all(const struct family *family, void *state, struct run *run, rdv_reader *reader)
{
    int code = RDV_OK;
    while (code != RDV_NONE && code != RDV_E_NOMEM && code != RDV_E_IO && !run_stopped(run)) {
        rdv_error err = {0};
        rdv_record record;
        rdv_arena_reset(run->arena);
        code = rdv_reader_next(reader, run->arena, &record, &err);
        if (code == RDV_OK) {
            code = learn_record(family, state, run, &record, &err);
            if (code < 0)
                rdv_wrap(&err, code, "%s:%zu", run->settings->fit, record.line);
        }
        if (code == RDV_E_NOMEM || code == RDV_E_IO)
            run_stop(run, NOTHING_DONE, &err);
        else if (code < 0)
            run_fail(run, NULL, &err);
    }
}

void family_learn(const struct family *family, void *state, struct run *run)
{
    const struct settings *set = run->settings;
    rdv_read_options options = {.size = sizeof options,
                                .format = set->format,
                                .join = set->join.items,
                                .n_join = set->join.n};
    rdv_reader *reader;
    rdv_error err = {0};
    if (!set->fit && !set->split)
        return;
    if (!family->learn || set->split) {
        rdv_fail(&err, RDV_E_ARGUMENT, "%s takes no %s", set->recipe,
                 set->split ? "--split" : "--fit");
        run_stop(run, USAGE, &err);
        return;
    }
    if (rdv_reader_open(set->fit, &options, &reader, &err) != RDV_OK) {
        run_stop(run, NOTHING_DONE, &err);
        return;
    }
    learn_all(family, state, run, reader);
    rdv_reader_close(&reader);
}
