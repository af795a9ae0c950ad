/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What check, vote and eval have in common: records in from all inputs, one after the other, lines
 * out, what failed, and how it ends. */
#include "output.h"
#include "terminal.h"

#include <rederive/data.h>

#include <time.h>

struct run {
    const struct settings *settings;
    struct terminal terminal;
    struct output output;
    rdv_arena *arena;      /* of the record in hand; run_next() empties it */
    rdv_arena *keep;       /* until the end */
    bool errors_in_output; /* a record that cannot be read leaves an error record in its place */
    uint64_t records;      /* that could be read */
    uint64_t failed;       /* that could not be read (`unread`), or not be done */
    uint64_t unread;
    /* private */
    rdv_reader *reader;
    const char *path; /* of the reader, as messages name it */
    size_t next_input, opened;
    int status; /* DONE, or how the run has to end */
    struct timespec began, told;
};

/* Begin. On failure (USAGE, NOTHING_DONE) it was said why, and run_end() must still be called. */
int run_begin(struct run *run, const struct settings *settings);
/* The next record that can be read. RDV_NONE: the end, or the run has to stop. What cannot be read
 * was said and counted. */
int run_next(struct run *run, rdv_record *record);
/* A line, or lines, of output. Failure stops the run. */
void run_write(struct run *run, rdv_str text);
/* Something failed: say so, count it, and with --strict stop. record: the one in hand, whose place
 * is put before the message; NULL where the message says it. */
void run_fail(struct run *run, const rdv_record *record, const rdv_error *err);
/* The whole run cannot go on: say why and stop with `status`. */
void run_stop(struct run *run, int status, const rdv_error *err);
/* Whether the run has to stop; what is still to be concluded need not be. */
bool run_stopped(const struct run *run);
double run_seconds(const struct run *run);
/* Put the output in place and release everything; the exit status. The counts remain. */
int run_end(struct run *run);
/* Whether a run that ended with `status` has a summary to tell. */
bool run_tells(const struct run *run, int status);
