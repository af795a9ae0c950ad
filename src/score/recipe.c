/* SPDX-License-Identifier: Apache-2.0 */
/* A recipe: which chains go into it, check by check and by who made them, and what is left out. */
#include "score/recipe.h"

#include "base/arena.h"
#include "base/map.h"
#include "score/estimate.h"

#include <math.h>

/* The chains of one series. */
typedef struct chosen {
    rdv_fact *facts;
    size_t n;
    size_t *question; /* of each */
    bool *unchecked;  /* each question: the check is missing, or was skipped, for a chain of it */
} chosen;

static bool has_check(const rdv_fact *fact)
{
    return fact->checked && !fact->skipped;
}

/* Those of the check's chains that have these makers. */
static int choose(const rdv_recipe_check *check, size_t makers, rdv_arena *arena, chosen *out)
{
    *out = (chosen){.facts = RDV_NEW_ARRAY(arena, rdv_fact, check->n),
                    .question = RDV_NEW_ARRAY(arena, size_t, check->n),
                    .unchecked = RDV_NEW_ARRAY(arena, bool, check->n)};
    if (!out->facts || !out->question || !out->unchecked)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < check->n; i++) {
        if (check->makers[i] == makers)
            out->facts[out->n++] = check->facts[i];
    }
    return RDV_OK;
}

static int number_questions(chosen *c, rdv_arena *arena, size_t *n_questions)
{
    rdv_map ids;
    rdv_map_init(&ids, arena);
    *n_questions = 0;
    for (size_t i = 0; i < c->n; i++) {
        rdv_str id = c->facts[i].question_id;
        size_t question = rdv_map_get(&ids, id);
        if (question == RDV_MAP_MISSING) {
            question = (*n_questions)++;
            if (rdv_map_put(&ids, id, question) < 0)
                return RDV_E_NOMEM;
        }
        c->question[i] = question;
        if (!has_check(&c->facts[i]))
            c->unchecked[question] = true;
    }
    return RDV_OK;
}

static void count(const chosen *c, rdv_series *series)
{
    series->chains = c->n;
    for (size_t i = 0; i < c->n; i++) {
        const rdv_fact *f = &c->facts[i];
        series->unread += !f->key.p;
        series->not_judged += f->correct < 0;
        series->unchecked += !f->checked;
        series->skipped += f->checked && f->skipped;
        series->null_confidence += has_check(f) && isnan(f->confidence);
    }
}

/* What the chains of a question weigh must be known, each of them, before subsets of them vote. */
static void drop_unchecked(chosen *c, rdv_series *series)
{
    size_t kept = 0;
    for (size_t q = 0; q < series->questions; q++)
        series->questions_unchecked += c->unchecked[q];
    for (size_t i = 0; i < c->n; i++) {
        if (!c->unchecked[c->question[i]])
            c->facts[kept++] = c->facts[i];
    }
    c->n = kept;
}

/* RDV_NONE: none of these chains has the check. */
static int compute_series(const rdv_recipe *recipe, const rdv_recipe_check *check,
                          const rdv_recipe_input *input, size_t makers, rdv_arena *arena,
                          rdv_series *out, rdv_error *err)
{
    rdv_series series = {
        .check = check->name, .makers = input->makers[makers], .auc = rdv_estimate_none(0)};
    chosen c;
    if (choose(check, makers, arena, &c) < 0 || number_questions(&c, arena, &series.questions) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    count(&c, &series);
    if (series.unchecked == series.chains)
        return RDV_NONE;
    if (recipe->votes)
        drop_unchecked(&c, &series);
    int r = rdv_recipe_rows(recipe, c.facts, c.n, &input->options, arena, &series, err);
    if (r == RDV_OK)
        *out = series;
    return r;
}

int rdv_recipe_compute(rdv_recipe_is is, const rdv_recipe_input *input, rdv_arena *arena,
                       rdv_recipe_table *out, rdv_error *err)
{
    const rdv_recipe *recipe = rdv_recipe_of(is);
    rdv_recipe_table table = {.recipe = is,
                              .columns = recipe->columns,
                              .n_columns = recipe->n_columns,
                              .votes = recipe->votes};
    table.series = RDV_NEW_ARRAY(arena, rdv_series, input->n_checks * input->n_makers);
    if (!table.series)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t c = 0; c < input->n_checks; c++) {
        for (size_t m = 0; m < input->n_makers; m++) {
            int r = compute_series(recipe, &input->checks[c], input, m, arena,
                                   &table.series[table.n_series], err);
            if (r < 0)
                return r;
            table.n_series += r == RDV_OK;
        }
    }
    if (table.n_series == 0)
        return RDV_NONE;
    *out = table;
    return RDV_OK;
}
