/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Additional data for the records being read: step scores, and the questions for ids. Held in
 * memory as a whole from the opening of the reader on. */
#include "base/map.h"
#include <rederive/base.h>

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
/* Add a score of `id` and of that candidate (-1: of all), after those that it has. `name` and
 * `step` are borrowed. RDV_E_NOMEM. */
int rdv_joined_add_score(rdv_joined *j, rdv_str id, long candidate, const rdv_joined_score *score);
/* Add a question by its id; what other files say of the same one is kept: a batch's requests have
 * the question, a table of gold answers the answer. Its texts are borrowed. RDV_E_NOMEM. */
int rdv_joined_add_question(rdv_joined *j, rdv_str id, const rdv_joined_question *question);
/* NULL if there are none. `candidate` is ignored where the scores have only an id: -1. */
const rdv_joined_score *rdv_joined_scores(const rdv_joined *j, rdv_str id, long candidate,
                                          rdv_arena *arena);
const rdv_joined_question *rdv_joined_question_of(const rdv_joined *j, rdv_str id);
