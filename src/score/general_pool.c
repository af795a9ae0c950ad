/* SPDX-License-Identifier: Apache-2.0 */
/* The chains of one group, question by question, and the choice of one of them. */
#include "score/general.h"

#include "score/estimate.h"

#include <math.h>
#include <string.h>

/* ---- sorting out ----------------------------------------------------------------------------- */

static void count_row(rdv_pool *pool, const rdv_general *g, const rdv_general_row *row)
{
    bool likely = row->is.tokens || row->is.step[RDV_VERIFIER_PERPLEXITY];
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++) {
        bool said = row->is.step[v] || (v == RDV_VERIFIER_PERPLEXITY && likely);
        pool->verifiers |= said ? (1u << v) & g->options.how.verifiers : 0;
        pool->missing[v] += !said;
    }
    pool->perplexity = pool->perplexity || likely;
    pool->unread += row->slip.answer == RDV_UNREAD;
    pool->chains++;
}

/* Put the rows of the group's questions together, keeping their order (a counting sort). Questions
 * of other groups have empty lots. */
static bool gather(const rdv_general *g, size_t group, rdv_pool *pool, rdv_lot *lots)
{
    const rdv_general_row **rows = RDV_NEW_ARRAY(g->arena, const rdv_general_row *, g->n_rows);
    rdv_slip *slips = RDV_NEW_ARRAY(g->arena, rdv_slip, g->n_rows);
    size_t at = 0;
    if (!rows || !slips)
        return false;
    for (size_t q = 0; q < g->n_questions; q++) {
        lots[q] = (rdv_lot){&g->questions[q], rows + at, 0, slips + at};
        at += g->questions[q].group == group ? g->questions[q].n_chains : 0;
    }
    for (size_t i = 0; i < g->n_rows; i++) {
        rdv_lot *lot = &lots[g->rows[i].question];
        if (lot->question->group != group)
            continue;
        lot->slips[lot->n] = g->rows[i].slip;
        lot->rows[lot->n++] = &g->rows[i];
        count_row(pool, g, &g->rows[i]);
    }
    return true;
}

/* Of the chains of one answer the first that knows speaks for all; an answer that could not be read
 * is wrong. False when something stays unknown. */
static bool settle(rdv_lot *lot, int *known)
{
    for (size_t i = 0; i < lot->question->n_answers; i++)
        known[i] = -1;
    for (size_t i = 0; i < lot->n; i++) {
        const rdv_slip *slip = &lot->slips[i];
        if (slip->answer != RDV_UNREAD && known[slip->answer] < 0)
            known[slip->answer] = slip->correct;
    }
    bool all = lot->n > 0;
    for (size_t i = 0; i < lot->n; i++) {
        rdv_slip *slip = &lot->slips[i];
        slip->correct = slip->answer == RDV_UNREAD ? 0 : known[slip->answer];
        all = all && slip->correct >= 0;
    }
    return all;
}

int rdv_pool_of(rdv_general *g, size_t group, rdv_pool *out, rdv_error *err)
{
    rdv_pool pool = {.name = g->groups[group]};
    for (size_t q = 0; q < g->n_questions; q++) {
        if (g->questions[q].n_answers > pool.most_answers)
            pool.most_answers = g->questions[q].n_answers;
    }
    rdv_lot *lots = RDV_NEW_ARRAY(g->arena, rdv_lot, g->n_questions);
    int *known = RDV_NEW_ARRAY(g->arena, int, pool.most_answers);
    if (!lots || !known || !gather(g, group, &pool, lots))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t q = 0; q < g->n_questions; q++) {
        if (lots[q].n == 0)
            continue;
        if (!settle(&lots[q], known)) {
            pool.left_out++;
            continue;
        }
        if (lots[q].n > pool.most_chains)
            pool.most_chains = lots[q].n;
        lots[pool.n++] = lots[q];
    }
    pool.lots = lots;
    *out = pool;
    return RDV_OK;
}

void rdv_pool_notes(const rdv_pool *pool, rdv_grid *grid)
{
    rdv_grid_note(
        grid,
        "%.*s%s%zu questions, %zu chains, of which %zu without a readable answer, counted as wrong",
        RDV_FMT(pool->name), pool->name.p ? ": " : "", pool->n + pool->left_out, pool->chains,
        pool->unread);
    if (pool->left_out)
        rdv_grid_note(grid,
                      "%zu questions of which it is not known which chains are right, left out",
                      pool->left_out);
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++) {
        if (pool->missing[v] == pool->chains)
            rdv_grid_note(grid, "%s: unavailable", rdv_verifier_name((rdv_verifier_is)v));
        else if (pool->missing[v])
            rdv_grid_note(grid, "%zu chains without %s: scored by the others", pool->missing[v],
                          rdv_verifier_name((rdv_verifier_is)v));
    }
}

/* ---- scoring --------------------------------------------------------------------------------- */

rdv_scoring rdv_scoring_all(const rdv_general *g, const rdv_pool *pool)
{
    rdv_scoring scoring = {.how = g->options.how, .none = pool->verifiers == 0};
    scoring.how.verifiers = pool->verifiers;
    return scoring;
}

rdv_scoring rdv_scoring_perplexity(const rdv_general *g)
{
    rdv_scoring scoring = {.how = g->options.how};
    scoring.how.verifiers = 1u << RDV_VERIFIER_PERPLEXITY;
    scoring.how.weight[RDV_VERIFIER_PERPLEXITY] = 1;
    scoring.how.aggregation.floor = 0; /* or two unlikely chains would be equally so */
    return scoring;
}

void rdv_score_lot(const rdv_lot *lot, const rdv_scoring *scoring, double *out)
{
    for (size_t i = 0; i < lot->n; i++)
        out[i] = scoring->none
                     ? NAN
                     : rdv_combine_chain(&scoring->how, &lot->rows[i]->is, scoring->extent);
}

/* ---- one chain ------------------------------------------------------------------------------- */

/* The share of right chains among those with the highest score. */
static double chance_right(const rdv_lot *lot, const double *score)
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
        right += chosen && lot->slips[i].correct == 1;
    }
    return (double)right / (double)chains;
}

int rdv_choose_single(rdv_general *g, const rdv_pool *pool, const rdv_scoring *scoring,
                      rdv_single *out, rdv_error *err)
{
    double variance = 0;
    *out = (rdv_single){.right = RDV_NEW_ARRAY(g->arena, double, pool->n), .n = pool->n};
    double *score = RDV_NEW_ARRAY(g->arena, double, pool->most_chains);
    if (!out->right || !score)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t q = 0; q < pool->n; q++) {
        rdv_score_lot(&pool->lots[q], scoring, score);
        double p = chance_right(&pool->lots[q], score);
        out->right[q] = p;
        variance += p * (1 - p); /* questions are drawn for one by one */
    }
    out->sd = sqrt(variance) / (double)pool->n;
    return RDV_OK;
}
