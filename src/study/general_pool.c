/* SPDX-License-Identifier: Apache-2.0 */
/* The chains of one group, question by question, and the choice of one of them: Tables 1, 2, 4, 5,
 * Figures 4 and 8. */
#include "study/general.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "study/list.h"
#include "score/combine.h"
#include "score/estimate.h"
#include "score/eval.h"
#include "score/paired.h"

#include <math.h>
#include <string.h>

rdv_str general_verifier(const general *g, size_t verifier)
{
    return verifier < RDV_N_VERIFIERS ? rdv_str_of(rdv_verifier_name((rdv_verifier_kind)verifier))
                                      : g->own.name[verifier - RDV_N_VERIFIERS];
}

/* ---- pools ----------------------------------------------------------------------------------- */

const study_source *general_source(const general *g, size_t group)
{
    return &g->study->sources.of[g->groups[group]];
}

static void count_item(general_pool *pool, const general *g, const general_item *item)
{
    bool likely = item->is.tokens || item->is.step[RDV_VERIFIER_PERPLEXITY];
    for (size_t v = 0; v < g->n_verifiers; v++) {
        bool looked = item->is.step[v] || (v == RDV_VERIFIER_PERPLEXITY && likely);
        pool->verifiers |= looked ? (1u << v) & g->how.verifiers : 0;
        pool->missing[v] += !looked;
        pool->whole[v] += item->is.whole >> v & 1;
    }
    pool->perplexity = pool->perplexity || likely;
    pool->unread += item->vote.ballot.answer == TALLY_UNREAD;
    pool->chains++;
}

