/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Another program that runs a command inside itself, as the Python package does: what would be
 * standard input, standard output, messages and Ctrl-C of a process of its own is the host's. */
#include <stdbool.h>
#include <stddef.h>

struct rdv_error;
struct rdv_plan_source;
struct rdv_run_totals;

struct host {
    void *payload;
    const char *input; /* the name of the input in messages */
    /* As read(2): waits for bytes; 0 at the end. */
    ptrdiff_t (*read)(void *payload, void *bytes, size_t size);
    /* Whether read() would wait. */
    bool (*would_wait)(void *payload);
    /* Take output. false: nobody reads it. */
    bool (*write)(void *payload, const char *bytes, size_t size);
    /* Take a message: one line, without a newline. */
    void (*say)(void *payload, const char *line);
    bool (*interrupted)(void *payload);
    /* As when_interrupted(). `stop` may be called by any thread. */
    void (*when_interrupted)(void *payload, void (*stop)(void *), void *work);
    /* Carry out the plans of a session in place of its own run, as rdv_run_plans(). NULL: the run
     * does. */
    int (*plans)(void *payload, const struct rdv_plan_source *source, struct rdv_error *err);
    /* Take the totals of a run, several times a second and at its end. NULL: nobody asks. */
    void (*progress)(void *payload, const struct rdv_run_totals *totals);
};

/* The host of the command that this thread runs. NULL: the process is the program itself. */
extern _Thread_local const struct host *host;
