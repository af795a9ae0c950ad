/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tables of general-purpose verification: the collected chains, the chains of one group by
 * question, and choices among the chains of a question. rdv_combine_chain() scores any subset of
 * verifiers and any part of a chain again. */
#include "study/study.h"
#include "score/combine.h"

/* A collected chain. */
typedef struct general_item {
    study_vote vote; /* its weight is not used */
    rdv_verified is;
    const rdv_tokens *tokens;      /* as is.tokens, also where the perplexity is over steps */
    const rdv_step_labels *labels; /* labels by annotators */
    size_t n_labels;
} general_item;

typedef struct general_items {
    general_item *items;
    size_t n, cap;
} general_items;

typedef struct general {
    rdv_study *study;
    rdv_arena *arena;
    rdv_combination how; /* the verifiers that may take part, their weights, the floor */
    own_verifiers own;   /* their bits follow those of the four */
    unsigned checked;    /* those of one's own of which any chain has a check, read or not */
    size_t n_verifiers;  /* all of them */
    bool compares;       /* to the choice by the verifiers `baseline` */
    unsigned baseline;
    double threshold;    /* a verifier rejects a step with a lower score */
    /* The chains of one source, learned or added, form a group. */
    rdv_map groups_by_source;
    size_t *groups; /* the number of each group's source */
    size_t n_groups, cap_groups;
    general_items learned, added;
} general;

/* One group: its questions for which the right chains are known. */
typedef struct general_pool {
    const study_source *source;
    const general_item *items;
    study_lot *lots;
    size_t n;
    unsigned verifiers; /* verifiers that take part and have scores for some chain */
    bool perplexity;    /* some chain has a perplexity, whether or not that verifier takes part */
    size_t chains, unread, most_chains, most_answers;
    size_t left_out;                 /* number of ungraded questions */
    size_t missing[RDV_MOST_VERIFIERS]; /* chains without a score from the verifier */
    size_t whole[RDV_MOST_VERIFIERS];   /* chains of which it has a score of the whole chain */
} general_pool;

/* The name of the verifier of that bit. */
rdv_str general_verifier(const general *g, size_t verifier);

/* The source of a group's chains. */
const study_source *general_source(const general *g, size_t group);
/* The first four cells of a row, for an initializer. */
#define GENERAL_SOURCE(source_)                                                                    \
    table_text((source_)->group), table_text((source_)->generator),                                \
        table_text((source_)->checker), table_text((source_)->profile)

/* Divides `from` into one pool per group, in *out. RDV_OK or RDV_E_NOMEM. */
int general_pools(general *g, const general_items *from, general_pool **out, rdv_error *err);
/* Adds notes on what the pool contains and lacks. */
void general_pool_notes(const general *g, const general_pool *pool, rdv_study_table *table);

/* The scores by which chains are chosen; general_score() writes one for each chain of a lot to
 * `out`, NaN if it has none. */
typedef struct general_scoring {
    rdv_combination how;
    rdv_step_range extent;
    bool none;        /* no score: all chains are equal */
    bool over_tokens; /* the perplexity is over all tokens, whatever that of the verifiers is */
} general_scoring;

void general_score(const general_pool *pool, const study_lot *lot, const general_scoring *scoring,
                   double *out);
/* The scoring by all verifiers that take part; by perplexity alone, the lowest being the best. */
general_scoring general_by_all(const general *g, const general_pool *pool);
general_scoring general_by_perplexity(const general *g);

/* The tables; each function adds the rows of one pool, and the table keeps a memory failure.
 * Columns of tables of one chain per question: data, description of the row, accuracy, its
 * deviation over draws, gain over a random chain. Columns of tables of votes: data, chains,
 * accuracy and deviation of each vote, gain. */
typedef void general_pool_rows(general *g, const general_pool *pool, rdv_study_table *table);
general_pool_rows general_choices;     /* random, lowest perplexity, best score */
general_pool_rows general_subsets;     /* subsets of at most `most` verifiers, and all verifiers; by
                                          size, then in the order of the verifiers */
general_pool_rows general_first_steps; /* 0 to `most` steps, and all steps */
general_pool_rows general_first_share; /* 0 to 100 % by tens */
general_pool_rows general_votes_chosen;   /* votes of chains chosen as in general_choices() */
general_pool_rows general_votes_weighted; /* votes of random chains: majority and weighted */

/* Adds the table "data_sets" of means over the data sets of each source that has several, from a
 * finished table of choices or of weighted votes. RDV_OK or RDV_E_NOMEM. */
int general_data_sets(rdv_study *study, const rdv_study_table *from, rdv_error *err);

/* Comparison with annotators: rows of one group, graded or not. RDV_OK, RDV_E_NOMEM. */
typedef int general_group_rows(general *g, size_t group, rdv_study_table *table, rdv_error *err);
general_group_rows general_fig5, general_fig13, general_fig14, general_errors;

/* ---- weights --------------------------------------------------------------------------------- */

typedef struct general_fitted {
    double weight[RDV_MOST_VERIFIERS]; /* of verifiers that do not take part: unchanged */
    double in_order;                /* the value of the objective: see general_fit() */
    double in_order_before;         /* the same with the previous weights */
    size_t questions, chains;       /* questions and chains used */
} general_fitted;

/* Fits the verifiers' weights on the learned chains (ours; the paper chose 2 for perplexity by
 * trial on training data). The weights maximise the share of pairs of a right and a wrong chain of
 * one question that the scores order correctly, a tie counting as one half, as a mean over the
 * questions that have both. The choice of a chain depends on this order, and the share is smooth,
 * whereas its accuracy moves in steps of one question. Every weight is tried at 0, 1/4, 1/2, 1, 2
 * and 4; of equally good ones those nearest to the previous weights are taken. *out is untouched on
 * failure. RDV_E_INPUT: no question has a right and a wrong chain with scores, or more than six
 * verifiers take part; RDV_E_NOMEM. */
int general_fit(general *g, general_fitted *out, rdv_error *err);
