/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Question generators. Each draws a question and then writes its trace, with an error if one is
 * requested. Drawing and writing are separate, so that an error does not change the question. */
#include "base/buf.h"
#include "base/rng.h"
#include "task/task.h"

/* A trace under construction. For each step that can be wrong, the writer calls trace_goes_wrong()
 * to find out whether it should be, at most once per step. Failures are sticky. */
typedef struct trace {
    rdv_arena *arena;
    rdv_rng rng;     /* draws what is wrong */
    size_t wrong_at; /* RDV_NO_STEP: nowhere */
    rdv_str *steps;
    bool *fallible;
    size_t n, cap;
    rdv_buf line; /* the step being written */
    bool asked, went_wrong, failed;
} trace;

/* May this step be wrong? Is it to be? */
bool trace_goes_wrong(trace *t);
/* Text of the step being written. */
void trace_printf(trace *t, const char *fmt, ...) RDV_PRINTF(2, 3);
/* The step is complete. */
void trace_end_step(trace *t);

/* A question that was drawn. */
typedef struct drawn {
    rdv_str text;
    rdv_str *options;
    size_t n_options;
    rdv_str gold;
    const void *puzzle; /* the maker's own, for its trace */
} drawn;

typedef struct task_maker {
    rdv_task task;
    /* Draw a question of `size`, in `arena`. RDV_E_NOMEM or RDV_OK. */
    int (*draw)(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out);
    /* Write all steps; *answer, in the trace's arena, is what the last one says. */
    void (*write)(const void *puzzle, trace *t, rdv_str *answer);
} task_maker;

extern const task_maker task_sorting, task_shuffled, task_deduction, task_arithmetic, task_dyck,
    task_coin, task_letters;

/* ---- words ----------------------------------------------------------------------------------- */

typedef struct word_list {
    const char *const *words;
    size_t n;
} word_list;

extern const word_list words_common, words_names;

/* "first" for 0, up to "twentieth". */
const char *words_ordinal(size_t i);
/* "three" for 3, up to "ten". */
const char *words_count(size_t n);
/* `n` different indices below `of` into out, in the order drawn. */
void words_draw(rdv_rng *rng, size_t of, size_t n, size_t *out);
