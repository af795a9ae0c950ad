/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the studies share: the list of them, the questions, and the chains of a question. */
#include <rederive/study.h>

#include "base/arena.h"
#include "base/map.h"
#include "score/tally.h"
#include "study/table.h"

/* A chain in hand. */
typedef struct study_chain {
    const rdv_chain *chain;
    rdv_grade grade;
    bool learned; /* it is to be fitted on, else to be reported on */
    rdv_arena *scratch;
} study_chain;

/* Studies that gather chains in one way. */
typedef struct study_family {
    bool ungraded; /* whether answers are right is not asked */
    /* Make study->of; NULL: there is none. RDV_OK, RDV_E_ARGUMENT, RDV_E_NOMEM. */
    int (*begin)(rdv_study *study, rdv_error *err);
    /* Take in a chain, or what a vote concluded, as rdv_study_add(); NULL: it is passed over. */
    int (*add)(rdv_study *study, const study_chain *one, rdv_error *err);
    int (*add_result)(rdv_study *study, const rdv_result *result, rdv_error *err);
    /* Fit, compute, and hand over the tables by study_put(). As rdv_study_finish(). */
    int (*finish)(rdv_study *study, rdv_error *err);
} study_family;

extern const study_family study_agreement, study_evaluation, study_general, study_mistakes,
    study_selfcheck, study_simulation;

/* ---- questions ------------------------------------------------------------------------------- */

typedef struct study_question {
    size_t group;
    uint64_t hash;    /* of its id and the seed: draws do not depend on other questions */
    size_t n_answers; /* different ones, of all its chains */
} study_question;

/* A chain's vote; what a family keeps of a chain begins with it. */
typedef struct study_vote {
    size_t question; /* index into the study's */
    tally_ballot ballot;
} study_vote;

struct rdv_study {
    rdv_arena *arena;
    const struct study_entry *entry;
    rdv_study_options options;
    void *of; /* the family's */
    study_question *questions;
    size_t n_questions, cap_questions;
    rdv_map question_ids, answer_keys, learned_ids;
    rdv_study_table *tables;
    size_t n_tables, cap_tables;
};

/* The vote of a chain; its question is one of `group`. RDV_OK or RDV_E_NOMEM. */
int study_vote_of(rdv_study *study, size_t group, rdv_str question_id, const rdv_grade *grade,
                  double weight, study_vote *out);
/* Hand over a finished table, the main one with the study's name. RDV_OK or RDV_E_NOMEM. */
int study_put(rdv_study *study, rdv_study_table *table, rdv_error *err);
/* An empty table of the study's own columns. */
rdv_study_table study_table(const rdv_study *study);

/* ---- the chains of a question ---------------------------------------------------------------- */

/* Those of one question, in order of arrival. */
typedef struct study_lot {
    const study_question *question;
    tally_ballot *ballots; /* where `graded`, what is known of each answer being settled: correct is
                              1 or 0 */
    size_t *items;         /* the index of each */
    size_t n;
    bool graded; /* it is known which of them are right */
} study_lot;

typedef struct study_lots {
    study_lot *lots; /* the questions in order of appearance */
    size_t n;
    size_t most_chains, most_answers;
} study_lots;

/* Sort `n` items of `size` bytes, each of which begins with a study_vote, by question. In the
 * study's arena. Of the chains of one answer the first that knows speaks for all; an answer that
 * could not be read is wrong. RDV_OK or RDV_E_NOMEM. */
int study_sort(const rdv_study *study, const void *items, size_t n, size_t size, study_lots *out,
               rdv_error *err);
