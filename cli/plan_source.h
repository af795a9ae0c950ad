/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Turns records into plans, many open at a time, and plans into lines of output in the order of the
 * input. The command decides what to do with a record and with a finished plan. */
#include "model_session.h"

/* A record between input and output. */
struct item {
    rdv_arena *arena; /* holds the record and its output */
    rdv_record record;
    const char *path; /* the input that it comes from */
    size_t repeat;    /* which of the record's plans, from 0 */
    rdv_plan *plan;
    rdv_str line; /* the output if there is no plan */
    struct item *next;
};

struct plan_source {
    struct run *run;
    struct model_session *session;
    /* Make item->plan. An error fails the record, except RDV_E_NOMEM, which ends the run. */
    int (*begin)(struct plan_source *source, struct item *item, rdv_error *err);
    /* Write the result of a plan that is done. Errors as above. */
    int (*finish)(struct plan_source *source, struct item *item, rdv_error *err);
    void *payload;             /* the command's */
    size_t repeats;            /* plans of each record, one after the other; 0: one */
    uint64_t plans;            /* begun */
    uint64_t unfinished;       /* plans closed before their end */
    struct item *first, *last; /* private: records read and not yet written */
    struct item *held;         /* private: of a record that has further plans */
    size_t held_next;          /* private: its next plan */
};

/* Read, run and write everything; source->run then holds how the run ended. */
void plan_source_run(struct plan_source *source);
