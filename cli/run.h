/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What check, vote and eval have in common: reading records from all inputs in turn, writing lines,
 * counting failures, and the exit status. */
#include "inputs.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"

#include "data/reader.h"

#include <time.h>

/* What is told later, in the order of the input: notes, and inputs and records that could not be
 * read. */
struct held {
    rdv_arena *arena;
    struct held_line *first, *last;
};

/* A record that was cut from its file, to be read later. */
struct cut_record {
    rdv_cut cut;
    struct open_input *input; /* the record is of, and keeps open; NULL: there is no record */
    bool is_cut;              /* false: it was read already */
};

#define KEPT_REASONS 16
#define NOTES_KEPT 200
#define NOTES_TOLD 3 /* files of which the same note is told; of more their number is */
#define REPEATED_PLACES 8

/* The faults of a file that are counted, not told one by one. */
struct untold {
    uint64_t told, n;              /* faults that were told; others, of which there are too many */
    uint64_t repeated;             /* records whose reason was told of another one, */
    size_t lines[REPEATED_PLACES]; /* and where the first of them stand */
    uint64_t hashes[KEPT_REASONS]; /* of the reasons that were told */
    size_t reasons;
};

struct run {
    const struct settings *settings;
    struct terminal terminal;
    struct output output;
    struct output *also;      /* a second output, finished like the first, or NULL */
    struct html_output *html; /* the report of --html, or NULL */
    rdv_arena *arena;         /* for the current record; run_next() empties it */
    rdv_arena *keep;          /* lives until run_end() */
    bool pairs;               /* an answer beside its gold answer is a record (grade) */
    bool texts_ask;           /* a plain text is a question (solve) */
    bool counts_evidence;     /* only numbers of the evidence are needed (eval, vote) */
    bool places;              /* records are to say where their steps stand in the file */
    bool errors_in_output;    /* a failed record is written as an error record */
    uint64_t records;         /* records that could be read */
    uint64_t failed;          /* records that could not be read (`unread`) or processed */
    uint64_t unread;
    rdv_str *notes;            /* with --html: what was told of the input that is no fault, */
    size_t n_notes, cap_notes; /* the first NOTES_KEPT */
    /* private: the notes that were told, without their places; of how many files each is */
    struct {
        rdv_str text;
        uint64_t files;
    } told_notes[8];
    size_t n_told_notes;
    bool waiting;       /* results of a batch are to be imported first */
    bool undone;        /* work was left undone, though no record failed */
    uint64_t lines_out; /* line ends written by run_write() */
    const char *path;   /* of the record that was read last, as messages name it */
    /* private */
    const char *told_path; /* of the file whose faults were told last; */
    struct untold untold;  /* and how many were only counted */
    struct held *held; /* reading tells nothing, but adds it here; NULL: it tells */
    void (*before_wait)(void *payload); /* before standard input is waited for; NULL: nothing */
    void *payload;
    struct inputs inputs;
    struct open_input *input; /* NULL: none is open */
    size_t next_input, opened;
    uint64_t lines; /* line ends read from standard input */
    bool line_shown; /* a line of progress, or of a survey, stands on the terminal */
    int status;     /* DONE, or the exit status that an error requires */
    struct timespec began, told;
    struct progress progress;     /* of the bytes of the input */
    uint64_t bytes, bytes_before; /* of all inputs (0: not known); of those before the open one */
    uint64_t bytes_open;          /* of the open one */
};

/* Begin. On failure (USAGE, NOTHING_DONE) the error was reported; run_end() is still required. */
int run_begin(struct run *run, const struct settings *settings);
/* Read the next valid record. RDV_NONE: the end, or the run has to stop. Records that cannot be
 * read are reported and counted. */
int run_next(struct run *run, rdv_record *record);
/* The same into the caller's `arena`, one record per call. RDV_E_INPUT: the record cannot be read;
 * this was reported and counted, and `err` has the message. */
int run_read(struct run *run, rdv_arena *arena, rdv_record *record, rdv_error *err);
/* The same where the record may be cut: then it is in `cut`, not in `record`, and cut->input stays
 * open until run_end_cut(). With `held`, nothing is told, and a record that was read or cut is not
 * counted yet: both are for run_tell_held() and the caller. */
int run_cut(struct run *run, struct held *held, rdv_arena *arena, rdv_record *record,
            struct cut_record *cut, rdv_error *err);
void run_tell_held(struct run *run, const struct held *held);
/* A record could not be read: count it, and say so. */
void run_fail_unread(struct run *run, const rdv_error *err);
rdv_reader *run_reader_of(const struct cut_record *cut);
void run_end_cut(struct cut_record *cut);
/* How the input is read; the caller may add a `note`. */
rdv_read_options run_read_options(const struct run *run);
/* How many threads a command has: those of --threads, or one a processor. */
size_t run_threads(const struct settings *settings);
/* Whether records are being read from standard input, which has no file's name. */
bool run_reads_stdin(const struct run *run);
/* Whether the next record would have to be waited for: all available standard input has been read.
 * An estimate where a record is not one line. */
bool run_would_wait(const struct run *run);
/* Write one or more lines of output. Failure stops the run. */
void run_write(struct run *run, rdv_str text);
/* Report a failure, count it, and with --strict stop. record: the current record, whose place is
 * put before the message; NULL if the message already names it. */
void run_fail(struct run *run, const rdv_record *record, const rdv_error *err);
/* The same for a record that was read. *line, in `arena`, is the input record with the reason in
 * its `error`; p == NULL where no error records are wanted. */
void run_fail_record(struct run *run, const rdv_record *record, const rdv_error *err,
                     rdv_arena *arena, rdv_str *line);
/* Report why the run cannot continue, and stop it with `status`. */
void run_stop(struct run *run, int status, const rdv_error *err);
/* Whether the run has to stop; open work need not be finished. */
bool run_stopped(const struct run *run);
/* Whether further output is useless: it cannot be written, or nobody reads it. */
bool run_cannot_write(const struct run *run);
/* Milliseconds between two lines of progress; 0: progress is not shown. */
uint32_t run_progress_ms(const struct run *run);
/* Show how far the reading is, when it is time for it; run_next() does. */
void run_tell_records(struct run *run);
/* Show a line of progress in place of the previous one; NULL: clear it. run_write() clears it. */
void run_progress(struct run *run, const char *line);
/* Seconds since the run began, and since another time. */
double run_seconds(const struct run *run);
double run_seconds_since(const struct timespec *begin);
/* Whether the files of the run are to be written: false where the input has no record, or each
 * failed. Then what earlier runs left stays. */
bool run_keeps(const struct run *run);
/* Finish an output of the run, as run_end() finishes the first one; or drop it, see run_keeps(). */
void run_finish_output(struct run *run, struct output *output);
/* Finish the output and release everything; returns the exit status. The counts remain. An input
 * without records is said. */
int run_end(struct run *run);
/* Whether to print a summary for a run that ended with `status`. */
bool run_tells(const struct run *run, int status);
