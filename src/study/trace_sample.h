/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A sample of traces for annotators: of each task so many, of which a given share have the right
 * answer (BIG-Bench Mistake, 2.1.1: 300 of each task, 255 with a wrong answer and 45 with a right
 * one). A trace is drawn by the seeded hash of its id, so the sample does not depend on the order
 * of the input, and a larger sample holds a smaller one. */
#include "base/arena.h"

#include <rederive/chain.h>

#define TRACE_SAMPLE_TASKS_MAX 4096

typedef struct trace_sample_options {
    size_t size;  /* traces of each task */
    double right; /* share of them with the right answer, in [0,1]; their number is rounded down */
    uint64_t seed;
} trace_sample_options;

/* What was drawn of one task. */
typedef struct trace_sample_task {
    rdv_str name;                 /* empty: the traces name no task */
    size_t right, wrong, unknown; /* traces by their answer; unknown: no gold answer, never drawn */
    size_t drawn_right, drawn_wrong;
    size_t wanted_right, wanted_wrong;
} trace_sample_task;

typedef struct trace_sample trace_sample;

/* Everything is in `arena`. NULL: out of memory. */
trace_sample *trace_sample_new(const trace_sample_options *options, rdv_arena *arena);
/* Adds a trace, to be known by `number`, which differs for all traces. scratch: for this call.
 * RDV_OK; RDV_E_NOMEM; RDV_E_LIMIT: too many tasks. */
int trace_sample_add(trace_sample *sample, const rdv_chain *chain, size_t number,
                     rdv_arena *scratch, rdv_error *err);
/* Draws. *drawn: the numbers of the drawn traces in ascending order, *n of them. RDV_E_NOMEM. */
int trace_sample_draw(trace_sample *sample, size_t **drawn, size_t *n, rdv_error *err);
/* The tasks in the order of their first traces, valid after trace_sample_draw(). */
const trace_sample_task *trace_sample_tasks(const trace_sample *sample, size_t *n);
