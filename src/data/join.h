/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Additional data for the records being read, from other files: step scores and the questions for
 * ids. Held in memory as a whole from the opening of the reader on. */
#include "base/map.h"
#include "data/members.h"

typedef struct rdv_joined_score rdv_joined_score;
struct rdv_joined_score {
    rdv_str name; /* of the reward model */
    double *step;
    size_t n;
    const rdv_joined_score *next; /* of the same chain, in the order of the files */
};

typedef struct rdv_joined_question {
    rdv_str text, gold; /* p == NULL: not said */
    rdv_str system;     /* the system prompt of a batch's request; p == NULL: none */
    rdv_str *options;
    size_t n_options;
} rdv_joined_question;

typedef struct rdv_joined {
    rdv_arena *arena; /* borrowed: the reader's own */
    rdv_map scores, questions;
    rdv_joined_score **first, **last; /* by the index in `scores` */
    size_t n_first, first_cap, last_cap;
    rdv_joined_question *question; /* by the index in `questions` */
    size_t n_questions, questions_cap;
} rdv_joined;

void rdv_joined_init(rdv_joined *j, rdv_arena *arena);
/* "data/word_sorting.jsonl.gz" makes "word_sorting", in `arena`; NULL when out of memory. */
char *rdv_set_name(rdv_arena *arena, const char *path);
/* Read `path` into *j. Records: step scores
 * {"problem_id", "candidate_index", "step_scores", "prm_name"}, scores {"id" or "uuid", "scores"},
 * questions {"id", "question"}, or the puzzles of game of 24 (a table that begins with "Rank,").
 * Any other record is a fault: RDV_E_INPUT with file and line. */
int rdv_joined_read(rdv_joined *j, const char *path, const rdv_limits *limits, rdv_error *err);
/* NULL if there are none. `candidate` is ignored where the scores have only an id: -1. */
const rdv_joined_score *rdv_joined_scores(const rdv_joined *j, rdv_str id, long candidate,
                                          rdv_arena *arena);
const rdv_joined_question *rdv_joined_question_of(const rdv_joined *j, rdv_str id);
