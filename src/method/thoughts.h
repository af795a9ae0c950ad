/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The prompts of prompts/mistakes/, a folder for each way of asking and a file for each task: what
 * the question is of decides which exemplars it gets (rdv_task_of(); "other" where it is of none
 * that has exemplars). */
#include "plan/plan.h"
#include "prompt/prompt.h"

#include <rederive/chain.h>

typedef struct thoughts {
    const rdv_question *question;
    const rdv_str *steps; /* shown as "Thought 1: ..." */
    size_t n;
} thoughts;

/* Fill in the request from the prompt "mistakes/FOLDER/TASK": messages, prompt, sampling with the
 * plan's temperature, if it has one. `next` is the number shown for what is asked about: n for the
 * last step, n + 1 for the one to come. RDV_NONE with n->why set: it would be too large. */
int thoughts_ask(const thoughts *what, const char *folder, size_t next, const rdv_plan *plan,
                 node *n, rdv_arena *arena, rdv_request *request, rdv_error *err);
