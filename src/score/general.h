/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the recipes of general-purpose verification share: the chains that were gathered, one group
 * of them in order, and choices among the chains of a question. */
#include <rederive/general.h>

#include "base/arena.h"
#include "base/map.h"
#include "score/poll.h"

/* A chain that was taken in. */
typedef struct rdv_general_row {
    size_t question;
    rdv_slip slip; /* its weight is not used */
    rdv_verified is;
    const rdv_step_labels *labels;
    size_t n_labels;
} rdv_general_row;

typedef struct rdv_general_question {
    size_t group;
    uint64_t seed; /* from the id and the option: draws do not depend on other questions */
    size_t n_chains, n_answers;
} rdv_general_question;

struct rdv_general {
    rdv_arena *arena;
    rdv_general_options options;
    rdv_annotators *annotators;
    rdv_map groups_by_name, questions_by_id, answers;
    rdv_map ids; /* of questions, whatever their group */
    rdv_str *groups;
    size_t n_groups, cap_groups;
    rdv_general_question *questions;
    size_t n_questions, cap_questions;
    rdv_general_row *rows;
    size_t n_rows, cap_rows;
};

/* The chains of one question, in order of arrival. */
typedef struct rdv_lot {
    const rdv_general_question *question;
    const rdv_general_row **rows;
    size_t n;
    rdv_slip *slips; /* of each, what is known of its answer being settled: correct is 1 or 0 */
} rdv_lot;

/* One group: the questions of which it is known which chains are right. */
typedef struct rdv_pool {
    rdv_str name; /* p == NULL: the only one */
    rdv_lot *lots;
    size_t n;
    unsigned verifiers; /* those that took part, and said something of some chain */
    bool perplexity;    /* some chain has one, whether or not its verifier takes part */
    size_t chains, unread, most_chains, most_answers;
    size_t left_out;                 /* questions that are not judged */
    size_t missing[RDV_N_VERIFIERS]; /* chains of which the verifier said nothing */
} rdv_pool;

/* Sort out group `group`. RDV_OK or RDV_E_NOMEM. */
int rdv_pool_of(rdv_general *general, size_t group, rdv_pool *out, rdv_error *err);
/* What the pool rests on and lacks, as notes. */
void rdv_pool_notes(const rdv_pool *pool, rdv_grid *grid);

/* What chains are chosen by: a score for each chain of a lot into `out`, NaN where it has none. */
typedef struct rdv_scoring {
    rdv_combination how;
    rdv_extent extent;
    bool none; /* nothing: all chains are alike */
} rdv_scoring;

void rdv_score_lot(const rdv_lot *lot, const rdv_scoring *scoring, double *out);
/* The scoring by all verifiers that take part; by perplexity alone, the lowest being the best. */
rdv_scoring rdv_scoring_all(const rdv_general *general, const rdv_pool *pool);
rdv_scoring rdv_scoring_perplexity(const rdv_general *general);

/* One chain of each question of a pool, that with the highest score; a tie is drawn for, a chain
 * without a score is taken when no other is left. */
typedef struct rdv_single {
    double *right; /* of each question: the chance that the chosen chain is right */
    size_t n;
    double sd; /* of the accuracy over draws */
} rdv_single;

int rdv_choose_single(rdv_general *general, const rdv_pool *pool, const rdv_scoring *scoring,
                      rdv_single *out, rdv_error *err);

/* The recipes, each adding the rows of one pool. The columns of those of one chain a question:
 * data, what the row is, accuracy, its deviation over draws, gain over a random chain. Of votes:
 * data, chains, then for each vote accuracy and deviation, then a gain. RDV_OK or RDV_E_NOMEM. */
typedef int rdv_pool_rows(rdv_general *g, const rdv_pool *pool, rdv_grid *grid, rdv_error *err);
rdv_pool_rows rdv_general_table1, rdv_general_table2, rdv_general_table4, rdv_general_table5,
    rdv_general_fig3, rdv_general_fig4, rdv_general_fig7, rdv_general_fig8;

/* Against people: rows of one group, whatever is known of the answers. RDV_OK, RDV_E_NOMEM. */
typedef int rdv_group_rows(rdv_general *g, size_t group, rdv_grid *grid, rdv_error *err);
rdv_group_rows rdv_general_fig5, rdv_general_fig13, rdv_general_errors;
