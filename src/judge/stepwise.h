/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The steps of a reply that is judged while it comes: how much of each choice's text is decided to
 * be whole steps (text/step_stream.h), and how much of that has passed. */
#include "model/reply_choices.h"
#include "text/step_stream.h"

typedef struct stepwise_choice {
    step_stream cut;
    size_t n_judged; /* of its steps */
    size_t passed;   /* bytes of the text that may be sent */
} stepwise_choice;

typedef struct stepwise {
    rdv_arena *arena;
    stepwise_choice *items; /* as reply_choices.items */
    size_t n, cap;
} stepwise;

/* Initialise for a reply without choices. */
void stepwise_init(stepwise *s, rdv_arena *arena);
/* Read on what has come of the reply. `ended`: that is all. *more: there are steps to judge.
 * RDV_OK; RDV_E_LIMIT: a step is too long, or there are too many of them; RDV_E_NOMEM. */
int stepwise_read(stepwise *s, const reply_choices *reply, bool ended, bool *more, rdv_error *err);
/* Put a step in place of what comes behind byte `keep` of a choice's text: `text`, which is copied,
 * is its last step, and ends at byte `end`. Nothing of the choice is read afterwards. RDV_OK;
 * RDV_E_NOMEM. */
int stepwise_replace(stepwise *s, stepwise_choice *c, size_t keep, rdv_str text, size_t end);
/* The byte where the step of that number begins that has text: the number of a verdict. */
size_t stepwise_begin(const stepwise_choice *c, size_t step);
