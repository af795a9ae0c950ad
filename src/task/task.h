/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Generated questions with their answers: the five tasks of BIG-Bench Mistake,
 * coin flips and last letters (docs/tasks.md).
 *
 * A question is a function of the task, the options and a number: the same input gives the same
 * bytes on every machine. All words, names and wordings are ours. A trace is the right solution
 * step by step, in the manner of BIG-Bench Mistake's, or one with an error at a known step. */
#include <rederive/chain.h>

typedef struct rdv_task {
    const char *name;    /* "word_sorting": as the files of BIG-bench are called */
    const char *summary; /* one line for --help */
    const char *size_is; /* what its size counts: "words", "objects" */
    rdv_kind kind;       /* of its answers */
    size_t least, most;  /* the default sizes: drawn uniformly between them */
    size_t limit;        /* no size is larger */
    bool odd;            /* only odd sizes are drawn (three, five or seven objects) */
    const char *asks;    /* what its questions say before a list that says nothing of the task, with
                            a blank at the end; NULL: they have no such list */
} rdv_task;

/* All tasks in a fixed order, *n of them. Static. */
const rdv_task *const *rdv_tasks(size_t *n);
/* The task of that name, or NULL. Static. */
const rdv_task *rdv_task_named(rdv_str name);
/* The task of a question, recognised by its form: a question of these generators or of BIG-bench.
 * NULL: none. Linear in the question's text, of which the first 16 KiB are looked at. */
const rdv_task *rdv_task_of(const rdv_question *question);
/* The task that a question leaves out which is nothing but its list, as BIG-bench publishes word
 * sorting ("kitten normative scan") and Dyck languages: one whose right answer is such a list too,
 * of the same letters, or of closing brackets. Put its `asks` before the list. NULL: none. Linear.
 */
const rdv_task *rdv_task_left_out(const rdv_question *question);
/* The question without the words before its list, where it is one of such a task; else its text. */
rdv_str rdv_task_list(const rdv_question *question);

#define RDV_TASK_NO_MISTAKE RDV_NO_STEP
#define RDV_TASK_ANY_STEP (RDV_NO_STEP - 1)

/* Zero-initialise, then rdv_task_options_default(). */
typedef struct rdv_task_options {
    uint64_t seed;
    size_t least, most; /* the size, 2 <= least <= most <= the task's limit; 0: the task's own */
    bool trace;         /* steps, answer and label too */
    size_t mistake;     /* the step with the error: a step from 0, RDV_TASK_ANY_STEP, or
                           RDV_TASK_NO_MISTAKE. Later steps continue from the error */
} rdv_task_options;

/* Seed 0, the task's own sizes, no trace, no error. */
void rdv_task_options_default(rdv_task_options *options);

/* Make question number `number` of `task` under the options' seed, everything in `arena`: its id
 * ("word_sorting-0-17": task, seed, number), text, options, kind and gold answer; with a trace also
 * steps, answer, whether that is right, and label. Any two numbers may by chance give the same
 * question where a task has few. *out is untouched on failure. RDV_NONE: with that mistake there is
 * no such trace (the trace is shorter, or nothing can be wrong in that step: it repeats no more
 * than the method). Faults: RDV_E_NOMEM; RDV_E_ARGUMENT (an option). */
int rdv_task_make(const rdv_task *task, const rdv_task_options *options, uint64_t number,
                  rdv_arena *arena, rdv_chain *out, rdv_error *err);
