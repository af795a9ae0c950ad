/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Asking a model about one reply, or about records, on a thread that this blocks: a run with limits
 * of its own. */
#include <rederive/run.h>

typedef struct model_run model_run;

/* The model that is asked, and how long and how much. Borrowed until the run is freed. */
typedef struct model_run_options {
    const rdv_model_spec *servers; /* n of them; 0: the built-in model */
    size_t n;
    rdv_str key;                /* for these servers alone; p == NULL: none */
    const rdv_builtin *builtin; /* NULL: it has servers */
    const rdv_prompts *prompts;
    struct survey_memory *surveys; /* of these servers; NULL: each run surveys them */
    uint64_t tokens;               /* most, of requests and replies */
    uint32_t seconds;              /* most, of a call, */
    uint32_t all_seconds;          /* and of all, or of each plan if it `remembers`:
                                      then it is stopped */
    bool remembers;                /* what was answered once is not asked again */
} model_run_options;

/* The options are copied. NULL: out of memory. */
model_run *model_run_new(const model_run_options *options);
/* Not while a plan is answered. NULL and *NULL are accepted. */
void model_run_free(model_run **m);
/* The model and the prompts, for making plans; the rest has its defaults. */
rdv_plan_options model_run_plan(const model_run *m);
/* Answer the plans of a source. The time begins with the first of all, or with each call of this if
 * it `remembers`. Faults: those of rdv_run_plans(). */
int model_run_plans(model_run *m, const rdv_plan_source *source, rdv_error *err);
/* The same of one plan. */
int model_run_answer(model_run *m, rdv_plan *plan, rdv_error *err);
/* What it is for. */
typedef enum model_run_aim { MODEL_RUN_CHECK, MODEL_RUN_REPAIR } model_run_aim;
/* Why not all was answered, in words without addresses of servers; p == NULL: all was. */
rdv_str model_run_why(const model_run *m, model_run_aim aim);
/* How it ended so far; *late: its time was up. */
rdv_run_end model_run_end(const model_run *m, bool *late);
/* End it soon; what was not answered stays so. From any thread. */
void model_run_stop(model_run *m);
/* What the model was asked, between two plans: calls, and tokens as its server counted, or a
 * quarter of the bytes. */
typedef struct model_run_used {
    uint64_t calls, tokens_in, tokens_out;
} model_run_used;
model_run_used model_run_count(const model_run *m);
