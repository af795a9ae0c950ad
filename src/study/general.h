/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tables of general-purpose verification: the chains that were gathered, one group of them by
 * question, and choices among the chains of a question. Any subset of verifiers and any part of a
 * chain is scored again by rdv_combine_chain(). */
#include "study/study.h"
#include "score/combine.h"

/* A chain that was taken in. */
typedef struct general_item {
    study_vote vote; /* its weight is not used */
    rdv_verified is;
    const rdv_step_labels *labels; /* by people */
    size_t n_labels;
} general_item;

typedef struct general_items {
    general_item *items;
    size_t n, cap;
} general_items;

typedef struct general {
    rdv_study *study;
    rdv_arena *arena;
    rdv_combination how; /* which verifiers there are at most, their weights, the floor */
    double threshold;    /* a step is rejected by a verifier when its score is below */
    rdv_map groups_by_name;
    rdv_str *groups; /* p == NULL: chains of no group */
    size_t n_groups, cap_groups;
    general_items learned, added;
} general;

/* One group: the questions of which it is known which chains are right. */
typedef struct general_pool {
    rdv_str name; /* p == NULL: the only one */
    const general_item *items;
    study_lot *lots;
    size_t n;
    unsigned verifiers; /* those that took part, and said something of some chain */
    bool perplexity;    /* some chain has one, whether or not its verifier takes part */
    size_t chains, unread, most_chains, most_answers;
    size_t left_out;                 /* questions that are not graded */
    size_t missing[RDV_N_VERIFIERS]; /* chains of which the verifier said nothing */
} general_pool;

/* Sort out `from`: a pool for each group, in *out. RDV_OK or RDV_E_NOMEM. */
int general_pools(general *g, const general_items *from, general_pool **out, rdv_error *err);
/* What the pool rests on and lacks, as notes. */
void general_pool_notes(const general_pool *pool, rdv_study_table *table);

/* What chains are chosen by: a score for each chain of a lot into `out`, NaN where it has none. */
typedef struct general_scoring {
    rdv_combination how;
    rdv_step_range extent;
    bool none; /* nothing: all chains are alike */
} general_scoring;

void general_score(const general_pool *pool, const study_lot *lot, const general_scoring *scoring,
                   double *out);
/* The scoring by all verifiers that take part; by perplexity alone, the lowest being the best. */
general_scoring general_by_all(const general *g, const general_pool *pool);
general_scoring general_by_perplexity(const general *g);

/* The tables, each adding the rows of one pool; the table knows when memory runs out. The columns
 * of those of one chain a question: data, what the row is, accuracy, its deviation over draws, gain
 * over a random chain. Of votes: data, chains, then for each vote accuracy and deviation, then a
 * gain. */
typedef void general_pool_rows(general *g, const general_pool *pool, rdv_study_table *table);
general_pool_rows general_choices; /* random, of lowest perplexity, of best score */
general_pool_rows general_subsets; /* of at most `most` verifiers, and all of them: by size, those
                                      of one size in the verifiers' order */
general_pool_rows general_first_steps;    /* 0 to `most` steps, and all */
general_pool_rows general_first_share;    /* 0 to 100 % by tens */
general_pool_rows general_votes_chosen;   /* of chains chosen as in general_choices() */
general_pool_rows general_votes_weighted; /* of random chains: a majority, weighted */

/* Against people: rows of one group, whatever is known of the answers. RDV_OK, RDV_E_NOMEM. */
typedef int general_group_rows(general *g, size_t group, rdv_study_table *table, rdv_error *err);
general_group_rows general_fig5, general_fig13, general_errors;

/* ---- weights --------------------------------------------------------------------------------- */

typedef struct general_fitted {
    double weight[RDV_N_VERIFIERS]; /* those of verifiers that do not take part are as before */
    double in_order;                /* what they are worth: see general_fit() */
    double in_order_before;         /* the same with the weights before */
    size_t questions, chains;       /* that took part */
} general_fitted;

/* Fit the verifiers' weights on the chains learned (ours; the paper chose 2 for perplexity by trial
 * on training data). They maximise the share of pairs of a right and a wrong chain of one question
 * that the scores put in order, ties half, as a mean over the questions that have both: what
 * choosing a chain hangs on, and smooth where its accuracy moves in steps of one question. Every
 * weight is tried at 0, 1/4, 1/2, 1, 2 and 4; of equal ones those nearest to the ones before are
 * taken. *out is untouched on failure. RDV_E_INPUT: no question with a right and a wrong chain that
 * have scores; RDV_E_NOMEM. */
int general_fit(general *g, general_fitted *out, rdv_error *err);
