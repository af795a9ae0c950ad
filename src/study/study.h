/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Shared by the studies: the list of them, the questions, and the chains of a question. */
#include <rederive/study.h>

#include "base/arena.h"
#include "base/digest_map.h"
#include "base/map.h"
#include "score/cast_weight.h"
#include "score/tally.h"
#include "study/source.h"
#include "study/table.h"

/* The chain being added. */
typedef struct study_chain {
    const rdv_chain *chain;
    rdv_grade grade;
    bool learned; /* the chain is for fitting, otherwise for reporting */
    rdv_arena *scratch;
} study_chain;

/* Studies that collect chains in the same way. */
typedef struct study_family {
    bool ungraded; /* answers are not graded */
    bool compares; /* what is learned is another run over the questions that are added */
    /* Creates study->of; NULL: there is none. RDV_OK, RDV_E_ARGUMENT, RDV_E_NOMEM. */
    int (*begin)(rdv_study *study, rdv_error *err);
    /* Takes a chain, or the result of a vote, as rdv_study_add(); NULL: it is ignored. Only where
     * results can be learned too is there a `learn_result`. */
    int (*add)(rdv_study *study, const study_chain *one, rdv_error *err);
    int (*add_result)(rdv_study *study, const rdv_result *result, rdv_error *err);
    int (*learn_result)(rdv_study *study, const rdv_result *result, rdv_error *err);
    /* Takes a report in place of chains, as rdv_study_add_report(); NULL: it takes none. */
    int (*add_report)(rdv_study *study, rdv_str report, rdv_arena *scratch, rdv_error *err);
    /* Fits, computes, and adds the tables by study_put(). As rdv_study_finish(). */
    int (*finish)(rdv_study *study, rdv_error *err);
} study_family;

extern const study_family study_agreement, study_combined, study_comparison, study_evaluation,
    study_general, study_majority, study_mistakes, study_prmbench, study_selfcheck,
    study_simulation, study_training;

/* ---- questions ------------------------------------------------------------------------------- */

typedef struct study_question {
    uint64_t hash; /* hash of its id and the seed, so that draws do not depend on other questions */
    uint32_t group;
    uint32_t n_answers; /* number of distinct answers of its chains */
} study_question;

/* A chain's vote; the data that a family keeps of a chain begin with it. */
typedef struct study_vote {
    tally_ballot ballot;
    uint32_t question;      /* index into the study's questions */
    cast_standing standing; /* its ballot weighs accordingly in votes */
} study_vote;

struct rdv_study {
    rdv_arena *arena;
    const struct study_entry *entry;
    rdv_study_options options;
    void *of; /* data of the family */
    study_question *questions;
    size_t n_questions, cap_questions;
    rdv_digest_map question_ids, answer_keys; /* each within its group or question */
    rdv_map learned_ids;
    study_sources sources;
    rdv_digest_map seen; /* the item of each chain, by its identity and place; see study_seen() */
    rdv_study_table *tables;
    size_t n_tables, cap_tables;
};

/* Does the study grade chains? */
bool study_grades(const rdv_study *study);
/* The grade that the study takes a chain with, made in `scratch`; any thread may ask for it while
 * the study takes others. As rdv_grade_chain(). */
int study_grade(const rdv_study *study, const rdv_chain *chain, rdv_arena *scratch, rdv_grade *out,
                rdv_error *err);
/* As rdv_study_add(), with that grade; NULL: the chain is graded. */
int study_add_graded(rdv_study *study, const rdv_chain *chain, const rdv_grade *grade,
                     rdv_arena *scratch, rdv_error *err);

/* The vote of a chain; its question is one of `group`. RDV_OK or RDV_E_NOMEM. */
int study_vote_of(rdv_study *study, size_t group, rdv_str question_id, const rdv_grade *grade,
                  double weight, study_vote *out);
/* Adds a finished table to the study; the main one has the study's name. RDV_OK or RDV_E_NOMEM. */
int study_put(rdv_study *study, rdv_study_table *table, rdv_error *err);
/* An empty table of the study's own columns. */
rdv_study_table study_table(const rdv_study *study);

/* ---- the chains of a question ---------------------------------------------------------------- */

/* The chains of one question, in order of arrival. */
typedef struct study_lot {
    const study_question *question;
    tally_ballot
        *ballots; /* where `graded`, the correctness of each answer is settled: correct is 1 or 0 */
    uint32_t *items; /* the index of each chain's item; NULL: study_sort() was not asked */
    uint32_t n;
    bool graded; /* the correctness of all of them is known */
} study_lot;

typedef struct study_lots {
    study_lot *lots; /* the questions in order of appearance */
    size_t n;
    size_t most_chains, most_answers;
} study_lots;

/* Sorts `n` items of `size` bytes, each of which begins with a study_vote, by question, in `arena`.
 * The first chain of an answer with a known correctness decides for all chains of that answer; an
 * answer that could not be read is wrong. RDV_OK or RDV_E_NOMEM. */
int study_sort(const rdv_study *study, const void *items, size_t n, size_t size, rdv_arena *arena,
               study_lots *out, rdv_error *err);
/* The same, with the indices of items, which take four bytes each. */
int study_sort_items(const rdv_study *study, const void *items, size_t n, size_t size,
                     rdv_arena *arena, study_lots *out, rdv_error *err);
