/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Records that are checked by a method that asks a model: all of them in one run, and written as
 * `rederive check` does. */
#include "judge/asked_record.h"
#include <rederive/run.h>

/* What asks a model. */
typedef struct records_asker {
    /* A plan that checks the chain, which is borrowed. *plan: the caller's. `type`: of its
     * question; p == NULL: not known. */
    int (*plan)(void *of, rdv_chain *chain, rdv_str type, rdv_plan **plan, rdv_error *err);
    /* Carry out the plans; blocks. */
    int (*run)(void *of, const rdv_plan_source *source, rdv_error *err);
    void *of;
    record_makers by;
} records_asker;

typedef struct asked_records {
    const records_asker *asker;
    rdv_arena *arena; /* of all records */
    struct asked_line *lines;
    size_t n, cap;
    size_t n_given, n_done; /* plans */
} asked_records;

/* Take over a record, whose line will stand at byte `at` of what is written; `line`: where it came
 * from, for its error. Faults: RDV_E_NOMEM; those of a plan: the record cannot be checked. */
int asked_records_add(asked_records *a, rdv_record *record, size_t line, size_t at, rdv_error *err);
/* Ask, and put the lines in. Faults: RDV_E_NOMEM, and those of the run. */
int asked_records_run(asked_records *a, rdv_buf *out, rdv_error *err);
/* Free the plans. */
void asked_records_end(asked_records *a);
