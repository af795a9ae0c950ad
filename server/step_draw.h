/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Drawing the steps of a reply that is repaired, one after the other: a model is asked on a thread
 * of its own for the step behind those that stand. Everything is called on the loop's thread. */
#include "search/next_step.h"
#include "server/loop_threads.h"
#include "server/model_run.h"

typedef struct step_draw step_draw;

/* The question is copied. NULL: out of memory. */
step_draw *step_draw_new(const model_run_options *model, rdv_str question);
/* Also while it runs. NULL and *NULL are accepted. */
void step_draw_free(step_draw **d);

/* Not while it runs; false: out of memory. Steps are copied.
 * Another step stands: the next one is drawn behind it, and no step is rejected. */
bool step_draw_keep(step_draw *d, rdv_str step);
/* The next step must not be this one. */
bool step_draw_reject(step_draw *d, rdv_str step);
/* Draw the next step. `done` as of loop_threads_start(). False: it cannot be started. */
bool step_draw_start(step_draw *d, loop_threads *threads, void (*done)(void *payload),
                     void *payload);
bool step_draw_is_done(const step_draw *d);
/* Once it is done: valid until the next start. */
const next_step *step_draw_result(const step_draw *d);
/* What the model was asked for, so far; false: this is not known, since it is being asked. */
bool step_draw_count(const step_draw *d, model_run_used *used);
