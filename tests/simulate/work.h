/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a run has to do, and what came of it. */
#include "world.h"
#include <rederive/repair.h>

#define WORK_PLANS 64
#define WORK_METHODS 8

/* What came of one plan. */
typedef struct outcome {
    bool done, partial;
    char *record;     /* all that is written of it; malloc()ed */
    size_t supported; /* steps, by checks that asked the model */
} outcome;

typedef struct work {
    rdv_plan_options options;
    rdv_repair_options repair;
    const rdv_method *methods[WORK_METHODS];
    uint32_t kind;
    size_t n;
    rdv_chain chains[WORK_PLANS];
    rdv_prompts *prompts; /* parsed once, as every program does */
    rdv_arena *arena;
} work;

/* The plans that the settings describe. Owned: released with work_free(). */
void work_make(work *w, const settings *s);
void work_free(work *w);
/* The plan of that number, of `w->n`. RDV_OK or a fault. */
int work_plan(const work *w, size_t i, rdv_plan **out, rdv_error *err);
/* What came of a plan that is done. `tokens`: also the tokens of its replies. */
void work_read(const rdv_plan *plan, bool tokens, outcome *out);
void work_forget(outcome *all, size_t n);
