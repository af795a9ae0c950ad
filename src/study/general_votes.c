/* SPDX-License-Identifier: Apache-2.0 */
/* Votes of m chains chosen out of all: Figures 3, 6 and 7 of general-purpose verification. */
#include "study/general.h"

#include "base/rng.h"
#include "score/eval.h"
#include "score/paired.h"

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
    double *right;             /* for each question: expectation over draws; NaN: too few chains */
    double *drawn;             /* accuracy of each draw: sums over questions */
    size_t count[MOST_VOTERS]; /* questions with that many chains */
} outcome;

typedef struct ranked {
    double by; /* NaN last */
    size_t place, chain;
} ranked;

typedef struct voting {
    general *general;
    const general_pool *pool;
    size_t most, draws; /* voters; shuffles of each question */
    double *by, *weight;
    size_t *shuffled;
    ranked *order;
    tally_ballot *ballots;
    double *means, *before; /* one per question */
    rdv_pair *pairs;        /* the same */
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
                  .order = RDV_NEW_ARRAY(a, ranked, n),
                  .ballots = RDV_NEW_ARRAY(a, tally_ballot, n),
                  .means = RDV_NEW_ARRAY(a, double, pool->n),
                  .before = RDV_NEW_ARRAY(a, double, pool->n),
                  .pairs = RDV_NEW_ARRAY(a, rdv_pair, pool->n),
                  .tally = {.answers = RDV_NEW_ARRAY(a, tally_answer, pool->most_answers)}};
    return v->by && v->weight && v->shuffled && v->order && v->ballots && v->means && v->before &&
           v->pairs && v->tally.answers;
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

/* The probability that the vote of the first m chains is right. */
static double vote(voting *v, const study_lot *lot, const way *how, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        v->ballots[i] = lot->ballots[v->order[i].chain];
        v->ballots[i].weight = v->weight[v->order[i].chain];
    }
    v->tally.n_answers = lot->question->n_answers;
    tally_decide(how->weighted ? RDV_SELECT_WEIGHTED : RDV_SELECT_MAJORITY, v->ballots, m,
                 &v->tally);
    return v->tally.expected_correct;
}

/* All draws of a question, with the same shuffles for all methods, so that differences are
 * paired. */
static void draw_question(voting *v, size_t q, const way *how, outcome *o)
{
    const study_lot *lot = &v->pool->lots[q];
    size_t most = lot->n < v->most ? lot->n : v->most;
    double sum[MOST_VOTERS] = {0};
    rdv_rng rng;
    rdv_rng_seed(&rng, lot->question->hash);
    for (size_t i = 0; i < lot->n; i++)
        v->shuffled[i] = i;
    for (size_t d = 0; d < v->draws; d++) {
        draw(v, lot->n, how->by == NULL, &rng);
        for (size_t m = 0; m < most; m++) {
            double right = vote(v, lot, how, m + 1);
            sum[m] += right;
            o->drawn[d * MOST_VOTERS + m] += right;
        }
    }
    for (size_t m = 0; m < MOST_VOTERS; m++) {
        o->right[q * MOST_VOTERS + m] = m < most ? sum[m] / (double)v->draws : NAN;
        o->count[m] += m < most;
    }
}

/* ---- all questions --------------------------------------------------------------------------- */

/* Standard deviation of the accuracy over draws. */
static double deviation(const voting *v, const outcome *o, size_t m)
{
    double mean = 0, squares = 0, n = (double)o->count[m];
    for (size_t d = 0; d < v->draws; d++)
        mean += o->drawn[d * MOST_VOTERS + m] / n / (double)v->draws;
    for (size_t d = 0; d < v->draws; d++) {
        double x = o->drawn[d * MOST_VOTERS + m] / n - mean;
        squares += x * x;
    }
    return v->draws > 1 && o->count[m] ? sqrt(squares / (double)(v->draws - 1)) : NAN;
}

static bool run_way(voting *v, const way *how, outcome *o)
{
    general_scoring all = general_by_all(v->general, v->pool);
    rdv_arena *arena = v->general->arena;
    *o = (outcome){.right = RDV_NEW_ARRAY(arena, double, v->pool->n *MOST_VOTERS),
                   .drawn = RDV_NEW_ARRAY(arena, double, v->draws *MOST_VOTERS)};
    if (!o->right || !o->drawn)
        return false;
    for (size_t q = 0; how->there && q < v->pool->n; q++) {
        if (how->by)
            general_score(v->pool, &v->pool->lots[q], how->by, v->by);
        general_score(v->pool, &v->pool->lots[q], &all, v->weight);
        draw_question(v, q, how, o);
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
    return table_estimate(minus ? rdv_mean_difference(v->before, v->means, n, v->pairs)
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
