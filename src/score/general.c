/* SPDX-License-Identifier: Apache-2.0 */
/* General-purpose verification's recipes, as a table, and the gathering of their chains. */
#include "score/general.h"

#include "base/str.h"
#include "score/ids.h"

#include <math.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- the recipes ----------------------------------------------------------------------------- */

#define OF_ONE_CHAIN(what_, is_)                                                                   \
    {"group", RDV_GRID_TEXT}, {what_, is_}, {"accuracy", RDV_GRID_SHARE},                          \
        {"std", RDV_GRID_PERCENT},                                                                 \
    {                                                                                              \
        "gain", RDV_GRID_GAIN                                                                      \
    }

static const rdv_grid_column of_choices[] = {OF_ONE_CHAIN("selection", RDV_GRID_TEXT)};
static const rdv_grid_column of_subsets[] = {OF_ONE_CHAIN("verifiers", RDV_GRID_TEXT)};
static const rdv_grid_column of_steps[] = {OF_ONE_CHAIN("first_steps", RDV_GRID_TEXT)};
static const rdv_grid_column of_shares[] = {OF_ONE_CHAIN("first_share", RDV_GRID_PERCENT)};
static const rdv_grid_column of_chosen[] = {
    {"group", RDV_GRID_TEXT},
    {"n_chains", RDV_GRID_NUMBER},
    {"accuracy.random", RDV_GRID_SHARE},
    {"std.random", RDV_GRID_PERCENT},
    {"accuracy.perplexity", RDV_GRID_SHARE},
    {"std.perplexity", RDV_GRID_PERCENT},
    {"accuracy.best", RDV_GRID_SHARE},
    {"std.best", RDV_GRID_PERCENT},
    {"gain.best", RDV_GRID_GAIN},
};
static const rdv_grid_column of_weights[] = {
    {"group", RDV_GRID_TEXT},
    {"n_chains", RDV_GRID_NUMBER},
    {"accuracy.majority", RDV_GRID_SHARE},
    {"std.majority", RDV_GRID_PERCENT},
    {"accuracy.weighted", RDV_GRID_SHARE},
    {"std.weighted", RDV_GRID_PERCENT},
    {"gain.weighted", RDV_GRID_GAIN},
};
static const rdv_grid_column of_people[] = {
    {"group", RDV_GRID_TEXT},
    {"score", RDV_GRID_TEXT},
    {"criterion", RDV_GRID_TEXT},
    {"annotator", RDV_GRID_TEXT},
    {"pearson_r", RDV_GRID_VALUE},
    {"p_value", RDV_GRID_CHANCE},
    {"p_value.questions", RDV_GRID_CHANCE},
    {"n_steps", RDV_GRID_NUMBER},
    {"n_questions", RDV_GRID_NUMBER},
};
static const rdv_grid_column of_errors[] = {
    {"group", RDV_GRID_TEXT},
    {"detector", RDV_GRID_TEXT},
    {"miss_rate", RDV_GRID_SHARE},
    {"n_errors", RDV_GRID_NUMBER},
};
static const rdv_grid_column of_simulation[] = {
    {"correlation", RDV_GRID_NUMBER}, {"score", RDV_GRID_VALUE},      {"paper", RDV_GRID_NUMBER},
    {"difference", RDV_GRID_NUMBER},  {"pearson_r", RDV_GRID_NUMBER},
};