int general_pools(general *g, const general_items *from, general_pool **out, rdv_error *err)
{
    study_lots all;
    general_pool *pools = RDV_NEW_ARRAY(g->arena, general_pool, g->n_groups);
    int r =
        study_sort_items(g->study, from->items, from->n, sizeof *from->items, g->arena, &all, err);
    for (size_t i = 0; pools && r == RDV_OK && i < g->n_groups; i++) {
        pools[i] = (general_pool){.source = general_source(g, i),
                                  .items = from->items,
                                  .most_answers = all.most_answers,
                                  .lots = RDV_NEW_ARRAY(g->arena, study_lot, all.n)};
        r = pools[i].lots ? RDV_OK : rdv_no_memory(err);
    }
    if (r < 0 || !pools)
        return r < 0 ? r : rdv_no_memory(err);
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

void general_pool_notes(const general *g, const general_pool *pool, rdv_study_table *table)
{
    table_note(
        table,
        "%.*s%s%zu questions, %zu chains, of which %zu without a readable answer, counted as wrong",
        RDV_FMT(pool->source->group), pool->source->group.p ? ": " : "", pool->n + pool->left_out,
        pool->chains, pool->unread);
    if (pool->left_out)
        table_note(table, "%zu questions of which it is not known which chains are right, left out",
                   pool->left_out);
    for (size_t v = 0; v < g->n_verifiers; v++) {
        rdv_str name = general_verifier(g, v);
        if (pool->missing[v] == pool->chains)
            table_note(table, "%.*s: %s", RDV_FMT(name),
                       g->checked >> v & 1 ? "nothing was read of its checks, so it takes no part"
                                           : "unavailable");
        else if (pool->missing[v])
            table_note(table, "%zu chains without %.*s: scored by the others", pool->missing[v],
                       RDV_FMT(name));
        if (pool->whole[v])
            table_note(table,
                       "%.*s judges %zu whole chains: where only the first steps are scored, they "
                       "are scored by the others",
                       RDV_FMT(name), pool->whole[v]);
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
    scoring.how.aggregation.floor = 0; /* so that two unlikely chains still differ */
    scoring.how.aggregation.kind = RDV_AGGREGATE_GEOMETRIC;
    scoring.over_tokens = true;
    return scoring;
}

void general_score(const general_pool *pool, const study_lot *lot, const general_scoring *scoring,
                   double *out)
{
    for (size_t i = 0; i < lot->n; i++) {
        const general_item *item = &pool->items[lot->items[i]];
        rdv_verified is = item->is;
        is.tokens = scoring->over_tokens ? item->tokens : is.tokens;
        out[i] = scoring->none ? NAN : rdv_combine_chain(&scoring->how, &is, scoring->extent);
    }
}

/* ---- sets of verifiers ----------------------------------------------------------------------- */

static size_t bits_of(unsigned verifiers)
{
    size_t n = 0;
    for (; verifiers; verifiers &= verifiers - 1)
        n++;
    return n;
}

/* "relevance + math"; "none". p == NULL when out of memory. */
static rdv_str subset_name(const general *g, unsigned verifiers)
{
    rdv_buf name;
    rdv_buf_init(&name, g->arena, 0);
    for (size_t v = 0; v < g->n_verifiers; v++)
        if (verifiers >> v & 1)
            rdv_buf_printf(&name, "%s%.*s", name.len ? " + " : "", RDV_FMT(general_verifier(g, v)));
    return verifiers ? rdv_buf_str(&name) : RDV_STR("none");
}

/* Whether the subset has a nonzero weight; otherwise all chains would be equal. */
static bool weighs(const general *g, unsigned verifiers)
{
    for (size_t v = 0; v < g->n_verifiers; v++)
        if ((verifiers >> v & 1) && g->how.weight[v] > 0)
            return true;
    return false;
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

/* The chosen chain compared with a random one, question by question. */
typedef struct comparison {
    general *general;
    const general_pool *pool;
    rdv_study_table *table;
    double *random, *right, *score; /* one per question; `score`: one per chain */
    double *before; /* one per question, by the baseline; NULL: nothing is compared with it */
    rdv_str baseline;
} comparison;

/* Computes for each question the probability that the chosen chain, that with the highest score, is
 * right; a tie is decided by a draw, and a chain without a score is chosen only when no other is
 * left. Returns the deviation of the accuracy over draws. */
static double choose(comparison *c, const general_scoring *scoring, double *right)
{
    double variance = 0;
    for (size_t q = 0; q < c->pool->n; q++) {
        general_score(c->pool, &c->pool->lots[q], scoring, c->score);
        right[q] = chance_right(&c->pool->lots[q], c->score);
        variance += right[q] * (1 - right[q]); /* draws are independent between questions */
    }
    return sqrt(variance) / (double)c->pool->n;
}

/* The choice by the verifiers of the baseline, if the pool has their scores. In the table of
 * choices perplexity alone is the paper's baseline, over all tokens. */
static void choose_baseline(comparison *c)
{
    const general *g = c->general;
    unsigned set = g->baseline, perplexity = 1u << RDV_VERIFIER_PERPLEXITY;
    bool lowest = set == perplexity && g->study->entry->general.pool == general_choices;
    general_scoring scoring = {.how = g->how, .none = set == 0};
    scoring.how.verifiers = set;
    if (lowest)
        scoring = general_by_perplexity(g);
    c->before = NULL;
    if (!g->compares || !(lowest ? c->pool->perplexity : !(set & ~c->pool->verifiers)) ||
        (set && !lowest && !weighs(g, set)))
        return;
    c->before = RDV_NEW_ARRAY(g->arena, double, c->pool->n);
    c->baseline = subset_name(g, set);
    c->table->failed = c->table->failed || !c->before || !c->baseline.p;
    if (!c->table->failed)
        choose(c, &scoring, c->before);
}

/* False when out of memory, which the table records. */
static bool begin(comparison *c, general *g, const general_pool *pool, rdv_study_table *table)
{
    *c = (comparison){.general = g,
                      .pool = pool,
                      .table = table,
                      .random = RDV_NEW_ARRAY(g->arena, double, pool->n),
                      .right = RDV_NEW_ARRAY(g->arena, double, pool->n),
                      .score = RDV_NEW_ARRAY(g->arena, double, pool->most_chains)};
    table->failed = table->failed || !c->random || !c->right || !c->score;
    if (!table->failed)
        choose(c, &(general_scoring){.none = true}, c->random);
    if (!table->failed)
        choose_baseline(c);
    return !table->failed;
}

/* Whether the scoring is that of the baseline. */
static bool is_baseline(const comparison *c, const general_scoring *scoring)
{
    unsigned set = scoring->none ? 0 : scoring->how.verifiers;
    return set == c->general->baseline;
}

/* Adds a row for the choice by `scoring`, if the data allow it. Tables of verifiers have two more
 * columns, of the difference to the baseline; its own row has none. */
static void add_row(comparison *c, const general_scoring *scoring, bool there, rdv_cell what)
{
    size_t n = c->pool->n;
    rdv_cell none = table_absent("no chain has the scores");
    if (!there) {
        TABLE_ADD(c->table, GENERAL_SOURCE(c->pool->source), what, none, none, none);
        return;
    }
    double sd = choose(c, scoring, c->right);
    rdv_cell cells[] = {GENERAL_SOURCE(c->pool->source),
                        what,
                        table_estimate(rdv_mean(c->right, n, true)),
                        table_number(sd),
                        table_estimate(rdv_mean_difference(c->random, c->right, n)),
                        table_text((rdv_str){0}),
                        table_estimate(rdv_estimate_none(0))};
    size_t n_cells = sizeof cells / sizeof *cells;
    bool compared = c->before && !is_baseline(c, scoring);
    if (compared) {
        cells[n_cells - 2] = table_text(c->baseline);
        cells[n_cells - 1] = table_estimate(rdv_mean_difference(c->before, c->right, n));
    }
    table_add(c->table, cells, n_cells < c->table->n_columns ? n_cells : c->table->n_columns);
}

void general_choices(general *g, const general_pool *pool, rdv_study_table *table)
{
    comparison c;
    general_scoring none = {.none = true}, all = general_by_all(g, pool);
    general_scoring perplexity = general_by_perplexity(g);
    if (!begin(&c, g, pool, table))
        return;
    add_row(&c, &none, true, table_text(RDV_STR("random")));
    add_row(&c, &perplexity, pool->perplexity, table_text(RDV_STR("lowest perplexity")));
    add_row(&c, &all, pool->verifiers != 0, table_text(RDV_STR("best score")));
}

/* Whether the set is a verifier of one's own that takes part and of which nothing was read. */
static bool is_unread(const general *g, const general_pool *pool, unsigned set)
{
    return bits_of(set) == 1 && set & g->checked & g->how.verifiers & ~pool->verifiers;
}

void general_subsets(general *g, const general_pool *pool, rdv_study_table *table)
{
    comparison c;
    size_t all = bits_of(pool->verifiers), most = g->study->entry->general.most;
    bool begun = begin(&c, g, pool, table);
    for (size_t size = 0; begun && size <= all; size++) {
        for (unsigned set = 0; set < 1u << g->n_verifiers; set++) {
            general_scoring scoring = {.how = g->how, .none = set == 0};
            bool unread = is_unread(g, pool, set);
            if ((set & ~pool->verifiers && !unread) || bits_of(set) != size ||
                (size > most && size < all))
                continue;
            rdv_str name = subset_name(g, set);
            scoring.how.verifiers = set;
            table->failed = table->failed || !name.p;
            add_row(&c, &scoring, set == 0 || (!unread && weighs(g, set)), table_text(name));
        }
    }
}

/* ---- the first steps ------------------------------------------------------------------------- */

void general_first_steps(general *g, const general_pool *pool, rdv_study_table *table)
{
    comparison c;
    size_t most = g->study->entry->general.most;
    bool begun = begin(&c, g, pool, table);
    for (size_t k = 0; begun && k <= most + 1; k++) {
        general_scoring scoring = general_by_all(g, pool);
        rdv_str what = k > most ? RDV_STR("all") : rdv_str_printf(g->arena, "%zu", k);
        scoring.extent.steps = k > most ? 0 : k;
        scoring.none = scoring.none || k == 0;
        table->failed = table->failed || !what.p;
        add_row(&c, &scoring, k == 0 || pool->verifiers, table_text(what));
    }
}

void general_first_share(general *g, const general_pool *pool, rdv_study_table *table)
{
    comparison c;
    bool begun = begin(&c, g, pool, table);
    for (size_t tenths = 0; begun && tenths <= 10; tenths++) {
        general_scoring scoring = general_by_all(g, pool);
        scoring.extent.share = (double)tenths / 10;
        scoring.none = scoring.none || tenths == 0;
        add_row(&c, &scoring, tenths == 0 || pool->verifiers, table_number((double)tenths / 10));
    }
}
