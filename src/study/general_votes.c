/* SPDX-License-Identifier: Apache-2.0 */
/* Votes of m chains chosen out of all: Figures 3, 6 and 7 of general-purpose verification. */
#include "study/general.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

#define MOST_VOTERS 10

/* One way to choose chains and to count their votes. */
typedef struct way {
    const general_scoring *by; /* the highest first; NULL: at random */
    bool weighted;             /* by the score of all verifiers, else a majority */
    bool there;                /* it can be had */
} way;

/* What one way gave. */
typedef struct outcome {
    double *right;          /* of each question at each m: expected over draws; NaN: fewer chains */
    double sd[MOST_VOTERS]; /* of the accuracy over draws */
    double *drawn;          /* accuracy of each draw at each m: sums over questions */
    size_t count[MOST_VOTERS]; /* questions with so many chains */
} outcome;

typedef struct voting {
    general *general;
    const general_pool *pool;
    size_t most; /* voters */
    double *by, *weight;
    size_t *order, *shuffled;
    tally_ballot *ballots;
    vote_tally tally;
} voting;

static int voting_new(voting *v, general *g, const general_pool *pool, rdv_error *err)
{
    rdv_arena *a = g->arena;
    size_t n = pool->most_chains;
    *v = (voting){.general = g,
                  .pool = pool,
                  .most = n < MOST_VOTERS ? n : MOST_VOTERS,
                  .by = RDV_NEW_ARRAY(a, double, n),
                  .weight = RDV_NEW_ARRAY(a, double, n),
                  .order = RDV_NEW_ARRAY(a, size_t, n),
                  .shuffled = RDV_NEW_ARRAY(a, size_t, n),
                  .ballots = RDV_NEW_ARRAY(a, tally_ballot, n),
                  .tally = {.answers = RDV_NEW_ARRAY(a, tally_answer, pool->most_answers)}};
    bool ok = v->by && v->weight && v->order && v->shuffled && v->ballots && v->tally.answers;
    return ok ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

static int outcome_new(outcome *o, const voting *v, rdv_error *err)
{
    *o = (outcome){.right = RDV_NEW_ARRAY(v->general->arena, double, v->pool->n *MOST_VOTERS),
                   .drawn = RDV_NEW_ARRAY(v->general->arena, double,
                                          v->general->study->options.draws *MOST_VOTERS)};
    return o->right && o->drawn ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

/* ---- one question ---------------------------------------------------------------------------- */

typedef struct ranked {
    double by; /* NaN last */
    size_t place, chain;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (isnan(x->by) != isnan(y->by))
        return isnan(x->by) ? 1 : -1;
    if (!isnan(x->by) && x->by != y->by)
        return x->by > y->by ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The chains in the order in which they are chosen: the best first, alike ones as shuffled. */
static int rank_chains(voting *v, size_t n, bool random, rdv_error *err)
{
    rdv_mark mark = rdv_arena_mark(v->general->arena);
    ranked *rank = RDV_NEW_ARRAY(v->general->arena, ranked, n);
    if (!rank)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        rank[i] = (ranked){random ? 0 : v->by[v->shuffled[i]], i, v->shuffled[i]};
    qsort(rank, n, sizeof *rank, by_rank);
    for (size_t i = 0; i < n; i++)
        v->order[i] = rank[i].chain;
    rdv_arena_rewind(v->general->arena, mark);
    return RDV_OK;
}

static double vote(voting *v, const study_lot *lot, const way *how, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        v->ballots[i] = lot->ballots[v->order[i]];
        v->ballots[i].weight = v->weight[v->order[i]];
    }
    v->tally.n_answers = lot->question->n_answers;
    tally_decide(how->weighted ? RDV_SELECT_WEIGHTED : RDV_SELECT_MAJORITY, v->ballots, m,
                 &v->tally);
    return v->tally.expected_correct;
}

/* Every draw of a question: the same shuffles for all ways, so that they are paired. */
static int draw_question(voting *v, size_t q, const way *how, outcome *o, rdv_error *err)
{
    const study_lot *lot = &v->pool->lots[q];
    size_t draws = v->general->study->options.draws, most = lot->n < v->most ? lot->n : v->most;
    double sum[MOST_VOTERS] = {0};
    rdv_rng rng;
    rdv_rng_seed(&rng, lot->question->hash);
    for (size_t i = 0; i < lot->n; i++)
        v->shuffled[i] = i;
    for (size_t d = 0; d < draws; d++) {
        rdv_rng_shuffle(&rng, v->shuffled, lot->n);
        int r = rank_chains(v, lot->n, how->by == NULL, err);
        if (r < 0)
            return r;
        for (size_t m = 1; m <= most; m++) {
            double right = vote(v, lot, how, m);
            sum[m - 1] += right;
            o->drawn[d * MOST_VOTERS + m - 1] += right;
        }
    }
    for (size_t m = 0; m < MOST_VOTERS; m++) {
        o->right[q * MOST_VOTERS + m] = m < most ? sum[m] / (double)draws : NAN;
        o->count[m] += m < most;
    }
    return RDV_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static double deviation(const outcome *o, size_t draws, size_t m)
{
    double mean = 0, squares = 0, n = (double)o->count[m];
    for (size_t d = 0; d < draws; d++)
        mean += o->drawn[d * MOST_VOTERS + m] / n / (double)draws;
    for (size_t d = 0; d < draws; d++) {
        double x = o->drawn[d * MOST_VOTERS + m] / n - mean;
        squares += x * x;
    }
    return draws > 1 && o->count[m] ? sqrt(squares / (double)(draws - 1)) : NAN;
}

static int run_way(voting *v, const way *how, outcome *o, rdv_error *err)
{
    general_scoring all = general_by_all(v->general, v->pool);
    int r = outcome_new(o, v, err);
    for (size_t q = 0; r == RDV_OK && how->there && q < v->pool->n; q++) {
        if (how->by)
            general_score(v->pool, &v->pool->lots[q], how->by, v->by);
        general_score(v->pool, &v->pool->lots[q], &all, v->weight);
        r = draw_question(v, q, how, o, err);
    }
    for (size_t m = 0; r == RDV_OK && m < v->most; m++)
        o->sd[m] = deviation(o, v->general->study->options.draws, m);
    return r;
}

/* Means over the questions that have m chains; `minus`: of differences. */
static rdv_estimate mean_at(const voting *v, const outcome *o, const outcome *minus, size_t m,
                            double *scratch)
{
    for (size_t q = 0; q < v->pool->n; q++)
        scratch[q] =
            o->right[q * MOST_VOTERS + m] - (minus ? minus->right[q * MOST_VOTERS + m] : 0);
    return rdv_mean(scratch, v->pool->n, !minus);
}

/* Rows: m, accuracy and deviation of each way, the gain of the last over the first. */
static int vote_rows(general *g, const general_pool *pool, const way *ways, size_t n,
                     rdv_study_table *table, rdv_error *err)
{
    voting v;
    outcome outcomes[3];
    double *scratch = RDV_NEW_ARRAY(g->arena, double, pool->n);
    int r = scratch ? voting_new(&v, g, pool, err) : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t w = 0; r == RDV_OK && w < n; w++)
        r = run_way(&v, &ways[w], &outcomes[w], err);
    for (size_t m = 0; r == RDV_OK && m < v.most; m++) {
        rdv_cell *row = table_row(table);
        if (!row)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        row[0] = table_text(pool->name);
        row[1] = table_number((double)(m + 1));
        for (size_t w = 0; w < n; w++) {
            if (!ways[w].there)
                continue;
            row[2 + 2 * w] = table_estimate(mean_at(&v, &outcomes[w], NULL, m, scratch));
            row[3 + 2 * w] = table_number(outcomes[w].sd[m]);
        }
        if (ways[n - 1].there)
            row[2 + 2 * n] =
                table_estimate(mean_at(&v, &outcomes[n - 1], &outcomes[0], m, scratch));
    }
    return r;
}

int general_fig3(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    general_scoring all = general_by_all(g, pool), perplexity = general_by_perplexity(g);
    way ways[] = {{NULL, false, true},
                  {&perplexity, false, pool->perplexity},
                  {&all, true, pool->verifiers != 0}};
    return vote_rows(g, pool, ways, 3, table, err);
}

int general_fig7(general *g, const general_pool *pool, rdv_study_table *table, rdv_error *err)
{
    way ways[] = {{NULL, false, true}, {NULL, true, pool->verifiers != 0}};
    return vote_rows(g, pool, ways, 2, table, err);
}
