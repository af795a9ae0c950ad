/* SPDX-License-Identifier: Apache-2.0 */
/* Votes of m chains chosen out of all: Figures 3, 6 and 7 of general-purpose verification. */
#include "study/general.h"

#include "base/rng.h"
#include "score/eval.h"
#include "score/paired.h"
#include "score/subsets.h"

#include <math.h>
#include <stdlib.h>

#define MOST_VOTERS 10

/* One method to choose chains and to count their votes. */
typedef struct way {
    const general_scoring *by; /* chooses the highest first; NULL: at random */
    bool weighted; /* weighted by the score of all verifiers; otherwise a majority vote */
    bool there;    /* whether the data allow it */
} way;

/* The results of one method, at each number of voters. */
typedef struct outcome {
    double *right;             /* for each question: expectation; NaN: too few chains */
    double *variance;          /* the same, of a single vote */
    size_t count[MOST_VOTERS]; /* questions with that many chains */
} outcome;

/* Votes of one question by the same number of chains. */
typedef struct votes {
    double sum, squares;
    size_t n;
} votes;

typedef struct ranked {
    double by; /* NaN last */
    size_t place, chain;
} ranked;

typedef struct voting {
    general *general;
    const general_pool *pool;
    size_t most, draws; /* voters; shuffles of a question whose subsets are not all taken */
    double *by, *weight;
    size_t *shuffled, *chosen;
    ranked *order;
    tally_ballot *ballots;
    double *means, *before; /* one per question */
    vote_tally tally;
} voting;

static bool voting_new(voting *v, general *g, const general_pool *pool)
{
    rdv_arena *a = g->arena;
    size_t n = pool->most_chains;
    *v = (voting){.general = g,
                  .pool = pool,
                  .most = n < MOST_VOTERS ? n : MOST_VOTERS,
                  .draws = g->study->options.draws,
                  .by = RDV_NEW_ARRAY(a, double, n),
                  .weight = RDV_NEW_ARRAY(a, double, n),
                  .shuffled = RDV_NEW_ARRAY(a, size_t, n),
                  .chosen = RDV_NEW_ARRAY(a, size_t, n),
                  .order = RDV_NEW_ARRAY(a, ranked, n),
                  .ballots = RDV_NEW_ARRAY(a, tally_ballot, n),
                  .means = RDV_NEW_ARRAY(a, double, pool->n),
                  .before = RDV_NEW_ARRAY(a, double, pool->n),
                  .tally = {.answers = RDV_NEW_ARRAY(a, tally_answer, pool->most_answers)}};
    return v->by && v->weight && v->shuffled && v->chosen && v->order && v->ballots && v->means &&
           v->before && v->tally.answers;
}

/* ---- one question ---------------------------------------------------------------------------- */

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (isnan(x->by) != isnan(y->by))
        return isnan(x->by) ? 1 : -1;
    if (!isnan(x->by) && x->by != y->by)
        return x->by > y->by ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Shuffles the chains and sorts them in the order of choice: the best first, equal ones as
 * shuffled. */
static void draw(voting *v, size_t n, bool random, rdv_rng *rng)
{
    rdv_rng_shuffle(rng, v->shuffled, n);
    for (size_t i = 0; i < n; i++)
        v->order[i] = (ranked){random ? 0 : v->by[v->shuffled[i]], i, v->shuffled[i]};
    qsort(v->order, n, sizeof *v->order, by_rank);
}

/* Adds the probability that the vote of the first m chains in the order of choice is right. */
static void vote(voting *v, const study_lot *lot, const way *how, size_t m, votes *all)
{
    for (size_t i = 0; i < m; i++) {
        v->ballots[i] = lot->ballots[v->order[i].chain];
        v->ballots[i].weight = v->weight[v->order[i].chain];
    }
    v->tally.n_answers = lot->question->n_answers;
    tally_decide(how->weighted ? RDV_SELECT_WEIGHTED : RDV_SELECT_MAJORITY, v->ballots, m,
                 &v->tally);
    double right = v->tally.expected_correct;
    all->sum += right;
    all->squares += right * right;
    all->n++;
}

/* The votes of all subsets of m chains. */
static void vote_in_all(voting *v, const study_lot *lot, const way *how, size_t m, votes *all)
{
    for (size_t i = 0; i < m; i++)
        v->chosen[i] = i;
    for (size_t left = subsets_count(lot->n, m); left > 0; left--) {
        for (size_t i = 0; i < m; i++)
            v->order[i].chain = v->chosen[i];
        vote(v, lot, how, m, all);
        subsets_next(v->chosen, m, lot->n);
    }
}

/* Whether the votes of m chains are those of all subsets, and not of draws: chosen ones differ
 * from draw to draw only where scores are equal. */
static bool takes_all(const study_lot *lot, const way *how, size_t m)
{
    return !how->by && subsets_count(lot->n, m) <= SUBSETS_MOST;
}