static const struct recipe {
    const char *name, *about;
    const rdv_grid_column *columns;
    size_t n_columns;
    rdv_pool_rows *pool;   /* of answers; or */
    rdv_group_rows *group; /* of people */
} recipes[RDV_N_GENERALS] = {
#define RECIPE(is_, name_, about_, columns_, ...)                                                  \
    [RDV_GENERAL_##is_] = {"general:" name_, about_, columns_, LENGTH(columns_), __VA_ARGS__}
    RECIPE(TABLE1, "table1", "one chain: random, of lowest perplexity, of best score", of_choices,
           .pool = rdv_general_table1),
    RECIPE(TABLE2, "table2", "one chain by each verifier and by all", of_subsets,
           .pool = rdv_general_table2),
    RECIPE(TABLE4, "table4", "one chain by every subset of the verifiers", of_subsets,
           .pool = rdv_general_table4),
    RECIPE(TABLE5, "table5", "one chain by its first 0 to 5 steps, and by all", of_steps,
           .pool = rdv_general_table5),
    RECIPE(TABLE6, "table6", "simulated scores that correlate with the truth", of_simulation,
           .pool = NULL),
    RECIPE(FIG3, "fig3", "votes of 1 to 10 chains: random, of lowest perplexity, of best score",
           of_chosen, .pool = rdv_general_fig3),
    RECIPE(FIG4, "fig4", "one chain by the first X % of its steps", of_shares,
           .pool = rdv_general_fig4),
    RECIPE(FIG5, "fig5", "scores of steps against people, by verifier and over all", of_people,
           .group = rdv_general_fig5),
    RECIPE(FIG6, "fig6", "as fig3, for every data set", of_chosen, .pool = rdv_general_fig3),
    RECIPE(FIG7, "fig7", "the same random chains: majority and weighted votes", of_weights,
           .pool = rdv_general_fig7),
    RECIPE(FIG8, "fig8", "one chain by its first 0 to 10 steps, and by all", of_steps,
           .pool = rdv_general_fig8),
    RECIPE(FIG9, "fig9", "agreement between annotators, two by two", of_people, .pool = NULL),
    RECIPE(FIG13, "fig13", "scores of steps against each annotator", of_people,
           .group = rdv_general_fig13),
    RECIPE(ERRORS, "errors", "errors that no principle, and no verifier, covers", of_errors,
           .group = rdv_general_errors),
#undef RECIPE
};

const char *rdv_general_name(rdv_general_is is, const char **about)
{
    if (about)
        *about = recipes[is].about;
    return recipes[is].name;
}

int rdv_general_named(rdv_str name, rdv_general_is *out)
{
    for (size_t i = 0; i < RDV_N_GENERALS; i++) {
        if (rdv_str_eq(name, rdv_str_of(recipes[i].name))) {
            *out = (rdv_general_is)i;
            return RDV_OK;
        }
    }
    return RDV_NONE;
}

/* ---- gathering ------------------------------------------------------------------------------- */

rdv_general *rdv_general_new(rdv_arena *arena, const rdv_general_options *options)
{
    rdv_general *g = RDV_NEW(arena, rdv_general);
    if (!g)
        return NULL;
    *g = (rdv_general){.arena = arena, .options = *options};
    rdv_general_options *o = &g->options;
    o->power = o->power > 0 ? o->power : 1;
    o->draws = o->draws ? o->draws : 40;
    o->threshold = o->threshold > 0 ? o->threshold : 0.5;
    rdv_map_init(&g->groups_by_name, arena);
    rdv_map_init(&g->questions_by_id, arena);
    rdv_map_init(&g->answers, arena);
    rdv_map_init(&g->ids, arena);
    g->annotators = rdv_annotators_new(arena, o->seed, 0);
    return g->annotators ? g : NULL;
}

/* A text with two numbers before it, as the key of a map: in the arena, to be rewound if known. */
static rdv_str key_of(rdv_general *g, size_t number, rdv_str text)
{
    size_t len = sizeof number + text.len;
    char *p = rdv_alloc(g->arena, len);
    if (!p)
        return (rdv_str){0};
    memcpy(p, &number, sizeof number);
    if (text.len)
        memcpy(p + sizeof number, text.p, text.len);
    return (rdv_str){p, len};
}

/* The number of a key; *n grows where it is new. */
static int number_of(rdv_general *g, rdv_map *map, size_t number, rdv_str text, size_t *n,
                     size_t *out)
{
    rdv_mark mark = rdv_arena_mark(g->arena);
    rdv_str key = key_of(g, number, text);
    if (!key.p)
        return RDV_E_NOMEM;
    *out = rdv_map_get(map, key);
    if (*out == RDV_MAP_MISSING)
        return rdv_id_of(map, key, n, out);
    rdv_arena_rewind(g->arena, mark);
    return RDV_OK;
}

static int find_group(rdv_general *g, rdv_str name, size_t *out)
{
    size_t n = g->n_groups;
    if (!RDV_PUSH_ROOM(g->arena, g->groups, g->n_groups, g->cap_groups) ||
        number_of(g, &g->groups_by_name, name.p != NULL, name, &n, out) < 0)
        return RDV_E_NOMEM;
    if (n == g->n_groups)
        return RDV_OK;
    g->groups[g->n_groups++] = name.p ? rdv_str_copy(g->arena, name) : (rdv_str){0};
    return name.p && !g->groups[*out].p ? RDV_E_NOMEM : RDV_OK;
}

static int find_question(rdv_general *g, size_t group, rdv_str id, size_t *out)
{
    size_t n = g->n_questions;
    if (!RDV_PUSH_ROOM(g->arena, g->questions, g->n_questions, g->cap_questions) ||
        number_of(g, &g->questions_by_id, group, id, &n, out) < 0)
        return RDV_E_NOMEM;
    if (n == g->n_questions)
        return RDV_OK;
    g->questions[g->n_questions++] =
        (rdv_general_question){.group = group, .seed = rdv_hash(id, g->options.seed)};
    rdv_str copy = rdv_str_copy(g->arena, id);
    return copy.p ? rdv_map_put(&g->ids, copy, 0) : RDV_E_NOMEM;
}

static int find_answer(rdv_general *g, size_t question, rdv_str key, size_t *out)
{
    *out = RDV_UNREAD;
    return key.p ? number_of(g, &g->answers, question, key, &g->questions[question].n_answers, out)
                 : RDV_OK;
}

static bool copy_verified(rdv_general *g, const rdv_verified *from, rdv_verified *to)
{
    size_t n = from->n_steps;
    *to = (rdv_verified){.n_steps = n, .power = from->power > 0 ? from->power : g->options.power};
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++) {
        double *step = from->step[v] ? RDV_NEW_ARRAY(g->arena, double, n) : NULL;
        if (from->step[v] && !step)
            return false;
        if (step && n)
            memcpy(step, from->step[v], n * sizeof *step);
        to->step[v] = step;
    }
    rdv_tokens *tokens = from->tokens ? RDV_NEW_ARRAY(g->arena, rdv_tokens, n) : NULL;
    if (tokens && n)
        memcpy(tokens, from->tokens, n * sizeof *tokens);
    to->tokens = tokens;
    return tokens || !from->tokens;
}

