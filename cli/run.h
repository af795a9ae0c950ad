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
    struct output *also;   /* a second output that ends as this one does, or NULL */
    rdv_arena *arena;      /* of the record in hand; run_next() empties it */
    rdv_arena *keep;       /* until the end */
    bool errors_in_output; /* a record that cannot be read leaves an error record in its place */
    uint64_t records;      /* that could be read */
    uint64_t failed;       /* that could not be read (`unread`), or not be done */
    uint64_t unread;
    bool undone; /* something was left undone, though no record failed */
    /* private */
    rdv_reader *reader;
    const char *path; /* of the reader, as messages name it */
    size_t next_input, opened;
    uint64_t lines; /* ends of lines that standard input has given */
    int status;     /* DONE, or how the run has to end */
    struct timespec began, told;
};

/* Begin. On failure (USAGE, NOTHING_DONE) it was said why, and run_end() must still be called. */
int run_begin(struct run *run, const struct settings *settings);
/* The next record that can be read. RDV_NONE: the end, or the run has to stop. What cannot be read
 * was said and counted. */
int run_next(struct run *run, rdv_record *record);
/* The same into the caller's `arena`, one record a call. RDV_E_INPUT: a record that cannot be read;
 * it was said and counted, and `err` has the message. */
int run_read(struct run *run, rdv_arena *arena, rdv_record *record, rdv_error *err);
/* Whether the next record would have to be waited for: standard input has given all that it has for
 * now. A guess where a record is not a line. */
bool run_would_wait(const struct run *run);
/* A line, or lines, of output. Failure stops the run. */
void run_write(struct run *run, rdv_str text);
/* Something failed: say so, count it, and with --strict stop. record: the one in hand, whose place
 * is put before the message; NULL where the message says it. */
void run_fail(struct run *run, const rdv_record *record, const rdv_error *err);
/* The same for a record that was read; *line is the record as it came with the reason in its
 * `error`, in `arena`; p == NULL where no error records are wanted. */
void run_fail_record(struct run *run, const rdv_record *record, const rdv_error *err,
                     rdv_arena *arena, rdv_str *line);
/* The whole run cannot go on: say why and stop with `status`. */
void run_stop(struct run *run, int status, const rdv_error *err);
/* Whether the run has to stop; what is still to be concluded need not be. */
bool run_stopped(const struct run *run);
/* Whether more output is of no use: it cannot be written, or nobody reads it. */
bool run_cannot_write(const struct run *run);
/* Milliseconds between two lines of progress; 0: none is wanted. */
uint32_t run_progress_ms(const struct run *run);
/* Show this line of progress in place of the one before; NULL: take it away. */
void run_progress(const struct run *run, const char *line);
double run_seconds(const struct run *run);
/* Put the output in place and release everything; the exit status. The counts remain. */
int run_end(struct run *run);
/* Whether a run that ended with `status` has a summary to tell. */
bool run_tells(const struct run *run, int status);