/* Draws of a question, with the same shuffles for all methods, so that differences are paired. */
static void vote_in_draws(voting *v, const study_lot *lot, const way *how, size_t most, votes *at)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, lot->question->hash);
    for (size_t i = 0; i < lot->n; i++)
        v->shuffled[i] = i;
    for (size_t d = 0; d < v->draws; d++) {
        draw(v, lot->n, how->by == NULL, &rng);
        for (size_t m = 1; m <= most; m++)
            if (!takes_all(lot, how, m))
                vote(v, lot, how, m, &at[m - 1]);
    }
}

static void vote_question(voting *v, size_t q, const way *how, outcome *o)
{
    const study_lot *lot = &v->pool->lots[q];
    size_t most = lot->n < v->most ? lot->n : v->most, n_all = 0;
    votes at[MOST_VOTERS] = {0};
    for (size_t m = 1; m <= most; m++) {
        if (!takes_all(lot, how, m))
            continue;
        vote_in_all(v, lot, how, m, &at[m - 1]);
        n_all++;
    }
    if (n_all < most)
        vote_in_draws(v, lot, how, most, at);
    for (size_t m = 0; m < MOST_VOTERS; m++) {
        double n = (double)at[m].n, mean = at[m].sum / n;
        o->right[q * MOST_VOTERS + m] = m < most ? mean : NAN;
        o->variance[q * MOST_VOTERS + m] = m < most ? fmax(0, at[m].squares / n - mean * mean) : 0;
        o->count[m] += m < most;
    }
}

/* ---- all questions --------------------------------------------------------------------------- */

/* Standard deviation of the accuracy where each question is voted on once; votes are independent
 * between questions. */
static double deviation(const voting *v, const outcome *o, size_t m)
{
    double variance = 0;
    for (size_t q = 0; q < v->pool->n; q++)
        variance += o->variance[q * MOST_VOTERS + m];
    return o->count[m] ? sqrt(variance) / (double)o->count[m] : NAN;
}

static bool run_way(voting *v, const way *how, outcome *o)
{
    general_scoring all = general_by_all(v->general, v->pool);
    rdv_arena *arena = v->general->arena;
    *o = (outcome){.right = RDV_NEW_ARRAY(arena, double, v->pool->n *MOST_VOTERS),
                   .variance = RDV_NEW_ARRAY(arena, double, v->pool->n *MOST_VOTERS)};
    if (!o->right || !o->variance)
        return false;
    for (size_t q = 0; how->there && q < v->pool->n; q++) {
        if (how->by)
            general_score(v->pool, &v->pool->lots[q], how->by, v->by);
        general_score(v->pool, &v->pool->lots[q], &all, v->weight);
        vote_question(v, q, how, o);
    }
    return true;
}

/* Means over the questions with m chains; with `minus`, means of the differences. */
static rdv_cell mean_at(voting *v, const outcome *o, const outcome *minus, size_t m)
{
    size_t n = v->pool->n;
    for (size_t q = 0; q < n; q++) {
        v->means[q] = o->right[q * MOST_VOTERS + m];
        v->before[q] = minus ? minus->right[q * MOST_VOTERS + m] : 0;
    }
    return table_estimate(minus ? rdv_mean_difference(v->before, v->means, n)
                                : rdv_mean(v->means, n, true));
}

/* Rows: m, accuracy and deviation of each way, the gain of the last over the first. */
static void vote_rows(general *g, const general_pool *pool, const way *ways, size_t n,
                      rdv_study_table *table)
{
    voting v;
    outcome outcomes[3];
    bool ok = voting_new(&v, g, pool);
    for (size_t w = 0; ok && w < n; w++)
        ok = run_way(&v, &ways[w], &outcomes[w]);
    table->failed = table->failed || !ok;
    for (size_t m = 0; !table->failed && m < v.most; m++) {
        rdv_cell *row = table_row(table);
        if (!row)
            return;
        row = source_cells(row, pool->source);
        *row++ = table_count(m + 1);
        for (size_t w = 0; w < n; w++) {
            if (!ways[w].there)
                continue;
            row[2 * w] = mean_at(&v, &outcomes[w], NULL, m);
            row[1 + 2 * w] = table_number(deviation(&v, &outcomes[w], m));
        }
        if (ways[n - 1].there)
            row[2 * n] = mean_at(&v, &outcomes[n - 1], &outcomes[0], m);
    }
}

void general_votes_chosen(general *g, const general_pool *pool, rdv_study_table *table)
{
    general_scoring all = general_by_all(g, pool), perplexity = general_by_perplexity(g);
    way ways[] = {{NULL, false, true},
                  {&perplexity, false, pool->perplexity},
                  {&all, true, pool->verifiers != 0}};
    vote_rows(g, pool, ways, 3, table);
}

void general_votes_weighted(general *g, const general_pool *pool, rdv_study_table *table)
{
    way ways[] = {{NULL, false, true}, {NULL, true, pool->verifiers != 0}};
    vote_rows(g, pool, ways, 2, table);
}