static bool copy_labels(rdv_general *g, const rdv_general_chain *from, rdv_general_row *to)
{
    rdv_step_labels *labels = RDV_NEW_ARRAY(g->arena, rdv_step_labels, from->n_step_labels);
    for (size_t i = 0; labels && i < from->n_step_labels; i++) {
        const rdv_step_labels *in = &from->step_labels[i];
        labels[i] =
            (rdv_step_labels){rdv_str_copy(g->arena, in->by), rdv_str_copy(g->arena, in->of),
                              RDV_NEW_ARRAY(g->arena, int8_t, in->n), in->n};
        if (!labels[i].by.p || !labels[i].of.p || !labels[i].is)
            return false;
        if (in->n)
            memcpy(labels[i].is, in->is, in->n);
    }
    to->labels = labels;
    to->n_labels = from->n_step_labels;
    return labels != NULL;
}

int rdv_general_add(rdv_general *g, const rdv_general_chain *chain, rdv_error *err)
{
    size_t group, question, answer;
    rdv_general_row row;
    if (!RDV_PUSH_ROOM(g->arena, g->rows, g->n_rows, g->cap_rows) ||
        find_group(g, chain->group, &group) < 0 ||
        find_question(g, group, chain->question_id, &question) < 0 ||
        find_answer(g, question, chain->key, &answer) < 0 ||
        !copy_verified(g, &chain->is, &row.is) || !copy_labels(g, chain, &row))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    int code = rdv_annotators_add(g->annotators, chain->group, chain->question_id,
                                  chain->is.n_steps, chain->step_labels, chain->n_step_labels, err);
    if (code < 0)
        return code;
    row.question = question;
    row.slip = (rdv_slip){answer, NAN, chain->correct};
    g->questions[question].n_chains++;
    g->rows[g->n_rows++] = row;
    return RDV_OK;
}

