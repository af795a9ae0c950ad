/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which tokens are computed next: one of each job that is generating, and as much of the prompts as
 * a step may take. The choice affects when a job ends, never its result. */
#include "lm/forward.h"
#include "lm/job.h"

typedef struct job_list {
    job *first, *last; /* by id */
    size_t n;
} job_list;

void schedule_list_add(job_list *list, job *j); /* in its place */

typedef struct schedule {
    cache cache;
    job_list waiting, running;
    size_t sequences, chunk; /* most at once; most prompt tokens in a step */
    uint64_t step;
    lm_row *rows; /* room for sequences + chunk */
    size_t n_rows;
    uint64_t prompt_tokens, cached_tokens, recomputed_tokens;
} schedule;

/* Choose the next batch: `rows`, and first_row and n_rows of each running job. Faults: RDV_E_NOMEM,
 * RDV_E_INTERNAL. */
int schedule_batch(schedule *s, rdv_error *err);
/* The batch is computed: its tokens count as such, their full blocks can be found. */
void schedule_settle(schedule *s);
/* A job gives its blocks back, and is in neither list any more. */
void schedule_remove(schedule *s, job *j);
