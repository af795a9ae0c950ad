/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Records become plans, many open at a time, and plans become lines of output in the order of the
 * input. What a command does with a record and with a plan that is done is its own. */
#include "model_session.h"

/* A record on its way. */
struct item {
    rdv_arena *arena; /* of the record, and of what is written of it */
    rdv_record record;
    rdv_plan *plan;
    rdv_str line; /* without a plan: what stands in the output in its place */
    struct item *next;
};

struct plan_source {
    struct run *run;
    struct model_session *session;
    /* Make item->plan. A fault fails the record, except RDV_E_NOMEM, which ends the run. */
    int (*begin)(struct plan_source *source, struct item *item, rdv_error *err);
    /* The plan is done: write what it found. Faults as above. */
    int (*finish)(struct plan_source *source, struct item *item, rdv_error *err);
    void *payload;             /* the command's */
    uint64_t plans;            /* begun */
    uint64_t unfinished;       /* plans that were closed before their end */
    struct item *first, *last; /* private: those that were read and not yet written */
};

/* Read, run and write everything; source->run then knows how it ended. */
void plan_source_run(struct plan_source *source);
