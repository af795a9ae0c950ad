/* SPDX-License-Identifier: Apache-2.0 */
/* The chains of one group, question by question, and the choice of one of them: Tables 1, 2, 4, 5,
 * Figures 4 and 8. */
#include "study/general.h"

#include "base/str.h"

#include <math.h>
#include <string.h>

/* ---- sorting out ----------------------------------------------------------------------------- */

static void count_item(general_pool *pool, const general *g, const general_item *item)
{
    bool likely = item->is.tokens || item->is.step[RDV_VERIFIER_PERPLEXITY];
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++) {
        bool looked = item->is.step[v] || (v == RDV_VERIFIER_PERPLEXITY && likely);
        pool->verifiers |= looked ? (1u << v) & g->how.verifiers : 0;
        pool->missing[v] += !looked;
    }
    pool->perplexity = pool->perplexity || likely;
    pool->unread += item->vote.ballot.answer == TALLY_UNREAD;
    pool->chains++;
}

int general_pools(general *g, const general_items *from, general_pool **out, rdv_error *err)
{
    study_lots all;
    general_pool *pools = RDV_NEW_ARRAY(g->arena, general_pool, g->n_groups);
    int r = study_sort(g->study, from->items, from->n, sizeof *from->items, &all, err);
    for (size_t i = 0; pools && r == RDV_OK && i < g->n_groups; i++) {
        pools[i] = (general_pool){.name = g->groups[i],
                                  .items = from->items,
                                  .most_answers = all.most_answers,
                                  .lots = RDV_NEW_ARRAY(g->arena, study_lot, all.n)};
        r = pools[i].lots ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    }
    if (r < 0 || !pools)
        return r < 0 ? r : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < from->n; i++)
        count_item(&pools[g->study->questions[from->items[i].vote.question].group], g,
                   &from->items[i]);
    for (size_t q = 0; q < all.n; q++) {
        general_pool *pool = &pools[all.lots[q].question->group];
        const study_lot *lot = &all.lots[q];
        if (!lot->graded) {
            pool->left_out++;
            continue;
        }
        pool->most_chains = lot->n > pool->most_chains ? lot->n : pool->most_chains;
        pool->lots[pool->n++] = *lot;
    }
    *out = pools;
    return RDV_OK;
}

void general_pool_notes(const general_pool *pool, rdv_study_table *table)
{
    table_note(
        table,
        "%.*s%s%zu questions, %zu chains, of which %zu without a readable answer, counted as wrong",
        RDV_FMT(pool->name), pool->name.p ? ": " : "", pool->n + pool->left_out, pool->chains,
        pool->unread);
    if (pool->left_out)
        table_note(table, "%zu questions of which it is not known which chains are right, left out",
                   pool->left_out);
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++) {
        if (pool->missing[v] == pool->chains)
            table_note(table, "%s: unavailable", rdv_verifier_name((rdv_verifier_is)v));
        else if (pool->missing[v])
            table_note(table, "%zu chains without %s: scored by the others", pool->missing[v],
                       rdv_verifier_name((rdv_verifier_is)v));
    }
}

/* ---- scoring --------------------------------------------------------------------------------- */

general_scoring general_by_all(const general *g, const general_pool *pool)
{
    general_scoring scoring = {.how = g->how, .none = pool->verifiers == 0};
    scoring.how.verifiers = pool->verifiers;
    return scoring;
}

general_scoring general_by_perplexity(const general *g)
{
    general_scoring scoring = {.how = g->how};
    scoring.how.verifiers = 1u << RDV_VERIFIER_PERPLEXITY;
    scoring.how.weight[RDV_VERIFIER_PERPLEXITY] = 1;
    scoring.how.aggregation.floor = 0; /* or two unlikely chains would be equally so */
    return scoring;
}

void general_score(const general_pool *pool, const study_lot *lot, const general_scoring *scoring,
                   double *out)
{
    for (size_t i = 0; i < lot->n; i++)
        out[i] = scoring->none ? NAN
                               : rdv_combine_chain(&scoring->how, &pool->items[lot->items[i]].is,
                                                   scoring->extent);
}

/* ---- one chain ------------------------------------------------------------------------------- */

/* The share of right chains among those with the highest score. */
static double chance_right(const study_lot *lot, const double *score)
{
    double best = NAN;
    size_t chains = 0, right = 0;
    for (size_t i = 0; i < lot->n; i++) {
        if (!isnan(score[i]) && !(score[i] <= best)) {
            best = score[i];
            chains = right = 0;
        }
        bool chosen = isnan(best) ? isnan(score[i]) : score[i] == best;
        chains += chosen;
        right += chosen && lot->ballots[i].correct == 1;
    }
    return (double)right / (double)chains;
}

/* The chance that the chosen chain is right, of each question: that with the highest score; a tie
 * is drawn for, a chain without a score is taken when no other is left. */
typedef struct single {
    double *right;
    double sd; /* of the accuracy over draws */
} single;

static int choose_single(general *g, const general_pool *pool, const general_scoring *scoring,
                         single *out, rdv_error *err)
{
    double variance = 0;
    *out = (single){.right = RDV_NEW_ARRAY(g->arena, double, pool->n)};
    double *score = RDV_NEW_ARRAY(g->arena, double, pool->most_chains);
    if (!out->right || !score)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t q = 0; q < pool->n; q++) {
        general_score(pool, &pool->lots[q], scoring, score);
        double p = chance_right(&pool->lots[q], score);
        out->right[q] = p;
        variance += p * (1 - p); /* questions are drawn for one by one */
    }
    out->sd = sqrt(variance) / (double)pool->n;
    return RDV_OK;
}

