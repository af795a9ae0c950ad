/* SPDX-License-Identifier: Apache-2.0 */
/* One chain a question: Tables 1, 2, 4, 5, Figures 4 and 8. */
#include "score/general.h"

#include "base/str.h"
#include "score/estimate.h"

#include <math.h>

/* A choice beside the random one, question by question. */
typedef struct comparison {
    rdv_general *general;
    const rdv_pool *pool;
    rdv_single random;
    double *gain; /* scratch, one a question */
    rdv_grid *grid;
} comparison;

static int begin(comparison *c, rdv_general *g, const rdv_pool *pool, rdv_grid *grid,
                 rdv_error *err)
{
    rdv_scoring none = {.none = true};
    *c = (comparison){.general = g, .pool = pool, .grid = grid};
    c->gain = RDV_NEW_ARRAY(g->arena, double, pool->n);
    if (!c->gain)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return rdv_choose_single(g, pool, &none, &c->random, err);
}

/* A row of what `scoring` chooses; NULL: it cannot be had. */
static int add_row(comparison *c, const rdv_scoring *scoring, rdv_grid_cell what, rdv_error *err)
{
    rdv_single chosen;
    rdv_grid_cell *row = rdv_grid_row(c->grid);
    if (!row)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    row[0].text = c->pool->name;
    row[1] = what;
    if (!scoring)
        return RDV_OK;
    int r = rdv_choose_single(c->general, c->pool, scoring, &chosen, err);
    if (r < 0)
        return r;
    for (size_t q = 0; q < chosen.n; q++)
        c->gain[q] = chosen.right[q] - c->random.right[q];
    row[2].is = rdv_mean(chosen.right, chosen.n, true);
    row[3].x = chosen.sd;
    row[4].is = rdv_mean(c->gain, chosen.n, false);
    return RDV_OK;
}

static rdv_grid_cell text_cell(const char *text)
{
    return (rdv_grid_cell){rdv_str_of(text), NAN, rdv_estimate_none(0)};
}

int rdv_general_table1(rdv_general *g, const rdv_pool *pool, rdv_grid *grid, rdv_error *err)
{
    comparison c;
    rdv_scoring none = {.none = true}, all = rdv_scoring_all(g, pool);
    rdv_scoring perplexity = rdv_scoring_perplexity(g);
    int r = begin(&c, g, pool, grid, err);
    if (r == RDV_OK)
        r = add_row(&c, &none, text_cell("random"), err);
    if (r == RDV_OK)
        r = add_row(&c, pool->perplexity ? &perplexity : NULL, text_cell("lowest perplexity"), err);
    if (r == RDV_OK)
        r = add_row(&c, pool->verifiers ? &all : NULL, text_cell("best score"), err);
    return r;
}

/* ---- subsets of the verifiers ---------------------------------------------------------------- */

static size_t bits_of(unsigned verifiers)
{
    size_t n = 0;
    for (; verifiers; verifiers &= verifiers - 1)
        n++;
    return n;
}

/* "relevance + math"; "none". */
static rdv_str subset_name(rdv_general *g, unsigned verifiers)
{
    rdv_str name = RDV_STR("none");
    bool first = true;
    for (size_t v = 0; v < RDV_N_VERIFIERS && name.p; v++) {
        if (!(verifiers >> v & 1))
            continue;
        name = rdv_str_printf(g->arena, "%.*s%s%s", first ? 0 : (int)name.len, name.p,
                              first ? "" : " + ", rdv_verifier_name((rdv_verifier_is)v));
        first = false;
    }
    return name;
}

/* The subset's weights must not all be 0: then all chains would be alike. */
static bool weighs(const rdv_general *g, unsigned verifiers)
{
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++)
        if ((verifiers >> v & 1) && g->options.how.weight[v] > 0)
            return true;
    return false;
}

/* Rows of the subsets: by size, those of one size in the verifiers' order. singles: none, each
 * alone, and all of them only. */
static int subset_rows(rdv_general *g, const rdv_pool *pool, bool singles, rdv_grid *grid,
                       rdv_error *err)
{
    comparison c;
    int r = begin(&c, g, pool, grid, err);
    for (size_t size = 0; size <= bits_of(pool->verifiers); size++) {
        if (singles && size > 1 && size < bits_of(pool->verifiers))
            continue;
        for (unsigned set = 0; r == RDV_OK && set <= RDV_ALL_VERIFIERS; set++) {
            rdv_scoring scoring = {.how = g->options.how, .none = set == 0};
            if ((set & ~pool->verifiers) || bits_of(set) != size)
                continue;
            rdv_str name = subset_name(g, set);
            scoring.how.verifiers = set;
            if (!name.p)
                return rdv_fail(err, RDV_E_NOMEM, "out of memory");
            r = add_row(&c, set == 0 || weighs(g, set) ? &scoring : NULL,
                        (rdv_grid_cell){name, NAN, rdv_estimate_none(0)}, err);
        }
    }
    return r;
}

int rdv_general_table2(rdv_general *g, const rdv_pool *pool, rdv_grid *grid, rdv_error *err)
{
    return subset_rows(g, pool, true, grid, err);
}

int rdv_general_table4(rdv_general *g, const rdv_pool *pool, rdv_grid *grid, rdv_error *err)
{
    return subset_rows(g, pool, false, grid, err);
}

/* ---- the first steps ------------------------------------------------------------------------- */

/* The first 0 to `most` steps scored, then all. */
static int step_rows(rdv_general *g, const rdv_pool *pool, size_t most, rdv_grid *grid,
                     rdv_error *err)
{
    comparison c;
    int r = begin(&c, g, pool, grid, err);
    for (size_t k = 0; r == RDV_OK && k <= most + 1; k++) {
        rdv_scoring scoring = rdv_scoring_all(g, pool);
        rdv_str what = k > most ? RDV_STR("all") : rdv_str_printf(g->arena, "%zu", k);
        scoring.extent.steps = k > most ? 0 : k;
        scoring.none = scoring.none || k == 0;
        if (!what.p)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        r = add_row(&c, k == 0 || pool->verifiers ? &scoring : NULL,
                    (rdv_grid_cell){what, NAN, rdv_estimate_none(0)}, err);
    }
    return r;
}

int rdv_general_table5(rdv_general *g, const rdv_pool *pool, rdv_grid *grid, rdv_error *err)
{
    return step_rows(g, pool, 5, grid, err);
}

int rdv_general_fig8(rdv_general *g, const rdv_pool *pool, rdv_grid *grid, rdv_error *err)
{
    return step_rows(g, pool, 10, grid, err);
}

/* 0 to 100 % by tens. */
int rdv_general_fig4(rdv_general *g, const rdv_pool *pool, rdv_grid *grid, rdv_error *err)
{
    comparison c;
    int r = begin(&c, g, pool, grid, err);
    for (size_t tenths = 0; r == RDV_OK && tenths <= 10; tenths++) {
        rdv_scoring scoring = rdv_scoring_all(g, pool);
        scoring.extent.share = (double)tenths / 10;
        scoring.none = scoring.none || tenths == 0;
        r = add_row(&c, tenths == 0 || pool->verifiers ? &scoring : NULL,
                    (rdv_grid_cell){{0}, (double)tenths / 10, rdv_estimate_none(0)}, err);
    }
    return r;
}
