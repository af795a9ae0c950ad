/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A request made from a prompt: what its variables stand for, and what is asked with it. Checks and
 * the generation of solutions fill their prompts here. */
#include "method/table.h"
#include "plan/plan.h"
#include "prompt/prompt.h"

/* Which sentences of the question and which earlier steps a step follows from, by their places. */
typedef struct prompt_citations {
    const size_t *information, *steps;
    size_t n_information, n_steps;
} prompt_citations;

/* What a prompt is about. Everything is borrowed. */
typedef struct prompt_subject {
    const rdv_question *question;
    const rdv_str *steps; /* those shown */
    size_t n_steps;
    size_t asked; /* the step asked about, from 0; n_steps where it is the one to come */
    rdv_str answer;
    const prompt_citations *cited; /* narrows sentences and previous steps; NULL: all */
    /* The text of any other variable. RDV_NONE: there is none of that name. NULL: there are none.
     */
    int (*other)(const void *data, rdv_str name, rdv_arena *arena, rdv_str *out);
    const void *data;
} prompt_subject;

/* Fill in the prompt of that id and put into the request its messages, how it is sampled (with the
 * plan's temperature, if it has one) and what its reply may conclude, everything in `arena`. An id
 * that ends in '/' is the folder of a prompt for each task (rdv_task_of()), with "other" for the
 * rest. RDV_NONE with n->why set: the request would be too large (docs/prompts.md). */
int prompt_request(const prompt_subject *subject, rdv_str id, const rdv_plan *plan, node *n,
                   rdv_arena *arena, rdv_request *request, rdv_error *err);
/* The sentences of a question, which prompts call its information. */
int prompt_sentences(const rdv_question *question, rdv_arena *arena, rdv_str **sentences, size_t *n,
                     rdv_error *err);
/* Can the stage of a method ask with its prompt? RDV_OK, or RDV_E_INPUT in one line: there is no
 * such prompt, it has a variable that is none of those above and not among the names of what the
 * stages that it waits for found, or one that is both, or its answers are not the words that are
 * read. The message begins with the stage's line, or with the file and the line of a prompt that
 * was added. */
int prompt_request_check(const rdv_prompts *prompts, const stage *s, const rdv_str *found, size_t n,
                         rdv_error *err);
