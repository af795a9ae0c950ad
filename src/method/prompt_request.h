/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Requests made from prompts: the values of the variables, and the request itself. Checks and the
 * generation of solutions fill in their prompts here. */
#include "method/table.h"
#include "plan/plan.h"
#include "prompt/prompt.h"

/* The sentences of the question and the earlier steps that a step follows from, by index. */
typedef struct prompt_citations {
    const size_t *information, *steps;
    size_t n_information, n_steps;
} prompt_citations;

/* The subject of a prompt. Everything is borrowed. */
typedef struct prompt_subject {
    const rdv_question *question;
    rdv_str type;         /* of the question; set by prompt_request() from the plan's options */
    const rdv_str *criteria; /* of a rubric; set in the same way */
    size_t n_criteria;
    const rdv_str *steps; /* the steps shown */
    size_t n_steps;
    size_t asked; /* the step asked about, from 0; n_steps for the next step */
    rdv_str answer;
    const prompt_citations *cited; /* narrows sentences and previous steps; NULL: all */
    /* The text of any other variable. RDV_NONE: no variable has that name. NULL: there are no
     * others. */
    int (*other)(const void *data, rdv_str name, rdv_arena *arena, rdv_str *out);
    const void *data;
} prompt_subject;

/* Fills in the prompt of that id and sets the request's messages, its sampling (with the plan's
 * temperature, if it has one) and the answers its reply may give, all in `arena`. An id that ends
 * in '/' is a folder with one prompt for each task (rdv_task_of()) and "other" for the rest.
 * RDV_NONE with n->why set: the request would be too large (docs/prompts.md). */
int prompt_request(const prompt_subject *subject, rdv_str id, const rdv_plan *plan, node *n,
                   rdv_arena *arena, rdv_request *request, rdv_error *err);
/* The sentences of a question; prompts call them its information. */
int prompt_sentences(const rdv_question *question, rdv_arena *arena, rdv_str **sentences, size_t *n,
                     rdv_error *err);
/* Checks that a stage of a method can ask with its prompt. RDV_OK, or RDV_E_INPUT with one line:
 * there is no such prompt; a variable is neither one of those above nor the name of a result of the
 * stages that it waits for, or is both; or the answers are not the words that are read. The message
 * begins with the stage's line, or with the file and line of an added prompt. */
int prompt_request_check(const rdv_prompts *prompts, const stage *s, const rdv_str *found, size_t n,
                         rdv_error *err);