/* A choice beside the random one, question by question. */
typedef struct comparison {
    general *general;
    const general_pool *pool;
    single random;
    double *gain; /* scratch, one a question */
    rdv_study_table *table;
} comparison;

static int begin(comparison *c, general *g, const general_pool *pool, rdv_study_table *table,
                 rdv_error *err)
{
    general_scoring none = {.none = true};
    *c = (comparison){.general = g, .pool = pool, .table = table};
    c->gain = RDV_NEW_ARRAY(g->arena, double, pool->n);
    if (!c->gain)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    return choose_single(g, pool, &none, &c->random, err);
}

/* A row of what `scoring` chooses; NULL: it cannot be had. */
static int add_row(comparison *c, const general_scoring *scoring, rdv_cell what, rdv_error *err)
{
    single chosen;
    rdv_cell *row = table_row(c->table);
    if (!row)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    row[0] = table_text(c->pool->name);
    row[1] = what;
    if (!scoring) {
        row[2] = row[4] = table_absent("no chain has the scores");
        return RDV_OK;
    }
    int r = choose_single(c->general, c->pool, scoring, &chosen, err);
    if (r < 0)
        return r;
    for (size_t q = 0; q < c->pool->n; q++)
        c->gain[q] = chosen.right[q] - c->random.right[q];
    row[2] = table_estimate(rdv_mean(chosen.right, c->pool->n, true));
    row[3] = table_number(chosen.sd);
    row[4] = table_estimate(rdv_mean(c->gain, c->pool->n, false));
    return RDV_OK;
}

int general_table1(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    comparison c;
    general_scoring none = {.none = true}, all = general_by_all(g, pool);
    general_scoring perplexity = general_by_perplexity(g);
    int r = begin(&c, g, pool, table, err);
    if (r == RDV_OK)
        r = add_row(&c, &none, table_text(RDV_STR("random")), err);
    if (r == RDV_OK)
        r = add_row(&c, pool->perplexity ? &perplexity : NULL,
                    table_text(RDV_STR("lowest perplexity")), err);
    if (r == RDV_OK)
        r = add_row(&c, pool->verifiers ? &all : NULL, table_text(RDV_STR("best score")), err);
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
static rdv_str subset_name(general *g, unsigned verifiers)
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
static bool weighs(const general *g, unsigned verifiers)
{
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++)
        if ((verifiers >> v & 1) && g->how.weight[v] > 0)
            return true;
    return false;
}

/* Rows of the subsets: by size, those of one size in the verifiers' order. singles: none, each
 * alone, and all of them only. */
static int subset_rows(general *g, const general_pool *pool, bool singles, rdv_study_table *table,
                       rdv_error *err)
{
    comparison c;
    int r = begin(&c, g, pool, table, err);
    for (size_t size = 0; size <= bits_of(pool->verifiers); size++) {
        if (singles && size > 1 && size < bits_of(pool->verifiers))
            continue;
        for (unsigned set = 0; r == RDV_OK && set <= RDV_ALL_VERIFIERS; set++) {
            general_scoring scoring = {.how = g->how, .none = set == 0};
            if ((set & ~pool->verifiers) || bits_of(set) != size)
                continue;
            rdv_str name = subset_name(g, set);
            scoring.how.verifiers = set;
            if (!name.p)
                return rdv_fail(err, RDV_E_NOMEM, "out of memory");
            r = add_row(&c, set == 0 || weighs(g, set) ? &scoring : NULL, table_text(name), err);
        }
    }
    return r;
}

int general_table2(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    return subset_rows(g, pool, true, table, err);
}

int general_table4(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    return subset_rows(g, pool, false, table, err);
}

/* ---- the first steps ------------------------------------------------------------------------- */

/* The first 0 to `most` steps scored, then all. */
static int step_rows(general *g, const general_pool *pool, size_t most, rdv_study_table *table,
                     rdv_error *err)
{
    comparison c;
    int r = begin(&c, g, pool, table, err);
    for (size_t k = 0; r == RDV_OK && k <= most + 1; k++) {
        general_scoring scoring = general_by_all(g, pool);
        rdv_str what = k > most ? RDV_STR("all") : rdv_str_printf(g->arena, "%zu", k);
        scoring.extent.steps = k > most ? 0 : k;
        scoring.none = scoring.none || k == 0;
        if (!what.p)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        r = add_row(&c, k == 0 || pool->verifiers ? &scoring : NULL, table_text(what), err);
    }
    return r;
}

int general_table5(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    return step_rows(g, pool, 5, table, err);
}

int general_fig8(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    return step_rows(g, pool, 10, table, err);
}

/* 0 to 100 % by tens. */
int general_fig4(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    comparison c;
    int r = begin(&c, g, pool, table, err);
    for (size_t tenths = 0; r == RDV_OK && tenths <= 10; tenths++) {
        general_scoring scoring = general_by_all(g, pool);
        scoring.extent.share = (double)tenths / 10;
        scoring.none = scoring.none || tenths == 0;
        r = add_row(&c, tenths == 0 || pool->verifiers ? &scoring : NULL,
                    table_number((double)tenths / 10), err);
    }
    return r;
}