bool rdv_general_has(const rdv_general *g, rdv_str question_id)
{
    return rdv_map_get(&g->ids, question_id.p ? question_id : RDV_STR("")) != RDV_MAP_MISSING;
}

void rdv_general_set_weights(rdv_general *g, const double weight[RDV_N_VERIFIERS])
{
    memcpy(g->options.how.weight, weight, sizeof g->options.how.weight);
}

/* ---- computing ------------------------------------------------------------------------------- */

static const struct simulated_row {
    double correlation, paper;
} table6[] = {{0, 0.19},    {0.075, 0.22}, {0.1, 0.23},  {0.15, 0.26},
              {0.25, 0.31}, {0.5, 0.48},   {0.75, 0.72}, {1, 0.98}};

static int simulate(const rdv_general *g, rdv_grid *grid, rdv_error *err)
{
    rdv_simulation how = rdv_simulation_default();
    for (size_t i = 0; i < LENGTH(table6); i++) {
        rdv_simulated found;
        how.seed = g->options.seed + i;
        int r = rdv_simulate(&how, table6[i].correlation, &found, err);
        rdv_grid_cell *row = r == RDV_OK ? rdv_grid_row(grid) : NULL;
        if (!row)
            return r;
        row[0].x = table6[i].correlation;
        row[1].is = found.accuracy;
        row[2].x = table6[i].paper;
        row[3].x = found.accuracy.value - table6[i].paper;
        row[4].x = found.correlation;
    }
    rdv_grid_note(grid,
                  "%zu questions a row, %zu chains of %zu steps each; a step is right with the "
                  "chance %.3f, a chain when all its steps are",
                  how.questions, how.chains, how.steps, how.right);
    rdv_grid_note(grid, "pearson_r: of the scores, as they were drawn; correlation: of the normal "
                        "variables that join them");
    return RDV_OK;
}

static int nothing(const rdv_general *g, rdv_general_is is, rdv_error *err)
{
    if (recipes[is].group)
        return rdv_fail(err, RDV_NONE,
                        "no chain has what %s needs: step_labels, beside checks by relevance, "
                        "math, consistency or perplexity",
                        recipes[is].name);
    return rdv_fail(err, RDV_NONE,
                    "no chain has what %s needs: answers that are known to be right or wrong, and "
                    "checks by relevance, math, consistency or perplexity (%zu chains)",
                    recipes[is].name, g->n_rows);
}

static int compute_rows(rdv_general *g, rdv_general_is is, rdv_grid *grid, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && i < g->n_groups; i++) {
        rdv_pool pool;
        if (recipes[is].group) {
            r = recipes[is].group(g, i, grid, err);
            continue;
        }
        r = rdv_pool_of(g, i, &pool, err);
        if (r != RDV_OK || pool.n == 0 || (!pool.verifiers && !pool.perplexity))
            continue;
        r = recipes[is].pool(g, &pool, grid, err);
        rdv_pool_notes(&pool, grid);
    }
    return r == RDV_OK && grid->n_rows == 0 && !grid->failed ? nothing(g, is, err) : r;
}

int rdv_general_compute(rdv_general *g, rdv_general_is is, rdv_grid *out, rdv_error *err)
{
    rdv_grid grid = rdv_grid_new(g->arena, recipes[is].name, recipes[is].about, recipes[is].columns,
                                 recipes[is].n_columns);
    int r;
    if (is == RDV_GENERAL_FIG9) {
        r = rdv_annotators_pairs(g->annotators, &grid, err);
        grid.name = recipes[is].name;
        grid.about = recipes[is].about;
    } else {
        r = is == RDV_GENERAL_TABLE6 ? simulate(g, &grid, err) : compute_rows(g, is, &grid, err);
    }
    if (r == RDV_OK)
        r = rdv_grid_ok(&grid, err);
    if (r == RDV_OK)
        *out = grid;
    return r;
}
